package io.tensornio.bench;

import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensors;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.tensorflow.ndarray.DoubleNdArray;
import org.tensorflow.ndarray.NdArrays;
import org.tensorflow.ndarray.Shape;

/** Sums of streams of data, in one thread and two, against those of an array's {@code DoubleStream} and of TensorFlow's {@code NdArray}. */
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC", "-Djava.util.concurrent.ForkJoinPool.common.parallelism=1"})
@OperationsPerInvocation(StreamBench.N)
public class StreamBench extends Timed {
    /** Elements. */
    static final int N = 1_000_000;
    private static final double EXPECTED = expected();

    private static double expected() {
        double sum = 0;
        for (int p = 0; p < N; p++) {
            sum += OpenTensor.value(p);
        }
        return sum;
    }

    private static void expect(double sum) {
        if (sum != EXPECTED) {
            throw new IllegalStateException("the sum is " + sum + ", not " + EXPECTED);
        }
    }

    private static double sum(FloatTensorData data) {
        return data.stream().sum();
    }

    private static double parallelSum(FloatTensorData data) {
        return data.stream().parallel().sum();
    }

    /** A tensor. */
    @State(Scope.Thread)
    public static class Tensor {
        private static final int ROUNDS = 8;
        /** Whether streams were of the one kind of data alone, or of others, too. */
        @Param({"mono", "mixed"})
        String seen;
        FloatTensorData data = new OpenTensor(N).data;

        /** Has streams compiled for what they are to have seen, and checks the sums. */
        @Setup
        public void check() {
            if (seen.equals("mixed")) {
                for (int round = 0; round < ROUNDS; round++) {
                    for (FloatTensorData view : Views.of(N)) {
                        sum(view);
                        parallelSum(view);
                    }
                    for (Kind kind : Kind.values()) {
                        sum(kind.matrix(KindBench.N, KindBench.N));
                    }
                }
            }
            expect(sum(data));
        }
    }

    /** A tensor for two threads. */
    @State(Scope.Thread)
    public static class Shared {
        FloatTensorData data = new OpenTensor(N).data;

        /** Checks the sum. */
        @Setup
        public void check() {
            expect(parallelSum(data));
        }
    }

    /** A tensor of doubles. */
    @State(Scope.Thread)
    public static class Doubles {
        DoubleTensorData data = Tensors.denseDouble(new long[] {N}, data -> {
            for (int p = 0; p < N; p++) {
                data.put(OpenTensor.value(p), p);
            }
        }).doubleData();

        /** Checks the sum. */
        @Setup
        public void check() {
            expect(data.stream().sum());
        }
    }

    /** TensorFlow's, of doubles: others it streams as objects. */
    @State(Scope.Thread)
    public static class NdArray {
        DoubleNdArray data = NdArrays.ofDoubles(Shape.of(N));

        /** Fills the array and checks the sum. */
        @Setup
        public void check() {
            for (int p = 0; p < N; p++) {
                data.setDouble(OpenTensor.value(p), p);
            }
            expect(data.streamOfDoubles().sum());
        }
    }

    /** An array. */
    @State(Scope.Thread)
    public static class Array {
        double[] values = new double[N];

        /** Fills the array and checks the sum. */
        @Setup
        public void check() {
            for (int p = 0; p < N; p++) {
                values[p] = OpenTensor.value(p);
            }
            expect(DoubleStream.of(values).sum());
        }
    }

    /** The sum of a tensor. */
    @Benchmark
    public double tensor(Tensor s) {
        return sum(s.data);
    }

    /** The sum of a tensor, by the caller's thread and another. */
    @Benchmark
    public double parallel(Shared s) {
        return parallelSum(s.data);
    }

    /** The sum of a tensor of doubles. */
    @Benchmark
    public double doubles(Doubles s) {
        return s.data.stream().sum();
    }

    /** The sum of an {@code NdArray}. */
    @Benchmark
    public double ndArray(NdArray s) {
        return s.data.streamOfDoubles().sum();
    }

    /** The sum of an array. */
    @Benchmark
    public double raw(Array s) {
        return DoubleStream.of(s.values).sum();
    }
}
