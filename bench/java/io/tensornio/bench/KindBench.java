package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code get(i, j)} and {@code put(v, i, j)} over data of every implementation, where the loop has seen the one and where it has
 * seen all, against the same loops over an array.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
@OperationsPerInvocation(KindBench.N * KindBench.N)
public class KindBench {
    /** Rows, and columns. */
    static final int N = 500;
    private static final int ROUNDS = 8;

    /** A loop, and the array that it copies to. */
    @State(Scope.Thread)
    public static class Loop {
        /** Which loop. */
        @Param
        Does does;
        float[] array = new float[N * N];
    }

    /** An array. */
    @State(Scope.Thread)
    public static class Raw {
        float[] values = new float[N * N];
        FlatArrayLoops loops = new FlatArrayLoops(N, N);

        /** Fills the array and checks the loop. */
        @Setup
        public void check(Loop loop) {
            for (int p = 0; p < values.length; p++) {
                values[p] = OpenTensor.value(p);
            }
            loops.check(loop.does, values, loop.array, p -> values[p]);
        }
    }

    /** Data over the array, where the loop has seen nothing else. */
    @State(Scope.Thread)
    public static class Alone {
        FloatTensorData data;
        TensorLoops.ByCoordinates loops = new TensorLoops.ByCoordinates(N, N);

        /** Checks the loop. */
        @Setup
        public void check(Loop loop) {
            Kind.Matrix matrix = Kind.ARRAY.matrix(N, N);
            data = matrix.data;
            loops.check(loop.does, data, loop.array, matrix.contents);
        }
    }

    /** Data where the loop has seen every kind. */
    @State(Scope.Thread)
    public static class AmongAll {
        /** Which it sees now. */
        @Param
        Kind kind;
        FloatTensorData data;
        TensorLoops.ByCoordinates loops = new TensorLoops.ByCoordinates(N, N);

        /** Has the loop compiled for every kind, and checks it. */
        @Setup
        public void check(Loop loop) {
            List<FloatTensorData> all = new ArrayList<>();
            for (Kind each : Kind.values()) {
                all.add(each.matrix(N, N).data);
            }
            for (int round = 0; round < ROUNDS; round++) {
                all.forEach(each -> loops.run(loop.does, each, loop.array));
            }
            Kind.Matrix matrix = kind.matrix(N, N);
            data = matrix.data;
            loops.check(loop.does, data, loop.array, matrix.contents);
        }
    }

    /** Over the array. */
    @Benchmark
    public float raw(Loop loop, Raw s) {
        return s.loops.run(loop.does, s.values, loop.array);
    }

    /** Over the data of the array. */
    @Benchmark
    public float alone(Loop loop, Alone s) {
        return s.loops.run(loop.does, s.data, loop.array);
    }

    /** Over data of any kind. */
    @Benchmark
    public float amongAll(Loop loop, AmongAll s) {
        return s.loops.run(loop.does, s.data, loop.array);
    }
}
