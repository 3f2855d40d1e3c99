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
import org.tensorflow.ndarray.FloatNdArray;

/** Rows of one matrix into another, as batches are gathered, against buffers, nested arrays and TensorFlow's. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
public class RowCopyBench {
    private static final int ROWS = 8;

    /** Two matrices of each kind, of the same elements; a copy moves a row to one that is behind it by one. */
    @State(Scope.Thread)
    public static class Matrices {
        /** The elements of a row. */
        @Param({"8", "64", "1000"})
        int n;
        int turn;
        FloatTensorData from;
        FloatTensorData to;
        FloatBuffer fromBuffer;
        FloatBuffer toBuffer;
        float[][] fromArrays;
        float[][] toArrays;
        FloatNdArray fromNdArray;
        FloatNdArray toNdArray;

        /** Makes them, and checks a copy of each kind. */
        @Setup
        public void make() {
            OpenTensor source = new OpenTensor(ROWS, n);
            OpenTensor target = new OpenTensor(ROWS, n);
            from = source.data;
            to = target.data;
            fromBuffer = source.buffer;
            toBuffer = target.buffer;
            fromArrays = new float[ROWS][n];
            toArrays = new float[ROWS][n];
            for (int p = 0; p < ROWS * n; p++) {
                fromArrays[p / n][p % n] = OpenTensor.value(p);
            }
            fromNdArray = NdArrayLoops.array(ROWS, n);
            toNdArray = NdArrayLoops.array(ROWS, n);
            RowCopyBench bench = new RowCopyBench();
            bench.tensor(this);
            turn--;
            checkTarget();
            toBuffer.put(n, -1);
            bench.raw(this);
            turn--;
            checkTarget();
            bench.arrays(this);
            turn--;
            bench.ndArray(this);
            for (int j = 0; j < n; j++) {
                check(toArrays[1][j], j);
                check(toNdArray.getFloat(1, j), j);
            }
        }

        private void checkTarget() {
            for (int j = 0; j < n; j++) {
                check(toBuffer.get(n + j), j);
            }
        }

        private static void check(float copied, int j) {
            if (copied != OpenTensor.value(j)) {
                throw new IllegalStateException("the copy has " + copied + " at " + j + ", not " + OpenTensor.value(j));
            }
        }

        int next() {
            return turn++ & ROWS - 1;
        }
    }

    /** By tensors. */
    @Benchmark
    public FloatTensorData tensor(Matrices s) {
        int i = s.next();
        s.to.put(s.from.slice(i), i + 1 & ROWS - 1);
        return s.to;
    }

    /** By buffers. */
    @Benchmark
    public FloatBuffer raw(Matrices s) {
        int i = s.next();
        int n = s.n;
        s.fromBuffer.limit((i + 1) * n);
        s.fromBuffer.position(i * n);
        s.toBuffer.position((i + 1 & ROWS - 1) * n);
        s.toBuffer.put(s.fromBuffer);
        return s.toBuffer;
    }

    /** By nested arrays. */
    @Benchmark
    public float[][] arrays(Matrices s) {
        int i = s.next();
        System.arraycopy(s.fromArrays[i], 0, s.toArrays[i + 1 & ROWS - 1], 0, s.n);
        return s.toArrays;
    }

    /** By {@code NdArray}s. */
    @Benchmark
    public FloatNdArray ndArray(Matrices s) {
        int i = s.next();
        s.fromNdArray.get(i).copyTo(s.toNdArray.get(i + 1 & ROWS - 1));
        return s.toNdArray;
    }
}
