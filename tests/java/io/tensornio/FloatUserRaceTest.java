package io.tensornio;

import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.support.Expect;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
//#end

/** Threads that read the user's own {@code float} data while others write it: no promise of what they see, but nothing else happens. */
@ExtendWith(MemoryBalance.class)
class FloatUserRaceTest {
    private static final int N = 3_000;

    private static Map<String, FloatTensorData> kinds() {
        Map<String, FloatTensorData> all = new LinkedHashMap<>();
        all.put("array", FloatTensorData.of(FloatValues.zeros(N)));
        //#if buffer
        all.put("big", FloatTensorData.of(FloatValues.view(ByteBuffer.allocateDirect(N * Float.BYTES).order(ByteOrder.BIG_ENDIAN)), N));
        all.put("little", FloatTensorData.of(FloatValues.view(ByteBuffer.allocateDirect(N * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN)), N));
        //#end
        all.put("own", FloatOwn.of(N));
        return all;
    }

    /** Everything that reads. */
    private static void read(FloatTensorData data) {
        float[] array = FloatValues.zeros(N);
        data.copyTo(array);
        data.slice(flip()).copyTo(array);
        data.slice(incl(5, 0, 7)).get(array, 0);
        data.get(FloatTensorData.of(array).slice(flip()));
        try (Tensor<Float> copy = Tensors.create(data)) {
            assertEquals(N, copy.numElements());
            copy.floatData().equals(data);
        }
        assertFalse(data.toString().isEmpty());
        data.hashCode();
        data.scalars().forEach(value -> { });
    }

    /** Everything that writes. */
    private static void write(FloatTensorData data, int round) {
        float[] array = FloatValues.array(round, N);
        data.put(array, 0);
        data.put(FloatValues.of(round), round % N);
        data.slice(flip()).put(data);
        data.slice(incl(1, 0, 5)).copyFrom(FloatValues.array(0, 3));
        data.put(FloatTensorData.of(array));
        FloatTensorIterator scalars = data.scalars();
        for (int n = 0; n < 100; n++) {
            scalars.put(FloatValues.of(n));
        }
    }

    @Test
    void readersWhileAnotherWrites() throws Exception {
        for (Map.Entry<String, FloatTensorData> kind : kinds().entrySet()) {
            FloatTensorData data = kind.getValue();
            int threads = 3;
            int rounds = 40 * Expect.depth();
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            try {
                CountDownLatch together = new CountDownLatch(threads);
                List<Future<?>> running = new ArrayList<>();
                for (int t = 0; t < threads; t++) {
                    boolean writes = t == 0;
                    running.add(pool.submit(() -> {
                        together.countDown();
                        together.await();
                        for (int round = 0; round < rounds; round++) {
                            if (writes) {
                                write(data, round);
                            } else {
                                read(data);
                            }
                        }
                        return null;
                    }));
                }
                for (Future<?> one : running) {
                    one.get();
                }
            } finally {
                pool.shutdown();
                assertTrue(pool.awaitTermination(1, TimeUnit.MINUTES), kind.getKey());
            }
            data.copyFrom(FloatValues.array(0, N));
            assertEquals(FloatTensorData.of(FloatValues.array(0, N)), data);
        }
    }

    /** The first question to own data, whether it can be written, by many at once. */
    @Test
    void manyAskAtOnceWhetherOwnDataIsReadOnly() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 200; round++) {
                FloatOwn data = FloatOwn.of(2);
                Future<Boolean> other = pool.submit(data::isReadOnly);
                Future<Boolean> another = pool.submit(data::isReadOnly);
                assertFalse(other.get());
                assertFalse(another.get());
            }
        } finally {
            pool.shutdown();
        }
    }
}
