package io.tensornio.bench;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.axes.NamedTensor;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Named axes: what an expression costs to build and materialise, goal 3 microseconds; and what it costs beside the same comprehension, goal 1.05
 * times, and beside a loop, goal 1.1 times.
 */
@Warmup(iterations = 3, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:MaxDirectMemorySize=2g"})
public class AxesBench extends Timed {
    /** Two vectors of some length. */
    private static class Vectors {
        Axis axis;
        Tensor<Float> a;
        Tensor<Float> b;
        NamedTensor x;
        NamedTensor y;

        void make(int length) {
            axis = Axis.of("N", length);
            a = Tensors.create(FloatTensorData.constant(1.5f, length));
            b = Tensors.create(FloatTensorData.constant(1, length));
            x = NamedTensor.of(a, axis);
            y = NamedTensor.of(b, axis);
        }

        void closeAll() {
            a.close();
            b.close();
        }
    }

    /** Of 8 elements. */
    @State(Scope.Thread)
    public static class Small extends Vectors {
        /** Makes them. */
        @Setup
        public void make() {
            make(8);
        }

        /** Closes them. */
        @TearDown
        public void close() {
            closeAll();
        }
    }

    /** Of 64M elements, and the comprehension of their squared distance. */
    @State(Scope.Thread)
    public static class Large extends Vectors {
        private final Comprehension distance = Comprehension.of("s += (x[i] - y[i]) ^ 2");

        /** Makes them. */
        @Setup
        public void make() {
            make(1 << 26);
        }

        /** Closes them. */
        @TearDown
        public void close() {
            closeAll();
        }
    }

    /**
     * Builds and materialises a sum of 8 floats.
     *
     * @param vectors what is added
     * @return the first element
     */
    @Benchmark
    public float add(Small vectors) {
        try (NamedTensor sum = vectors.x.plus(vectors.y)) {
            return sum.floatData().get(0);
        }
    }

    /**
     * The squared distance as an expression.
     *
     * @param vectors the vectors
     * @return the distance
     */
    @Benchmark
    public float distance(Large vectors) {
        try (NamedTensor sum = vectors.x.minus(vectors.y).square().sum()) {
            return sum.floatData().get();
        }
    }

    /**
     * The same as a comprehension.
     *
     * @param vectors the vectors
     * @return the distance
     */
    @Benchmark
    public float distanceByHand(Large vectors) {
        try (Results r = vectors.distance.run(vectors.a, vectors.b)) {
            return r.floatTensor("s").floatData().get();
        }
    }

    /**
     * The same as a loop over scalars.
     *
     * @param vectors the vectors
     * @return the distance
     */
    @Benchmark
    public float distanceLoop(Large vectors) {
        FloatTensorData a = vectors.a.floatData();
        FloatTensorData b = vectors.b.floatData();
        float sum = 0;
        for (int n = 0; n < 1 << 26; n++) {
            float difference = a.get(n) - b.get(n);
            sum += difference * difference;
        }
        return sum;
    }
}
