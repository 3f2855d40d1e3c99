package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorData;
import io.tensornio.compute.F;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.value.Value;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How examples reach a graph: by binders and in columns, and all that can go wrong at that. */
@ExtendWith(MemoryBalance.class)
class FeedTest {
    private final TensorContext t = new TensorContext();
    private Sym w;
    private Sym loss;

    /** The loss is the mean of {@code (x - w)^2}. */
    private ComputeGraph graph(BiConsumer<Float, FloatTensorData> binder) {
        Sym x = t.input(Float.class, binder);
        w = t.scalar();
        loss = t.comprehensions().meanSquare(x, w);
        return new TensorGraph(loss).compile();
    }

    private double weight(ComputeGraph cg) {
        try (Tensor<?> now = cg.get(w)) {
            return now.floatData().get();
        }
    }

    @Test
    void shuffledEpochsHaveEveryExampleOnceInAnOrderOfTheirOwn() {
        List<Float> all = Arrays.asList(1f, 2f, 3f, 4f, 5f, 6f, 7f);
        List<List<Float>> epochs = new ArrayList<>();
        try (ComputeGraph cg = graph((in, data) -> data.put(in))) {
            SGD descent = SGD.of(cg).rate(0);
            Minibatch minibatch = Minibatch.of(all, 1, 5);
            for (int epoch = 0; epoch < 3; epoch++) {
                List<Float> seen = seen(descent, minibatch);
                epochs.add(seen);
                List<Float> sorted = new ArrayList<>(seen);
                Collections.sort(sorted);
                assertEquals(all, sorted);
            }
            minibatch.seek(7);
            assertEquals(epochs.get(1), seen(descent, minibatch));
        }
        assertTrue(!epochs.get(0).equals(epochs.get(1)) || !epochs.get(1).equals(epochs.get(2)));
    }

    /** The examples of an epoch: as the weight is 0, each loss is a square. */
    private static List<Float> seen(SGD descent, Minibatch minibatch) {
        List<Float> seen = new ArrayList<>();
        descent.train(minibatch, 1, (epoch, step, loss) -> seen.add((float) Math.sqrt(loss)));
        return seen;
    }

    @Test
    void aBinderThatThrowsFailsItsStepAlone() {
        IllegalStateException thrown = new IllegalStateException("mine");
        try (ComputeGraph cg = graph((in, data) -> {
            if (in == 2) {
                throw thrown;
            }
            data.put(in);
        })) {
            SGD descent = SGD.of(cg).rate(.5);
            Minibatch minibatch = Minibatch.inOrder(Arrays.asList(1f, 2f, 3f), 1);
            descent.step(minibatch);
            double before = weight(cg);
            assertSame(thrown, Expect.thrown(IllegalStateException.class, () -> descent.step(minibatch), "mine"));
            assertEquals(before, weight(cg));
            descent.step(minibatch);
            assertEquals(3, weight(cg), 1e-6);
            assertEquals(2, descent.steps());
        }
    }

    @Test
    void aBinderCannotWriteMoreThanAnExample() {
        try (ComputeGraph cg = graph((in, data) -> data.put(new float[] {1, 2}))) {
            Expect.thrown(IndexOutOfBoundsException.class, () -> SGD.of(cg).step(Minibatch.inOrder(Arrays.asList(1f, 2f), 2)), "2 elements", "[]");
            assertEquals(0, weight(cg));
        }
    }

    @Test
    void dataIsZeroBeforeEachCall() {
        List<Float> found = Collections.synchronizedList(new ArrayList<>());       // one batch ahead may be another thread's
        try (ComputeGraph cg = graph((in, data) -> {
            found.add(data.get());
            data.put(in);
        })) {
            SGD.of(cg).train(Minibatch.inOrder(Arrays.asList(1f, 2f, 3f), 2), 2, (epoch, step, loss) -> { });
        }
        assertEquals(Collections.nCopies(6, 0f), found.subList(0, 6));
        assertEquals(0, Collections.max(found));
    }

    @Test
    void theNextBatchIsWrittenMeanwhile() {
        Set<Thread> threads = Collections.synchronizedSet(new HashSet<>());
        Sym1<Axis> wide = t.input(Axis.of(2048), Float.class, (in, data) -> {
            threads.add(Thread.currentThread());
            float[] all = new float[2048];
            Arrays.fill(all, in);
            data.put(all);
        });
        Sym out = t.comprehensions().dense(Axis.of(256), wide).output();
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(out, out)).compile()) {
            CGInit.glorot(cg, 1);
            SGD.of(cg).train(Minibatch.inOrder(Collections.nCopies(320, 1f), 32), 2, (epoch, step, loss) -> { });
        }
        assertEquals(2, threads.size());
    }

    @Test
    void bindersOfAnEpochRunAfterItsListener() {
        AtomicInteger now = new AtomicInteger(-1);
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        Sym1<Axis> wide = t.input(Axis.of(2048), Float.class, (in, data) -> {
            seen.add(now.get());
            float[] all = new float[2048];
            Arrays.fill(all, in);
            data.put(all);
        });
        Sym out = t.comprehensions().dense(Axis.of(256), wide).output();
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(out, out)).compile()) {
            CGInit.glorot(cg, 1);
            SGD.of(cg).train(Minibatch.inOrder(Collections.nCopies(96, 1f), 32), 4, new ProgressListener() {
                @Override
                public void beforeEpoch(int epoch) {
                    now.set(epoch);
                }

                @Override
                public void progress(int epoch, long step, double loss) {
                    assertEquals(epoch, now.get());
                }
            });
        }
        for (int n = 0; n < 4 * 96; n++) {
            assertEquals(n / 96, seen.get(n));
        }
    }

    @Test
    void aListenerEndsATraining() {
        Sym1<Axis> x = t.input(Axis.of(1), Float.class, (in, data) -> data.put(in, 0));
        Sym out = t.comprehensions().linear(Axis.of(1), x).output();
        List<Integer> asked = new ArrayList<>();
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(out, x)).compile()) {
            double[] losses = SGD.of(cg).train(Minibatch.inOrder(Arrays.asList(1f, 2f, 3f), 2), Integer.MAX_VALUE, new ProgressListener() {
                private int last;

                @Override
                public void progress(int epoch, long step, double loss) {
                    last = epoch;
                }

                @Override
                public boolean keepGoing() {
                    asked.add(last);
                    return last < 2;
                }
            });
            assertEquals(3, losses.length);
        }
        assertEquals(Arrays.asList(0, 1, 2), asked);
    }

    @Test
    void dataThatABinderKeepsIsHarmless() {
        AtomicReference<FloatTensorData> kept = new AtomicReference<>();
        ComputeGraph cg = graph((in, data) -> {
            kept.set(data);
            data.put(in);
        });
        SGD.of(cg).step(Minibatch.inOrder(Collections.singletonList(1f), 1));
        kept.get().put(5);
        cg.close();
        Expect.thrown(TensorClosedException.class, () -> kept.get().put(5));
    }

    @Test
    void examplesThatRunOutAreToldAtTheStep() {
        AtomicInteger epochs = new AtomicInteger();
        Iterable<Float> once = () -> epochs.getAndIncrement() == 0 ? Arrays.asList(1f, 2f).iterator() : Collections.<Float>emptyIterator();
        try (ComputeGraph cg = graph((in, data) -> data.put(in))) {
            SGD descent = SGD.of(cg);
            Minibatch minibatch = Minibatch.inOrder(once, 2);
            descent.step(minibatch);
            Expect.thrown(IllegalArgumentException.class, () -> descent.step(minibatch), "no examples");
        }
        Expect.thrown(IllegalArgumentException.class, () -> Minibatch.of(Collections.emptyList(), 2, 1), "no examples");
        Expect.thrown(IllegalArgumentException.class, () -> Minibatch.of(Collections.singletonList(1f), 0, 1), "0");
        Expect.thrown(IllegalArgumentException.class, () -> Minibatch.of(Collections.singletonList(1f), 1, 1).seek(-1), "-1");
    }

    @Test
    void moreEpochsThanThereIsMemoryForEndByTheListener() {
        try (ComputeGraph cg = graph((in, data) -> data.put(in))) {
            Minibatch minibatch = Minibatch.of(Arrays.asList(1f, 3f), 1, 1);
            IllegalStateException enough = new IllegalStateException("enough");
            assertSame(enough, assertThrows(IllegalStateException.class,
                () -> SGD.of(cg).train(minibatch, Integer.MAX_VALUE, (epoch, step, loss) -> {
                    if (epoch == 3000) {
                        throw enough;
                    }
                })));
            double[] means = SGD.of(cg).rate(0).train(Minibatch.of(Arrays.asList(1f, 3f), 2, 1), 2500, (epoch, step, loss) -> { });
            assertEquals(2500, means.length);
            assertTrue(means[0] > 0);
            assertEquals(means[0], means[2499]);
        }
    }

    @Test
    void examplesOfAnotherClassAreRefused() {
        try (ComputeGraph cg = graph((in, data) -> data.put(in))) {
            Expect.thrown(IllegalArgumentException.class, () -> SGD.of(cg).step(Minibatch.inOrder(Collections.singletonList("text"), 1)), "t0",
                "java.lang.Float", "java.lang.String");
        }
    }

    @Test
    void onlyBindersThatAreNeededAreCalled() {
        AtomicInteger calls = new AtomicInteger();
        Sym x = t.input(Float.class, (in, data) -> data.put(in));
        Sym y = t.input(Float.class, (in, data) -> calls.incrementAndGet());
        Sym doubled = x.times(2);
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(x, y), doubled).compile();
                Tensor<?> made = cg.eval(3f, doubled)) {
            assertEquals(6, made.floatData().get());
            assertEquals(0, calls.get());
            List<Tensor<?>> both = cg.eval(3f, doubled, x);
            assertEquals(3, both.get(1).floatData().get());
            both.forEach(Tensor::close);
        }
    }

    @Test
    void columnsTrainAsExamplesDo() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(2));
        Sym label = t.input("label", DataType.INT32);
        Dense<Axis> logits = t.comprehensions().linear(Axis.of(3), x);
        TensorGraph tg = new TensorGraph(t.comprehensions().softmaxCrossEntropy(logits.output(), label), logits.output());
        Map<Sym, TensorData<?>> columns = new LinkedHashMap<>();
        try (ComputeGraph cg = tg.compile(); Tensor<?> native1 = FloatTensorData.of(new float[] {1, 0, 0, 1, 1, 1, 0, 0, -1, 1}, 5, 2).copy()) {
            columns.put(x, native1.floatData());
            Expect.thrown(IllegalArgumentException.class, () -> SGD.of(cg).step(Minibatch.columns(columns, 2, 1)), "label");
            columns.put(label, FloatTensorData.of(new float[5], 5));
            Expect.thrown(IllegalArgumentException.class, () -> SGD.of(cg).step(Minibatch.columns(columns, 2, 1)), "label", "INT32", "FLOAT");
            columns.put(label, IntTensorData.of(new int[4], 4));
            Expect.thrown(IllegalArgumentException.class, () -> Minibatch.columns(columns, 2, 1), "label", "4", "5");
            columns.put(label, IntTensorData.of(new int[] {0, 1, 2, 0, 1}, 5));
            double[] losses = SGD.adam(cg).rate(.1).train(Minibatch.columns(columns, 2, 1), 30, (epoch, step, loss) -> { });
            assertEquals(Math.log(3), losses[0], .3);
            assertTrue(losses[29] < .6, () -> "" + losses[29]);
        }
    }

    /** Rows of arrays are copied batch by batch, those of tensors are read in place: the steps are the same. */
    @Test
    void columnsOfArraysTrainAsColumnsOfTensorsDo() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(2));
        Sym z = t.input("z", DataType.FLOAT);
        Sym zHat = t.comprehensions().linear(Axis.of(1), x).output();
        TensorGraph tg = new TensorGraph(t.comprehensions().meanSquare(z, F.relu(t.comprehension("s += y[i]", map("s", t.scalar(), "y", zHat)))));
        float[] xs = {1, 0, 0, 1, 1, 1, 0, 0, -1, 1};
        float[] zs = {1, 2, 3, 4, 5};
        double[][] losses = new double[3][];
        try (Tensor<?> nativeX = FloatTensorData.of(xs, 5, 2).copy(); Tensor<?> nativeZ = FloatTensorData.of(zs).copy()) {
            TensorData<?>[][] columns = {{nativeX.floatData(), nativeZ.floatData()}, {FloatTensorData.of(xs, 5, 2), FloatTensorData.of(zs)},
                {nativeX.floatData(), FloatTensorData.of(zs)}};
            for (int n = 0; n < losses.length; n++) {
                Map<Sym, TensorData<?>> own = new LinkedHashMap<>();
                own.put(x, columns[n][0]);
                own.put(z, columns[n][1]);
                try (ComputeGraph cg = tg.compile()) {
                    CGInit.glorot(cg, 1);
                    losses[n] = SGD.of(cg).rate(.05).train(Minibatch.columns(own, 2, 3), 4, (epoch, step, loss) -> { });
                }
            }
        }
        assertTrue(losses[0][3] < losses[0][0]);
        assertArrayEquals(losses[0], losses[1]);
        assertArrayEquals(losses[0], losses[2]);
    }

    private static Map<String, Sym> map(String first, Sym one, String second, Sym other) {
        Map<String, Sym> map = new LinkedHashMap<>();
        map.put(first, one);
        map.put(second, other);
        return map;
    }

    @Test
    void columnsThatAreClosedFailTheStepAlone() {
        Sym x = t.input("x", DataType.FLOAT);
        w = t.scalar();
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(x, w)).compile()) {
            SGD descent = SGD.of(cg);
            Tensor<?> column = FloatTensorData.of(new float[] {1, 2}).copy();
            Minibatch minibatch = Minibatch.columns(Collections.singletonMap(x, column.floatData()), 1, 1);
            descent.step(minibatch);
            double before = weight(cg);
            column.close();
            Expect.thrown(TensorClosedException.class, () -> descent.step(minibatch));
            assertEquals(before, weight(cg));
            assertEquals(1, descent.steps());
        }
    }

    @Test
    void whatIsClosedIsClosed() {
        AtomicReference<ComputeGraph> cg = new AtomicReference<>();
        cg.set(graph((in, data) -> {
            if (in == 2) {
                cg.get().close();
            }
        }));
        SGD descent = SGD.of(cg.get());
        Minibatch minibatch = Minibatch.inOrder(Arrays.asList(1f, 2f), 1);
        descent.step(minibatch);
        Expect.thrown(IllegalStateException.class, () -> descent.step(minibatch), "closed");
        Expect.thrown(IllegalStateException.class, () -> descent.step(minibatch), "closed");
        Expect.thrown(IllegalStateException.class, () -> cg.get().get(w), "closed");
        Expect.thrown(IllegalStateException.class, () -> cg.get().eval(1f, w), "closed");
        Expect.thrown(IllegalStateException.class, () -> cg.get().save(new ByteArrayOutputStream()), "closed");
        cg.get().close();
    }

    @Test
    void aThreadThatIsInterruptedTrainsOnAndStaysInterrupted() {
        try (ComputeGraph cg = graph((in, data) -> data.put(in))) {
            SGD descent = SGD.of(cg).rate(.5);
            Thread.currentThread().interrupt();
            descent.train(Minibatch.inOrder(Arrays.asList(1f, 2f, 3f), 1), 2, (epoch, step, loss) -> { });
            assertTrue(Thread.interrupted());
            assertEquals(3, weight(cg), 1e-6);
        }
    }

    /** Batches are written ahead by another thread if that takes long, while a step waits for them. */
    @Test
    void aBinderMayAskForTheStepsButNotChangeTheTraining() {
        AtomicReference<SGD> training = new AtomicReference<>();
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger changed = new AtomicInteger();
        Axis wide = Axis.of("X", 300);
        Sym1<Axis> x = t.input(wide, Float.class, (in, data) -> {
            SGD descent = training.get();
            data.put(descent.steps(), 0);
            Runnable[] changes = {descent::checkFinite, () -> descent.save(new ByteArrayOutputStream())};
            for (Runnable change : changes) {
                try {
                    change.run();
                    changed.incrementAndGet();
                } catch (IllegalStateException e) {
                    refused.incrementAndGet();
                }
            }
            LockSupport.parkNanos(1_000_000);
        });
        Sym y = t.comprehensions().linear(wide, x).output();
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(y, x)).compile()) {
            SGD descent = SGD.of(cg).rate(1e-6);
            training.set(descent);
            descent.train(Minibatch.inOrder(Arrays.asList(1f, 2f, 3f, 4f), 1), 2, (epoch, step, loss) -> { });
            assertEquals(8, descent.steps());
        }
        assertEquals(0, changed.get());
        assertTrue(refused.get() >= 16, refused::toString);         // more if a batch was written ahead
    }

    @Test
    void aBinderCannotBeginAnotherEvaluationOfTheSame() {
        AtomicReference<ComputeGraph> graph = new AtomicReference<>();
        try (ComputeGraph cg = graph((in, data) -> {
            if (in == 1) {
                graph.get().eval(2f, loss).close();
            }
            data.put(in);
        })) {
            graph.set(cg);
            Expect.thrown(IllegalStateException.class, () -> cg.eval(1f, loss), "binder", "evaluation");
            try (Tensor<?> square = cg.eval(3f, loss)) {
                assertEquals(9, square.floatData().get());
            }
        }
    }

    /** One thread steps two trainings in turn; the batch of each is read ahead by a thread of its own. */
    @Test
    void twoTrainingsShareAMinibatch() {
        List<Float> all = new ArrayList<>();
        for (int n = 0; n < 12; n++) {
            all.add((float) n);
        }
        Iterable<Float> slow = () -> new Iterator<Float>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < all.size();
            }

            @Override
            public Float next() {
                LockSupport.parkNanos(300_000);
                return all.get(next++);
            }
        };
        Minibatch shared = Minibatch.inOrder(slow, 2);
        try (ComputeGraph a = graph((in, data) -> data.put(in)); ComputeGraph b = graph((in, data) -> data.put(in))) {
            SGD[] trainings = {SGD.of(a).rate(0), SGD.of(b).rate(0)};
            for (int step = 0; step < 12; step++) {
                double first = step % 6 * 2;
                double squares = trainings[step % 2].step(shared);
                assertEquals((first * first + (first + 1) * (first + 1)) / 2, squares, 1e-4, "step " + step);
            }
        }
    }

    @Test
    void aBatchOfMoreThanThereIsTakesMemoryForWhatThereIs() {
        try (ComputeGraph cg = graph((in, data) -> data.put(in))) {
            assertEquals(2.5, SGD.of(cg).rate(0).step(Minibatch.of(Arrays.asList(1f, 2f), Integer.MAX_VALUE, 1)));
        }
    }

    @Test
    void aLossOfIntegersIsRefused() {
        Sym label = t.inputInt(Float.class, (in, data) -> data.put(1));
        try (ComputeGraph cg = new TensorGraph(label).compile()) {
            Expect.thrown(IllegalArgumentException.class, () -> SGD.of(cg), "loss", "INT32", "FLOAT and DOUBLE");
            Expect.thrown(IllegalArgumentException.class, () -> cg.gradients(1f), "loss", "INT32");
        }
    }

    @Test
    void anOutputThatIsNamedTwiceIsMadeOnce() {
        try (ComputeGraph cg = graph((in, data) -> data.put(in))) {
            String name = w.toString();
            try (Value value = cg.run(Collections.emptyMap(), name, name).get(name)) {
                assertEquals(0, value.asTensor().rank());
            }
        }
    }

    @Test
    void settingsOfOtherRulesAreRefused() {
        try (ComputeGraph cg = graph((in, data) -> data.put(in))) {
            Expect.thrown(IllegalStateException.class, () -> SGD.adam(cg).momentum(.5), "momentum");
            Expect.thrown(IllegalStateException.class, () -> SGD.of(cg).rho(.5), "rho");
            Expect.thrown(IllegalArgumentException.class, () -> SGD.of(cg).rate(Double.NaN), "rate", "NaN");
            Expect.thrown(IllegalStateException.class, () -> cg.set(t.scalar(), FloatTensorData.of(new float[1], new long[0])), "not part");
        }
    }
}
