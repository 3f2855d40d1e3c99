package io.tensornio.interop;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorData;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.internal.memory.Garbage;
import io.tensornio.internal.memory.NativeMemory;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a pin shows, how long it keeps memory, and what is refused. */
@ExtendWith(MemoryBalance.class)
class PinTest {
    /** Large enough for memory of its own. */
    private static final int N = 100_000;

    private static Tensor<Float> numbered(int n) {
        return Tensors.denseFloat(new long[] {n}, data -> {
            for (int i = 0; i < n; i++) {
                data.put(i + 1, i);
            }
        });
    }

    private static long inUse() {
        return MemoryStats.current().bytesInUse();
    }

    @Test
    void thePinnedMemoryIsThatOfTheTensor() {
        for (int n : new int[] {3, N}) {
            try (Tensor<Float> tensor = numbered(n); Pin pin = Pin.of(tensor)) {
                ByteBuffer bytes = pin.buffer();
                assertEquals(NativeMemory.addressOf(tensor.asByteBuffer().slice()), pin.address());
                assertEquals(NativeMemory.addressOf(bytes), pin.address());
                assertEquals(0, pin.address() % 64);
                assertEquals(4L * n, pin.byteSize());
                assertEquals(DataType.FLOAT, pin.dataType());
                assertEquals(Arrays.asList(0, 4 * n, 4 * n), Arrays.asList(bytes.position(), bytes.limit(), bytes.capacity()));
                assertEquals(ByteOrder.nativeOrder(), bytes.order());
                assertTrue(bytes.isDirect() && bytes.isReadOnly());
                assertThrows(ReadOnlyBufferException.class, () -> bytes.put(0, (byte) 1));
                assertEquals(n, bytes.asFloatBuffer().get(n - 1));
                assertEquals(1, pin.buffers().length);
                assertEquals(TensorLayout.rowMajor(n), pin.layout());
                bytes.position(4);
                assertEquals(0, pin.buffer().position(), "each call gives a buffer of its own");
            }
        }
    }

    @Test
    void tensorsOfAllSizesAndTypesHaveTheAddressOfTheirBuffer() {
        List<Tensor<?>> tensors = Arrays.asList(Tensors.denseDouble(new long[0], data -> { }), Tensors.denseInt(new long[] {0, 3}, data -> { }),
            Tensors.denseLong(new long[] {5}, data -> { }), Tensors.denseBoolean(new long[] {7}, data -> { }),
            Tensors.denseUInt8(new long[] {70_000}, data -> { }), Tensors.denseString(new long[] {2}, 5, ' ', data -> data.put("abc", 0)));
        for (Tensor<?> tensor : tensors) {
            try (Tensor<?> closed = tensor; Pin pin = Pin.of(tensor)) {
                assertEquals(closed.numBytes(), pin.byteSize());
                assertEquals(tensor.numBytes(), pin.buffer().capacity());
                assertEquals(tensor.asByteBuffer(), pin.buffer());
                if (pin.byteSize() > 0) {
                    assertEquals(NativeMemory.addressOf(tensor.asByteBuffer().slice()), pin.address());
                }
            }
        }
    }

    @Test
    void aLayoutIsToldWithItsPadding() {
        TensorLayout layout = TensorLayout.columnMajor(new long[] {2, 3}, new long[] {4, 3});
        try (Tensor<Float> tensor = Tensors.denseFloat(layout, data -> data.put(7, 1, 2)); Pin pin = Pin.of(tensor)) {
            assertEquals(layout, pin.layout());
            assertEquals(tensor.numBytes(), pin.byteSize());
            assertEquals(7, pin.buffer().asFloatBuffer().get((int) layout.position(1, 2)));
        }
    }

    @Test
    void aClosedTensorThrowsAtOnceAndItsMemoryWaitsForTheLastPin() {
        for (int n : new int[] {3, N}) {
            Tensor<Float> tensor = numbered(n);
            FloatTensorData data = tensor.floatData();
            long before = inUse();
            Pin first = Pin.of(tensor);
            Pin second = Pin.of(tensor);
            FloatBuffer seen = second.buffer().asFloatBuffer();
            tensor.close();
            assertTrue(tensor.isClosed());
            assertThrows(TensorClosedException.class, () -> data.get(0));
            assertThrows(TensorClosedException.class, () -> Pin.of(tensor));
            assertEquals(before, inUse());
            first.close();
            assertEquals(before, inUse());
            for (int i = 0; i < n; i++) {
                assertEquals(i + 1, seen.get(i));
            }
            second.close();
            assertTrue(inUse() < before, "the last pin gives the memory back");
        }
    }

    @Test
    void closingAgainDoesNothing() {
        Tensor<Float> tensor = numbered(N);
        Pin other = Pin.of(tensor);
        Pin pin = Pin.of(tensor);
        pin.close();
        pin.close();
        tensor.close();
        pin.close();
        assertEquals(1, other.buffer().asFloatBuffer().get(0), "the other pin still holds it");
        other.close();
        other.close();
    }

    @Test
    void anotherThreadMayClose() throws InterruptedException {
        try (Tensor<Float> tensor = numbered(3)) {
            Pin pin = Pin.of(tensor);
            Thread thread = new Thread(pin::close);
            thread.start();
            thread.join();
            assertThrows(IllegalStateException.class, pin::address);
        }
    }

    @Test
    void aClosedPinIsRefusedByName() {
        try (Tensor<Float> tensor = numbered(3)) {
            Pin pin = Pin.of(tensor);
            ByteBuffer kept = pin.buffer();
            pin.close();
            Expect.thrown(IllegalStateException.class, pin::address, "FLOAT", "[3]", "closed");
            Expect.thrown(IllegalStateException.class, pin::buffer, "FLOAT", "[3]", "closed");
            Expect.thrown(IllegalStateException.class, pin::buffers, "FLOAT", "[3]", "closed");
            assertEquals(12, pin.byteSize());
            assertTrue(pin.toString().contains("ended"), pin.toString());
            assertEquals(1, kept.asFloatBuffer().get(0), "the tensor is open");
        }
    }

    @Test
    void aClosedTensorIsRefused() {
        Tensor<Float> tensor = numbered(3);
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> Pin.of(tensor), "FLOAT", "[3]");
    }

    @Test
    void whatIsNotInOneRunOfFixedElementsIsRefused() {
        assertThrows(NullPointerException.class, () -> Pin.of(null));
        try (AnyTensor<Float> sparse = Tensors.sparseFloat(new long[] {3}, 1, data -> data.put(1, 0));
            AnyTensor<Float> ragged = Tensors.raggedOfNested(new float[][] {{1}, {}});
            Tensor<String> strings = Tensors.denseString(new long[] {2}, data -> data.put("a", 0))) {
            Expect.thrown(IllegalArgumentException.class, () -> Pin.of(sparse), "SparseTensor", "values()");
            Expect.thrown(IllegalArgumentException.class, () -> Pin.of(ragged), "RaggedTensor", "values()");
            Expect.thrown(IllegalArgumentException.class, () -> Pin.of(strings), "STRING", "variable-length", "bytes()");
        }
    }

    @Test
    void aBufferThatIsKeptShowsNoOtherTensor() {
        List<ByteBuffer> kept = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            try (Tensor<Float> tensor = numbered(N); Pin pin = Pin.of(tensor)) {
                kept.add(pin.buffer());
            }
        }
        for (int n = 0; n < 50; n++) {
            System.gc();
            Tensors.denseFloat(new long[] {N}, data -> data.put(FloatTensorData.constant(-1, N))).close();
            for (ByteBuffer buffer : kept) {
                float seen = buffer.asFloatBuffer().get(17);
                assertTrue(seen == 18 || seen == 0, "another tensor's value: " + seen);
            }
        }
    }

    @Test
    void aPinThatNobodyClosedEndsOnceNeitherItNorABufferIsReachable() {
        long before = inUse();
        Tensor<Float> tensor = numbered(N);
        ByteBuffer[] kept = {Pin.of(tensor).buffer()};
        tensor.close();
        for (int n = 0; n < 5; n++) {
            System.gc();
            assertEquals(before + 4 * N, inUse(), "its buffer is reachable");
            assertEquals(3, kept[0].asFloatBuffer().get(2));
            MemoryBalance.pause();
        }
        kept[0] = null;
        Garbage.collectUntil(() -> inUse() <= before);
    }

    @Test
    void aPinWithoutBuffersThatNobodyClosedEnds() {
        long before = inUse();
        Tensor<Float> tensor = numbered(N);
        Pin.of(tensor);
        tensor.close();
        Garbage.collectUntil(() -> inUse() <= before);
    }

    // ---- Pins that write -------------------------------------------------------------------------------------------

    @Test
    void initMayWriteThroughAPin() {
        long[] address = new long[1];
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 5}, data -> {
            try (Pin pin = Pin.writable(data)) {
                assertEquals(TensorLayout.rowMajor(4, 5), pin.layout());
                assertFalse(pin.buffer().isReadOnly());
                pin.buffer().asFloatBuffer().put(7, 3);
                address[0] = pin.address();
            }
        }); Pin pin = Pin.of(tensor)) {
            assertEquals(3, tensor.floatData().get(1, 2));
            assertEquals(address[0], pin.address());
        }
    }

    @Test
    void aContiguousPartMayBePinned() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 5}, data -> {
            try (Pin pin = Pin.writable(data.slice(range(1, 3)))) {
                assertEquals(40, pin.byteSize());
                pin.buffer().asFloatBuffer().put(0, 8);
                assertEquals(NativeMemory.addressOf(pin.buffer()), pin.address());
            }
        })) {
            assertArrayEquals(new float[][] {{0, 0, 0, 0, 0}, {8, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}},
                tensor.toNested(float[][].class));
        }
    }

    @Test
    void aPinThatWritesEndsWithInit() {
        Pin[] pin = new Pin[1];
        Tensor<Float> tensor = Tensors.denseFloat(new long[] {N}, data -> pin[0] = Pin.writable(data));
        Expect.thrown(IllegalStateException.class, pin[0]::address, "ended", "init");
        Expect.thrown(IllegalStateException.class, pin[0]::buffer, "ended", "init");
        long before = inUse();
        tensor.close();
        assertEquals(before - 4 * N, inUse(), "it holds nothing any more");
        pin[0].close();
    }

    @Test
    void aPinThatWritesEndsWhenInitThrows() {
        long before = inUse();
        Pin[] pin = new Pin[1];
        assertThrows(ArithmeticException.class, () -> Tensors.denseFloat(new long[] {N}, data -> {
            pin[0] = Pin.writable(data);
            throw new ArithmeticException("init");
        }));
        assertThrows(IllegalStateException.class, pin[0]::buffer);
        assertEquals(before, inUse());
    }

    @Test
    void publishedDataIsNeverPinnedToBeWritten() {
        try (Tensor<Float> tensor = numbered(4)) {
            assertThrows(ReadOnlyBufferException.class, () -> Pin.writable(tensor.floatData()));
            assertThrows(ReadOnlyBufferException.class, () -> Pin.writable(tensor.floatData().slice(range(0, 2))));
        }
        FloatTensorData[] kept = new FloatTensorData[1];
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4}, data -> kept[0] = data)) {
            assertNotEquals(0, tensor.numElements());
            assertThrows(ReadOnlyBufferException.class, () -> Pin.writable(kept[0]));
        }
        assertThrows(TensorClosedException.class, () -> Pin.writable(kept[0]));
    }

    @Test
    void whatIsNoDenseDataUnderConstructionIsRefused() {
        assertThrows(NullPointerException.class, () -> Pin.writable(null));
        BiConsumer<String, TensorData<?>> refused = (what, data) ->
            Expect.thrown(IllegalArgumentException.class, () -> Pin.writable(data), "init", "row-major");
        refused.accept("an array", FloatTensorData.of(new float[4], 4));
        refused.accept("a user's buffer", FloatTensorData.of(ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder()).asFloatBuffer(), 4));
        refused.accept("a constant", FloatTensorData.constant(1, 4));
        Tensors.denseFloat(new long[] {4, 4}, data -> {
            refused.accept("columns", data.slice(all(), range(0, 2)));
            refused.accept("a transposed view", data.transpose());
        }).close();
        Tensors.denseFloat(TensorLayout.columnMajor(3, 2), data -> refused.accept("columns first", data)).close();
        Tensors.sparseFloat(new long[] {4}, 1, data -> {
            refused.accept("sparse", data);
            data.put(1, 0);
        }).close();
        Tensors.raggedFloat(new long[] {2, -1}, data -> refused.accept("ragged", data)).close();
        Tensors.denseString(new long[] {2}, data -> refused.accept("strings", data)).close();
    }
}
