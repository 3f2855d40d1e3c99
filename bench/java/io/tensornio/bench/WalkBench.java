package io.tensornio.bench;

import io.tensornio.FloatConsumer;
import io.tensornio.FloatSupplier;
import io.tensornio.FloatTensorData;
import java.nio.FloatBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.tensorflow.ndarray.FloatNdArray;

/** Iterators, against loops over a direct buffer, over nested arrays of short rows and over TensorFlow's {@code NdArray}. */
@OperationsPerInvocation(WalkBench.N)
public class WalkBench extends Timed {
    /** Elements. */
    static final int N = RowsBench.ROWS * RowsBench.COLUMNS;

    /** A direct buffer, as one row. */
    public static class Raw extends Contender<FloatBuffer> {
        @Override
        void make() {
            use(new OpenTensor(N).buffer, ByHand.buffer(1, N), N);
        }
    }

    /** TensorFlow's. */
    public static class NdArray extends Contender<FloatNdArray> {
        /** What gives the elements. */
        @Param({"scalars", "each"})
        String by;

        @Override
        void make() {
            use(FloatArrays.ndArray(RowsBench.ROWS, RowsBench.COLUMNS), by.equals("each") ? Scalars::byEach : Scalars::byIterator, N);
        }
    }

    /** A tensor. */
    public static class Tensor extends Contender<FloatTensorData> {
        /** What gives the elements. */
        @Param({"scalars", "each"})
        String by;
        /** Whether the loop has seen contiguous data alone, or views with other strides, too. */
        @Param({"mono", "mixed"})
        String seen;

        @Override
        void make() {
            Pass<FloatTensorData> pass = by.equals("each") ? Scalars::byEach : Scalars::byIterator;
            if (seen.equals("mixed")) {
                Views.show(pass, does, RowsBench.ROWS, RowsBench.COLUMNS);
            }
            use(new OpenTensor(RowsBench.ROWS, RowsBench.COLUMNS).data, pass, N);
        }
    }

    /** A tensor in a JVM where {@code forEach} and {@code onEach} have seen other consumers and suppliers. */
    public static class AfterOthers extends Contender<FloatTensorData> {
        private static final int ROUNDS = 30;
        private float sum;
        private int count;

        @Override
        void make() {
            FloatConsumer[] consumers = {v -> sum += v, v -> count++, v -> sum = Math.min(sum, v)};
            FloatSupplier[] suppliers = {() -> sum, () -> 1, () -> count++};
            FloatTensorData other = new OpenTensor(RowsBench.ROWS, RowsBench.COLUMNS).data;
            for (int round = 0; round < ROUNDS; round++) {
                other.scalars().forEach(consumers[round % consumers.length]);
                other.scalars().onEach(suppliers[round % suppliers.length]);
            }
            use(new OpenTensor(RowsBench.ROWS, RowsBench.COLUMNS).data, Scalars::byEach, N);
        }
    }

    /** Over the buffer. */
    @Benchmark
    public float raw(Raw s) {
        return s.run();
    }

    /** Over nested arrays. */
    @Benchmark
    public float arrays(RowsBench.Arrays s) {
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

    /** Over the tensor, by forEach or onEach, when these have seen others. */
    @Benchmark
    public float afterOthers(AfterOthers s) {
        return s.run();
    }
}
