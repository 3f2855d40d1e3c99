package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.memory.Forked;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A step takes memory the first time alone: neither native memory nor Java's heap after it. */
class StepMemoryTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int STEPS = 300;
    /** The batches, of more examples than the JVM has ready objects for as numbers. */
    private static final int BATCH = 200;
    /** What the measurement may take, and what epochs begin with, a few. */
    private static final long ONCE = 4096;

    private final TensorContext t = new TensorContext();
    private final Sym x = t.input("x", DataType.FLOAT, Axis.of(6));
    private final Sym label = t.input("label", DataType.INT32);
    private final Sym1<Axis> bound = t.input(Axis.of(6), float[].class, (in, data) -> data.put(in));
    private final Sym boundLabel = t.inputInt(float[].class, (in, data) -> data.put((int) in[0] & 1));

    private Sym loss(Sym of, Sym classes) {
        Dense<Axis> hidden = t.comprehensions().dense(Axis.of(5), of);
        return t.comprehensions().softmaxCrossEntropy(t.comprehensions().linear(Axis.of(3), hidden.output()).output(), classes);
    }

    private static void check(Sym loss, Function<ComputeGraph, SGD> rule, Minibatch minibatch) {
        try (ComputeGraph cg = new TensorGraph(loss).compile()) {
            SGD descent = rule.apply(cg);
            // The second step is the first that writes what the first has made.
            for (int step = 0; step < 3; step++) {
                descent.step(minibatch);
            }
            long tensors = MemoryStats.current().tensorsAlive();
            long bytes = MemoryStats.current().bytesInUse();
            long allocated = 0;
            // What compiled code optimises away counts as little as what the interpreter makes beside: the least of some tries, as many as it takes
            // a busy machine to compile.
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 20 && least > ONCE; round++) {
                allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
                for (int step = 0; step < STEPS; step++) {
                    descent.step(minibatch);
                }
                least = Math.min(least, THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - allocated);
            }
            assertEquals(tensors, MemoryStats.current().tensorsAlive());
            assertEquals(bytes, MemoryStats.current().bytesInUse());
            long of = least;
            assertTrue(of <= ONCE, () -> of + " bytes of Java's heap for " + STEPS + " steps");
        }
    }

    private static List<float[]> examples() {
        List<float[]> examples = new ArrayList<>();
        for (int n = 0; n < BATCH; n++) {
            examples.add(new float[] {n, 1, -n, 2, n % 5, 3});
        }
        return examples;
    }

    /** In a JVM of its own: what others compile of the same methods decides whether objects are optimised away. */
    @Test
    void stepsTakeNoMemory() {
        Forked.with("-Xmx256m").run(StepMemoryTest.class);
    }

    /** Fails if a step takes memory. */
    public static void main(String[] arguments) {
        StepMemoryTest test = new StepMemoryTest();
        test.stepsOfExamples();
        test.stepsOfColumns();
    }

    private void stepsOfExamples() {
        check(loss(bound, boundLabel), SGD::adam, Minibatch.of(examples(), BATCH, 1));
        check(loss(bound, boundLabel), cg -> SGD.of(cg).momentum(.5).checkFinite(), Minibatch.of(examples(), BATCH, 1));
    }

    private void stepsOfColumns() {
        Map<Sym, TensorData<?>> columns = new HashMap<>();
        try (Tensor<?> features = FloatTensorData.of(new float[BATCH * 6], BATCH, 6).copy();
            Tensor<?> classes = IntTensorData.of(new int[BATCH]).copy()) {
            columns.put(x, features.floatData());
            columns.put(label, classes.intData());
            check(loss(x, label), SGD::rmsProp, Minibatch.columns(columns, BATCH, 1));
        }
    }
}
