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
import io.tensornio.op.Padding;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
    void convolutionsOfWhatIsThere() {
        check(2, (tc, x, words, table) -> tc.conv1d(x, 2, 2, 1, Padding.VALID));
    }

    private static void refused(Layer layer, int rank, String... parts) {
        Expect.thrown(IllegalArgumentException.class, () -> new Net(Axis.varying("T"), layer, rank).close(), parts);
    }

    @Test
    void layersThatNeedLengthsSaySo() {
        refused((tc, x, words, table) -> tc.conv1d(x, 2, 3, 1, Padding.SAME), 2, "conv1d(x)", "needs the lengths", "[x]");
        refused((tc, x, words, table) -> tc.dense(Axis.of(2), x).output(), 1, "has the axis T, which has no length", "parameter");
        refused((tc, x, words, table) -> tc.lstm(2, x).last(), 1, "lstm(x)", "no `scan`");
        refused((tc, x, words, table) -> tc.dropout(x, .5), 2, "dropout(x)", "no length");
        refused((tc, x, words, table) -> tc.batchNorm(x), 2, "batchNorm(x)", "needs the lengths");
    }
}
