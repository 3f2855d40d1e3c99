package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.Tensor;
import io.tensornio.internal.graph.Variable;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Texts over a batch, states, batch normalization and dropout: in training, in evaluation, after loading, and in short batches. */
@ExtendWith(MemoryBalance.class)
class BatchTest {
    private static Map<String, Sym> names(Object... pairs) {
        Map<String, Sym> names = new HashMap<>();
        for (int n = 0; n < pairs.length; n += 2) {
            names.put((String) pairs[n], (Sym) pairs[n + 1]);
        }
        return names;
    }

    private static double[] all(AnyTensor<?> tensor) {
        try (AnyTensor<?> own = tensor) {
            double[] elements = new double[(int) own.numElements()];
            own.doubleData().flatten().copyTo(elements);
            return elements;
        }
    }

    private static List<double[]> examples(int count, int size, int seed) {
        Random random = new Random(seed);
        List<double[]> all = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            all.add(random.doubles(size).toArray());
        }
        return all;
    }

    /** A graph in DOUBLE: x is normalised, or dropped from, then multiplied by weights; the loss is the mean square of that and 1. */
    private static final class Net implements AutoCloseable {
        final TensorContext t = new TensorContext(DataType.DOUBLE);
        final Sym x;
        final Sym y;
        final Sym w = t.tensor();
        final ComputeGraph cg;
        final SGD descent;

        Net(boolean isDropped, Axis... axes) {
            Sym in = axes.length == 1 ? t.inputDouble(axes[0], double[].class, (example, data) -> data.put(example))
                : t.inputDouble(axes[0], axes[1], double[].class, (example, data) -> data.flatten().put(example));
            x = in.plus(0);
            Comprehensions tc = t.comprehensions();
            y = isDropped ? tc.dropout(x, .4) : tc.batchNorm(x);
            Sym loss = t.scalar();
            t.comprehension(axes.length == 1 ? "s += w[i] * y[i]; e = (s - 1.5) ^ 2" : "s += w[i,j] * y[i,j]; e = (s - 1.5) ^ 2",
                names("w", w, "y", y, "e", loss));
            cg = new TensorGraph(loss, y).compile();
            CGInit.glorot(cg, 1);
            int size = 1;
            for (Axis axis : axes) {
                size *= (int) axis.length();
            }
            cg.set(w, DoubleTensorData.of(new Random(4).doubles(size).toArray()).unflatten(0, w.axes().stream().mapToLong(Axis::length).toArray()));
            descent = SGD.of(cg).rate(0);
        }

        double[] get(int below) {
            // The tensors that batchNorm makes are numbered before its result.
            return all(cg.model.snapshot(variable(below)));
        }

        Variable variable(int below) {
            return cg.model.graph.variables.get(y.id() - below);
        }

        void set(int id, double... values) {
            Variable variable = cg.model.graph.variables.get(id);
            cg.model.set(variable, DoubleTensorData.of(values, variable.shape()));
        }

        @Override
        public void close() {
            cg.close();
        }
    }

    @Test
    void runningNumbersOfTheWorkedExample() {
        try (Net net = new Net(false, Axis.of(1))) {
            net.descent.step(Minibatch.inOrder(Arrays.asList(new double[] {1}, new double[] {3}), 2));
            assertArrayEquals(new double[] {.2}, net.get(2), 1e-12);
            assertArrayEquals(new double[] {1.1}, net.get(1), 1e-12);
            assertArrayEquals(new double[] {1}, net.get(4), 0);
            assertEquals(Variable.Kind.STATE, net.variable(1).kind);
            assertTrue(net.variable(4).isParameter());
        }
    }

    /** What batch normalization makes of rows whose last axis are channels. */
    private static double[][] normalised(List<double[]> rows, int channels, double[] scale, double[] offset, double[] mean, double[] variance) {
        int each = rows.get(0).length / channels;
        double[][] made = new double[rows.size()][rows.get(0).length];
        for (int c = 0; c < channels; c++) {
            double total = 0;
            double squares = 0;
            int count = rows.size() * each;
            for (double[] row : rows) {
                for (int n = c; n < row.length; n += channels) {
                    total += row[n];
                }
            }
            for (double[] row : rows) {
                for (int n = c; n < row.length; n += channels) {
                    squares += Math.pow(row[n] - total / count, 2);
                }
            }
            for (int r = 0; r < made.length; r++) {
                for (int n = c; n < made[r].length; n += channels) {
                    made[r][n] = (rows.get(r)[n] - total / count) / Math.sqrt(squares / count + 1e-5) * scale[c] + offset[c];
                }
            }
            mean[c] = .9 * mean[c] + .1 * total / count;
            variance[c] = count > 1 ? .9 * variance[c] + .1 * squares / (count - 1) : variance[c];
        }
        return made;
    }

    private static double loss(double[][] y, double... w) {
        double loss = 0;
        for (double[] row : y) {
            double s = 0;
            for (int n = 0; n < w.length; n++) {
                s += w[n] * row[n];
            }
            loss += (s - 1.5) * (s - 1.5);
        }
        return loss / y.length;
    }

    private static void batchNormIsItsFormula(Axis... axes) {
        int channels = (int) axes[axes.length - 1].length();
        int size = axes.length == 1 ? channels : channels * (int) axes[0].length();
        List<double[]> examples = examples(11, size, 3);
        try (Net net = new Net(false, axes)) {
            Random random = new Random(8);
            double[] scale = random.doubles(channels).toArray();
            double[] offset = random.doubles(channels).toArray();
            net.set(net.y.id() - 4, scale);
            net.set(net.y.id() - 3, offset);
            double[] mean = new double[channels];
            double[] variance = new double[channels];
            Arrays.fill(variance, 1);
            double[] w = all(net.cg.get(net.w));
            Minibatch minibatch = Minibatch.inOrder(examples, 4);          // the last batch of an epoch has three
            for (int step = 0; step < 6; step++) {
                int from = step % 3 * 4;
                double[][] y = normalised(examples.subList(from, Math.min(from + 4, 11)), channels, scale, offset, mean, variance);
                assertEquals(loss(y, w), net.descent.step(minibatch), 1e-9);
                assertArrayEquals(mean, net.get(2), 1e-9);
                assertArrayEquals(variance, net.get(1), 1e-9);
            }
            evaluates(net, examples, channels, scale, offset, mean, variance);
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            net.cg.save(file);
            try (Net other = new Net(false, axes)) {
                other.cg.load(new ByteArrayInputStream(file.toByteArray()));
                evaluates(other, examples, channels, scale, offset, mean, variance);
            }
            gradientsAreThoseOfDifferences(net, examples.subList(0, 5));
        }
    }

    private static void evaluates(Net net, List<double[]> examples, int channels, double[] scale, double[] offset, double[] mean, double[] variance) {
        double[] many = all(net.cg.evalAll(examples, net.y));
        for (int r = 0; r < examples.size(); r++) {
            double[] one = all(net.cg.eval(examples.get(r), net.y));
            for (int n = 0; n < one.length; n++) {
                int c = n % channels;
                double expected = (examples.get(r)[n] - mean[c]) / Math.sqrt(variance[c] + 1e-5) * scale[c] + offset[c];
                assertEquals(expected, one[n], 1e-9);
                assertEquals(expected, many[r * one.length + n], 1e-9);
            }
        }
    }

    /** By central differences of the loss of a step of rate 0, with the same random numbers in each. */
    private static void gradientsAreThoseOfDifferences(Net net, List<double[]> examples) {
        try (Gradients gradients = net.cg.gradients(Minibatch.inOrder(examples, examples.size()))) {
            assertEquals(examples.size(), gradients.examples());
            for (int id : gradients.ids()) {
                double[] values = all(net.cg.model.snapshot(net.cg.model.graph.variables.get(id)));
                double[] gradient = new double[values.length];
                gradients.get(id).doubleData().flatten().copyTo(gradient);
                for (int n = 0; n < values.length; n++) {
                    double kept = values[n];
                    double[] losses = new double[2];
                    for (int side = 0; side < 2; side++) {
                        values[n] = kept + (side == 0 ? 1e-5 : -1e-5);
                        net.set(id, values);
                        losses[side] = SGD.of(net.cg).rate(0).step(Minibatch.inOrder(examples, examples.size()));
                    }
                    values[n] = kept;
                    net.set(id, values);
                    assertEquals((losses[0] - losses[1]) / 2e-5, gradient[n], 1e-5, "element " + n + " of t" + id);
                }
            }
        }
    }

    @Test
    void batchNormOfVectors() {
        batchNormIsItsFormula(Axis.of(3));
    }

    @Test
    void batchNormOfRows() {
        batchNormIsItsFormula(Axis.of(2), Axis.of(3));
    }

    @Test
    void aBatchOfOneValueKeepsTheVariance() {
        try (Net net = new Net(false, Axis.of(2))) {
            net.descent.step(Minibatch.inOrder(examples(1, 2, 1), 1));
            assertArrayEquals(new double[] {1, 1}, net.get(1), 0);
            double[] x = examples(1, 2, 1).get(0);
            assertArrayEquals(new double[] {.1 * x[0], .1 * x[1]}, net.get(2), 1e-12);
        }
    }

    @Test
    void aStepThatFailsKeepsStates() {
        try (Net net = new Net(false, Axis.of(2))) {
            SGD checked = SGD.of(net.cg).checkFinite();
            Expect.thrown(IllegalStateException.class, () -> checked.step(Minibatch.inOrder(Arrays.asList(new double[] {1, 2},
                new double[] {Double.NaN, 2}), 2)), "not finite");
            assertArrayEquals(new double[] {0, 0}, net.get(2), 0);
            assertArrayEquals(new double[] {1, 1}, net.get(1), 0);
        }
    }

    @Test
    void dropoutDropsByPhiloxAndEvaluatesAsItIs() {
        List<double[]> examples = examples(7, 5, 2);
        try (Net net = new Net(true, Axis.of(5))) {
            double[] w = all(net.cg.get(net.w));
            SGD descent = net.descent.seed(77);
            Minibatch minibatch = Minibatch.inOrder(examples, 4);
            for (int step = 0; step < 4; step++) {
                int from = step % 2 * 4;
                List<double[]> batch = examples.subList(from, Math.min(from + 4, 7));
                double[][] y = new double[batch.size()][5];
                for (int n = 0; n < 5 * y.length; n++) {
                    int[] words = {n / 4, step, 0, net.y.id()};
                    philox(words, 77, 0);
                    boolean isKept = (words[n % 4] & 0xffffffffL) >= Math.round(.4 * (1L << 32));
                    y[n / 5][n % 5] = isKept ? batch.get(n / 5)[n % 5] / .6 : 0;
                }
                assertEquals(loss(y, w), descent.step(minibatch), 1e-9);
            }
            for (double[] example : examples) {
                assertArrayEquals(example, all(net.cg.eval(example, net.y)), 0);
            }
            gradientsAreThoseOfDifferences(net, examples);
        }
    }

    /** The generator in plain Java, with numbers that cannot overflow. */
    private static void philox(int[] counter, long first, long second) {
        java.math.BigInteger word = java.math.BigInteger.ONE.shiftLeft(32);
        long k0 = first;
        long k1 = second;
        for (int round = 0; round < 10; round++) {
            java.math.BigInteger[] p0 = java.math.BigInteger.valueOf(0xD2511F53L).multiply(java.math.BigInteger.valueOf(counter[0] & 0xffffffffL))
                .divideAndRemainder(word);
            java.math.BigInteger[] p1 = java.math.BigInteger.valueOf(0xCD9E8D57L).multiply(java.math.BigInteger.valueOf(counter[2] & 0xffffffffL))
                .divideAndRemainder(word);
            int c0 = p1[0].intValue() ^ counter[1] ^ (int) k0;
            int c2 = p0[0].intValue() ^ counter[3] ^ (int) k1;
            counter[0] = c0;
            counter[1] = p1[1].intValue();
            counter[2] = c2;
            counter[3] = p0[1].intValue();
            k0 = (k0 + 0x9E3779B9L) & 0xffffffffL;
            k1 = (k1 + 0xBB67AE85L) & 0xffffffffL;
        }
    }

    @Test
    void anotherSeedDropsOthers() {
        List<double[]> examples = examples(30, 5, 2);
        double[] losses = new double[3];
        for (int n = 0; n < 3; n++) {
            try (Net net = new Net(true, Axis.of(5))) {
                losses[n] = net.descent.seed(n / 2).step(Minibatch.inOrder(examples, 30));
            }
        }
        assertEquals(losses[0], losses[1], 0);
        assertNotEquals(losses[0], losses[2]);
    }

    @Test
    void aTextOverTheBatchReducesExamples() {
        TensorContext t = new TensorContext(DataType.DOUBLE);
        Sym x = t.inputDouble(Axis.of("X", 2), double[].class, (example, data) -> data.put(example));
        Sym y = t.tensor();
        Sym steps = t.state(10).named("steps");
        Sym total = t.state(0, Axis.of(2)).named("total");
        Sym w = t.tensor(Axis.of(2)).named("w");
        Sym loss = t.scalar();
        Sym made = t.batchComprehension("sum[i] += x[b,i]; y[b,i] = w[i] * x[b,i] - sum[i]; steps = steps + 1.0; total[i] = total[i] + sum[i]",
            "y[b,i] = w[i] * x[b,i] + total[i] + steps", names("x", x, "y", y, "w", w, "steps", steps, "total", total));
        assertEquals(y, made);
        t.comprehension("e += y[i] + total[i]", names("y", y, "total", total, "e", loss));
        assertEquals(Status.STATE, steps.status());
        try (ComputeGraph cg = new TensorGraph(loss, y).compile()) {
            assertEquals(0, steps.rank());
            List<double[]> examples = Arrays.asList(new double[] {1, 2}, new double[] {3, 4}, new double[] {5, 6});
            SGD descent = SGD.of(cg).rate(1);
            Minibatch minibatch = Minibatch.inOrder(examples, 2);
            // Of the first batch the sums are 4 and 6; the states that the loss reads are those before the step.
            assertEquals(-10, descent.step(minibatch), 1e-12);
            assertArrayEquals(new double[] {-2, -3}, all(cg.get(w)), 1e-12);
            assertArrayEquals(new double[] {4, 6}, all(cg.get(total)), 1e-12);
            assertArrayEquals(new double[] {11}, all(cg.get(steps)), 1e-12);
            // Of the short one: y is -10 - 5 and -18 - 6, and the states 4 and 6.
            assertEquals(-29, descent.step(minibatch), 1e-12);
            assertArrayEquals(new double[] {9, 12}, all(cg.get(total)), 1e-12);
            cg.set(w, DoubleTensorData.of(new double[] {1, 1}));
            assertArrayEquals(new double[] {1 + 9 + 12, 2 + 12 + 12}, all(cg.eval(examples.get(0), y)), 1e-12);
            assertArrayEquals(new double[] {22, 26, 24, 28, 26, 30}, all(cg.evalAll(examples, y)), 1e-12);
            CGInit.zeros(cg);
            assertArrayEquals(new double[] {12}, all(cg.get(steps)), 0);
            Map<Integer, Tensor<?>> parameters = cg.parameters();
            assertEquals(1, parameters.size());
            parameters.values().forEach(Tensor::close);
            cg.set(steps, DoubleTensorData.of(new double[] {3}, new long[0]));
            assertArrayEquals(new double[] {3}, all(cg.eval(null, steps)), 0);
        }
    }

    @Test
    void namedInputsAreEvaluatedToo() {
        TensorContext t = new TensorContext(DataType.DOUBLE);
        Sym x = t.input("x", DataType.DOUBLE, Axis.of(2));
        Sym y = t.comprehensions().batchNorm(x).named("y");
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(y, y), y).compile()) {
            CGInit.glorot(cg, 1);
            double factor = 1 / Math.sqrt(1 + 1e-5);
            try (Tensor<Double> one = DoubleTensorData.of(new double[] {3, 4}).copy(); Tensor<Double> two = DoubleTensorData.of(
                    new double[] {3, 4, 5, 6}, 2, 2).copy()) {
                assertArrayEquals(new double[] {3 * factor, 4 * factor}, all((Tensor<?>) cg.run(java.util.Collections.singletonMap("x",
                    io.tensornio.value.Value.of(one))).get("y").asTensor()), 1e-9);
                assertArrayEquals(new double[] {3 * factor, 4 * factor, 5 * factor, 6 * factor}, all((Tensor<?>) cg.run(
                    java.util.Collections.singletonMap("x", io.tensornio.value.Value.of(two))).get("y").asTensor()), 1e-9);
            }
        }
    }

    @Test
    void textsThatDoNotFitAreRefused() {
        TensorContext t = new TensorContext();
        Sym x = t.input("x", DataType.FLOAT, Axis.of(2));
        Sym y = t.tensor();
        Sym z = t.tensor();
        Sym s = t.state(0).named("s");
        refused(t, "states change in training", "y[b,i] = x[b,i]", "y[b,i] = x[b,i]; s = 1.0", "x", x, "y", y, "s", s);
        refused(t, "the same tensors", "y[b,i] = x[b,i]", "y[b,i] = x[b,i]; z[b,i] = y[b,i]", "x", x, "y", y, "z", z);
        refused(t, "neither text has [z]", "y[b,i] = x[b,i]", "y[b,i] = x[b,i]", "x", x, "y", y, "z", z);
        refused(t, "gradient", "y[b,i] = x[b,i]; gradient y by x", "y[b,i] = x[b,i]", "x", x, "y", y);
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehension("s = 1.0", names("s", s)), "a state");
        t.batchComprehension("y[b,i] = x[b,i]; s = s + 1.0", "y[b,i] = x[b,i]", names("x", x, "y", y, "s", s));
        refused(t, "already", "z[b,i] = x[b,i]; s = s + 1.0", "z[b,i] = x[b,i]", "x", x, "z", z, "s", s);
        Sym u = t.tensor();
        t.batchComprehension("u[i] += x[b,i]", "u[i] += x[b,i]", names("x", x, "u", u));
        Expect.thrown(IllegalArgumentException.class, () -> TensorGraph.of(u).compile().close(), "the first axis".substring(4));
        Expect.thrown(IllegalArgumentException.class, () -> TensorGraph.of(t.comprehensions().dropout(t.tensor(Axis.of(2)), .5)).compile().close(),
            "depends on no input");
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehensions().dropout(x, 1), "rate");
    }

    private static void refused(TensorContext t, String part, String training, String evaluation, Object... names) {
        Expect.thrown(IllegalArgumentException.class, () -> t.batchComprehension(training, evaluation, names(names)), part);
    }

    @Test
    void aCheckpointWithoutAStateIsRefused() {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (Net without = new Net(true, Axis.of(2)); Net with = new Net(false, Axis.of(2))) {
            without.cg.save(file);
            Expect.thrown(IllegalArgumentException.class, () -> with.cg.load(new ByteArrayInputStream(file.toByteArray())), "is missing");
        }
    }

    @Test
    void gradientsOfPartsAreThoseOfTheWhole() {
        List<double[]> examples = examples(12, 3, 4);
        TensorContext t = new TensorContext();
        Sym x = t.input(Axis.of(3), double[].class, (example, data) -> {
            for (int n = 0; n < 3; n++) {
                data.put((float) example[n], n);
            }
        });
        Sym loss = t.comprehensions().meanSquare(x, t.comprehensions().linear(Axis.of(3), x).output());
        try (ComputeGraph whole = new TensorGraph(loss).compile(); ComputeGraph parts = new TensorGraph(loss).compile()) {
            CGInit.glorot(whole, 1);
            CGInit.glorot(parts, 1);
            SGD first = SGD.adam(whole).clipNorm(.5).weightDecay(.1).rate(Schedule.cosine(.1, 9, 2));
            SGD second = SGD.adam(parts).clipNorm(.5).weightDecay(.1).rate(Schedule.cosine(.1, 9, 2));
            Minibatch batches = Minibatch.inOrder(examples, 12);
            for (int step = 0; step < 5; step++) {
                double expected = first.step(batches);
                Minibatch small = Minibatch.inOrder(examples, 5);
                List<Gradients> made = new ArrayList<>();
                while (small.position() < 3) {
                    made.add(parts.gradients(small));
                }
                try (Gradients sum = Gradients.sum(made)) {
                    assertEquals(12, sum.examples());
                    assertEquals(expected, sum.loss(), 1e-6);
                    second.apply(sum);
                }
                made.forEach(Gradients::close);
                assertEquals(step + 1, second.steps());
            }
            Map<Integer, Tensor<?>> a = whole.parameters();
            Map<Integer, Tensor<?>> b = parts.parameters();
            a.forEach((id, tensor) -> {
                float[] left = new float[(int) tensor.numElements()];
                float[] right = new float[left.length];
                tensor.floatData().flatten().copyTo(left);
                b.get(id).floatData().flatten().copyTo(right);
                assertArrayEquals(left, right, 1e-4f);
            });
            a.values().forEach(Tensor::close);
            b.values().forEach(Tensor::close);
        }
    }

    @Test
    void gradientsThatDoNotFitAreRefused() {
        List<double[]> examples = examples(4, 2, 4);
        try (Net small = new Net(false, Axis.of(2)); Net large = new Net(false, Axis.of(3));
                Gradients gradients = small.cg.gradients(Minibatch.inOrder(examples, 2))) {
            Expect.thrown(IllegalArgumentException.class, () -> large.descent.apply(gradients), "[2]", "[3]");
            Expect.thrown(IllegalArgumentException.class, () -> Gradients.sum(new ArrayList<>()), "no gradients");
            SGD descent = SGD.of(small.cg).rate(1).freeze(small.w);
            double[] before = all(small.cg.get(small.w));
            double[] offset = small.get(3);
            descent.apply(gradients);
            assertArrayEquals(before, all(small.cg.get(small.w)), 0);
            assertTrue(!Arrays.equals(offset, small.get(3)));
        }
    }
}
