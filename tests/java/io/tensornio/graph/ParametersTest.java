package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import io.tensornio.op.Padding;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.value.Value;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is learnt, given and constant: how it begins, who may write it, and in which types examples come. */
@ExtendWith(MemoryBalance.class)
class ParametersTest {
    private final TensorContext t = new TensorContext();
    private final Comprehensions tc = t.comprehensions();

    private static float[] elements(ComputeGraph cg, int id) {
        Map<Integer, Tensor<?>> all = cg.parameters();
        try {
            FloatTensorData data = all.get(id).floatData().flatten();
            float[] elements = new float[(int) data.size(0)];
            data.copyTo(elements);
            return elements;
        } finally {
            all.values().forEach(Tensor::close);
        }
    }

    /** Uniform numbers, a thousand and more, fill an interval. */
    private static void fills(ComputeGraph cg, int id, double limit) {
        double largest = 0;
        for (float element : elements(cg, id)) {
            largest = Math.max(largest, Math.abs(element));
        }
        double found = largest;
        assertTrue(found <= limit && found > .98 * limit, () -> id + " reaches " + found + " of " + limit);
    }

    @Test
    void limitsDependOnWhatMeetsInAnElement() {
        Sym image = t.input("image", DataType.FLOAT, Axis.of(4), Axis.of(4), Axis.of(8));
        Sym filtered = tc.conv2d(image, 16, new int[] {3, 3}, new int[] {1, 1}, Padding.SAME);
        int filters = filtered.id() - 2;                                        // [3, 3, 8, 16]
        Sym right = t.tensor(Axis.of(40), Axis.of(60));
        Sym product = t.input("matrix", DataType.FLOAT, Axis.of(2), Axis.of(40)).matmul(right);
        Sym table = t.tensor(Axis.of(30), Axis.of(5), Axis.of(10));
        Sym rows = tc.embedding(table, t.input("ids", DataType.INT32, Axis.of(2)));
        Sym normed = tc.layerNorm(product, 1e-5);
        Sym loss = tc.meanSquare(filtered, filtered).plus(tc.meanSquare(normed, normed)).plus(tc.meanSquare(rows, rows));
        try (ComputeGraph cg = new TensorGraph(loss).compile()) {
            CGInit.glorot(cg, 3);
            fills(cg, filters, Math.sqrt(6. / (72 + 16)));
            fills(cg, right.id(), Math.sqrt(6. / (40 + 60)));
            fills(cg, table.id(), Math.sqrt(6. / (30 + 50)));
            assertEquals(new HashSet<>(Arrays.asList(1f)), set(elements(cg, normed.id() - 2)));     // scale
            assertEquals(new HashSet<>(Arrays.asList(0f)), set(elements(cg, normed.id() - 1)));     // offset
            CGInit.he(cg, 3);
            fills(cg, filters, Math.sqrt(6. / 72));
            fills(cg, right.id(), Math.sqrt(6. / 40));
            fills(cg, table.id(), Math.sqrt(6. / 30));
            assertEquals(new HashSet<>(Arrays.asList(0f)), set(elements(cg, filters + 1)));         // bias
            CGInit.normal(cg, 2, 3);
            double squares = 0;
            for (float number : elements(cg, right.id())) {
                squares += number * number;
            }
            assertEquals(2, Math.sqrt(squares / 2400), .1);
            CGInit.zeros(cg);
            assertEquals(new HashSet<>(Arrays.asList(0f)), set(elements(cg, right.id())));
        }
    }

    private static Set<Float> set(float... elements) {
        Set<Float> set = new HashSet<>();
        for (float element : elements) {
            set.add(element);
        }
        return set;
    }

    @Test
    void whatOnlyOutputsReachIsInitialisedButNotUpdated() {
        Sym1<Axis> x = t.input(Axis.of(3), float[].class, (in, data) -> data.put(in));
        Dense<Axis> trained = tc.linear(Axis.of(2), x);
        Dense<Axis> other = tc.linear(Axis.of(2), x);
        Sym loss = tc.meanSquare(trained.output().times(2), trained.output());
        try (ComputeGraph cg = new TensorGraph(loss, other.output()).compile()) {
            CGInit.glorot(cg, 1);
            float[] before = elements(cg, other.weights().id());
            float[] moving = elements(cg, trained.weights().id());
            assertTrue(before[0] != 0);
            SGD.of(cg).step(Minibatch.inOrder(Collections.singletonList(new float[] {1, 2, 3}), 1));
            assertTrue(Arrays.equals(before, elements(cg, other.weights().id())));
            assertTrue(!Arrays.equals(moving, elements(cg, trained.weights().id())));
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            cg.save(file);
            assertTrue(file.toString().contains("\"t" + other.weights().id() + "\""), file.toString());
        }
    }

    @Test
    void parametersAndConstantsAreReadAndWrittenAndNothingElse() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(2));
        Sym constant = t.constant(FloatTensorData.of(new float[] {1, 2}));
        Sym flow = x.plus(constant);
        Sym w = t.tensor(Axis.of(2)).named("w");
        FloatTensorData data = FloatTensorData.of(new float[] {5, 6});
        try (ComputeGraph cg = new TensorGraph(tc.meanSquare(flow, w)).compile()) {
            for (Sym sym : new Sym[] {constant, w}) {
                cg.set(sym, data);
                try (Tensor<?> now = cg.get(sym)) {
                    assertEquals(data, now.floatData());
                }
            }
            for (Sym sym : new Sym[] {x, flow}) {
                Expect.thrown(IllegalStateException.class, () -> cg.get(sym), sym == x ? "x" : "t2");
                Expect.thrown(IllegalStateException.class, () -> cg.set(sym, data), sym == x ? "x" : "t2");
            }
            Expect.thrown(IllegalArgumentException.class, () -> cg.set(w, FloatTensorData.of(new float[3])), "w is FLOAT of shape [2]", "[3]");
        }
    }

    @Test
    void aRunTakesAnExampleOrABatch() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(2)).named("x");
        Sym z = t.input("z", DataType.FLOAT).named("z");
        Sym sum = x.plus(z).named("sum");
        Sym negated = x.neg().named("negated");
        Sym loss = t.scalar();
        Map<String, Value> one = new HashMap<>();
        Map<String, Value> mixed = new HashMap<>();
        try (Tensor<Float> pair = Tensors.ofNested(new float[] {1, 2}); Tensor<Float> pairs = Tensors.ofNested(new float[][] {{1, 2}, {3, 4}});
                Tensor<Float> three = Tensors.denseFloat(new long[0], data -> data.put(3)); Tensor<Float> both = Tensors.ofNested(new float[] {3, 5});
                ComputeGraph cg = new TensorGraph(loss, sum, negated).compile()) {
            one.put("x", Value.of(pair));
            mixed.put("x", Value.of(pairs));
            assertEquals("FLOAT[2] [-1., -2.]", told(cg.run(one, "negated")));                  // z is not needed
            assertEquals("FLOAT[2, 2]\n[[-1., -2.],\n [-3., -4.]]", told(cg.run(mixed, "negated")));
            one.put("z", Value.of(three));
            mixed.put("z", Value.of(three));
            assertEquals("FLOAT[2] [4., 5.]", told(cg.run(one, "sum")));
            Expect.thrown(IllegalArgumentException.class, () -> cg.run(mixed, "sum"), "all of one example, or all of as many", "z is of shape []");
            mixed.put("z", Value.of(both));
            assertEquals("FLOAT[2, 2]\n[[4., 5.],\n [8., 9.]]", told(cg.run(mixed, "sum")));
        }
    }

    @Test
    void inputsThatOnlyTheContextHasAreAccepted() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(2));
        Sym label = t.input("label", DataType.INT32);
        Sym bound = t.input(float[].class, (in, data) -> data.put(in));
        t.sequence("words", DataType.INT32);
        Sym weights = t.tensor(Axis.of(2)).named("weights");
        Sym loss = t.comprehensions().meanSquare(weights.elementwise(x), x);
        Map<String, Value> inputs = new HashMap<>();
        try (Tensor<Float> pair = Tensors.ofNested(new float[] {1, 2}); ComputeGraph cg = TensorGraph.of(x.neg().named("negated")).compile();
                ComputeGraph trained = new TensorGraph(loss).compile()) {
            inputs.put("x", Value.of(pair));
            inputs.put("label", Value.of(pair));                // of another type: nobody looks at it
            inputs.put("words", Value.list(pair));
            inputs.put(bound.name(), Value.of(pair));
            assertEquals("FLOAT[2] [-1., -2.]", told(cg.run(inputs, "negated")));
            inputs.put("weights", Value.of(pair));
            Expect.thrown(IllegalArgumentException.class, () -> cg.run(inputs, "negated"), "unknown inputs: [weights]");

            Map<Sym, TensorData<?>> columns = new HashMap<>();
            columns.put(x, FloatTensorData.of(new float[] {1, 2}, 1, 2));
            columns.put(label, FloatTensorData.of(new float[] {1}));
            assertEquals(2.5, SGD.of(trained).step(Minibatch.columns(columns, 1, 1)));
        }
    }

    @Test
    void whoKnowsTypesNamesThem() {
        Sym1<Axis> x = t.input(Axis.of(2), float[].class, (in, data) -> data.put(in));
        Dense<Axis> dense = t.comprehensions().dense(Axis.of(3), x);
        Sym2<Axis, Axis> weights = dense.weights();
        Sym untyped = dense.weights();
        try (ComputeGraph cg = TensorGraph.of(dense.output()).compile()) {
            Tensor<Float> typed = cg.get(weights);
            assertEquals("FLOAT[3, 2]", typed.toString().split("\n")[0]);
            typed.close();
            try (Tensor<?> any = cg.get(untyped)) {
                assertEquals(6, any.floatData().totalSize());
            }
        }
    }

    private static String told(Map<String, Value> made) {
        try (Value only = made.values().iterator().next()) {
            assertEquals(1, made.size());
            return only.toString();
        }
    }

    @Test
    void bindersWriteAllTypes() {
        Sym doubles = t.inputDouble(Axis.of(2), int[].class, (in, data) -> data.put(in[0] + .5, 0));
        Sym ints = t.inputInt(Axis.of(2), int[].class, (in, data) -> data.put(in));
        Sym longs = t.inputLong(int[].class, (in, data) -> data.put(in[0] + (1L << 40)));
        Sym bytes = t.inputUInt8(Axis.of(1), Axis.of(2), int[].class, (in, data) -> data.put((byte) 200, 0, 1));
        Sym truths = t.inputBoolean(Axis.of(1), Axis.of(1), Axis.of(2), int[].class, (in, data) -> data.put(in[0] == 7, 0, 0, 0));
        String[] expected = {"DOUBLE[2] [7.5, 0. ]", "INT32[2] [7, 8]", "INT64[] 1099511627783", "UINT8[1, 2] [[  0, 200]]",
            "BOOL[1, 1, 2] [[[ true, false]]]"};
        Sym[] all = {doubles, ints, longs, bytes, truths};
        for (int n = 0; n < all.length; n++) {
            try (ComputeGraph cg = new TensorGraph(t.scalar(), all[n]).compile(); Tensor<?> made = cg.eval(new int[] {7, 8}, all[n])) {
                assertEquals(expected[n].replaceAll("\\s+", " "), made.toString().replaceAll("\\s+", " "));
            }
        }
    }

    @Test
    void constantsAreFilledByPosition() {
        Sym1<?> one = t.constant1((i, dimI) -> 10 * i + dimI);
        Sym3<?, ?, ?> three = t.constant3((i, j, k, dimI, dimJ, dimK) -> 100 * i + 10 * j + k + 1000 * (dimI + dimJ + dimK));
        Sym x = t.input("x", DataType.FLOAT, Axis.of(2));
        Sym y = t.input("y", DataType.FLOAT, Axis.of(1), Axis.of(2), Axis.of(2));
        try (ComputeGraph cg = new TensorGraph(t.scalar(), x.plus(one), y.plus(three)).compile();
                Tensor<?> line = cg.get(one); Tensor<?> cube = cg.get(three)) {
            assertEquals("FLOAT[2] [ 2., 12.]", line.floatData().toString());
            assertEquals("[5000., 5001., 5010., 5011.]", cube.floatData().flatten().toString().replace("FLOAT[4] ", ""));
        }
    }
}
