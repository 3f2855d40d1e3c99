package io.tensornio.bench;

import io.tensornio.FloatConsumer;
import io.tensornio.FloatSupplier;
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
 * Iterators and {@code elements()} over many short rows, against loops over a direct buffer, over nested arrays and over
 * TensorFlow's {@code NdArray}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
@OperationsPerInvocation(WalkBench.ROWS * WalkBench.COLUMNS)
public class WalkBench {
    /** Rows. */
    static final int ROWS = 15_625;
    /** Elements of a row. */
    static final int COLUMNS = 16;

    /** A loop, and the array that it copies to. */
    @State(Scope.Thread)
    public static class Loop {
        /** Which loop. */
        @Param
        Does does;
        float[] array = new float[ROWS * COLUMNS];
    }

    /** A direct buffer. */
    @State(Scope.Thread)
    public static class Raw {
        FloatBuffer buffer = new OpenTensor(ROWS, COLUMNS).buffer;
        /** As one row. */
        RawLoops scalars = new RawLoops(1, ROWS * COLUMNS);

        /** Checks the loop. */
        @Setup
        public void check(Loop loop) {
            scalars.check(loop.does, buffer, loop.array, buffer::get);
        }
    }

    /** A direct buffer, row by row. */
    @State(Scope.Thread)
    public static class RawRows {
        FloatBuffer buffer = new OpenTensor(ROWS, COLUMNS).buffer;
        RawLoops rows = new RawLoops(ROWS, COLUMNS);

        /** Checks the loop. */
        @Setup
        public void check(Loop loop) {
            rows.check(loop.does, buffer, loop.array, buffer::get);
        }
    }

    /** Nested arrays. */
    @State(Scope.Thread)
    public static class Arrays {
        float[][] rows = new float[ROWS][COLUMNS];
        ArrayLoops loops = new ArrayLoops(ROWS, COLUMNS);

        /** Fills the arrays and checks the loop. */
        @Setup
        public void check(Loop loop) {
            for (int p = 0; p < ROWS * COLUMNS; p++) {
                rows[p / COLUMNS][p % COLUMNS] = OpenTensor.value(p);
            }
            loops.check(loop.does, rows, loop.array, p -> rows[p / COLUMNS][p % COLUMNS]);
        }
    }

    /** TensorFlow's. */
    @State(Scope.Thread)
    public static class NdArray {
        /** What gives the elements. */
        @Param({"scalars", "each", "elements"})
        String by;
        FloatNdArray data = NdArrayLoops.array(ROWS, COLUMNS);
        Loops<FloatNdArray> loops;

        /** Checks the loop. */
        @Setup
        public void check(Loop loop) {
            loops = by.equals("scalars") ? new NdArrayLoops.Scalars(ROWS, COLUMNS)
                : by.equals("each") ? new NdArrayLoops.Each(ROWS, COLUMNS)
                : new NdArrayLoops.Elements(ROWS, COLUMNS);
            loops.check(loop.does, data, loop.array, NdArrayLoops.contents(data));
        }
    }

    /** A tensor. */
    @State(Scope.Thread)
    public static class Tensor {
        /** What gives the elements. */
        @Param({"get", "scalars", "each", "elements"})
        String by;
        /** Whether the loop has seen contiguous data alone, or views with other strides, too. */
        @Param({"mono", "mixed"})
        String seen;
        FloatTensorData data;
        Loops<FloatTensorData> loops;

        /** Has the loop compiled for what it is to have seen, and checks it. */
        @Setup
        public void check(Loop loop) {
            loops = by.equals("get") ? new TensorLoops.ByCoordinates(ROWS, COLUMNS)
                : by.equals("scalars") ? new TensorLoops.Scalars(ROWS, COLUMNS)
                : by.equals("each") ? new TensorLoops.Each(ROWS, COLUMNS)
                : new TensorLoops.Elements(ROWS, COLUMNS);
            if (seen.equals("mixed")) {
                TensorLoops.showAll(loops, loop.does, ROWS, COLUMNS);
            }
            OpenTensor tensor = new OpenTensor(ROWS, COLUMNS);
            data = tensor.data;
            loops.check(loop.does, data, loop.array, tensor.buffer::get);
        }
    }

    /** A tensor in a JVM that has seen other consumers and suppliers. */
    @State(Scope.Thread)
    public static class AfterOthers {
        private static final int ROUNDS = 30;
        FloatTensorData data;
        TensorLoops.Each loops = new TensorLoops.Each(ROWS, COLUMNS);
        private float sum;
        private int count;

        /** Has forEach and onEach compiled for the others, and checks the loop. */
        @Setup
        public void check(Loop loop) {
            FloatConsumer[] consumers = {v -> sum += v, v -> count++, v -> sum = Math.min(sum, v)};
            FloatSupplier[] suppliers = {() -> sum, () -> 1, () -> count++};
            FloatTensorData other = new OpenTensor(ROWS, COLUMNS).data;
            for (int round = 0; round < ROUNDS; round++) {
                other.scalars().forEach(consumers[round % consumers.length]);
                other.scalars().onEach(suppliers[round % suppliers.length]);
            }
            OpenTensor tensor = new OpenTensor(ROWS, COLUMNS);
            data = tensor.data;
            loops.check(loop.does, data, loop.array, tensor.buffer::get);
        }
    }

    /** Over the buffer, not knowing of rows. */
    @Benchmark
    public float raw(Loop loop, Raw s) {
        return s.scalars.run(loop.does, s.buffer, loop.array);
    }

    /** Over the buffer, row by row. */
    @Benchmark
    public float rawRows(Loop loop, RawRows s) {
        return s.rows.run(loop.does, s.buffer, loop.array);
    }

    /** Over the nested arrays. */
    @Benchmark
    public float arrays(Loop loop, Arrays s) {
        return s.loops.run(loop.does, s.rows, loop.array);
    }

    /** Over the {@code NdArray}. */
    @Benchmark
    public float ndArray(Loop loop, NdArray s) {
        return s.loops.run(loop.does, s.data, loop.array);
    }

    /** Over the tensor. */
    @Benchmark
    public float tensor(Loop loop, Tensor s) {
        return s.loops.run(loop.does, s.data, loop.array);
    }

    /** Over the tensor, by forEach or onEach, when these have seen others. */
    @Benchmark
    public float afterOthers(Loop loop, AfterOthers s) {
        return s.loops.run(loop.does, s.data, loop.array);
    }
}
