package io.tensornio.bench;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;

import io.tensornio.FloatTensorData;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.tensorflow.ndarray.FloatNdArray;
import org.tensorflow.ndarray.index.Indices;

/** Slices, for each {@code i, j} one, against the same of TensorFlow's {@code NdArray}. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
@OperationsPerInvocation(SliceBench.N * SliceBench.N)
public class SliceBench {
    /** Positions on the first axis and on the last. */
    static final int N = 50;
    private static final int INNER = 16;

    /** Tensors of rank 3 and 2. */
    @State(Scope.Thread)
    public static class Tensor {
        int n = N;
        FloatTensorData cube = new OpenTensor(N, INNER, N).data;
        FloatTensorData rows = new OpenTensor(N * N, INNER).data;
        FloatTensorData slice;

        /** Checks the slices. */
        @Setup
        public void check() {
            expect(rows.slice(N).get(1), N * INNER + 1);
            expect(cube.slice(at(2), all(), at(3)).get(1), (2 * INNER + 1) * N + 3);
        }
    }

    /** The same in TensorFlow's. */
    @State(Scope.Thread)
    public static class NdArray {
        int n = N;
        FloatNdArray cube = NdArrayLoops.array(N, INNER, N);
        FloatNdArray rows = NdArrayLoops.array(N * N, INNER);
        FloatNdArray slice;

        /** Checks the slices. */
        @Setup
        public void check() {
            expect(rows.get(N).getFloat(1), N * INNER + 1);
            expect(cube.slice(Indices.at(2), Indices.all(), Indices.at(3)).getFloat(1), (2 * INNER + 1) * N + 3);
        }
    }

    private static void expect(float actual, int position) {
        if (actual != OpenTensor.value(position)) {
            throw new IllegalStateException("a slice has " + actual + ", not what stands at " + position);
        }
    }

    /** Rows that are kept. */
    @Benchmark
    public FloatTensorData kept(Tensor s) {
        for (int i = 0, n = s.n * s.n; i < n; i++) {
            s.slice = s.rows.slice(i);
        }
        return s.slice;
    }

    /** Rows of which one element is read. */
    @Benchmark
    public float used(Tensor s) {
        float sum = 0;
        for (int i = 0, n = s.n * s.n; i < n; i++) {
            sum += s.rows.slice(i).get(1);
        }
        return sum;
    }

    /** Slices of two axes by indices, which are kept. */
    @Benchmark
    public FloatTensorData keptByIndex(Tensor s) {
        for (int i = 0, n = s.n; i < n; i++) {
            for (int j = 0; j < n; j++) {
                s.slice = s.cube.slice(at(i), all(), at(j));
            }
        }
        return s.slice;
    }

    /** {@link #kept} of the {@code NdArray}. */
    @Benchmark
    public FloatNdArray ndArrayKept(NdArray s) {
        for (int i = 0, n = s.n * s.n; i < n; i++) {
            s.slice = s.rows.get(i);
        }
        return s.slice;
    }

    /** {@link #used} of the {@code NdArray}. */
    @Benchmark
    public float ndArrayUsed(NdArray s) {
        float sum = 0;
        for (int i = 0, n = s.n * s.n; i < n; i++) {
            sum += s.rows.get(i).getFloat(1);
        }
        return sum;
    }

    /** {@link #keptByIndex} of the {@code NdArray}. */
    @Benchmark
    public FloatNdArray ndArrayKeptByIndex(NdArray s) {
        for (int i = 0, n = s.n; i < n; i++) {
            for (int j = 0; j < n; j++) {
                s.slice = s.cube.slice(Indices.at(i), Indices.all(), Indices.at(j));
            }
        }
        return s.slice;
    }
}
