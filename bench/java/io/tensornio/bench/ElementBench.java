package io.tensornio.bench;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.step;

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

/**
 * One element at a time, {@code get(i, j)} and {@code put(v, i, j)} over a matrix, against the same loops over a direct buffer.
 * There is no sum: the latency of the additions hides all else.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 7, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
@OperationsPerInvocation(ElementBench.N * ElementBench.N)
public class ElementBench {
    /** Rows, and columns. */
    static final int N = 1000;
    private static final int ROUNDS = 8;

    /** A direct buffer. */
    @State(Scope.Thread)
    public static class Raw {
        /** Fields, so that the lengths are not known when a loop is compiled. */
        int rows = N;
        int columns = N;
        OpenTensor tensor = new OpenTensor(N, N);
        FloatBuffer buffer = tensor.buffer;
        float[] array = new float[N * N];
    }

    /** A matrix. */
    @State(Scope.Thread)
    public static class Data extends Raw {
        /** Whether the loops have seen contiguous data alone, or views with other strides, too. */
        @Param({"mono", "mixed"})
        String seen;
        FloatTensorData data = tensor.data;

        /** Has the loops compiled for what they are to have seen. */
        @Setup
        public void train() {
            if (seen.equals("mono")) {
                return;
            }
            FloatTensorData wide = new OpenTensor(N, 2 * N).data;
            FloatTensorData[] reads = {data, wide.slice(all(), step(2)), data.slice(all(), flip())};
            FloatTensorData other = new OpenTensor(N, N).data;      // so that the values to be read stay
            FloatTensorData[] writes = {other, wide.slice(all(), step(2)), other.slice(all(), flip())};
            for (int round = 0; round < ROUNDS; round++) {
                for (FloatTensorData view : reads) {
                    array[0] += ElementBench.max(view, rows, columns);
                    ElementBench.copy(view, array, rows, columns);
                }
                for (FloatTensorData view : writes) {
                    ElementBench.put(view, rows, columns);
                }
            }
        }
    }

    private static void copy(FloatTensorData from, float[] to, int rows, int columns) {
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                to[i * columns + j] = from.get(i, j);
            }
        }
    }

    private static void put(FloatTensorData to, int rows, int columns) {
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                to.put(i * j, i, j);
            }
        }
    }

    private static float max(FloatTensorData from, int rows, int columns) {
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                float value = from.get(i, j);
                if (value > max) {
                    max = value;
                }
            }
        }
        return max;
    }

    /** Each element into an array. */
    @Benchmark
    public float[] copy(Data s) {
        copy(s.data, s.array, s.rows, s.columns);
        return s.array;
    }

    /** A new value for each element. */
    @Benchmark
    public FloatTensorData put(Data s) {
        put(s.data, s.rows, s.columns);
        return s.data;
    }

    /** The largest element. */
    @Benchmark
    public float max(Data s) {
        return max(s.data, s.rows, s.columns);
    }

    /** {@link #copy} from a buffer. */
    @Benchmark
    public float[] rawCopy(Raw s) {
        FloatBuffer from = s.buffer;
        float[] to = s.array;
        int rows = s.rows;
        int columns = s.columns;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                to[i * columns + j] = from.get(i * columns + j);
            }
        }
        return to;
    }

    /** {@link #put} into a buffer. */
    @Benchmark
    public FloatBuffer rawPut(Raw s) {
        FloatBuffer to = s.buffer;
        int rows = s.rows;
        int columns = s.columns;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                to.put(i * columns + j, i * j);
            }
        }
        return to;
    }

    /** {@link #max} of a buffer. */
    @Benchmark
    public float rawMax(Raw s) {
        FloatBuffer from = s.buffer;
        int rows = s.rows;
        int columns = s.columns;
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                float value = from.get(i * columns + j);
                if (value > max) {
                    max = value;
                }
            }
        }
        return max;
    }
}
