package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import java.nio.FloatBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.tensorflow.ndarray.FloatNdArray;

/**
 * One element at a time, {@code get(i, j)} and {@code put(v, i, j)} over a matrix, against the same loops over a direct buffer, over nested arrays
 * and over TensorFlow's {@code NdArray}.
 */
@OperationsPerInvocation(ElementBench.N * ElementBench.N)
public class ElementBench extends Timed {
    /** Rows, and columns. */
    static final int N = 1000;

    static Loops<float[][]> arrays(int rows, int columns) {
        return new Loops<>(rows, columns, (a, i, j, k, l) -> a[k][l], (a, v, i, j, k, l) -> a[k][l] = v);
    }

    static Loops<FloatNdArray> ndArray(int rows, int columns) {
        return new Loops<>(rows, columns, (a, i, j, k, l) -> a.getFloat(k, l), (a, v, i, j, k, l) -> a.setFloat(v, k, l));
    }

    static Loops<FloatTensorData> tensor(int rows, int columns) {
        return new Loops<>(rows, columns, (d, i, j, k, l) -> d.get(k, l), (d, v, i, j, k, l) -> d.put(v, k, l));
    }

    /** A direct buffer. */
    public static class Raw extends Contender<FloatBuffer> {
        @Override
        void make() {
            use(new OpenTensor(N, N).buffer, ByHand.buffer(N, N), N * N);
        }
    }

    /** Nested arrays. */
    public static class Arrays extends Contender<float[][]> {
        @Override
        void make() {
            use(FloatArrays.nested(N, N), arrays(N, N), N * N);
        }
    }

    /** TensorFlow's. */
    public static class NdArray extends Contender<FloatNdArray> {
        @Override
        void make() {
            use(FloatArrays.ndArray(N, N), ndArray(N, N), N * N);
        }
    }

    /** A tensor. */
    public static class Tensor extends Contender<FloatTensorData> {
        /** Whether the loops have seen contiguous data alone, or views with other strides, too. */
        @Param({"mono", "mixed"})
        String seen;

        @Override
        void make() {
            Loops<FloatTensorData> loops = tensor(N, N);
            if (seen.equals("mixed")) {
                Views.show(loops, does, N, N);
            }
            use(new OpenTensor(N, N).data, loops, N * N);
        }
    }

    /** Over the buffer. */
    @Benchmark
    public float raw(Raw s) {
        return s.run();
    }

    /** Over the nested arrays. */
    @Benchmark
    public float arrays(Arrays s) {
        return s.run();
    }

    /** Over the {@code NdArray}. */
    @Benchmark
    public float ndArray(NdArray s) {
        return s.run();
    }

    /** Over the tensor. */
    @Benchmark
    public float tensor(Tensor s) {
        return s.run();
    }
}
