package io.tensornio.bench;

import io.tensornio.FloatConsumer;
import io.tensornio.FloatSupplier;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import java.nio.FloatBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Iterators, {@code elements()} and {@code slice(i)} over a million elements, against loops over a direct buffer. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 7, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
@OperationsPerInvocation(WalkBench.N)
public class WalkBench {
    /** Elements. */
    static final int N = 1_000_000;
    /** Elements of a row. */
    static final int ROW = 16;

    /** Many short rows, and a buffer over the same memory. */
    @State(Scope.Thread)
    public static class Rows {
        /** Fields, so that the lengths are not known when a loop is compiled. */
        int rows = N / ROW;
        int columns = ROW;
        OpenTensor tensor = new OpenTensor(N / ROW, ROW);
        FloatTensorData data = tensor.data;
        FloatBuffer buffer = tensor.buffer;
        float[] array = new float[N];
    }

    private static final class Copy implements FloatConsumer {
        private final float[] to;
        private int at;

        Copy(float[] to) {
            this.to = to;
        }

        @Override
        public void accept(float value) {
            to[at++] = value;
        }
    }

    private static final class Count implements FloatSupplier {
        private int next;

        @Override
        public float getAsFloat() {
            return next++;
        }
    }

    /** {@code scalars()}, into an array. */
    @Benchmark
    public float[] scalarsCopy(Rows s) {
        float[] to = s.array;
        int at = 0;
        for (FloatTensorIterator scalars = s.data.scalars(); scalars.hasMoreElements();) {
            to[at++] = scalars.get();
        }
        return to;
    }

    /** {@code scalars()}, a new value for each. */
    @Benchmark
    public FloatTensorData scalarsPut(Rows s) {
        int next = 0;
        for (FloatTensorIterator scalars = s.data.scalars(); scalars.hasMoreElements();) {
            scalars.put(next++);
        }
        return s.data;
    }

    /** {@code scalars()}, the largest. */
    @Benchmark
    public float scalarsMax(Rows s) {
        float max = Float.NEGATIVE_INFINITY;
        for (FloatTensorIterator scalars = s.data.scalars(); scalars.hasMoreElements();) {
            float value = scalars.get();
            if (value > max) {
                max = value;
            }
        }
        return max;
    }

    /** {@code forEach}, into an array. */
    @Benchmark
    public float[] forEachCopy(Rows s) {
        s.data.scalars().forEach(new Copy(s.array));
        return s.array;
    }

    /** {@code onEach}, a new value for each. */
    @Benchmark
    public FloatTensorData onEachPut(Rows s) {
        s.data.scalars().onEach(new Count());
        return s.data;
    }

    /** The largest of all, row by row of {@code elements()}. */
    @Benchmark
    public float elementsMax(Rows s) {
        int columns = s.columns;
        float max = Float.NEGATIVE_INFINITY;
        for (FloatTensorData row : s.data.elements()) {
            for (int j = 0; j < columns; j++) {
                float value = row.get(j);
                if (value > max) {
                    max = value;
                }
            }
        }
        return max;
    }

    /** The largest of all, row by row by {@code slice(i)}. */
    @Benchmark
    public float slicesMax(Rows s) {
        int rows = s.rows;
        int columns = s.columns;
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < rows; i++) {
            FloatTensorData row = s.data.slice(i);
            for (int j = 0; j < columns; j++) {
                float value = row.get(j);
                if (value > max) {
                    max = value;
                }
            }
        }
        return max;
    }

    /** A buffer, into an array. */
    @Benchmark
    public float[] rawCopy(Rows s) {
        FloatBuffer from = s.buffer;
        float[] to = s.array;
        for (int i = 0, n = from.capacity(); i < n; i++) {
            to[i] = from.get(i);
        }
        return to;
    }

    /** A new value for each element of a buffer. */
    @Benchmark
    public FloatBuffer rawPut(Rows s) {
        FloatBuffer to = s.buffer;
        for (int i = 0, n = to.capacity(); i < n; i++) {
            to.put(i, i);
        }
        return to;
    }

    /** The largest of a buffer. */
    @Benchmark
    public float rawMax(Rows s) {
        FloatBuffer from = s.buffer;
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0, n = from.capacity(); i < n; i++) {
            float value = from.get(i);
            if (value > max) {
                max = value;
            }
        }
        return max;
    }

    /** The largest of a buffer, row by row. */
    @Benchmark
    public float rawRowsMax(Rows s) {
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
