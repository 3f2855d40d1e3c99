package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import java.nio.FloatBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.tensorflow.ndarray.FloatNdArray;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.ndarray.buffer.FloatDataBuffer;

/**
 * Contiguous selections to arrays and back in one call, against a direct buffer's own bulk calls, nested arrays and TensorFlow's
 * {@code NdArray}. What a copy costs depends on how the array lies against cache lines, by half and more, and a fork with one
 * array keeps to one case; so they take turns.
 */
public class BulkBench extends Timed {
    /** A square matrix. */
    @State(Scope.Thread)
    public static class Matrix {
        /** A power of two. Made in a row, they start 16 bytes further in a cache line each, as far as their lengths allow. */
        static final int ARRAYS = 4;
        /** Its rows, and its columns. */
        @Param({"8", "64", "1000"})
        int n;
        /** A row inside. */
        int row;
        FloatTensorData data;
        FloatBuffer buffer;
        final float[][] matrices = new float[ARRAYS][];
        private final float[][] rows = new float[ARRAYS][];
        int turn;

        /** Makes the matrix. */
        @Setup
        public void make() {
            OpenTensor tensor = new OpenTensor(n, n);
            data = tensor.data;
            buffer = tensor.buffer;
            for (int i = 0; i < ARRAYS; i++) {
                matrices[i] = FloatArrays.flat(n * n);
            }
            for (int i = 0; i < ARRAYS; i++) {
                rows[i] = FloatArrays.flat(n);
            }
            row = n / 2;
            prepare();
        }

        /** Makes what else there is, with the values of {@link OpenTensor}. */
        void prepare() {
        }

        /** An array for all elements. */
        float[] all() {
            return matrices[turn++ & ARRAYS - 1];
        }

        /** An array for a row. */
        float[] some() {
            return rows[turn++ & ARRAYS - 1];
        }
    }

    /** Nested arrays. */
    public static class Nested extends Matrix {
        float[][] nested;

        @Override
        void prepare() {
            nested = FloatArrays.nested(n, n);
        }
    }

    /** TensorFlow's. It wants arrays to be wrapped, which is not measured. */
    public static class NdArray extends Matrix {
        FloatNdArray ndArray;
        private final FloatDataBuffer[] wrapped = new FloatDataBuffer[ARRAYS];

        @Override
        void prepare() {
            ndArray = FloatArrays.ndArray(n, n);
            for (int i = 0; i < ARRAYS; i++) {
                wrapped[i] = DataBuffers.of(matrices[i], false, false);
            }
        }

        FloatDataBuffer wrapped() {
            return wrapped[turn++ & ARRAYS - 1];
        }
    }

    /** All elements out. */
    @Benchmark
    public float[] get(Matrix s) {
        float[] all = s.all();
        s.data.get(all);
        return all;
    }

    /** All elements in. */
    @Benchmark
    public FloatTensorData put(Matrix s) {
        s.data.put(s.all());
        return s.data;
    }

    /** One row out. */
    @Benchmark
    public float[] getRow(Matrix s) {
        float[] some = s.some();
        s.data.get(some, s.row);
        return some;
    }

    /** One row in. */
    @Benchmark
    public FloatTensorData putRow(Matrix s) {
        s.data.put(s.some(), s.row);
        return s.data;
    }

    /** {@link #get} by a buffer. */
    @Benchmark
    public float[] rawGet(Matrix s) {
        float[] all = s.all();
        s.buffer.position(0);
        s.buffer.get(all);
        return all;
    }

    /** {@link #put} by a buffer. */
    @Benchmark
    public FloatBuffer rawPut(Matrix s) {
        s.buffer.position(0);
        s.buffer.put(s.all());
        return s.buffer;
    }

    /** {@link #getRow} by a buffer. */
    @Benchmark
    public float[] rawGetRow(Matrix s) {
        float[] some = s.some();
        s.buffer.position(s.row * s.n);
        s.buffer.get(some);
        return some;
    }

    /** {@link #putRow} by a buffer. */
    @Benchmark
    public FloatBuffer rawPutRow(Matrix s) {
        s.buffer.position(s.row * s.n);
        s.buffer.put(s.some());
        return s.buffer;
    }

    /** {@link #get} of nested arrays. */
    @Benchmark
    public float[] arraysGet(Nested s) {
        float[] all = s.all();
        int n = s.n;
        for (int i = 0; i < n; i++) {
            System.arraycopy(s.nested[i], 0, all, i * n, n);
        }
        return all;
    }

    /** {@link #put} of nested arrays. */
    @Benchmark
    public float[][] arraysPut(Nested s) {
        float[] all = s.all();
        int n = s.n;
        for (int i = 0; i < n; i++) {
            System.arraycopy(all, i * n, s.nested[i], 0, n);
        }
        return s.nested;
    }

    /** {@link #get} of an {@code NdArray}. */
    @Benchmark
    public FloatNdArray ndArrayGet(NdArray s) {
        return s.ndArray.copyTo(s.wrapped());
    }

    /** {@link #put} of an {@code NdArray}. */
    @Benchmark
    public FloatNdArray ndArrayPut(NdArray s) {
        return s.ndArray.copyFrom(s.wrapped());
    }
}
