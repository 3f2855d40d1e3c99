package io.tensornio.bench;

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
import org.tensorflow.ndarray.FloatNdArray;

/**
 * One element at a time at ranks 1 to 4, in the order of memory, by steps of 2, and across, against the same loops over a direct
 * buffer whose strides are not known when they are compiled, and over TensorFlow's {@code NdArray}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
@OperationsPerInvocation(AccessBench.N)
public class AccessBench {
    /** Elements, at any rank. */
    static final int N = 250_000;

    /** A loop, and the array that it copies to. */
    @State(Scope.Thread)
    public static class Loop {
        /** Which loop. */
        @Param
        Does does;
        float[] array = new float[N];
    }

    /** Which elements, in which order. */
    @State(Scope.Thread)
    public static class Pattern {
        /** The rank, and how memory is walked through. */
        @Param({"1-contiguous", "1-step2", "2-contiguous", "2-step2", "2-transposed", "3-contiguous", "3-step2", "3-transposed",
            "4-contiguous", "4-step2", "4-transposed"})
        String walk;

        Walk make() {
            String[] parts = walk.split("-");
            return new Walk(Integer.parseInt(parts[0]), parts[1]);
        }
    }

    /** A direct buffer. */
    @State(Scope.Thread)
    public static class Raw {
        FloatBuffer buffer;
        Loops<FloatBuffer> loops;

        /** Makes the buffer and checks the loop. */
        @Setup
        public void make(Loop loop, Pattern pattern) {
            Walk walk = pattern.make();
            buffer = walk.tensor.buffer;
            loops = walk.raw();
            loops.check(loop.does, buffer, loop.array, walk.contents());
        }
    }

    /** A tensor. */
    @State(Scope.Thread)
    public static class Tensor {
        /** Whether the loop has seen the one kind of data alone, or others, too. */
        @Param({"mono", "mixed"})
        String seen;
        FloatTensorData data;
        Loops<FloatTensorData> loops;

        /** Makes the tensor, has the loop compiled for what it is to have seen, and checks it. */
        @Setup
        public void make(Loop loop, Pattern pattern) {
            Walk walk = pattern.make();
            data = walk.tensor.data;
            loops = walk.tensor(false);
            if (seen.equals("mixed")) {
                TensorLoops.showAll(loops, loop.does, walk.shape());
            }
            loops.check(loop.does, data, loop.array, walk.contents());
        }
    }

    /** TensorFlow's. */
    @State(Scope.Thread)
    public static class NdArray {
        Loops<FloatTensorData> loops;

        /** Makes the array and checks the loop. */
        @Setup
        public void make(Loop loop, Pattern pattern) {
            Walk walk = pattern.make();
            FloatNdArray array = walk.array();
            loops = walk.over(array);
            loops.check(loop.does, null, loop.array, walk.contents(array));
        }
    }

    /** A tensor in the order of memory, with the indices in an array. */
    @State(Scope.Thread)
    public static class Varargs {
        /** How many indices. */
        @Param({"1", "2", "3", "4"})
        int rank;
        /** Whether the loop has seen the one kind of data alone, or others, too. */
        @Param({"mono", "mixed"})
        String seen;
        FloatTensorData data;
        Loops<FloatTensorData> loops;

        /** Makes the tensor, has the loop compiled for what it is to have seen, and checks it. */
        @Setup
        public void make(Loop loop) {
            Walk walk = new Walk(rank, "contiguous");
            data = walk.tensor.data;
            loops = walk.tensor(true);
            if (seen.equals("mixed")) {
                TensorLoops.showAll(loops, loop.does, walk.shape());
            }
            loops.check(loop.does, data, loop.array, walk.contents());
        }
    }

    /** Over the buffer. */
    @Benchmark
    public float raw(Loop loop, Pattern pattern, Raw s) {
        return s.loops.run(loop.does, s.buffer, loop.array);
    }

    /** Over the {@code NdArray}. */
    @Benchmark
    public float ndArray(Loop loop, Pattern pattern, NdArray s) {
        return s.loops.run(loop.does, null, loop.array);
    }

    /** Over the tensor. */
    @Benchmark
    public float tensor(Loop loop, Pattern pattern, Tensor s) {
        return s.loops.run(loop.does, s.data, loop.array);
    }

    /** Over the tensor, by {@code get(int...)} and {@code put(v, int...)}. */
    @Benchmark
    public float varargs(Loop loop, Varargs s) {
        return s.loops.run(loop.does, s.data, loop.array);
    }
}
