package io.tensornio.bench;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;

import io.tensornio.FloatTensorData;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.tensorflow.ndarray.FloatNdArray;
import org.tensorflow.ndarray.index.Indices;

/** Slices, for each {@code i, j} one, against the same of TensorFlow's {@code NdArray}. */
@OperationsPerInvocation(SliceBench.N * SliceBench.N)
public class SliceBench extends Timed {
    /** Positions on the first axis and on the last. */
    static final int N = 50;
    private static final int INNER = 16;

    /** Tensors of rank 3 and 2. */
    @State(Scope.Thread)
    public static class Tensor {
        private static final int ROUNDS = 8;
        /** Whether the one kind of data alone was sliced, or others, too. */
        @Param({"mono", "mixed"})
        String seen;
        int n = N;
        FloatTensorData cube;
        FloatTensorData rows;
        FloatTensorData slice;

        /** Has slices compiled for what they are to have seen, and checks them. */
        @Setup
        public void check() {
            if (seen.equals("mixed")) {
                FloatTensorData[] cubes = Views.andOthers(N, INNER, N);
                FloatTensorData[] matrices = Views.andOthers(N * N, INNER);
                for (int round = 0; round < ROUNDS; round++) {
                    for (int kind = 0; kind < cubes.length; kind++) {
                        cube = cubes[kind];
                        rows = matrices[kind];
                        keep();
                        use();
                        keepByIndex();
                    }
                }
            }
            cube = new OpenTensor(N, INNER, N).data;
            rows = new OpenTensor(N * N, INNER).data;
            expect(rows.slice(N).get(1), N * INNER + 1);
            expect(cube.slice(at(2), all(), at(3)).get(1), (2 * INNER + 1) * N + 3);
        }

        FloatTensorData keep() {
            for (int i = 0, n = this.n * this.n; i < n; i++) {
                slice = rows.slice(i);
            }
            return slice;
        }

        float use() {
            float sum = 0;
            for (int i = 0, n = this.n * this.n; i < n; i++) {
                sum += rows.slice(i).get(1);
            }
            return sum;
        }

        FloatTensorData keepByIndex() {
            for (int i = 0, n = this.n; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    slice = cube.slice(at(i), all(), at(j));
                }
            }
            return slice;
        }
    }

    /** The same in TensorFlow's. */
    @State(Scope.Thread)
    public static class NdArray {
        int n = N;
        FloatNdArray cube = FloatArrays.ndArray(N, INNER, N);
        FloatNdArray rows = FloatArrays.ndArray(N * N, INNER);
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
        return s.keep();
    }

    /** Rows of which one element is read. */
    @Benchmark
    public float used(Tensor s) {
        return s.use();
    }

    /** Slices of two axes by indices, which are kept. */
    @Benchmark
    public FloatTensorData keptByIndex(Tensor s) {
        return s.keepByIndex();
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
