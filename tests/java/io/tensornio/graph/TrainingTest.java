package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The loop of training: what it notes, when it stops, and that it is resumed bit for bit. */
@ExtendWith(MemoryBalance.class)
class TrainingTest {
    private static final int FEATURES = 4;
    private static final int CLASSES = 3;

    /** An example: its label is what the features say, for most. */
    static final class Example {
        final float[] x = new float[FEATURES];
        int label;

        Example(Random random) {
            for (int n = 0; n < FEATURES; n++) {
                x[n] = random.nextFloat();
                label = x[n] > x[label] && n < CLASSES ? n : label;
            }
            label = random.nextInt(8) == 0 ? random.nextInt(CLASSES) : label;
        }
    }

    private static List<Example> examples(int count, int seed) {
        Random random = new Random(seed);
        List<Example> all = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            all.add(new Example(random));
        }
        return all;
    }

    private static final List<Example> MANY = examples(50, 1);
    private static final List<Example> HELD = examples(23, 2);

    /** A network with its tensors. */
    private static final class Net implements AutoCloseable {
        final TensorContext t = new TensorContext();
        final Sym x = t.input(Axis.of("X", FEATURES), Example.class, (in, data) -> data.put(in.x));
        final Sym label = t.inputInt(Example.class, (in, data) -> data.put(in.label));
        final Sym logits;
        final Sym loss;
        final ComputeGraph cg;

        Net() {
            this(5);
        }

        Net(int hidden) {
            Comprehensions tc = t.comprehensions();
            logits = tc.linear(Axis.of(CLASSES), tc.dense(Axis.of(hidden), x).withTanh().output()).output();
            loss = tc.softmaxCrossEntropy(logits, label);
            cg = new TensorGraph(loss).compile();
            CGInit.glorot(cg, 3);
        }

        byte[] saved() {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            cg.save(out);
            return out.toByteArray();
        }

        @Override
        public void close() {
            cg.close();
        }
    }

    private static Minibatch batches() {
        return Minibatch.of(MANY, 8, 5);
    }

    private static double meanLoss(Net net, List<Example> examples) {
        double sum = 0;
        for (Example example : examples) {
            try (Tensor<?> one = net.cg.eval(example, net.loss)) {
                sum += one.floatData().get();
            }
        }
        return sum / examples.size();
    }

    private static double accuracy(Net net, List<Example> examples) {
        int right = 0;
        for (Example example : examples) {
            try (Tensor<?> one = net.cg.eval(example, net.logits)) {
                int best = 0;
                for (int c = 1; c < CLASSES; c++) {
                    best = one.floatData().get(c) > one.floatData().get(best) ? c : best;
                }
                right += best == example.label ? 1 : 0;
            }
        }
        return right / (double) examples.size();
    }

    @Test
    void stepsAreThoseOfADescent() {
        double[] expected;
        byte[] last;
        try (Net net = new Net()) {
            expected = SGD.adam(net.cg).rate(.01).train(batches(), 4, (epoch, step, loss) -> { });
            last = net.saved();
        }
        try (Net net = new Net()) {
            List<String> told = new ArrayList<>();
            History history = Training.of(net.cg).optimizer(SGD.adam(net.cg).rate(.01)).epochs(4).listen(new ProgressListener() {
                @Override
                public void begin(int epochs, long steps) {
                    told.add("begin " + epochs + " " + steps);
                }

                @Override
                public void beforeEpoch(int epoch) {
                    told.add("before " + epoch);
                }

                @Override
                public void progress(int epoch, long step, double loss) {
                    told.add(step % 7 == 6 ? "step " + step + " of " + epoch : "");
                }

                @Override
                public void afterEpoch(History soFar) {
                    told.add("after " + soFar.epochs());
                }
            }).run(batches());
            assertArrayEquals(expected, history.losses());
            assertArrayEquals(last, net.saved());
            assertEquals(4, history.epochs());
            assertFalse(history.stopped());
            assertArrayEquals(new double[] {.01, .01, .01, .01}, history.rates());
            assertArrayEquals(new double[] {Double.NaN, Double.NaN, Double.NaN, Double.NaN}, history.validationLosses());
            assertTrue(Arrays.stream(history.seconds()).allMatch(seconds -> seconds > 0));
            told.removeIf(String::isEmpty);
            assertEquals(Arrays.asList("begin 4 7", "before 0", "step 6 of 0", "after 1", "before 1", "step 13 of 1", "after 2", "before 2",
                "step 20 of 2", "after 3", "before 3", "step 27 of 3", "after 4"), told);
        }
    }

    @Test
    void validationWeighsExamples() {
        for (Minibatch held : new Minibatch[] {Minibatch.inOrder(HELD, 10), Minibatch.of(HELD, 7, 3), Minibatch.of(HELD, 100, 3)}) {
            try (Net net = new Net()) {
                held.seek(2);
                List<double[]> checked = new ArrayList<>();
                History history = Training.of(net.cg).epochs(5).validate(held, 2).metric(Metric.accuracy(net.logits, net.label))
                    .metric(Metric.mean("error", net.loss)).listen(new ProgressListener() {
                        @Override
                        public void progress(int epoch, long step, double loss) {
                        }

                        @Override
                        public void afterEpoch(History soFar) {
                            checked.add(new double[] {meanLoss(net, HELD), accuracy(net, HELD)});
                        }
                    }).run(batches());
                assertEquals(2, held.position());
                for (int epoch = 0; epoch < 5; epoch++) {
                    boolean isValidated = epoch % 2 == 1;
                    assertEquals(isValidated ? checked.get(epoch)[0] : Double.NaN, history.validationLosses()[epoch], 1e-6);
                    assertEquals(isValidated ? checked.get(epoch)[0] : Double.NaN, history.metric("error")[epoch], 1e-6);
                    assertEquals(isValidated ? checked.get(epoch)[1] : Double.NaN, history.metric("accuracy")[epoch], 1e-12);
                }
            }
        }
    }

    @Test
    void withoutAValidationMetricsAreOfTheTraining() {
        for (Minibatch minibatch : new Minibatch[] {batches(), Minibatch.inOrder(MANY, 8)}) {
            try (Net net = new Net(); Net other = new Net()) {
                History history = Training.of(net.cg).epochs(3).metric(Metric.accuracy(net.logits, net.label)).run(minibatch);
                assertEquals(accuracy(net, MANY), history.metric("accuracy")[2], 1e-12);
                minibatch.seek(0);
                History without = Training.of(other.cg).epochs(3).run(minibatch);
                assertArrayEquals(without.losses(), history.losses());
            }
        }
    }

    @Test
    void columnsAreValidatedToo() {
        float[] x = new float[HELD.size() * FEATURES];
        int[] labels = new int[HELD.size()];
        for (int n = 0; n < labels.length; n++) {
            System.arraycopy(HELD.get(n).x, 0, x, n * FEATURES, FEATURES);
            labels[n] = HELD.get(n).label;
        }
        try (Net net = new Net()) {
            Map<Sym, TensorData<?>> columns = new java.util.HashMap<>();
            columns.put(net.x, FloatTensorData.of(x).unflatten(0, labels.length, FEATURES));
            columns.put(net.label, io.tensornio.IntTensorData.of(labels));
            History history = Training.of(net.cg).epochs(2).validate(Minibatch.columns(columns, 6, 1), 1).run(batches());
            assertEquals(meanLoss(net, HELD), history.validationLosses()[1], 1e-6);
            Expect.thrown(IllegalArgumentException.class, () -> Training.of(net.cg)
                .validate(Minibatch.columns(Collections.singletonMap(net.x, columns.get(net.x)), 6, 1), 1).run(batches()), "no column");
        }
    }

    /** A graph whose loss of epoch n is the n-th number, and whose parameter is the number of steps. */
    private static final class Told implements AutoCloseable {
        final TensorContext t = new TensorContext(io.tensornio.DataType.DOUBLE);
        final double[] losses;
        int epoch;
        final Sym w = t.tensor(Axis.of(1));
        final ComputeGraph cg;

        Told(double... losses) {
            this.losses = losses;
            Sym x = t.inputDouble(Object.class, (in, data) -> data.put(this.losses[epoch]));
            Sym loss = t.scalar();
            Map<String, Sym> names = new java.util.HashMap<>();
            names.put("w", w);
            names.put("x", x);
            names.put("loss", loss);
            t.comprehension("sum += w[i]; loss = x - sum", names);
            cg = new TensorGraph(loss).compile();
        }

        double steps() {
            try (Tensor<?> now = cg.get(w)) {
                return now.doubleData().get(0);
            }
        }

        /** The losses are of the epoch that begins, less the steps so far, which are added to them. */
        History run(Function<Training, Training> how) {
            for (int n = 0; n < losses.length; n++) {
                losses[n] += n;
            }
            return how.apply(Training.of(cg).optimizer(SGD.of(cg).rate(1)).epochs(losses.length)).listen(new ProgressListener() {
                @Override
                public void progress(int at, long step, double loss) {
                }

                @Override
                public void beforeEpoch(int next) {
                    epoch = next;
                }
            }).run(Minibatch.of(Collections.singletonList("one"), 1, 1));
        }

        @Override
        public void close() {
            cg.close();
        }
    }

    @Test
    void earlyStoppingWaitsAndKeepsTheBest(@TempDir Path folder) {
        Path file = folder.resolve("best");
        try (Told told = new Told(5, 4, 4, 3, 3, 3.5, Double.NaN, 1)) {
            History history = told.run(training -> training.stopEarly(3).keepBest(file));
            assertArrayEquals(new double[] {5, 4, 4, 3, 3, 3.5, Double.NaN}, history.losses(), 1e-12);
            assertTrue(history.stopped());
            assertEquals(3, history.best());
            assertEquals(4, told.steps());
            told.cg.set(told.w, io.tensornio.DoubleTensorData.of(new double[] {0}));
            told.cg.load(file);
            assertEquals(4, told.steps());
        }
        try (Told told = new Told(5, 4, 4, 4, 3, 2)) {
            History history = told.run(training -> training.stopEarly(3).keepBest(file));
            assertEquals(6, history.epochs());
            assertFalse(history.stopped());
            assertEquals(5, history.best());
            assertEquals(6, told.steps());
        }
    }

    @Test
    void whatIsNoNumberIsNeverBetter(@TempDir Path folder) {
        try (Told told = new Told(Double.NaN, Double.POSITIVE_INFINITY, Double.NaN, 1)) {
            History history = told.run(training -> training.stopEarly(3).keepBest(folder.resolve("best")));
            assertEquals(3, history.epochs());
            assertEquals(-1, history.best());
            assertEquals(3, told.steps());
            assertFalse(Files.exists(folder.resolve("best")));
        }
        try (Told told = new Told(Double.NaN, -1, Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY)) {
            assertEquals(2, told.run(training -> training).best());
        }
    }

    @Test
    void aListenerStops() {
        try (Net net = new Net()) {
            History history = Training.of(net.cg).epochs(9).listen(stopAfter(3)).run(batches());
            assertEquals(3, history.epochs());
            assertTrue(history.stopped());
        }
    }

    private static ProgressListener stopAfter(int epochs) {
        return new ProgressListener() {
            private int left = epochs;

            @Override
            public void progress(int epoch, long step, double loss) {
            }

            @Override
            public boolean keepGoing() {
                return --left > 0;
            }
        };
    }

    private static Training whole(Net net, Function<ComputeGraph, SGD> rule, Path folder) {
        return Training.of(net.cg).optimizer(rule.apply(net.cg)).epochs(7).validate(Minibatch.of(HELD, 8, 1), 2)
            .metric(Metric.accuracy(net.logits, net.label)).keepBest(folder.resolve("best")).stopEarly(3)
            .checkpoint(folder.resolve("checkpoint"), 2);
    }

    private static void resumes(Function<ComputeGraph, SGD> rule, Path folder) throws Exception {
        History expected;
        byte[] last;
        byte[] best;
        Path once = Files.createDirectory(folder.resolve("once"));
        try (Net net = new Net()) {
            expected = whole(net, rule, once).run(batches());
            last = net.saved();
            best = Files.readAllBytes(once.resolve("best"));
        }
        for (int first = 1; first <= 7; first++) {
            Path own = Files.createDirectory(folder.resolve("first" + first));
            try (Net net = new Net()) {
                assertEquals(first, whole(net, rule, own).listen(stopAfter(first)).run(batches()).epochs());
            }
            Files.deleteIfExists(own.resolve("best"));
            try (Net net = new Net()) {
                CGInit.zeros(net.cg);
                Minibatch minibatch = batches();
                minibatch.seek(3);
                History history = whole(net, rule, own).run(minibatch);
                assertArrayEquals(expected.losses(), history.losses());
                assertArrayEquals(expected.validationLosses(), history.validationLosses());
                assertArrayEquals(expected.metric("accuracy"), history.metric("accuracy"));
                assertArrayEquals(expected.rates(), history.rates());
                assertEquals(expected.best(), history.best());
                assertArrayEquals(last, net.saved());
                assertArrayEquals(best, Files.readAllBytes(own.resolve("best")));
            }
        }
    }

    @Test
    void resumesBitForBit(@TempDir Path folder) throws Exception {
        resumes(cg -> SGD.adam(cg).rate(Schedule.cosine(.05, 49, 5)), Files.createDirectory(folder.resolve("adam")));
        resumes(cg -> SGD.of(cg).momentum(.9).rate(.1).weightDecay(.01), Files.createDirectory(folder.resolve("momentum")));
    }

    @Test
    void aTrainingThatWasStoppedEarlyStaysSo(@TempDir Path folder) {
        Path file = folder.resolve("checkpoint");
        try (Net net = new Net()) {
            SGD still = SGD.of(net.cg).rate(0);
            History history = Training.of(net.cg).optimizer(still).epochs(9).validate(Minibatch.of(HELD, 8, 1), 1).stopEarly(2).checkpoint(file, 5)
                .run(batches());
            assertEquals(3, history.epochs());
            History again = Training.of(net.cg).optimizer(still).epochs(20).validate(Minibatch.of(HELD, 8, 1), 1).stopEarly(2).checkpoint(file, 5)
                .run(batches());
            assertEquals(3, again.epochs());
            assertTrue(again.stopped());
            History longer = Training.of(net.cg).optimizer(still).epochs(20).validate(Minibatch.of(HELD, 8, 1), 1).stopEarly(4).checkpoint(file, 5)
                .run(batches());
            assertEquals(5, longer.epochs());
        }
    }

    @Test
    void otherCheckpointsAreRefused(@TempDir Path folder) {
        Path file = folder.resolve("checkpoint");
        try (Net net = new Net(); Net wide = new Net(6)) {
            Training.of(net.cg).optimizer(SGD.adam(net.cg)).epochs(1).checkpoint(file, 1).run(batches());
            byte[] before = net.saved();
            refused(Training.of(net.cg).optimizer(SGD.of(net.cg)), file, batches(), "ADAM", "PLAIN");
            refused(Training.of(net.cg), file, Minibatch.of(MANY, 9, 5), "batch size 8", "is 9");
            refused(Training.of(net.cg), file, Minibatch.of(MANY.subList(1, 50), 8, 5), "number of examples 50", "is 49");
            refused(Training.of(net.cg).metric(Metric.accuracy(net.logits, net.label)), file, batches(), "metrics []", "[accuracy]");
            refused(Training.of(net.cg).validate(Minibatch.of(HELD, 8, 1), 1), file, batches(), "validation false");
            refused(Training.of(net.cg).keepBest(folder.resolve("best")), file, batches(), "keepBest false");
            refused(Training.of(wide.cg), file, batches(), "does not fit", "[5,4]", "[6,4]");
            SGD descent = SGD.adam(net.cg);
            descent.save(folder.resolve("descent"));
            refused(Training.of(net.cg), folder.resolve("descent"), batches(), "of a descent");
            net.cg.save(folder.resolve("parameters"));
            refused(Training.of(net.cg), folder.resolve("parameters"), batches(), "compute graph");
            assertArrayEquals(before, net.saved());
            descent.load(file);                 // a descent takes what it knows
            assertEquals(7, descent.steps());
        }
    }

    private static void refused(Training training, Path file, Minibatch minibatch, String... parts) {
        Expect.thrown(IllegalArgumentException.class, () -> training.epochs(3).checkpoint(file, 1).run(minibatch), parts);
        assertEquals(0, minibatch.position());
    }

    @Test
    void misuseIsRefused() {
        try (Net net = new Net(); Net other = new Net()) {
            Training training = Training.of(net.cg);
            Expect.thrown(IllegalArgumentException.class, () -> training.optimizer(SGD.of(other.cg)), "another compute graph");
            Expect.thrown(IllegalArgumentException.class, () -> training.epochs(-1), "-1 epochs");
            Expect.thrown(IllegalArgumentException.class, () -> training.validate(batches(), 0), "every");
            Expect.thrown(IllegalArgumentException.class, () -> training.stopEarly(0), "stopEarly");
            Expect.thrown(IllegalArgumentException.class, () -> training.checkpoint(java.nio.file.Paths.get("x"), 0), "everyEpochs");
            Expect.thrown(IllegalArgumentException.class, () -> training.metric(Metric.mean("m", other.loss)), "another context");
            training.metric(Metric.mean("m", net.loss));
            Expect.thrown(IllegalArgumentException.class, () -> training.metric(Metric.mean("m", net.logits)), "`m`");
            Expect.thrown(IllegalArgumentException.class, () -> Metric.mean("", net.loss), "name");
            Expect.thrown(IllegalArgumentException.class, () -> Metric.own("m", () -> null), "no tensor");
            assertEquals(0, training.epochs(0).run(batches()).epochs());
            net.cg.close();
            Expect.thrown(IllegalStateException.class, () -> training.run(batches()), "closed");
            Expect.thrown(IllegalStateException.class, () -> Training.of(net.cg), "closed");
        }
    }
}
