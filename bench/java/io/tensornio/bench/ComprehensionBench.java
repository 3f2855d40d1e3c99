package io.tensornio.bench;

import io.tensornio.Tensor;
import io.tensornio.Tensors;
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

/** What a run of a comprehension costs beside what it computes. */
@Warmup(iterations = 3, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
public class ComprehensionBench extends Timed {
    /** Two vectors and their sum. */
    @State(Scope.Thread)
    public static class Vectors {
        private final Comprehension sum = Comprehension.of("z[i] = x[i] + y[i]");
        private Tensor<Float> x;
        private Tensor<Float> y;

        /** Makes the vectors. */
        @Setup
        public void make() {
            x = Tensors.ofNested(new float[8]);
            y = Tensors.ofNested(new float[8]);
        }

        /** Closes them. */
        @TearDown
        public void close() {
            x.close();
            y.close();
        }
    }

    /**
     * Adds 8 floats, and closes the result.
     *
     * @param vectors what is added
     * @return the first element
     */
    @Benchmark
    public float add(Vectors vectors) {
        try (Results r = vectors.sum.run(vectors.x, vectors.y)) {
            return r.floatTensor("z").floatData().get(0);
        }
    }
}
