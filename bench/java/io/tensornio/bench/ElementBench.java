package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import java.nio.FloatBuffer;
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
import org.tensorflow.ndarray.FloatNdArray;

/**
 * One element at a time, {@code get(i, j)} and {@code put(v, i, j)} over a matrix, against the same loops over a direct buffer,
 * over nested arrays and over TensorFlow's {@code NdArray}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
@OperationsPerInvocation(ElementBench.N * ElementBench.N)
public class ElementBench {
    /** Rows, and columns. */
    static final int N = 1000;

    /** A loop, and the array that it copies to. */
    @State(Scope.Thread)
    public static class Loop {
        /** Which loop. */
        @Param
        Does does;
        float[] array = new float[N * N];
    }

    /** A direct buffer. */
    @State(Scope.Thread)
    public static class Raw {
        FloatBuffer buffer = new OpenTensor(N, N).buffer;
        RawLoops loops = new RawLoops(N, N);

        /** Checks the loop. */
        @Setup
        public void check(Loop loop) {
            loops.check(loop.does, buffer, loop.array, buffer::get);
        }
    }

    /** Nested arrays. */
    @State(Scope.Thread)
    public static class Arrays {
        float[][] rows = new float[N][N];
        ArrayLoops loops = new ArrayLoops(N, N);

        /** Fills the arrays and checks the loop. */
        @Setup
        public void check(Loop loop) {
            for (int p = 0; p < N * N; p++) {
                rows[p / N][p % N] = OpenTensor.value(p);
            }
            loops.check(loop.does, rows, loop.array, p -> rows[p / N][p % N]);
        }
    }

    /** TensorFlow's. */
    @State(Scope.Thread)
    public static class NdArray {
        FloatNdArray data = NdArrayLoops.array(N, N);
        NdArrayLoops.ByCoordinates loops = new NdArrayLoops.ByCoordinates(N, N);

        /** Checks the loop. */
        @Setup
        public void check(Loop loop) {
            loops.check(loop.does, data, loop.array, NdArrayLoops.contents(data));
        }
    }

    /** A tensor. */
    @State(Scope.Thread)
    public static class Tensor {
        /** Whether the loops have seen contiguous data alone, or views with other strides, too. */
        @Param({"mono", "mixed"})
        String seen;
        FloatTensorData data;
        TensorLoops.ByCoordinates loops = new TensorLoops.ByCoordinates(N, N);

        /** Has the loop compiled for what it is to have seen, and checks it. */
        @Setup
        public void check(Loop loop) {
            if (seen.equals("mixed")) {
                TensorLoops.showAll(loops, loop.does, N, N);
            }
            OpenTensor tensor = new OpenTensor(N, N);
            data = tensor.data;
            loops.check(loop.does, data, loop.array, tensor.buffer::get);
        }
    }

    /** Over the buffer. */
    @Benchmark
    public float raw(Loop loop, Raw s) {
        return s.loops.run(loop.does, s.buffer, loop.array);
    }

    /** Over the nested arrays. */
    @Benchmark
    public float arrays(Loop loop, Arrays s) {
        return s.loops.run(loop.does, s.rows, loop.array);
    }

    /** Over the {@code NdArray}. */
    @Benchmark
    public float ndArray(Loop loop, NdArray s) {
        return s.loops.run(loop.does, s.data, loop.array);
    }

    /** Over the tensor. */
    @Benchmark
    public float tensor(Loop loop, Tensor s) {
        return s.loops.run(loop.does, s.data, loop.array);
    }
}
