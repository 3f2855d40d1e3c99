package io.tensornio.internal.element;

import static io.tensornio.TensorIndex.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.internal.data.FloatStrided;
import io.tensornio.internal.data.FloatView;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tensors in several windows, in a run of the tests in which these are small. */
@Tag("windows")
@ExtendWith(MemoryBalance.class)
class FloatWindowsTest {
    private static final int STEP = Storage.windowStep() / FloatElement.BYTES;
    private static final int N = 3 * STEP;

    private static Tensor<Float> numbered() {
        return Tensors.denseFloat(new long[] {N}, init -> {
            for (int i = 0; i < N; i++) {
                init.put(FloatValues.of(i % 100), i);
            }
        });
    }

    @Test
    void whatOneWindowHoldsIsLikeAnyOtherData() {
        try (Tensor<Float> tensor = numbered()) {
            assertInstanceOf(FloatView.class, tensor.floatData());
            for (int from = 0; from < N; from += 7) {
                int n = Math.min(STEP, N - from);
                FloatTensorData part = tensor.floatData().slice(range(from, from + n));
                assertInstanceOf(FloatStrided.class, part);
                assertEquals(FloatValues.of(from % 100), part.get(0));
                assertEquals(FloatValues.of((from + n - 1) % 100), part.get(n - 1));
            }
        }
    }

    @Test
    void windowsArePublishedAndClosedTogether() {
        FloatTensorData[] kept = new FloatTensorData[3];
        Tensor<Float> tensor = Tensors.denseFloat(new long[] {N}, init -> {
            kept[0] = init;
            kept[1] = init.slice(range(N - 5, N));
            kept[2] = init.slice(range(0, 5));
        });
        for (FloatTensorData data : kept) {
            assertTrue(data.isReadOnly());
            assertThrows(ReadOnlyBufferException.class, () -> data.put(FloatValues.of(1), 1));
            assertEquals(FloatElement.ZERO, data.get(1));
        }
        FloatTensorData reshaped = tensor.floatData().reshape(N / 4, 4).slice(N / 4 - 1);
        tensor.close();
        for (FloatTensorData data : kept) {
            Expect.thrown(TensorClosedException.class, () -> data.get(1), "[" + N + "]");
        }
        assertThrows(TensorClosedException.class, () -> reshaped.get(0));
        assertThrows(TensorClosedException.class, tensor::asByteBuffers);
    }

    @Test
    void oneMemoryIsKnownAsSuchInAllWindows() {
        try (Tensor<Float> tensor = numbered()) {
            FloatTensorData data = tensor.floatData();
            FloatTensorData low = data.slice(range(0, STEP));
            FloatTensorData next = data.slice(range(STEP - 1, 2 * STEP - 1));
            FloatTensorData last = data.slice(range(2 * STEP, 3 * STEP));
            assertTrue(low.sharesMemoryWith(next) && next.sharesMemoryWith(low) && low.sharesMemoryWith(data) && data.sharesMemoryWith(last));
            assertFalse(low.sharesMemoryWith(last) || last.sharesMemoryWith(low) || next.sharesMemoryWith(last));
            assertEquals(2L * STEP, last.description().layout().offset());
        }
    }

    /** Whoever copies within one memory gets what was there before, whichever windows both sides lie in. */
    @Test
    void copiesWithinOneMemory() {
        for (int distance : new int[] {1, STEP / 2, STEP - 1, STEP}) {
            for (int from = 0; from + distance + STEP <= N; from += STEP / 3) {
                int start = from;
                try (Tensor<Float> before = numbered(); Tensor<Float> tensor = Tensors.denseFloat(new long[] {N}, init -> {
                    init.put(before.floatData());
                    init.slice(range(start + distance, start + distance + STEP)).put(init.slice(range(start, start + STEP)));
                })) {
                    assertEquals(before.floatData().slice(range(from, from + STEP)),
                        tensor.floatData().slice(range(from + distance, from + distance + STEP)));
                    assertEquals(before.floatData().slice(range(0, from + distance)), tensor.floatData().slice(range(0, from + distance)));
                }
            }
        }
    }

    @Test
    void bytesComeInSeveralBuffers() {
        try (Tensor<Float> tensor = numbered()) {
            Expect.thrown(IllegalStateException.class, tensor::asByteBuffer, "[" + N + "]", "asByteBuffers()", "gives 3");
            int at = 0;
            for (ByteBuffer bytes : tensor.asByteBuffers()) {
                assertTrue(bytes.isReadOnly() && bytes.isDirect());
                assertSame(ByteOrder.nativeOrder(), bytes.order());
                for (int i = 0; i < bytes.limit() / FloatElement.BYTES; i++) {
                    assertEquals(FloatValues.of(at++ % 100), FloatElement.read(FloatElement.view(bytes), i));
                }
            }
            assertEquals(N, at);
        }
    }

    /** Any of the buffers keeps the addresses of all. */
    @Test
    void theLastBufferKeepsTheAddresses() throws InterruptedException {
        ByteBuffer last = lastBuffer();
        for (int n = 0; n < 3; n++) {
            System.gc();
            Thread.sleep(20);
            try (Tensor<Float> other = numbered()) {            // may not get the addresses of the first
                assertEquals(FloatValues.of(1), other.floatData().get(1));
                for (int i = 0; i < last.limit() / FloatElement.BYTES; i++) {
                    assertEquals(FloatElement.ZERO, FloatElement.read(FloatElement.view(last), i));
                }
            }
        }
    }

    private static ByteBuffer lastBuffer() {
        Tensor<Float> tensor = numbered();
        ByteBuffer[] all = tensor.asByteBuffers();
        tensor.close();
        return all[all.length - 1];
    }

    @Test
    void aDroppedTensorIsCollected() throws InterruptedException {
        long before = MemoryStats.current().tensorsAlive();
        for (int n = 0; n < 50; n++) {
            numbered();
        }
        for (int n = 0; n < 500 && MemoryStats.current().tensorsAlive() > before; n++) {
            System.gc();
            Thread.sleep(10);
        }
        assertEquals(before, MemoryStats.current().tensorsAlive());
    }

    @Test
    void aCloseWhileOthersRead() throws InterruptedException {
        for (int n = 0; n < 50 * Expect.depth(); n++) {
            Tensor<Float> tensor = numbered();
            FloatTensorData data = tensor.floatData();
            AtomicBoolean good = new AtomicBoolean(true);
            Thread reader = new Thread(() -> {
                try {
                    for (int i = 0; ; i = (i + 1) % N) {
                        float value = data.get(i);
                        good.compareAndSet(true, value == FloatValues.of(i % 100) || value == FloatElement.ZERO);
                    }
                } catch (TensorClosedException expected) {
                    Thread.yield();
                }
            });
            reader.start();
            Thread.yield();
            tensor.close();
            reader.join();
            assertTrue(good.get());
        }
    }

    @Test
    void aFailedInitReleasesAll() {
        assertThrows(ArithmeticException.class, () -> Tensors.denseFloat(new long[] {N}, init -> {
            throw new ArithmeticException();
        }));
    }

    @Test
    void memoryOfOneBufferHasNoWindows() {
        Block small = FloatWindows.allocate(new long[] {2}, true);
        assertInstanceOf(FloatBlock.class, small);
        small.close();
    }
}
