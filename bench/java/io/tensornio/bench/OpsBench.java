package io.tensornio.bench;

import io.tensornio.op.Operand;
import io.tensornio.op.Ops;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Twelve eager operations on few, some and many floats: each makes a result, which is dropped, so that its collection is a part of the time. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
public class OpsBench {
    /** Operands. */
    @State(Scope.Thread)
    public static class Operands {
        /** How many floats. */
        @Param({"8", "65536", "16777216"})
        public int size;

        private Ops tf;
        private Operand<Float> x;
        private Operand<Float> y;
        private Operand<Float> rows;
        private Operand<Float> square;

        /** Makes them: vectors, the same as rows of up to 256, and a square matrix of at most as many elements and 1024 rows. */
        @Setup
        public void make() {
            tf = Ops.create();
            x = tf.array.fill(0.5f, size);
            y = tf.array.fill(2f, size);
            rows = tf.array.reshape(x, -1, Math.min(size, 256));
            int side = Math.min(1024, (int) Math.sqrt(size));
            square = tf.array.fill(0.5f, side, side);
        }

        /** Closes them, and what was left of the results. */
        @TearDown
        public void close() {
            tf.close();
        }
    }

    /** x + y. */
    @Benchmark
    public Object add(Operands o) {
        return o.tf.math.add(o.x, o.y);
    }

    /** x * y. */
    @Benchmark
    public Object mul(Operands o) {
        return o.tf.math.mul(o.x, o.y);
    }

    /** e^x. */
    @Benchmark
    public Object exp(Operands o) {
        return o.tf.math.exp(o.x);
    }

    /** The hyperbolic tangent. */
    @Benchmark
    public Object tanh(Operands o) {
        return o.tf.math.tanh(o.x);
    }

    /** The larger of x and 0. */
    @Benchmark
    public Object relu(Operands o) {
        return o.tf.nn.relu(o.x);
    }

    /** Which elements are smaller. */
    @Benchmark
    public Object less(Operands o) {
        return o.tf.math.less(o.x, o.y);
    }

    /** The sum of all. */
    @Benchmark
    public Object sum(Operands o) {
        return o.tf.reduce.sum(o.x);
    }

    /** The largest of each row. */
    @Benchmark
    public Object maxOfRows(Operands o) {
        return o.tf.reduce.max(o.rows, 1);
    }

    /** The softmax of each row. */
    @Benchmark
    public Object softmax(Operands o) {
        return o.tf.nn.softmax(o.rows);
    }

    /** The product of a square matrix with itself. */
    @Benchmark
    public Object matmul(Operands o) {
        return o.tf.linalg.matmul(o.square, o.square);
    }

    /** Rows as columns. */
    @Benchmark
    public Object transpose(Operands o) {
        return o.tf.linalg.transpose(o.rows);
    }

    /** Both vectors, one behind the other. */
    @Benchmark
    public Object concat(Operands o) {
        return o.tf.array.concat(0, o.x, o.y);
    }
}
