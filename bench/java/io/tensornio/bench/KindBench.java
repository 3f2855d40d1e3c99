package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code get(i, j)} and {@code put(v, i, j)} over data of every implementation, where the loop has seen the one and where it has seen all, against
 * the same loops over an array.
 */
@Warmup(iterations = 3, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@OperationsPerInvocation(KindBench.N * KindBench.N)
public class KindBench extends Timed {
    /** Rows, and columns. */
    static final int N = 500;

    /** An array. */
    public static class Raw extends Contender<float[]> {
        @Override
        void make() {
            use(FloatArrays.flat(N * N), ByHand.array(N, N), N * N);
        }
    }

    /** Data over an array, where the loop has seen nothing else. */
    public static class Alone extends Contender<FloatTensorData> {
        @Override
        void make() {
            use(Kind.ARRAY.matrix(N, N), ElementBench.tensor(N, N), N * N);
        }
    }

    /** Data where the loop has seen every kind. */
    public static class AmongAll extends Contender<FloatTensorData> {
        /** Which it sees now. */
        @Param
        Kind kind;

        @Override
        void make() {
            Loops<FloatTensorData> loops = ElementBench.tensor(N, N);
            List<FloatTensorData> all = Arrays.stream(Kind.values()).map(each -> each.matrix(N, N)).collect(Collectors.toList());
            for (int round = 0; round < Views.ROUNDS; round++) {
                all.forEach(each -> loops.run(does, each, new float[N * N]));
            }
            use(kind.matrix(N, N), loops, N * N);
        }
    }

    /** Over the array. */
    @Benchmark
    public float raw(Raw s) {
        return s.run();
    }

    /** Over the data of the array. */
    @Benchmark
    public float alone(Alone s) {
        return s.run();
    }

    /** Over data of any kind. */
    @Benchmark
    public float amongAll(AmongAll s) {
        return s.run();
    }
}
