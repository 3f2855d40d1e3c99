package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.io.IOException;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the code that fills a {@code float} tensor may do, and may not. */
@ExtendWith(MemoryBalance.class)
class FloatInitTest {
    private static void assertImmutable(FloatTensorData kept, float[] content) {
        String[] says = {"FLOAT", "[2, 3]", "read"};
        FloatTensorData row = kept.slice(1);
        assertTrue(kept.isReadOnly());
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.put(FloatValues.FOREIGN, 0, 0), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.put(FloatValues.FOREIGN, new int[] {0, 0}), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.put(FloatValues.zeros(6)), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.put(FloatValues.zeros(0)), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.copyFrom(FloatValues.zeros(6)), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.put(kept), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.get(kept), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> row.put(FloatValues.FOREIGN, 0), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> row.slice(0).put(FloatValues.FOREIGN), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.slice(TensorIndex.flip(), TensorIndex.step(2)).put(FloatValues.zeros(4)), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.scalars().put(FloatValues.FOREIGN), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.scalars().onEach(() -> FloatValues.FOREIGN), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.elements().put(FloatValues.zeros(3)), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.elements().put(row), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> kept.elements().scalars().put(FloatValues.FOREIGN), says);
        assertArrayEquals(content, FloatValues.all(kept));
    }

    @Test
    void publishedDataIsImmutable() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3)) {
            assertImmutable(tensor.floatData(), FloatValues.array(0, 6));
        }
    }

    @Test
    void whatInitKeptCanBeReadButNotWritten() throws Exception {
        List<Object> kept = new ArrayList<>();
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 3}, data -> {
            assertFalse(data.isReadOnly());
            FloatValues.fill(data);
            kept.add(data);
            kept.add(data.slice(1));
            kept.add(data.scalars());
            kept.add(data.elements());
        })) {
            FloatTensorData data = (FloatTensorData) kept.get(0);
            assertImmutable(data, FloatValues.array(0, 6));
            assertEquals(FloatValues.of(4), data.get(1, 1));
            String[] says = {"FLOAT", "[2, 3]"};
            Expect.thrown(ReadOnlyBufferException.class, () -> ((FloatTensorData) kept.get(1)).put(FloatValues.OWN, 0), says);
            Expect.thrown(ReadOnlyBufferException.class, () -> ((FloatTensorIterator) kept.get(2)).put(FloatValues.OWN), says);
            Expect.thrown(ReadOnlyBufferException.class, () -> ((FloatTensorElements) kept.get(3)).put(FloatValues.zeros(3)), says);
            ExecutorService other = Executors.newSingleThreadExecutor();
            try {
                Future<?> write = other.submit(() -> data.put(FloatValues.FOREIGN, 0, 0));
                ExecutionException e = assertThrows(ExecutionException.class, write::get);
                assertTrue(e.getCause() instanceof ReadOnlyBufferException);
                Expect.says(e.getCause(), says);
            } finally {
                other.shutdown();
            }
            assertEquals(FloatValues.of(0), tensor.floatData().get(0, 0));
        }
    }

    @Test
    void anExceptionPassesThroughAndReleasesTheMemory() {
        List<FloatTensorData> kept = new ArrayList<>();
        for (Throwable thrown : new Throwable[] {new IllegalStateException("mine"), new StackOverflowError("mine"), new IOException("mine")}) {
            for (int n : new int[] {4, 100_000}) {
                long before = MemoryStats.current().tensorsAlive();
                Throwable caught = assertThrows(Throwable.class, () -> Tensors.denseFloat(new long[] {n}, data -> {
                    data.put(FloatValues.FOREIGN, 3);
                    kept.add(data);
                    FloatInitTest.<RuntimeException>sneak(thrown);
                }));
                assertSame(thrown, caught);
                assertEquals(0, caught.getSuppressed().length);
                assertTrue(MemoryStats.current().tensorsAlive() <= before);
            }
        }
        for (FloatTensorData data : kept) {
            Expect.thrown(TensorClosedException.class, () -> data.get(3), "FLOAT", "closed");
            Expect.thrown(TensorClosedException.class, () -> data.put(FloatValues.OWN, 3), "FLOAT", "closed");
            assertTrue(data.toString().endsWith("(closed)"));
        }
    }

    /** That this compiles is the most of it. */
    @Test
    void whatTakesAnythingCanBeAnInit() {
        List<Object> taken = new ArrayList<>();
        Consumer<Object> init = taken::add;
        Tensors.denseFloat(new long[] {2}, init).close();
        Tensors.sparseFloat(new long[] {2}, 0, init).close();
        Tensors.raggedFloat(new long[] {2, -1}, init).close();
        //~string Tensors.denseString(new long[] {2}, 4, 0, init).close();
        //~string Tensors.denseString(new long[] {2}, 4, (byte) 0, init).close();
        //~string Tensors.sparseString(new long[] {2}, 0, 4, 0, init).close();
        //~string Tensors.sparseString(new long[] {2}, 0, 4, (byte) 0, init).close();
        int factories = 3;
        //~string factories += 4;
        assertEquals(factories, taken.stream().filter(data -> data instanceof FloatTensorData).count());
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable e) throws T {
        throw (T) e;
    }

    @Test
    void initMayCloseAnotherTensor() {
        Tensor<Float> other = FloatValues.tensor(20_000);
        FloatTensorData of = other.floatData();
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {20_000}, data -> {
            data.put(of);
            other.close();
            data.put(FloatValues.FOREIGN, 0);
        })) {
            assertTrue(other.isClosed());
            assertEquals(FloatValues.FOREIGN, tensor.floatData().get(0));
            for (int i = 1; i < 20_000; i++) {
                assertEquals(FloatValues.of(i), tensor.floatData().get(i));
            }
        }
    }

    @Test
    void initMayMakeTensors() {
        List<Tensor<Float>> inner = new ArrayList<>();
        try (Tensor<Float> outer = Tensors.denseFloat(new long[] {3}, data -> {
            inner.add(FloatValues.tensor(3));
            data.put(inner.get(0).floatData());
        })) {
            inner.get(0).close();
            assertArrayEquals(FloatValues.array(0, 3), FloatValues.all(outer.floatData()));
        }
    }

    @Test
    void severalThreadsFillDisjointElements() throws Exception {
        int threads = 4;
        int n = 4_003;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        //#if primitive
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {threads, n}, data -> {
        //#end
        //~string // Strings of any length are collected, by one thread alone.
        //~string try (Tensor<String> tensor = Tensors.denseString(new long[] {threads, n}, 24, 0, data -> {
            CountDownLatch together = new CountDownLatch(threads);
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int row = t;
                running.add(pool.submit(() -> {
                    together.countDown();
                    together.await();
                    // Neighbouring elements, by every kind of write.
                    FloatTensorData column = data.slice(TensorIndex.all(), TensorIndex.step(2));
                    for (int i = 1; i < n; i += 2) {
                        data.put(FloatValues.of(row * n + i), row, i);
                    }
                    float[] even = FloatValues.zeros((n + 1) / 2);
                    for (int i = 0; i < n; i += 2) {
                        even[i / 2] = FloatValues.of(row * n + i);
                    }
                    column.put(even, row);
                    return null;
                }));
            }
            for (Future<?> one : running) {
                try {
                    one.get();
                } catch (InterruptedException | ExecutionException e) {
                    throw new AssertionError(e);
                }
            }
        })) {
            assertArrayEquals(FloatValues.array(0, threads * n), FloatValues.all(tensor.floatData()));
        } finally {
            pool.shutdown();
        }
    }
}
