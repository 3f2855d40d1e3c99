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

/** Contiguous selections to arrays and back in one call, against a direct buffer's own bulk calls. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 7, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
public class BulkBench {
    /** A square matrix. */
    @State(Scope.Thread)
    public static class Matrix {
        /** Its rows, and its columns. */
        @Param({"8", "64", "1000"})
        int n;
        /** A row inside. */
        int row;
        FloatTensorData data;
        FloatBuffer buffer;
        float[] all;
        float[] some;

        /** Makes the matrix. */
        @Setup
        public void make() {
            OpenTensor tensor = new OpenTensor(n, n);
            data = tensor.data;
            buffer = tensor.buffer;
            all = new float[n * n];
            some = new float[n];
            row = n / 2;
        }
    }

    /** All elements out. */
    @Benchmark
    public float[] get(Matrix s) {
        s.data.get(s.all);
        return s.all;
    }

    /** All elements in. */
    @Benchmark
    public FloatTensorData put(Matrix s) {
        s.data.put(s.all);
        return s.data;
    }

    /** One row out. */
    @Benchmark
    public float[] getRow(Matrix s) {
        s.data.get(s.some, s.row);
        return s.some;
    }

    /** One row in. */
    @Benchmark
    public FloatTensorData putRow(Matrix s) {
        s.data.put(s.some, s.row);
        return s.data;
    }

    /** {@link #get} by a buffer. */
    @Benchmark
    public float[] rawGet(Matrix s) {
        s.buffer.position(0);
        s.buffer.get(s.all);
        return s.all;
    }

    /** {@link #put} by a buffer. */
    @Benchmark
    public FloatBuffer rawPut(Matrix s) {
        s.buffer.position(0);
        s.buffer.put(s.all);
        return s.buffer;
    }

    /** {@link #getRow} by a buffer. */
    @Benchmark
    public float[] rawGetRow(Matrix s) {
        s.buffer.position(s.row * s.n);
        s.buffer.get(s.some);
        return s.some;
    }

    /** {@link #putRow} by a buffer. */
    @Benchmark
    public FloatBuffer rawPutRow(Matrix s) {
        s.buffer.position(s.row * s.n);
        s.buffer.put(s.some);
        return s.buffer;
    }
}
