package io.tensornio.onnxruntime;

import static io.tensornio.support.Expect.depth;
import static io.tensornio.support.Expect.thrown;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.interop.Foreign;
import io.tensornio.interop.Pin;
import io.tensornio.value.Value;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Which memory ONNX Runtime's tensors read, and what becomes of them. */
class OrtTensorsTest {
    private final OrtEnvironment env = OrtEnvironment.getEnvironment();

    @Test
    void aTensorIsReadInPlace() throws OrtException {
        ByteBuffer memory = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder());
        memory.asFloatBuffer().put(new float[] {1, 2, 3, 4, 5, 6});
        try (Tensor<?> tensor = Foreign.adopt(DataType.FLOAT, new long[] {2, 3}, memory, () -> { }); OrtTensor ort = OrtTensors.of(env, tensor)) {
            assertFalse(ort.isCopy());
            assertArrayEquals(new long[] {2, 3}, ort.onnx().getInfo().getShape());
            assertArrayEquals(new float[][] {{1, 2, 3}, {4, 5, 6}}, (float[][]) ort.onnx().getValue());
            memory.putFloat(0, 7);
            assertArrayEquals(new float[][] {{7, 2, 3}, {4, 5, 6}}, (float[][]) ort.onnx().getValue());
        }
    }

    @Test
    void everyTypeThatBothHaveGoesThereAndBack() {
        for (Object nested : new Object[] {new float[] {1.5f, Float.NaN}, new double[] {1.5, -0.0}, new int[] {-1, Integer.MAX_VALUE},
            new long[] {Long.MIN_VALUE, 1}, new boolean[] {true, false, true}, new byte[] {(byte) 200, 0}, new String[] {"", "\u00e4 b"}, 5f, "one",
            new float[0], new String[][] {{"a", "b", "c"}, {"d", "e", "f"}}}) {
            try (Tensor<?> tensor = Tensors.ofNested(nested); OrtTensor ort = OrtTensors.of(env, tensor); Value back = OrtTensors.copy(ort.onnx())) {
                assertEquals(tensor.dataType() == DataType.STRING, ort.isCopy());
                assertEquals(Value.of(tensor), back);
            }
        }
    }

    @Test
    void anotherLayoutIsCopied() throws OrtException {
        try (Tensor<Integer> tensor = Tensors.denseInt(TensorLayout.columnMajor(2, 3), data -> data.put(new int[] {1, 2, 3, 4, 5, 6}));
            OrtTensor ort = OrtTensors.of(env, tensor)) {
            assertTrue(ort.isCopy());
            assertArrayEquals(new int[][] {{1, 2, 3}, {4, 5, 6}}, (int[][]) ort.onnx().getValue());
            Buffer memory = ort.onnx().getBufferRef().orElseThrow(AssertionError::new);
            try (Pin pin = Pin.of(tensor);
                Tensor<?> copy = Foreign.adopt(DataType.INT32, new long[] {6}, (ByteBuffer) memory, () -> { }); Pin copied = Pin.of(copy)) {
                assertNotEquals(pin.address(), copied.address());
            }
        }
    }

    /** ONNX Runtime logs a warning at the second close. */
    @Test
    void racingThreadsCloseAnInputOnce() throws InterruptedException {
        Queue<String> warnings = new ConcurrentLinkedQueue<>();
        Logger log = Logger.getLogger(OnnxTensor.class.getName());
        Filter before = log.getFilter();
        log.setFilter(record -> !warnings.add(record.getMessage()));
        try (Tensor<?> tensor = Tensors.ofNested(new float[] {1, 2})) {
            for (int round = 0; round < 2000 * depth(); round++) {
                OrtTensor ort = OrtTensors.of(env, tensor);
                CyclicBarrier all = new CyclicBarrier(3);
                Thread[] team = new Thread[all.getParties()];
                for (int n = 0; n < team.length; n++) {
                    team[n] = new Thread(() -> {
                        try {
                            all.await();
                        } catch (Exception e) {
                            warnings.add(e.toString());
                        }
                        ort.close();
                    });
                    team[n].start();
                }
                for (Thread member : team) {
                    member.join();
                }
                assertTrue(ort.onnx().isClosed());
            }
        } finally {
            log.setFilter(before);
        }
        assertTrue(warnings.isEmpty(), warnings::toString);
    }

    @Test
    void whatOnnxRuntimeHasIsCopied() throws OrtException {
        ByteBuffer memory = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder()).putFloat(0, 1).putFloat(4, 2);
        try (OnnxTensor onnx = OnnxTensor.createTensor(env, memory, new long[] {2}, OnnxJavaType.FLOAT); Value copy = OrtTensors.copy(onnx)) {
            memory.putFloat(0, 7);
            assertArrayEquals(new float[] {7, 2}, (float[]) onnx.getValue());
            assertArrayEquals(new float[] {1, 2}, copy.asTensor().toNested(float[].class));
        }
    }

    @Test
    void theTensorMayBeClosedBeforeTheInput() throws OrtException {
        long before = MemoryStats.current().bytesInUse();
        Tensor<Float> tensor = Tensors.denseFloat(new long[] {100_000}, data -> data.put(7, 99_999));
        OrtTensor ort = OrtTensors.of(env, tensor);
        tensor.close();
        assertEquals(7, ort.onnx().getFloatBuffer().get(99_999));
        ort.close();
        ort.close();
        assertTrue(MemoryStats.current().bytesInUse() <= before);
        assertThrows(TensorClosedException.class, () -> OrtTensors.of(env, tensor));
    }

    @Test
    void sparseAndRaggedTensorsAndNullsAreRefused() {
        try (AnyTensor<Float> sparse = Tensors.sparseFloat(new long[] {3}, 1, data -> data.put(1, 0));
            AnyTensor<Float> ragged = Tensors.raggedOfNested(new float[][] {{1}, {}})) {
            for (AnyTensor<?> tensor : new AnyTensor<?>[] {sparse, ragged}) {
                thrown(IllegalArgumentException.class, () -> OrtTensors.of(env, tensor), "toDense()");
            }
        }
        assertThrows(NullPointerException.class, () -> OrtTensors.of(env, null));
        assertThrows(NullPointerException.class, () -> OrtTensors.copy(null));
    }

    @Test
    void typesThatAreStoredNarrowGoThereAndBackOrAreRefusedByName() {
        for (DataType type : DataType.values()) {
            if (type == DataType.STRING) {
                continue;
            }
            try (Tensor<Integer> ints = Tensors.ofNested(new int[] {0, 1, 2, 127}); Tensor<?> tensor = Tensors.convert(ints.intData(), type)) {
                if (type == DataType.UINT16 || type == DataType.UINT32 || type == DataType.UINT64) {
                    thrown(IllegalArgumentException.class, () -> OrtTensors.of(env, tensor), type.name());
                    continue;
                }
                try (OrtTensor ort = OrtTensors.of(env, tensor); Value back = OrtTensors.copy(ort.onnx())) {
                    assertFalse(ort.isCopy());
                    assertEquals(Value.of(tensor), back);
                }
            }
        }
    }

    @Test
    void gettersOfOnnxRuntimeCopy() throws OrtException {
        try (Tensor<Float> tensor = Tensors.ofNested(new float[] {1, 2}); OrtTensor ort = OrtTensors.of(env, tensor)) {
            Buffer copy = ort.onnx().getFloatBuffer();
            assertFalse(copy.isDirect());
        }
    }
}
