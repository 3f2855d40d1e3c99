package io.tensornio.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.internal.memory.Garbage;
import io.tensornio.internal.memory.NativeMemory;
import io.tensornio.op.Ops;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tensors over memory of others: where they read it, when it is given back, and what is refused. */
@ExtendWith(MemoryBalance.class)
class ForeignTest {
    private final AtomicInteger released = new AtomicInteger();
    private final Runnable release = released::incrementAndGet;

    private static ByteBuffer bytes(int n) {
        return ByteBuffer.allocateDirect(n).order(ByteOrder.nativeOrder());
    }

    private static ByteBuffer floats(float... values) {
        ByteBuffer made = bytes(4 * values.length);
        made.asFloatBuffer().put(values);
        return made;
    }

    private static long foreign() {
        return MemoryStats.current().foreignBytes();
    }

    @Test
    void theElementsAreReadInPlace() {
        ByteBuffer memory = floats(1, 2, 3, 4, 5, 6);
        long before = foreign();
        long own = MemoryStats.current().bytesInUse();
        try (Tensor<?> tensor = Foreign.adopt(DataType.FLOAT, new long[] {2, 3}, memory, release); Pin pin = Pin.of(tensor)) {
            assertEquals(NativeMemory.addressOf(memory), pin.address());
            assertEquals(6, tensor.floatData().get(1, 2));
            memory.putFloat(20, 7);
            assertEquals(7, tensor.floatData().get(1, 2), "nothing was copied");
            assertTrue(tensor.floatData().isReadOnly() && tensor.asByteBuffer().isReadOnly());
            assertTrue(foreign() >= 24 && foreign() <= before + 24, "others may be collected meanwhile");
            assertEquals(own, MemoryStats.current().bytesInUse());
            assertArrayEquals(new float[][] {{1, 2, 3}, {4, 5, 7}}, tensor.toNested(float[][].class));
        }
    }

    @Test
    void positionAndLimitSayWhereTheElementsAre() {
        ByteBuffer memory = floats(1, 2, 3, 4, 5, 6);
        memory.position(4).limit(16);
        try (Tensor<?> tensor = Foreign.adopt(DataType.FLOAT, new long[] {3}, memory, release)) {
            memory.clear();
            assertArrayEquals(new float[] {2, 3, 4}, (float[]) tensor.toNested());
        }
    }

    @Test
    void memoryThatIsReadOnlyIsReadLikeAnyOther() {
        ByteBuffer memory = floats(1, 2).asReadOnlyBuffer().order(ByteOrder.nativeOrder());
        try (Tensor<?> tensor = Foreign.adopt(DataType.FLOAT, new long[] {2}, memory, release)) {
            assertEquals(2, tensor.floatData().get(1));
        }
    }

    @Test
    void scalarsAndEmptyTensorsAreAdopted() {
        try (Tensor<?> scalar = Foreign.adopt(DataType.FLOAT, new long[0], floats(5), release);
            Tensor<?> none = Foreign.adopt(DataType.INT64, new long[] {3, 0}, bytes(0), release)) {
            assertEquals(5, scalar.floatData().get());
            assertEquals(0, none.longData().totalSize());
        }
        Garbage.collectUntil(() -> released.get() == 2);
    }

    @Test
    void closedWithoutReadersItIsGivenBackAtOnce() {
        long before = foreign();
        Tensor<?> tensor = Foreign.adopt(DataType.FLOAT, new long[] {3}, floats(1, 2, 3), release);
        assertTrue(foreign() >= 12 && foreign() <= before + 12);
        tensor.close();
        assertEquals(1, released.get());
        assertTrue(foreign() <= before);
        tensor.close();
        assertEquals(1, released.get(), "once");
    }

    @Test
    void operationsDoNotDelayIt() {
        Tensor<?> tensor = Foreign.adopt(DataType.FLOAT, new long[] {3}, floats(1, 2, 3), release);
        @SuppressWarnings("unchecked")
        Tensor<Float> typed = (Tensor<Float>) tensor;
        try (Ops tf = Ops.create()) {
            assertEquals(-3, tf.math.neg(tf.constant(typed)).asTensor().floatData().get(2));
        }
        tensor.close();
        assertEquals(1, released.get());
    }

    @Test
    void whoeverHasDataOrABufferKeepsIt() {
        List<Object> kept = new ArrayList<>();
        for (int kind = 0; kind < 5; kind++) {
            released.set(0);
            Tensor<?> tensor = Foreign.adopt(DataType.FLOAT, new long[] {3}, floats(1, 2, 3), release);
            switch (kind) {
                case 0:
                    tensor.asByteBuffer();                                  // nobody keeps it
                    break;
                case 1:
                    kept.add(tensor.asByteBuffer());
                    break;
                case 2:
                    kept.add(tensor.asByteBuffer().slice().asFloatBuffer().duplicate());
                    break;
                default:
                    try (Pin pin = Pin.of(tensor)) {
                        kept.add(kind == 3 ? pin.buffer() : pin.buffers()[0].duplicate().slice());
                    }
                    break;
            }
            FloatTensorData data = kind == 0 ? tensor.floatData() : null;
            tensor.close();
            assertEquals(0, released.get(), "a buffer may be read");
            if (data != null) {
                assertThrows(TensorClosedException.class, () -> data.get(0));
            } else {
                for (int n = 0; n < 3; n++) {
                    System.gc();
                    MemoryBalance.pause();
                    assertEquals(0, released.get(), "a buffer is reachable: kind " + kind);
                }
            }
            kept.clear();
            Garbage.collectUntil(() -> released.get() == 1);
        }
    }

    @Test
    void aTensorThatNobodyClosesIsCollected() {
        long before = foreign();
        Foreign.adopt(DataType.FLOAT, new long[] {3}, floats(1, 2, 3), release).floatData();
        Foreign.adopt(DataType.FLOAT, new long[] {3}, floats(1, 2, 3), release);
        Garbage.collectUntil(() -> released.get() == 2);
        assertTrue(foreign() <= before);        // what earlier tests dropped may be collected, too
    }

    @Test
    void aPinKeepsItUntilItsEnd() {
        Tensor<?> tensor = Foreign.adopt(DataType.FLOAT, new long[] {3}, floats(1, 2, 3), release);
        Pin pin = Pin.of(tensor);
        tensor.close();
        assertEquals(0, released.get());
        pin.close();
        assertEquals(1, released.get());
    }

    @Test
    void aPinThatIsForgottenKeepsItNotForEver() {
        Tensor<?> tensor = Foreign.adopt(DataType.FLOAT, new long[] {3}, floats(1, 2, 3), release);
        Pin.of(tensor);
        tensor.close();
        Garbage.collectUntil(() -> released.get() == 1);
    }

    @Test
    void uncheckedItIsGivenBackAtTheCloseWhoeverReads() {
        ByteBuffer memory = floats(1, 2, 3);
        Tensor<?> tensor = Foreign.adoptUnchecked(DataType.FLOAT, new long[] {3}, memory, release);
        FloatTensorData data = tensor.floatData();
        ByteBuffer kept = tensor.asByteBuffer();
        Pin pin = Pin.of(tensor);
        tensor.close();
        assertEquals(0, released.get(), "pinned");
        pin.close();
        assertEquals(1, released.get());
        assertThrows(TensorClosedException.class, () -> data.get(0));
        assertEquals(1, kept.asFloatBuffer().get(0), "here the memory is still there");
        assertEquals(12, memory.capacity());
    }

    @Test
    void aReleaseThatThrowsIsLoggedAndNothingElse() {
        List<String> records = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                records.add(record.getLevel() + " " + record.getMessage() + " " + record.getThrown());
            }

            @Override
            public void flush() {
                // Nothing is buffered.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
        Logger logger = Logger.getLogger("io.tensornio");
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            long before = foreign();
            Foreign.adopt(DataType.FLOAT, new long[] {1}, floats(1), () -> {
                throw new ArithmeticException("the lender fails");
            }).close();
            assertTrue(foreign() <= before);
            assertEquals(1, records.size(), records::toString);
            assertTrue(records.get(0).startsWith("SEVERE what gives back 4 adopted bytes"), records.get(0));
            assertTrue(records.get(0).endsWith("ArithmeticException: the lender fails"), records.get(0));
        } finally {
            logger.setUseParentHandlers(true);
            logger.removeHandler(handler);
        }
    }

    @Test
    void truthsOtherThanOneAreTrue() {
        ByteBuffer memory = bytes(19);
        memory.put(3, (byte) 2).put(4, (byte) 1).put(17, (byte) -1);
        try (Tensor<?> tensor = Foreign.adopt(DataType.BOOL, new long[] {19}, memory, release)) {
            assertEquals(1, released.get(), "the tensor is a copy");
            boolean[] expected = new boolean[19];
            expected[3] = true;
            expected[4] = true;
            expected[17] = true;
            assertArrayEquals(expected, (boolean[]) tensor.toNested());
            assertEquals(1, tensor.asByteBuffer().get(3));
        }
        ByteBuffer good = bytes(9).put(8, (byte) 1);
        try (Tensor<?> tensor = Foreign.adopt(DataType.BOOL, new long[] {9}, good, release)) {
            good.put(0, (byte) 1);
            assertTrue(tensor.booleanData().get(0), "read in place");
        }
    }

    @Test
    void kernelsTakeMemoryThatIsAlignedToTheElementAlone() {
        Random random = new Random(5);
        for (int round = 0; round < 40; round++) {
            int offset = random.nextInt(16);
            int n = 1 + random.nextInt(round < 30 ? 100 : 50_000);
            float[] values = new float[n];
            int[] whole = new int[n];
            for (int i = 0; i < n; i++) {
                whole[i] = random.nextInt(100) - 50;
                values[i] = whole[i];
            }
            ByteBuffer memory = bytes(4 * (n + offset));
            memory.position(4 * offset);
            memory.slice().order(ByteOrder.nativeOrder()).asFloatBuffer().put(values);
            ByteBuffer other = bytes(4 * (n + offset));
            other.position(4 * offset);
            other.slice().order(ByteOrder.nativeOrder()).asIntBuffer().put(whole);
            try (Tensor<?> tensor = Foreign.adopt(DataType.FLOAT, new long[] {n}, memory, release);
                Tensor<?> ints = Foreign.adopt(DataType.INT32, new long[] {n}, other, release)) {
                for (String text : new String[] {"y[i] = x[i] * 2 + 1", "y += x[i]"}) {
                    try (Tensor<?> expected = Comprehension.of(text).run(FloatTensorData.of(values, n)).floatTensor("y");
                        Tensor<?> got = Comprehension.of(text).run(tensor).floatTensor("y")) {
                        assertEquals(expected.floatData(), got.floatData(), text);
                    }
                }
                assertEquals(FloatTensorData.of(values, n), tensor.floatData());
                assertEquals(IntTensorData.of(whole, n), ints.intData());
                assertArrayEquals(whole, (int[]) ints.toNested());
                try (Tensor<Float> copy = Tensors.create(tensor.floatData())) {
                    assertEquals(tensor.floatData(), copy.floatData());
                }
            }
        }
    }

    // ---- What is refused -------------------------------------------------------------------------------------------

    private void refused(DataType type, long[] shape, ByteBuffer memory, String... says) {
        Expect.thrown(IllegalArgumentException.class, () -> Foreign.adopt(type, shape, memory, release), says);
        Expect.thrown(IllegalArgumentException.class, () -> Foreign.adoptUnchecked(type, shape, memory, release), says);
        assertEquals(0, released.get(), "the memory remains the caller's");
    }

    @Test
    void aHeapBufferIsRefusedByNameOfWhatWrapsIt() {
        refused(DataType.FLOAT, new long[] {2}, ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()), "heap", "FloatTensorData.of");
    }

    @Test
    void anotherLengthIsRefused() {
        refused(DataType.FLOAT, new long[] {2}, bytes(7), "FLOAT", "[2]", "8", "7");
        refused(DataType.FLOAT, new long[] {2}, bytes(9), "8", "9");
        refused(DataType.FLOAT, new long[] {2, Integer.MAX_VALUE, Integer.MAX_VALUE}, bytes(8));
    }

    @Test
    void anotherByteOrderIsRefusedWhereItMatters() {
        ByteOrder other = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        refused(DataType.INT32, new long[] {2}, bytes(8).order(other), "nativeOrder()", other.toString());
        Foreign.adopt(DataType.UINT8, new long[] {8}, bytes(8).order(other), release).close();
        assertEquals(1, released.get());
    }

    @Test
    void memoryThatIsNotAlignedToTheElementIsRefused() {
        for (DataType type : Arrays.asList(DataType.FLOAT, DataType.DOUBLE, DataType.INT32, DataType.INT64)) {
            ByteBuffer memory = bytes(32);
            memory.position(type.byteSize() / 2).limit(type.byteSize() * 3 / 2);
            refused(type, new long[] {1}, memory, "address", type.toString());
        }
    }

    @Test
    void stringsNegativeSizesAndNullsAreRefused() {
        refused(DataType.STRING, new long[] {1}, bytes(8), "STRING");
        refused(DataType.FLOAT, new long[] {-1}, bytes(8), "-1");
        refused(DataType.FLOAT, new long[] {Long.MAX_VALUE, 2}, bytes(8));
        assertThrows(NullPointerException.class, () -> Foreign.adopt(null, new long[] {1}, bytes(4), release));
        assertThrows(NullPointerException.class, () -> Foreign.adopt(DataType.FLOAT, null, bytes(4), release));
        assertThrows(NullPointerException.class, () -> Foreign.adopt(DataType.FLOAT, new long[] {1}, null, release));
        assertThrows(NullPointerException.class, () -> Foreign.adopt(DataType.FLOAT, new long[] {1}, bytes(4), null));
    }
}
