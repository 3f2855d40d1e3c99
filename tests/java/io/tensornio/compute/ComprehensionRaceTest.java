package io.tensornio.compute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.RaceTeam;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Threads that run comprehensions while others close what these read. */
@ExtendWith(MemoryBalance.class)
class ComprehensionRaceTest {
    private static Tensor<Float> ones(int n) {
        return Tensors.denseFloat(new long[] {n}, data -> {
            float[] ones = new float[n];
            Arrays.fill(ones, 1);
            data.put(ones);
        });
    }

    private static void closedWhileRun(int n) throws Exception {
        Comprehension sum = Comprehension.of("s += x[i]");
        AtomicReference<Tensor<Float>> shared = new AtomicReference<>(ones(n));
        AtomicInteger turns = new AtomicInteger(2000 * Expect.depth());
        RaceTeam team = new RaceTeam(() -> turns.getAndDecrement() > 0);
        team.add(4, random -> {
            try (Results r = sum.run(shared.get())) {
                assertEquals((float) n, r.get("s").toNested());
            } catch (TensorClosedException e) {
                // It was closed before the run.
            }
        });
        team.add(2, random -> shared.getAndSet(ones(n)).close());
        team.run();
        shared.get().close();
    }

    @Test
    void smallInputsThatAreClosedMeanwhile() throws Exception {
        closedWhileRun(8);
    }

    @Test
    void largeInputsThatAreClosedMeanwhile() throws Exception {
        closedWhileRun(1 << 17);
    }

    @Test
    void threadsShareAComprehension() throws Exception {
        Comprehension product = Comprehension.of("y[i] += A[i,j] * x[j]");
        AtomicInteger turns = new AtomicInteger(5000 * Expect.depth());
        RaceTeam team = new RaceTeam(() -> turns.getAndDecrement() > 0);
        team.add(4, random -> {
            int n = 1 + random.nextInt(20);
            float[] x = new float[n];
            Arrays.fill(x, random.nextInt(5));
            float[] a = new float[3 * n];
            Arrays.fill(a, 2);
            try (Results r = product.run(FloatTensorData.of(a, 3, n), FloatTensorData.of(x))) {
                float each = 2 * n * x[0];
                assertArrayEquals(new float[] {each, each, each}, r.get("y").toNested(float[].class));
            }
        });
        team.run();
    }

    @Test
    void threadsReadAndRunTextsOfTheirOwn() throws Exception {
        AtomicInteger turns = new AtomicInteger(4000 * Expect.depth());
        RaceTeam team = new RaceTeam(() -> turns.getAndDecrement() > 0);
        team.add(4, random -> {
            int number = random.nextInt(3000);
            try (Results r = Comprehension.of("y = x + " + number).run(FloatTensorData.of(new float[] {1}, new long[0]))) {
                assertEquals(1f + number, r.get("y").toNested());
            }
        });
        team.run();
    }

    @Test
    void resultsThatAreClosedByManyThreads() throws Exception {
        Comprehension twice = Comprehension.of("y[i] = 2*x[i]");
        try (Tensor<Float> x = ones(8)) {
            AtomicReference<Results> made = new AtomicReference<>();
            RaceTeam.rounds(100, () -> made.set(twice.run(x)), thread -> made.get().close(), () -> { });
        }
    }
}
