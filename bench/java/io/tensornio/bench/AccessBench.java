package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import java.nio.FloatBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;
import org.tensorflow.ndarray.FloatNdArray;

/**
 * One element at a time at ranks 1 to 4, in the order of memory, by steps of 2, and across, against the same loops over a direct buffer whose strides
 * are not known when they are compiled, and over TensorFlow's {@code NdArray}.
 */
@Warmup(iterations = 3, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@OperationsPerInvocation(AccessBench.N)
public class AccessBench extends Timed {
    /** Elements, at any rank. */
    static final int N = 250_000;

    /** A {@link Walk}. */
    public abstract static class Walker<T> extends Contender<T> {
        /** The rank, and how memory is walked through. */
        @Param({"1-contiguous", "1-step2", "2-contiguous", "2-step2", "2-transposed", "3-contiguous", "3-step2", "3-transposed",
            "4-contiguous", "4-step2", "4-transposed"})
        String walk;
    }

    /** Over a direct buffer. */
    public static class Raw extends Walker<FloatBuffer> {
        @Override
        void make() {
            Walk way = new Walk(walk);
            use(way.tensor().buffer, way.ofBuffer(), N);
        }
    }

    /** Over TensorFlow's. */
    public static class NdArray extends Walker<FloatNdArray> {
        @Override
        void make() {
            Walk way = new Walk(walk);
            use(way.ndArray(), way.ofNdArray(), N);
        }
    }

    /** Over a tensor. */
    public static class Tensor extends Walker<FloatTensorData> {
        /** Whether the loop has seen the one kind of data alone, or others, too. */
        @Param({"mono", "mixed"})
        String seen;

        @Override
        void make() {
            Walk way = new Walk(walk);
            Loops<FloatTensorData> loops = way.ofTensor();
            if (seen.equals("mixed")) {
                Views.show(loops, does, way.shape);
            }
            use(way.tensor().data, loops, N);
        }
    }

    /** Over a tensor in the order of memory, with the indices in an array. */
    public static class Varargs extends Contender<FloatTensorData> {
        /** The rank. */
        @Param({"1-contiguous", "2-contiguous", "3-contiguous", "4-contiguous"})
        String walk;
        /** Whether the loop has seen the one kind of data alone, or others, too. */
        @Param({"mono", "mixed"})
        String seen;

        @Override
        void make() {
            Walk way = new Walk(walk);
            Loops<FloatTensorData> loops = way.ofIndices();
            if (seen.equals("mixed")) {
                Views.show(loops, does, way.shape);
            }
            use(way.tensor().data, loops, N);
        }
    }

    /** Over the buffer. */
    @Benchmark
    public float raw(Raw s) {
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

    /** Over the tensor, by {@code get(int...)} and {@code put(v, int...)}. */
    @Benchmark
    public float varargs(Varargs s) {
        return s.run();
    }
}
