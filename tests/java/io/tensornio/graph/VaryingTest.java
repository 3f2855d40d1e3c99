package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import io.tensornio.axes.NamedTensor;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import io.tensornio.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Graphs with inputs that are as long as each example: each example alone, as a graph of dense tensors, is what the batch is to agree with. */
@ExtendWith(MemoryBalance.class)
class VaryingTest {
    private static final int WORDS = 7;

    private static Map<String, Sym> names(Object... pairs) {
        Map<String, Sym> names = new HashMap<>();
        for (int n = 0; n < pairs.length; n += 2) {
            names.put((String) pairs[n], (Sym) pairs[n + 1]);
        }
        return names;
    }

    /** Words with weights, and a number that is to be learnt. */
    private static final class Text {
        final long[] words;
        final double[] weights;
        final double label;

        Text(Random random, int length) {
            words = random.longs(length, 0, WORDS).toArray();
            weights = random.doubles(length).toArray();
            label = random.nextDouble();
        }
    }

    private static List<Text> texts(Random random, int count) {
        List<Text> texts = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            texts.add(new Text(random, n == 1 ? 0 : n == 2 ? 9 : 1 + random.nextInt(5)));
        }
        return texts;
    }

    /** A bag of embeddings with attention, of axis T, which varies, or is as long as that. */
    private static final class Net implements AutoCloseable {
        final Axis axis;
        final TensorContext t = new TensorContext(DataType.DOUBLE);
        final Sym word;
        final Sym weight;
        final Sym label;
        final Sym table = t.tensor(Axis.of(WORDS), Axis.of(3)).named("table");
        final Sym query = t.tensor(Axis.of(3)).named("query");
        final Sym share = t.tensor().named("share");
        final Sym bag = t.tensor().named("bag");
        final Sym loss = t.scalar().named("loss");
        final ComputeGraph cg;

        Net(Axis axis) {
            this(axis, "s[j] += table[word[j],d] * query[d]; m max= s[j]; x[j] = exp(s[j] - m) * weight[j]; z += x[j]\n"
                + "share[j] = x[j] / (z + 1); bag[d] += share[j] * table[word[j],d]\n"
                + "loss = (bag[0] + bag[1] * bag[2] + 0.25 * size(word, 0) - label) ^ 2");
        }

        Net(Axis axis, String text) {
            this.axis = axis;
            word = t.inputLong(axis, Text.class, (example, data) -> data.put(example.words)).named("word");
            weight = t.inputDouble(axis, Text.class, (example, data) -> data.put(example.weights)).named("weight");
            label = t.inputDouble(Text.class, (example, data) -> data.put(example.label)).named("label");
            t.comprehension(text, names("word", word, "weight", weight, "label", label, "table", table, "query", query, "share", share, "bag", bag,
                "loss", loss));
            cg = new TensorGraph(loss, share, bag).compile();
            Random random = new Random(5);
            cg.set(table, DoubleTensorData.of(random.doubles(WORDS * 3, -1, 1).toArray(), WORDS, 3));
            cg.set(query, DoubleTensorData.of(random.doubles(3, -1, 1).toArray()));
        }

        /** The same of dense tensors, for a text alone. */
        static Net alone(Text text) {
            return new Net(Axis.of(text.words.length));
        }

        @Override
        public void close() {
            cg.close();
        }
    }

    private static double[] elements(AnyTensor<?> tensor) {
        try (AnyTensor<?> own = tensor) {
            TensorData<?> data = own instanceof RaggedTensor ? ((RaggedTensor<?>) own).values().data() : own.data();
            double[] elements = new double[(int) data.numElements()];
            ((DoubleTensorData) data).flatten().copyTo(elements);
            return elements;
        }
    }

    private static double[] one(ComputeGraph cg, Object example, Sym sym) {
        return elements(cg.eval(example, sym));
    }

    @Test
    void eachExampleIsWhatItIsAlone() {
        Seeds.each(1, 4, (random, done) -> {
            List<Text> texts = texts(random, 6);
            try (Net net = new Net(Axis.varying("T"))) {
                double[] losses = elements(net.cg.evalAll(texts, net.loss));
                List<AnyTensor<?>> all = net.cg.evalAll(texts, net.share, net.bag);
                RaggedTensor<?> shares = (RaggedTensor<?>) all.get(0);
                assertArrayEquals(new long[] {6, -1}, shares.shape());
                DoubleTensorData bags = (DoubleTensorData) all.get(1).data();
                for (int n = 0; n < texts.size(); n++) {
                    Text text = texts.get(n);
                    try (Net dense = Net.alone(text)) {
                        double[] share = one(dense.cg, text, dense.share);
                        assertArrayEquals(share, one(net.cg, text, net.share), 1e-12);
                        double[] row = new double[text.words.length];
                        ((DoubleTensorData) shares.data().slice(n)).copyTo(row);
                        assertArrayEquals(share, row, 1e-12);
                        double[] bag = new double[3];
                        bags.slice(n).copyTo(bag);
                        assertArrayEquals(one(dense.cg, text, dense.bag), bag, 1e-12);
                        assertEquals(one(dense.cg, text, dense.loss)[0], losses[n], 1e-12);
                        assertEquals(losses[n], one(net.cg, text, net.loss)[0], 1e-12);
                    }
                }
                all.forEach(AnyTensor::close);
            }
        });
    }

    private static Map<String, double[]> gradients(Net net, Gradients of) {
        try (Gradients own = of) {
            Map<String, double[]> all = new HashMap<>();
            all.put("loss", new double[] {own.loss()});
            for (Sym sym : Arrays.asList(net.table, net.query)) {
                double[] one = new double[sym == net.query ? 3 : WORDS * 3];
                own.get(sym.id()).doubleData().flatten().copyTo(one);
                all.put(sym.toString(), one);
            }
            return all;
        }
    }

    /** Gradients of a batch are the means of those of its examples, each as it is alone. */
    @Test
    void gradientsOfABatchAreThoseOfItsExamples() {
        Seeds.each(2, 4, (random, done) -> {
            List<Text> texts = texts(random, 5);
            try (Net net = new Net(Axis.varying("T"))) {
                Map<String, double[]> sums = new HashMap<>();
                for (Text text : texts) {
                    try (Net dense = Net.alone(text)) {
                        Map<String, double[]> alone = gradients(dense, dense.cg.gradients(text));
                        Map<String, double[]> same = gradients(net, net.cg.gradients(text));
                        alone.forEach((name, values) -> assertArrayEquals(values, same.get(name), 1e-12));
                        alone.forEach((name, values) -> sums.merge(name, values, (a, b) -> {
                            double[] sum = a.clone();
                            Arrays.setAll(sum, n -> a[n] + b[n]);
                            return sum;
                        }));
                    }
                }
                Map<String, double[]> batch = gradients(net, net.cg.gradients(Minibatch.inOrder(texts, texts.size())));
                sums.forEach((name, sum) -> assertArrayEquals(Arrays.stream(sum).map(x -> x / texts.size()).toArray(), batch.get(name), 1e-12));
            }
        });
    }

    /** `...` stands for axes without length as for others. */
    @Test
    void restsMayBeAxesWithoutLength() {
        String open = "v[...] = weight[...] * 2; m max= v[...]; share[...] = exp(v[...] - m); e[...,d] = share[...] * query[d]\n"
            + "f[j,...] = e[j,...] + table[word[j],...]; bag[...] += f[j,...]; loss = (bag[0] + bag[1] * bag[2] + 0.25 * size(e, 0) - label) ^ 2";
        List<Text> texts = texts(new Random(4), 5);
        try (Net net = new Net(Axis.varying("T"), open)) {
            double[] losses = elements(net.cg.evalAll(texts, net.loss));
            double[] shares = elements(net.cg.evalAll(texts, net.share));
            Map<String, double[]> sums = new HashMap<>();
            int from = 0;
            for (int n = 0; n < texts.size(); n++) {
                Text text = texts.get(n);
                try (Net dense = new Net(Axis.of(text.words.length), open)) {
                    double[] share = one(dense.cg, text, dense.share);
                    assertArrayEquals(share, Arrays.copyOfRange(shares, from, from += share.length), 1e-12);
                    assertArrayEquals(share, one(net.cg, text, net.share), 1e-12);
                    assertEquals(one(dense.cg, text, dense.loss)[0], losses[n], 1e-12);
                    gradients(dense, dense.cg.gradients(text)).forEach((name, values) -> sums.merge(name, values, (a, b) -> {
                        double[] sum = a.clone();
                        Arrays.setAll(sum, k -> a[k] + b[k]);
                        return sum;
                    }));
                }
            }
            Map<String, double[]> batch = gradients(net, net.cg.gradients(Minibatch.inOrder(texts, texts.size())));
            sums.forEach((name, sum) -> assertArrayEquals(Arrays.stream(sum).map(x -> x / texts.size()).toArray(), batch.get(name), 1e-12));
        }
    }

    @Test
    void aRecurrenceNamesItsAxes() {
        refused("scan j; v[j,...] = v[j-1,...] + table[word[j],...]; end; bag[d] += v[j,d]; share[j] = weight[j]; loss = bag[0] + query[0] - label",
            "a `scan` has no `...`", "name the axes");
    }

    /** A step of a batch is that of padded examples, and columns give the same bits as binders. */
    @Test
    void trainingLearns() {
        Random random = new Random(8);
        List<Text> texts = texts(random, 24);
        double[] byBinders;
        double[] byColumns;
        try (Net net = new Net(Axis.varying("T"))) {
            SGD adam = SGD.adam(net.cg).rate(.02).checkFinite();
            Minibatch batches = Minibatch.of(texts, 8, 3);
            double first = adam.step(batches);
            double[] last = adam.train(batches, 60, (epoch, step, loss) -> { });
            assertTrue(last[last.length - 1] < first / 3, () -> first + " then " + Arrays.toString(last));
            byBinders = one(net.cg, null, net.table);
        }
        try (Net net = new Net(Axis.varying("T")); RaggedTensor<Long> words = Tensors.raggedOfNested(texts.stream().map(x -> x.words)
            .toArray(long[][]::new)); RaggedTensor<Double> weights = Tensors.raggedOfNested(texts.stream().map(x -> x.weights)
            .toArray(double[][]::new))) {
            Map<Sym, TensorData<?>> columns = columns(net, texts, words, weights);
            SGD adam = SGD.adam(net.cg).rate(.02);
            Minibatch batches = Minibatch.columns(columns, 8, 3);
            adam.step(batches);
            adam.train(batches, 60, (epoch, step, loss) -> { });
            byColumns = one(net.cg, null, net.table);
            assertArrayEquals(elements(net.cg.evalAll(texts, net.share)), elements(net.cg.evalAll(columns, net.share)), 0);
        }
        assertArrayEquals(byBinders, byColumns, 0);
    }

    private static Map<Sym, TensorData<?>> columns(Net net, List<Text> texts, RaggedTensor<?> words, RaggedTensor<?> weights) {
        Map<Sym, TensorData<?>> columns = new HashMap<>();
        columns.put(net.word, words.data());
        columns.put(net.weight, weights.data());
        columns.put(net.label, DoubleTensorData.of(texts.stream().mapToDouble(x -> x.label).toArray()));
        return columns;
    }

    @Test
    void runTakesExamplesAndBatchesByName() {
        List<Text> texts = texts(new Random(3), 4);
        try (Net net = new Net(Axis.varying("T")); RaggedTensor<Long> words = Tensors.raggedOfNested(texts.stream().map(x -> x.words)
            .toArray(long[][]::new)); RaggedTensor<Double> weights = Tensors.raggedOfNested(texts.stream().map(x -> x.weights)
            .toArray(double[][]::new)); Tensor<Long> fiveWords = LongTensorData.of(new long[] {1, 2, 3, 4, 5}).copy();
            Tensor<Long> fourWords = LongTensorData.of(new long[] {1, 2, 3, 4}).copy();
            Tensor<Double> five = DoubleTensorData.of(new double[] {1, 1, 1, 1, 1}).copy();
            Tensor<Double> labels = DoubleTensorData.of(new double[4]).copy(); Tensor<Double> label = DoubleTensorData.of(new double[1], new long[0])
            .copy()) {
            Map<String, Value> inputs = new HashMap<>();
            inputs.put("word", Value.of(words));
            inputs.put("weight", Value.of(weights));
            inputs.put("label", Value.of(labels));
            Map<String, Value> made = net.cg.run(inputs, "share", "bag");
            assertTrue(made.get("share").asTensor() instanceof RaggedTensor);
            assertArrayEquals(elements(net.cg.evalAll(texts, net.share)), elements(made.get("share").asTensor()), 0);
            assertArrayEquals(elements(net.cg.evalAll(texts, net.bag)), elements(made.get("bag").asTensor()), 0);
            inputs.put("word", Value.of(fiveWords));
            inputs.put("weight", Value.of(five));
            inputs.put("label", Value.of(label));
            AnyTensor<?> share = net.cg.run(inputs, "share").get("share").asTensor();
            assertArrayEquals(new long[] {5}, share.shape());
            share.close();
            inputs.put("word", Value.of(fourWords));
            Expect.thrown(IllegalArgumentException.class, () -> net.cg.run(inputs, "share"), "T", "4", "5", "word", "weight", "equal rows");
            inputs.put("word", Value.of(words));
            Expect.thrown(IllegalArgumentException.class, () -> net.cg.run(inputs, "share"), "all of one example, or all of as many");
        }
    }

    @Test
    void unequalRowsAreRefused() {
        List<Text> texts = texts(new Random(3), 3);
        long[][] others = {texts.get(0).words, {}, {1}};
        try (Net net = new Net(Axis.varying("T")); RaggedTensor<Long> words = Tensors.raggedOfNested(others);
            RaggedTensor<Double> weights = Tensors.raggedOfNested(texts.stream().map(x -> x.weights).toArray(double[][]::new))) {
            Map<Sym, TensorData<?>> columns = columns(net, texts, words, weights);
            Expect.thrown(IllegalArgumentException.class, () -> net.cg.evalAll(columns, net.share), "word", "weight", "length", "9", "1", "example 2",
                "along T");
            double[] before = one(net.cg, null, net.table);
            SGD sgd = SGD.of(net.cg);
            Expect.thrown(IllegalArgumentException.class, () -> sgd.step(Minibatch.columns(columns, 3, 1)), "along T");
            assertArrayEquals(before, one(net.cg, null, net.table), 0);
            columns.put(net.weight, DoubleTensorData.of(new double[6], 3, 2));
            Expect.thrown(IllegalArgumentException.class, () -> net.cg.evalAll(columns, net.share), "along T");
            columns.put(net.weight, DoubleTensorData.of(new double[6], 3, 2, 1));
            Expect.thrown(IllegalArgumentException.class, () -> net.cg.evalAll(columns, net.share), "weight is DOUBLE of shape [-1]", "[3, 2, 1]");
        }
    }

    @Test
    void rowsOfAColumnMayBeEqual() {
        Random random = new Random(4);
        List<Text> texts = Arrays.asList(new Text(random, 2), new Text(random, 2));
        try (Net net = new Net(Axis.varying("T")); RaggedTensor<Long> words = Tensors.raggedOfNested(new long[][] {texts.get(0).words,
            texts.get(1).words})) {
            Map<Sym, TensorData<?>> columns = columns(net, texts, words, words);
            columns.put(net.weight, DoubleTensorData.of(new double[] {texts.get(0).weights[0], texts.get(0).weights[1], texts.get(1).weights[0],
                texts.get(1).weights[1]}, 2, 2));
            assertArrayEquals(elements(net.cg.evalAll(texts, net.share)), elements(net.cg.evalAll(columns, net.share)), 0);
        }
    }

    private static void refused(String text, String... parts) {
        Expect.thrown(IllegalArgumentException.class, () -> new Net(Axis.varying("T"), text).close(), parts);
    }

    @Test
    void whatNeedsALengthIsRefused() {
        refused("share[j] = weight[j]; bag[d] += table[word[j],d] * query[d]; loss = label; loss[j] = weight[j]", "loss");
        Expect.thrown(IllegalArgumentException.class, () -> {
            TensorContext t = new TensorContext();
            Sym x = t.input("x", DataType.FLOAT, Axis.varying("T"));
            new TensorGraph(x.times(2).named("loss")).compile().close();
        }, "the loss", "[T]", "no length", "reduce it");
        Expect.thrown(IllegalArgumentException.class, () -> {
            TensorContext t = new TensorContext();
            Sym x = t.input("x", DataType.FLOAT, Axis.varying("T"));
            Sym w = t.tensor1().named("w");
            Sym loss = t.scalar();
            t.comprehension("e += x[j] * w[j]", names("x", x, "w", w, "e", loss));
            new TensorGraph(loss).compile().close();
        }, "w has the axis T, which has no length", "parameter");
        Expect.thrown(IllegalArgumentException.class, () -> {
            TensorContext t = new TensorContext();
            Sym x = t.input("x", DataType.FLOAT, Axis.varying("T"));
            Sym w = t.tensor1().named("w");
            Sym d = t.tensor1();
            Sym loss = t.scalar();
            t.comprehension("d[j] = x[j+1] - x[j]", names("x", x, "d", d));
            t.comprehension("e += d[j] * w[j]", names("d", d, "w", w, "e", loss));
            new TensorGraph(loss).compile().close();
        }, "w has the axis", "no length", "parameter");
        Expect.thrown(IllegalArgumentException.class, () -> {
            TensorContext t = new TensorContext();
            Sym x = t.input("x", DataType.FLOAT, Axis.varying("T"));
            Sym y = t.input("y", DataType.FLOAT, Axis.varying("U"));
            Sym loss = t.scalar();
            t.comprehension("e += x[j] * y[j]", names("x", x, "y", y, "e", loss));
            new TensorGraph(loss).compile().close();
        }, "is T by", "is U by");
    }

    @Test
    void anAxisWithoutLengthIsOfGraphs() {
        Axis axis = Axis.varying("T");
        assertTrue(axis.isVarying() && !Axis.of(3).isVarying());
        assertEquals(-1, axis.length());
        assertEquals("T", axis.toString());
        assertEquals("T-1", axis.withOffset(-1).toString());
        assertNotEquals(axis, Axis.varying("T"));
        try (Tensor<Double> tensor = DoubleTensorData.of(new double[3]).copy()) {
            Expect.thrown(IllegalArgumentException.class, () -> NamedTensor.of(tensor, axis), "axis T has no length");
        }
    }

    @Test
    void anExampleMayHaveSeveralLengths() {
        Axis one = Axis.varying("T");
        Axis other = Axis.varying("U");
        TensorContext t = new TensorContext(DataType.DOUBLE);
        Sym x = t.inputDouble(one, other, double[][].class, (example, data) -> {
            for (int i = 0; i < example.length; i++) {
                for (int j = 0; j < example[i].length; j++) {
                    data.put(example[i][j], i, j);
                }
            }
        }).named("x");
        Sym y = t.tensor().named("y");
        Sym w = t.scalar().named("w");
        Sym loss = t.scalar();
        t.comprehension("y[j] += w * x[i,j] * size(x, 1) / size(x, -2)\ne += y[j]^2", names("x", x, "y", y, "w", w, "e", loss));
        try (ComputeGraph cg = new TensorGraph(loss, y).compile()) {
            cg.set(w, DoubleTensorData.of(new double[] {2}, new long[0]));
            double[][] square = {{1, 2, 3}, {4, 5, 6}};
            double[][] thin = {{1}, {1}, {1}};
            assertArrayEquals(new double[] {15, 21, 27}, one(cg, square, y), 1e-12);
            assertArrayEquals(new double[] {2}, one(cg, thin, y), 1e-12);
            try (RaggedTensor<?> all = (RaggedTensor<?>) cg.evalAll(Arrays.asList(square, thin), y)) {
                assertEquals("DOUBLE[2, -1]\n[[15., 21., 27.], [2.]]", all.toString());
            }
            double[][] skew = {{1, 2}, {3}};
            Expect.thrown(IllegalArgumentException.class, () -> cg.eval(skew, y), "x", "length 1 along U in example 0", "also 2");
        }
    }

    @Test
    void constantsMayBeSparse() {
        LongTensorData at = LongTensorData.of(new long[] {0, 1, 1, 0, 1, 2}, 3, 2);
        TensorContext t = new TensorContext(DataType.DOUBLE);
        try (SparseTensor<Double> links = Tensors.sparseDouble(at, DoubleTensorData.of(new double[] {2, 3, 4}), 2, 3)) {
            Sym s = t.constant(links).named("S");
            Sym x = t.inputDouble(Axis.of(3), double[].class, (example, data) -> data.put(example)).named("x");
            Sym w = t.tensor(Axis.of(3)).named("w");
            Sym y = t.tensor().named("y");
            Sym p = t.tensor().named("p");
            Sym loss = t.scalar().named("loss");
            t.comprehension("sparse p[i,j] = S[i,j] * w[j]", names("S", s, "w", w, "p", p));
            t.comprehension("y[i] += p[i,j] * x[j]\nloss += y[i]^2", names("p", p, "x", x, "y", y, "loss", loss));
            try (ComputeGraph cg = new TensorGraph(loss, y, p).compile()) {
                cg.set(w, DoubleTensorData.of(new double[] {1, 10, 100}));
                double[] example = {1, 2, 3};
                assertArrayEquals(new double[] {40, 3 + 1200}, one(cg, example, y), 1e-9);
                assertArrayEquals(new double[] {40, 1203, 0, 3}, elements(cg.evalAll(Arrays.asList(example, new double[] {1, 0, 0}), y)), 1e-9);
                try (Gradients g = cg.gradients(example)) {
                    double[] dw = new double[3];
                    g.get(w.id()).doubleData().copyTo(dw);
                    assertArrayEquals(new double[] {2 * 1203 * 3, 2 * 40 * 4, 2 * 1203 * 12}, dw, 1e-9);
                }
                try (SparseTensor<?> made = (SparseTensor<?>) cg.evalAll(Collections.emptyList(), p)) {
                    assertEquals(3, made.values().numElements());
                }
                Expect.thrown(IllegalStateException.class, () -> cg.eval(example, p), "p is sparse", "evalAll and run");
                Expect.thrown(IllegalStateException.class, () -> cg.get(s), "S is a sparse constant");
                double before = one(cg, example, loss)[0];
                SGD.of(cg).rate(1e-7).train(Minibatch.of(Arrays.asList(example, new double[] {1, 1, 1}), 2, 1), 3, (epoch, step, loss1) -> { });
                assertTrue(one(cg, example, loss)[0] < before);
            }
        }
    }

    @Test
    void constantsMayBeRagged() {
        TensorContext t = new TensorContext(DataType.DOUBLE);
        try (RaggedTensor<Long> near = Tensors.raggedOfNested(new long[][] {{1, 2}, {}, {0}})) {
            Sym r = t.constant(near).named("R");
            Sym x = t.inputDouble(Axis.of(3), double[].class, (example, data) -> data.put(example)).named("x");
            Sym w = t.scalar().named("w");
            Sym m = t.tensor().named("m");
            Sym loss = t.scalar().named("loss");
            t.comprehension("m[i] += w * x[R[i,j]] / len(R,i)", names("R", r, "x", x, "w", w, "m", m));
            t.comprehension("loss += m[i]^2", names("m", m, "loss", loss));
            try (ComputeGraph cg = new TensorGraph(loss, m).compile()) {
                cg.set(w, DoubleTensorData.of(new double[] {2}, new long[0]));
                double[] example = {1, 2, 5};
                assertArrayEquals(new double[] {7, 0, 2}, one(cg, example, m), 1e-12);
                assertArrayEquals(new double[] {7, 0, 2, 2, 0, 2}, elements(cg.evalAll(Arrays.asList(example, new double[] {1, 1, 1}), m)), 1e-12);
                try (Gradients g = cg.gradients(example)) {
                    assertEquals(53, g.get(w.id()).doubleData().get(), 1e-12);
                }
                assertEquals("[3, rows of t0]", Arrays.toString(new String[] {"3", r.axes().get(1).name()}).replaceAll("t[0-9]+", "t0"));
            }
        }
    }

    @Test
    void columnsMayBeSparse() {
        LongTensorData at = LongTensorData.of(new long[] {0, 1, 1, 0, 1, 2, 3, 3}, 4, 2);
        TensorContext t = new TensorContext(DataType.DOUBLE);
        Sym x = t.input("x", DataType.DOUBLE, Axis.of(4));
        Sym w = t.tensor(Axis.of(4)).named("w");
        Sym y = t.scalar().named("y");
        Sym loss = t.scalar();
        t.comprehension("y += x[j] * w[j]; e = (y - 1)^2", names("x", x, "w", w, "y", y, "e", loss));
        try (SparseTensor<Double> rows = Tensors.sparseDouble(at, DoubleTensorData.of(new double[] {2, 3, 4, 1}), 4, 4);
            Tensor<Double> dense = rows.toDense(); ComputeGraph cg = new TensorGraph(loss, y).compile()) {
            double[][] steps = new double[2][];
            for (int n = 0; n < 2; n++) {
                cg.set(w, DoubleTensorData.of(new double[] {1, 2, 3, 4}));
                Map<Sym, TensorData<?>> column = Collections.singletonMap(x, n == 0 ? rows.data() : dense.data());
                assertArrayEquals(new double[] {4, 15, 0, 4}, elements(cg.evalAll(column, y)), 1e-12);
                SGD.of(cg).rate(.01).train(Minibatch.columns(column, 3, 5), 4, (epoch, step, value) -> { });
                steps[n] = one(cg, null, w);
            }
            assertArrayEquals(steps[0], steps[1], 1e-12);
            AnyTensor<?> made = cg.run(Collections.singletonMap("x", Value.of(rows)), "y").get("y").asTensor();
            assertArrayEquals(new long[] {4}, made.shape());
            made.close();
        }
    }

    /** What is dense would take terabytes. */
    @Test
    void nothingIsMadeDense() {
        long size = 1_000_000_000;
        LongTensorData at = LongTensorData.of(new long[] {0, 5, 2, size - 1, 3, 7}, 3, 2);
        DoubleTensorData values = DoubleTensorData.of(new double[] {2, 3, 4});
        TensorContext t = new TensorContext(DataType.DOUBLE);
        try (SparseTensor<Double> rows = Tensors.sparseDouble(at, values, 4, size);
            SparseTensor<Double> square = Tensors.sparseDouble(at, values, size, size)) {
            Sym x = t.input("x", DataType.DOUBLE, Axis.of(size));
            Sym s = t.constant(square).named("S");
            Sym v = t.scalar().named("v");
            Sym y = t.scalar().named("y");
            Sym loss = t.scalar();
            t.comprehension("y += v * x[j]; z += S[i,j] * v; e = (y - z - 1)^2", names("x", x, "v", v, "S", s, "y", y, "e", loss));
            try (ComputeGraph cg = new TensorGraph(loss, y).compile()) {
                cg.set(v, DoubleTensorData.of(new double[] {2}, new long[0]));
                Map<Sym, TensorData<?>> column = Collections.singletonMap(x, rows.data());
                assertArrayEquals(new double[] {4, 0, 6, 8}, elements(cg.evalAll(column, y)), 1e-12);
                double[] losses = SGD.of(cg).rate(1e-3).train(Minibatch.columns(column, 2, 1), 20, (epoch, step, value) -> { });
                assertTrue(losses[losses.length - 1] < losses[0], () -> Arrays.toString(losses));
            }
        }
    }

    /** A column or a graph that is closed while steps and evaluations run has these fail, or end as they would. */
    @Test
    void closingMeanwhile() throws InterruptedException {
        List<Text> texts = texts(new Random(3), 64);
        for (int round = 0; round < 6; round++) {
            Net net = new Net(Axis.varying("T"));
            RaggedTensor<Long> words = Tensors.raggedOfNested(texts.stream().map(x -> x.words).toArray(long[][]::new));
            RaggedTensor<Double> weights = Tensors.raggedOfNested(texts.stream().map(x -> x.weights).toArray(double[][]::new));
            Map<Sym, TensorData<?>> columns = columns(net, texts, words, weights);
            List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
            boolean isColumn = round % 2 == 0;
            Thread other = new Thread(() -> {
                try {
                    SGD sgd = SGD.of(net.cg);
                    Minibatch batches = isColumn ? Minibatch.columns(columns, 16, 1) : Minibatch.of(texts, 16, 1);
                    for (int n = 0; n < 10_000; n++) {
                        sgd.step(batches);
                    }
                } catch (Throwable e) {
                    thrown.add(e);
                }
            });
            other.start();
            Thread.sleep(20);
            if (isColumn) {
                words.close();
            } else {
                net.close();
            }
            other.join();
            assertEquals(1, thrown.size());
            assertTrue(thrown.get(0) instanceof IllegalStateException, () -> thrown.get(0).toString());
            net.close();
            words.close();
            weights.close();
        }
    }
}
