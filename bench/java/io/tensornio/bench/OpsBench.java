package io.tensornio.bench;

import io.tensornio.op.Operand;
import io.tensornio.op.Ops;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What an eager operation costs beside what it computes. The twelve that are compared with other libraries are in bench/peers. */
@Warmup(iterations = 3, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
public class OpsBench extends Timed {
    /** Two vectors. */
    @State(Scope.Thread)
    public static class Operands {
        private Ops tf;
        private Operand<Float> x;
        private Operand<Float> y;

        /** Makes them. */
        @Setup
        public void make() {
            tf = Ops.create();
            x = tf.array.fill(0.5f, 8);
            y = tf.array.fill(2f, 8);
        }

        /** Closes them, and what was left of the results. */
        @TearDown
        public void close() {
            tf.close();
        }
    }

    /**
     * Adds 8 floats, and drops the result, so that its collection is a part of the time.
     *
     * @param o what is added
     * @return the sum
     */
    @Benchmark
    public Object add(Operands o) {
        return o.tf.math.add(o.x, o.y);
    }
}
