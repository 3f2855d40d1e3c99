package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.compute.F;
import io.tensornio.op.Padding;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Layers of tensors that are as long as each example: a batch against each example alone, in a graph of dense tensors. */
@ExtendWith(MemoryBalance.class)
class LayersVaryingTest {
    private static final int FEATURES = 3;

    /** What makes a layer of x, of (T, features), and of words, of (T). */
    private interface Layer {
        Sym of(Comprehensions tc, Sym x, Sym words, Sym table);
    }

    /** A graph of a layer, and of the sum of the squares of what it makes. */
    private static final class Net implements AutoCloseable {
        final TensorContext t = new TensorContext(DataType.DOUBLE);
        final Sym y;
        final ComputeGraph cg;

        Net(Axis axis, Layer layer, int rank) {
            Sym x = t.inputDouble(axis, Axis.of(FEATURES), double[][].class, (example, data) -> {
                for (int i = 0; i < example.length; i++) {
                    data.put(example[i], i);
                }
            }).named("x");
            Sym words = t.inputLong(axis, double[][].class, (example, data) -> {
                for (int i = 0; i < example.length; i++) {
                    data.put((long) (example[i][0] * 4), i);
                }
            }).named("words");
            y = layer.of(t.comprehensions(), x, words, t.tensor(Axis.of(4), Axis.of(2)).named("table")).named("y");
            Sym loss = t.scalar().named("loss");
            Map<String, Sym> names = new HashMap<>();
            names.put("y", y);
            names.put("loss", loss);
            t.comprehension("loss += y" + Arrays.asList("", "[i]", "[i,j]", "[i,j,k]").get(rank) + "^2", names);
            cg = new TensorGraph(loss, y).compile();
            CGInit.normal(cg, 1, 3);
        }

        @Override
        public void close() {
            cg.close();
        }
    }

    private static double[] elements(TensorData<?> data) {
        double[] elements = new double[(int) data.numElements()];
        ((DoubleTensorData) data).flatten().copyTo(elements);
        return elements;
    }

    private static List<double[][]> examples() {
        Random random = new Random(7);
        List<double[][]> examples = new ArrayList<>();
        for (int length : new int[] {3, 2, 5}) {
            double[][] example = new double[length][];
            Arrays.setAll(example, n -> random.doubles(FEATURES).toArray());
            examples.add(example);
        }
        return examples;
    }

    private static void check(int rank, Layer layer) {
        List<double[][]> examples = examples();
        Map<Integer, double[]> sums = new HashMap<>();
        try (Net net = new Net(Axis.varying("T"), layer, rank)) {
            AnyTensor<?> all = net.cg.evalAll(examples, net.y);
            List<double[]> rows = new ArrayList<>();
            for (double[][] example : examples) {
                try (Net dense = new Net(Axis.of(example.length), layer, rank); Gradients alone = dense.cg.gradients(example);
                    Tensor<?> y = dense.cg.eval(example, dense.y)) {
                    rows.add(elements(y.data()));
                    for (int id : alone.ids()) {
                        double[] one = elements(alone.get(id).data());
                        double[] sum = sums.computeIfAbsent(id, of -> new double[one.length]);
                        Arrays.setAll(sum, n -> sum[n] + one[n] / examples.size());
                    }
                }
            }
            double[] expected = rows.stream().flatMapToDouble(Arrays::stream).toArray();
            assertArrayEquals(expected, elements(all instanceof RaggedTensor ? ((RaggedTensor<?>) all).values().data() : all.data()), 1e-11);
            all.close();
            try (Gradients batch = net.cg.gradients(Minibatch.inOrder(examples, examples.size()))) {
                assertEquals(sums.keySet(), batch.ids());
                sums.forEach((id, sum) -> assertArrayEquals(sum, elements(batch.get(id).data()), 1e-11));
            }
        }
    }

    @Test
    void layersOfEachElementOrRow() {
        check(2, (tc, x, words, table) -> tc.tanh(tc.embedding(table, words)));
        check(2, (tc, x, words, table) -> tc.rmsNorm(x, 1e-5));
        check(2, (tc, x, words, table) -> tc.layerNorm(x, 1e-5));
        check(2, (tc, x, words, table) -> tc.residual(tc.rmsNorm(x, 1e-5), one -> F.silu(one)));
    }

    @Test
    void layersThatReduceTheAxis() {
        check(1, (tc, x, words, table) -> tc.embeddingBag(table, words));
        check(1, (tc, x, words, table) -> tc.rmsNorm(tc.softmax(tc.embeddingBag(table, words)), 1e-5));
    }

    @Test
    void attentionOfAnyLength() {
        check(2, (tc, x, words, table) -> tc.attention(x, x, x, 1).output());
        check(2, (tc, x, words, table) -> {
            Sym one = tc.embedding(table, words);
            return tc.attention(one, one, one, 2).causal().output();
        });
    }

    @Test
    void recurrentLayersOfAnyNumberOfSteps() {
        check(2, (tc, x, words, table) -> tc.lstm(2, x).output());
        check(1, (tc, x, words, table) -> tc.lstm(2, x).last());
        check(2, (tc, x, words, table) -> tc.gru(3, x).output());
        check(1, (tc, x, words, table) -> tc.gru(2, tc.lstm(3, x).output()).last());
        check(1, (tc, x, words, table) -> tc.lstm(2, x).from(tc.embeddingBag(table, words)).last());
        check(2, (tc, x, words, table) -> tc.gru(2, tc.embedding(table, words)).from(tc.gru(2, x).last()).output());
    }

    /** So many steps, of which the first alone says which of two there is, and how many are right of some that were not seen, after training. */
    private static int learnt(BiFunction<Comprehensions, Sym, Recurrent> layer) {
        TensorContext t = new TensorContext();
        Axis steps = Axis.varying("T");
        Sym x = t.input(steps, Axis.of(2), int[].class, (example, data) -> {
            for (int i = 0; i < example[0]; i++) {
                data.put(i == 0 ? new float[] {example[1], 1 - example[1]} : new float[2], i);
            }
        });
        Map<String, Sym> names = new HashMap<>();
        names.put("label", t.input(int[].class, (example, data) -> data.put(example[1])));
        names.put("h", layer.apply(t.comprehensions(), x).from(t.tensor(Axis.of(4))).last());
        names.put("w", t.tensor(Axis.of(4)));
        names.put("y", t.scalar());
        names.put("loss", t.scalar());
        t.comprehension("y += h[u] * w[u]; loss = softplus(y) - y * label", names);
        List<int[]> examples = new ArrayList<>();
        for (int n = 0; n < 24; n++) {
            examples.add(new int[] {2 + n % 7, n % 2});
        }
        int right = 0;
        try (ComputeGraph cg = new TensorGraph(names.get("loss"), names.get("y")).compile()) {
            CGInit.normal(cg, .5, 1);
            SGD.adam(cg).rate(.05).train(Minibatch.of(examples, 6, 1), 60, (epoch, step, loss) -> { });
            for (int[] example : new int[][] {{1, 0}, {1, 1}, {9, 0}, {10, 1}}) {
                try (Tensor<?> y = cg.eval(example, names.get("y"))) {
                    right += (y.floatData().get() > 0) == (example[1] == 1) ? 1 : 0;
                }
            }
        }
        return right;
    }

    @Test
    void recurrentLayersLearnWhatTheFirstStepSaid() {
        assertEquals(4, learnt((tc, x) -> tc.lstm(4, x)));
        assertEquals(4, learnt((tc, x) -> tc.gru(4, x)));
    }

    @Test
    void convolutionsOfWhatIsThere() {
        check(2, (tc, x, words, table) -> tc.conv1d(x, 2, 2, 1, Padding.VALID));
    }

    /** What a batch of examples with steps, or of the steps as examples, gives in training: its loss and gradients as sums, and after a step y. */
    private static List<double[]> trained(List<?> examples, String at, TensorContext t, Sym x, BiFunction<Comprehensions, Sym, Sym> layer) {
        Map<String, Sym> names = new HashMap<>();
        names.put("x", x);
        names.put("w", t.tensor(Axis.of(FEATURES)).named("w"));
        names.put("z", t.tensor());
        t.comprehension("z[@] = tanh(x[@] * (1 + w[c]) + w[c])".replace("@", at), names);
        names.remove("x");
        names.put("y", layer.apply(t.comprehensions(), names.get("z")));
        names.put("loss", t.scalar());
        names.remove("z");
        t.comprehension("loss += (y[@] + w[c])^3".replace("@", at), names);
        List<double[]> all = new ArrayList<>();
        try (ComputeGraph cg = new TensorGraph(names.get("loss"), names.get("y")).compile()) {
            cg.set(names.get("w"), DoubleTensorData.of(new double[] {.5, -.25, 1}));
            Minibatch batch = Minibatch.inOrder(examples, examples.size());
            try (Gradients gradients = cg.gradients(batch)) {
                all.add(new double[] {gradients.loss()});
                gradients.ids().stream().sorted().forEach(id -> all.add(elements(gradients.get(id).data())));
            }
            all.forEach(values -> Arrays.setAll(values, n -> values[n] * examples.size()));
            SGD.of(cg).rate(0).step(batch);
            try (AnyTensor<?> y = cg.evalAll(examples, names.get("y"))) {
                all.add(elements(y instanceof RaggedTensor ? ((RaggedTensor<?>) y).values().data() : y.data()));
            }
        }
        return all;
    }

    private static void checkOverSteps(BiFunction<Comprehensions, Sym, Sym> layer) {
        List<double[][]> examples = examples();
        examples.add(1, new double[0][]);
        TensorContext ragged = new TensorContext(DataType.DOUBLE);
        Sym x = ragged.inputDouble(Axis.varying("T"), Axis.of(FEATURES), double[][].class, (example, data) -> {
            for (int i = 0; i < example.length; i++) {
                data.put(example[i], i);
            }
        });
        List<double[]> steps = new ArrayList<>();
        examples.forEach(example -> steps.addAll(Arrays.asList(example)));
        TensorContext dense = new TensorContext(DataType.DOUBLE);
        Sym one = dense.inputDouble(Axis.of(FEATURES), double[].class, (example, data) -> data.put(example));
        List<double[]> expected = trained(steps, "c", dense, one, layer);
        List<double[]> made = trained(examples, "i,c", ragged, x, layer);
        assertEquals(expected.size(), made.size());
        for (int n = 0; n < made.size(); n++) {
            assertArrayEquals(expected.get(n), made.get(n), 1e-11);
        }
    }

    /** Batch normalization over all steps of all examples, in training and with running numbers in evaluation. */
    @Test
    void batchNormIsOverTheStepsThatThereAre() {
        checkOverSteps((tc, z) -> tc.batchNorm(z));
    }

    /** In training elements fall out by the same numbers as those of the steps as examples; in evaluation none does. */
    @Test
    void dropoutIsOfTheElementsThatThereAre() {
        checkOverSteps((tc, z) -> tc.dropout(z, .4));
        checkOverSteps((tc, z) -> tc.dropout(tc.batchNorm(tc.dropout(z, .1)), .3));
    }

    private static void refused(Layer layer, int rank, String... parts) {
        Expect.thrown(IllegalArgumentException.class, () -> new Net(Axis.varying("T"), layer, rank).close(), parts);
    }

    @Test
    void layersThatNeedLengthsSaySo() {
        refused((tc, x, words, table) -> tc.conv1d(x, 2, 3, 1, Padding.SAME), 2, "conv1d(x)", "needs the lengths", "[x]");
        refused((tc, x, words, table) -> tc.dense(Axis.of(2), x).output(), 1, "has the axis T, which has no length", "parameter");
        refused((tc, x, words, table) -> tc.dropout(tc.conv1d(x, 2, 2, 1, Padding.VALID), .5), 2, "dropout(", "no axis of an input");
    }
}
