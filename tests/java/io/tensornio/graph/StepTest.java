package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Steps of all rules: against numbers that were worked out by hand, and against a network in plain Java. */
@ExtendWith(MemoryBalance.class)
class StepTest {
    static final class Point {
        final float[] x;
        final float z;

        Point(float z, float... x) {
            this.x = x;
            this.z = z;
        }
    }

    /** A single weight: the loss is the mean of {@code (z - w x)^2}. */
    private static final class Line implements AutoCloseable {
        final TensorContext t = new TensorContext();
        final Sym x = t.input(Point.class, (in, data) -> data.put(in.x[0]));
        final Sym z = t.input(Point.class, (in, data) -> data.put(in.z));
        final Sym w = t.scalar();
        final ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(z, w.times(x))).compile();

        double weight() {
            try (Tensor<?> now = cg.get(w)) {
                return now.floatData().get();
            }
        }

        @Override
        public void close() {
            cg.close();
        }
    }

    private static final List<Point> POINTS = Arrays.asList(new Point(2, 1), new Point(4, 2));

    private static void steps(Function<ComputeGraph, SGD> rule, double... weights) {
        try (Line line = new Line()) {
            SGD descent = rule.apply(line.cg);
            Minibatch both = Minibatch.inOrder(POINTS, 2);
            for (double weight : weights) {
                descent.step(both);
                assertEquals(weight, line.weight(), 2e-6 * Math.max(1, Math.abs(weight)));
            }
        }
    }

    // The loss at w is mean((2 - w)^2, (4 - 2w)^2) = 2.5 (2 - w)^2, and its gradient 5 (w - 2): -10 at 0.

    @Test
    void plainSteps() {
        steps(cg -> SGD.of(cg).rate(.1), 1, 1.5, 1.75);
    }

    @Test
    void stepsWithMomentum() {
        // v: -10, .5 * -10 - 5 = -10, .5 * -10 + 0 = -5.
        steps(cg -> SGD.of(cg).rate(.1).momentum(.5), 1, 2, 2.5);
    }

    @Test
    void stepsOfRmsProp() {
        double w1 = .01 * 10 / Math.sqrt(.1 * 100);
        double g2 = 5 * (w1 - 2);
        double v2 = .9 * 10 + .1 * g2 * g2;
        steps(cg -> SGD.rmsProp(cg).rate(.01), w1, w1 - .01 * g2 / Math.sqrt(v2));
    }

    @Test
    void stepsOfAdam() {
        double g2 = 5 * (.01 - 2);
        double m = (.9 * -1 + .1 * g2) / (1 - .81);
        double v = (.999 * .1 + .001 * g2 * g2) / (1 - .999 * .999);
        steps(cg -> SGD.adam(cg).rate(.01), .01, .01 - .01 * m / Math.sqrt(v));
    }

    @Test
    void aRateMayChangeBetweenSteps() {
        try (Line line = new Line()) {
            Minibatch both = Minibatch.inOrder(POINTS, 2);
            SGD descent = SGD.of(line.cg).rate(.1);
            descent.step(both);
            assertEquals(1, line.weight(), 1e-6);
            descent.rate(.05).step(both);
            assertEquals(1.25, line.weight(), 1e-6);
            // With momentum from here on: v is 3.75.
            descent.momentum(.5).rate(.1).step(both);
            assertEquals(1.625, line.weight(), 1e-6);
        }
    }

    @Test
    void theLossOfAStepIsTheMeanBeforeTheUpdate() {
        try (Line line = new Line()) {
            SGD descent = SGD.of(line.cg);
            assertEquals(10, descent.step(Minibatch.inOrder(POINTS, 2)), 1e-5);
            assertEquals(1, descent.steps());
        }
    }

    @Test
    void aShortBatchDividesByItsOwnSize() {
        try (Line line = new Line()) {
            List<Double> losses = new ArrayList<>();
            double[] means = SGD.of(line.cg).rate(0).train(Minibatch.inOrder(Arrays.asList(new Point(1, 0), new Point(2, 0), new Point(3, 0)), 2), 2,
                (epoch, step, loss) -> losses.add(epoch * 100 + step * 10 + loss));
            assertEquals(Arrays.asList(2.5, 19.0, 122.5, 139.0), losses);
            assertEquals(14. / 3, means[0], 1e-6);
            assertEquals(14. / 3, means[1], 1e-6);
        }
    }

    @Test
    void aTermWithoutInputsCountsOnce() {
        TensorContext t = new TensorContext();
        Sym x = t.input(Point.class, (in, data) -> data.put(in.x[0]));
        Sym w = t.scalar();
        Sym loss = w.times(x).plus(w.times(w).times(.5));
        try (ComputeGraph cg = new TensorGraph(loss).compile()) {
            cg.set(w, FloatTensorData.of(new float[] {3}, new long[0]));
            SGD descent = SGD.of(cg).rate(1);
            assertEquals(3 * 1.5 + 4.5, descent.step(Minibatch.inOrder(POINTS, 2)), 1e-5);
            try (Tensor<?> now = cg.get(w)) {
                assertEquals(3 - (1.5 + 3), now.floatData().get(), 1e-5);
            }
        }
    }

    @Test
    void firstValuesHangOnSeedNumberAndElement() {
        TensorContext t = new TensorContext();
        Sym1<Axis> x = t.input(Axis.of(3), Point.class, (in, data) -> data.put(in.x));
        t.scalar();
        Dense<Axis> layer = t.comprehensions().linear(Axis.of(2), x);
        assertEquals(2, layer.weights().id());
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(layer.output(), layer.output())).compile()) {
            CGInit.glorot(cg, 1);
            try (Tensor<?> w = cg.get(layer.weights())) {
                assertEquals(.87769455f, w.floatData().get(0, 0));
                assertEquals(-.9841176f, w.floatData().get(0, 1));
                assertEquals(.10070054f, w.floatData().get(0, 2));
            }
        }
    }

    /** A network of a hidden layer and a softmax, in plain Java with doubles. */
    private static final class Plain {
        /** Of each row of weights the first and the second moment of its gradients, if this is Adam; else null. */
        private final Map<double[], double[][]> moments;
        private int steps;
        final double[][] w1;
        final double[] b1 = new double[7];
        final double[][] w2;
        final double[] b2 = new double[3];

        Plain(FloatTensorData first, FloatTensorData second, boolean isAdam) {
            moments = isAdam ? new IdentityHashMap<>() : null;
            w1 = doubles(first);
            w2 = doubles(second);
        }

        private static double[][] doubles(FloatTensorData from) {
            double[][] to = new double[(int) from.size(0)][(int) from.size(1)];
            for (int i = 0; i < to.length; i++) {
                for (int j = 0; j < to[i].length; j++) {
                    to[i][j] = from.get(i, j);
                }
            }
            return to;
        }

        double step(List<Point> batch, double rate) {
            double[][] g1 = new double[w1.length][w1[0].length];
            double[] h1 = new double[b1.length];
            double[][] g2 = new double[w2.length][w2[0].length];
            double[] h2 = new double[b2.length];
            double loss = 0;
            for (Point point : batch) {
                double[] hidden = new double[b1.length];
                for (int i = 0; i < hidden.length; i++) {
                    double sum = b1[i];
                    for (int j = 0; j < point.x.length; j++) {
                        sum += w1[i][j] * point.x[j];
                    }
                    hidden[i] = Math.max(sum, 0);
                }
                double[] logits = new double[b2.length];
                double total = 0;
                for (int i = 0; i < logits.length; i++) {
                    logits[i] = b2[i];
                    for (int j = 0; j < hidden.length; j++) {
                        logits[i] += w2[i][j] * hidden[j];
                    }
                    total += Math.exp(logits[i]);
                }
                loss += Math.log(total) - logits[(int) point.z];
                double[] back = new double[hidden.length];
                for (int i = 0; i < logits.length; i++) {
                    double d = Math.exp(logits[i]) / total - (i == (int) point.z ? 1 : 0);
                    h2[i] += d;
                    for (int j = 0; j < hidden.length; j++) {
                        g2[i][j] += d * hidden[j];
                        back[j] += d * w2[i][j];
                    }
                }
                for (int i = 0; i < hidden.length; i++) {
                    double d = hidden[i] > 0 ? back[i] : 0;
                    h1[i] += d;
                    for (int j = 0; j < point.x.length; j++) {
                        g1[i][j] += d * point.x[j];
                    }
                }
            }
            steps++;
            move(w1, g1, rate, batch.size());
            move(w2, g2, rate, batch.size());
            move(new double[][] {b1, b2}, new double[][] {h1, h2}, rate, batch.size());
            return loss / batch.size();
        }

        private void move(double[][] w, double[][] sums, double rate, int examples) {
            for (int i = 0; i < w.length; i++) {
                for (int j = 0; j < w[i].length; j++) {
                    double g = sums[i][j] / examples;
                    w[i][j] -= rate * (moments == null ? g : adam(moments.computeIfAbsent(w[i], row -> new double[2][row.length]), j, g));
                }
            }
        }

        private double adam(double[][] moments, int j, double g) {
            moments[0][j] = .9 * moments[0][j] + .1 * g;
            moments[1][j] = .999 * moments[1][j] + .001 * g * g;
            return moments[0][j] / (1 - Math.pow(.9, steps)) / (Math.sqrt(moments[1][j] / (1 - Math.pow(.999, steps))) + 1e-8);
        }
    }

    private static List<Point> points(int count) {
        Random random = new Random(11);
        List<Point> points = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            float[] x = new float[5];
            for (int i = 0; i < x.length; i++) {
                x[i] = random.nextFloat() - .5f;
            }
            points.add(new Point(x[0] > .2f ? 2 : x[1] > 0 ? 1 : 0, x));
        }
        return points;
    }

    private static ComputeGraph network(List<Sym> weights) {
        TensorContext t = new TensorContext();
        Sym1<Axis> x = t.input(Axis.of("X", 5), Point.class, (in, data) -> data.put(in.x));
        Sym label = t.inputInt(Point.class, (in, data) -> data.put((int) in.z));
        Dense<Axis> hidden = t.comprehensions().dense(Axis.of("H", 7), x);
        Dense<Axis> logits = t.comprehensions().linear(Axis.of("C", 3), hidden.output());
        weights.addAll(Arrays.asList(hidden.weights(), logits.weights()));
        return new TensorGraph(t.comprehensions().softmaxCrossEntropy(logits.output(), label)).compile();
    }

    @Test
    void twoHundredStepsAreThoseOfAPlainNetwork() {
        twoHundredSteps(false, .2);
        twoHundredSteps(true, .005);
    }

    private static void twoHundredSteps(boolean isAdam, double rate) {
        List<Sym> weights = new ArrayList<>();
        List<Point> points = points(40);
        try (ComputeGraph cg = network(weights)) {
            CGInit.he(cg, 9);
            Plain plain;
            try (Tensor<?> first = cg.get(weights.get(0)); Tensor<?> second = cg.get(weights.get(1))) {
                plain = new Plain(first.floatData(), second.floatData(), isAdam);
            }
            SGD descent = (isAdam ? SGD.adam(cg) : SGD.of(cg)).rate(rate);
            Minibatch minibatch = Minibatch.inOrder(points, 16);
            for (int step = 0; step < 200; step++) {
                int from = step % 3 * 16;
                double expected = plain.step(points.subList(from, Math.min(from + 16, 40)), rate);
                assertEquals(expected, descent.step(minibatch), isAdam ? 5e-4 : 2e-5, "step " + step);
            }
            try (Tensor<?> first = cg.get(weights.get(0))) {
                for (int i = 0; i < 7; i++) {
                    for (int j = 0; j < 5; j++) {
                        assertEquals(plain.w1[i][j], first.floatData().get(i, j), isAdam ? 2e-3 : 2e-4);
                    }
                }
            }
        }
    }

    @Test
    void theSameSeedGivesTheSameBits() {
        float[][] results = new float[2][35];
        for (float[] result : results) {
            List<Sym> weights = new ArrayList<>();
            try (ComputeGraph cg = network(weights)) {
                CGInit.glorot(cg, 4);
                SGD.adam(cg).train(Minibatch.of(points(50), 8, 6), 3, (epoch, step, loss) -> { });
                try (Tensor<?> first = cg.get(weights.get(0))) {
                    first.floatData().flatten().copyTo(result);
                }
            }
        }
        assertTrue(Arrays.equals(results[0], results[1]));
    }

    @Test
    void aStepTakesNoMemoryAfterTheFirst() {
        try (ComputeGraph cg = network(new ArrayList<>())) {
            SGD descent = SGD.adam(cg);
            Minibatch minibatch = Minibatch.inOrder(points(48), 16);
            descent.step(minibatch);
            descent.step(minibatch);
            long tensors = MemoryStats.current().tensorsAlive();
            long bytes = MemoryStats.current().bytesInUse();
            for (int step = 0; step < 50; step++) {
                descent.step(minibatch);
            }
            assertEquals(tensors, MemoryStats.current().tensorsAlive());
            assertEquals(bytes, MemoryStats.current().bytesInUse());
        }
    }

    @Test
    void aLabelThatThereIsNotFailsAndChangesNothing() {
        List<Sym> weights = new ArrayList<>();
        try (ComputeGraph cg = network(weights)) {
            CGInit.glorot(cg, 1);
            SGD descent = SGD.adam(cg);
            Minibatch bad = Minibatch.inOrder(Collections.singletonList(new Point(3, 1, 2, 3, 4, 5)), 1);
            try (Tensor<?> before = cg.get(weights.get(0))) {
                Expect.thrown(IndexOutOfBoundsException.class, () -> descent.step(bad), "3", "t1");
                try (Tensor<?> after = cg.get(weights.get(0))) {
                    assertEquals(before.floatData(), after.floatData());
                }
            }
            assertEquals(0, descent.steps());
            assertEquals(1, bad.position());
        }
    }

    @Test
    void aLossThatIsNotFiniteIsRefusedBeforeTheUpdate() {
        try (Line line = new Line()) {
            SGD descent = SGD.of(line.cg).checkFinite();
            descent.step(Minibatch.inOrder(POINTS, 2));
            double before = line.weight();
            Minibatch bad = Minibatch.inOrder(Collections.singletonList(new Point(Float.NaN, 1)), 1);
            Expect.thrown(IllegalStateException.class, () -> descent.step(bad), "step 1 is not finite: the loss is NaN; nothing");
            assertEquals(before, line.weight());
            Minibatch large = Minibatch.inOrder(Collections.singletonList(new Point(1e10f, 1e-10f)), 1);
            descent.rate(1e38).step(Minibatch.inOrder(Collections.singletonList(new Point(0, 0)), 1));
            Expect.thrown(IllegalStateException.class, () -> descent.rate(1e300).step(large), "step 2 is not finite", "1.0000000200408773E20",
                "but a parameter after it would not be finite");
            assertEquals(before, line.weight());
        }
    }
}
