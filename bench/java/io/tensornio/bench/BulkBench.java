package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import java.nio.FloatBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Contiguous selections to arrays and back in one call, against a direct buffer's own bulk calls. What a copy costs depends on
 * how the array lies against cache lines, by half and more, and a fork with one array keeps to one case; so they take turns.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 7, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
public class BulkBench {
    /** A square matrix. */
    @State(Scope.Thread)
    public static class Matrix {
        /** A power of two. Made in a row, they start 16 bytes further in a cache line each, as far as their lengths allow. */
        private static final int ARRAYS = 4;

        /** Its rows, and its columns. */
        @Param({"8", "64", "1000"})
        int n;
        /** A row inside. */
        int row;
        FloatTensorData data;
        FloatBuffer buffer;
        private final float[][] matrices = new float[ARRAYS][];
        private final float[][] rows = new float[ARRAYS][];
        private int turn;

        /** Makes the matrix. */
        @Setup
        public void make() {
            OpenTensor tensor = new OpenTensor(n, n);
            data = tensor.data;
            buffer = tensor.buffer;
            for (int i = 0; i < ARRAYS; i++) {
                matrices[i] = new float[n * n];
            }
            for (int i = 0; i < ARRAYS; i++) {
                rows[i] = new float[n];
            }
            row = n / 2;
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
}
