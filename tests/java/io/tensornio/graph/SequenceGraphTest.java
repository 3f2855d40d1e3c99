package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.compute.LoopIndex;
import io.tensornio.support.MemoryBalance;
import io.tensornio.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sequences and dictionaries in graphs: what each step makes, and whose tensors these are. */
@ExtendWith(MemoryBalance.class)
class SequenceGraphTest {
    private final TensorContext t = new TensorContext();
    private final Comprehensions tc = t.comprehensions();
    private final SymSequence s = t.sequence("s", DataType.FLOAT);
    private final List<Tensor<?>> made = new ArrayList<>();

    @AfterEach
    void close() {
        made.forEach(Tensor::close);
    }

    private Tensor<Float> floats(float... elements) {
        Tensor<Float> tensor = Tensors.ofNested(elements);
        made.add(tensor);
        return tensor;
    }

    private Tensor<Float> matrix(float[]... elements) {
        Tensor<Float> tensor = Tensors.ofNested(elements);
        made.add(tensor);
        return tensor;
    }

    private static Map<String, Value> map(Object... entries) {
        Map<String, Value> map = new LinkedHashMap<>();
        for (int n = 0; n < entries.length; n += 2) {
            map.put((String) entries[n], (Value) entries[n + 1]);
        }
        return map;
    }

    /** Runs a graph of some outputs, and looks at the first. */
    private static void run(Map<String, Value> inputs, Consumer<Value> check, Symbolic first, Symbolic... others) {
        try (ComputeGraph cg = TensorGraph.of(first, others).compile()) {
            Map<String, Value> results = cg.run(inputs);
            try {
                check.accept(results.get(first.name()));
            } finally {
                results.values().forEach(Value::close);
            }
        }
    }

    private void list(SymSequence of, String expected, Tensor<?>... items) {
        run(map("s", Value.list(items)), value -> assertEquals(expected, value.toString()), of);
    }

    private void tensor(Sym of, String expected, Tensor<?>... items) {
        run(map("s", Value.list(items)), value -> assertEquals(expected, value.toString()), of);
    }

    @Test
    void itemsAreAddedSetAndRemovedAsInAScope() {
        Tensor<Float> x = floats(1);
        Tensor<Float> y = floats(2, 3);
        Sym constant = t.constant(FloatTensorData.of(new float[] {7}, 1));
        list(s.add(constant, -1), "LIST of 3 FLOAT: [FLOAT[1] [1.], FLOAT[2] [2., 3.], FLOAT[1] [7.]]", x, y);
        list(s.add(constant, 0), "LIST of 3 FLOAT: [FLOAT[1] [7.], FLOAT[1] [1.], FLOAT[2] [2., 3.]]", x, y);
        list(s.add(constant, -2), "LIST of 3 FLOAT: [FLOAT[1] [1.], FLOAT[1] [7.], FLOAT[2] [2., 3.]]", x, y);
        list(s.set(constant, -1), "LIST of 2 FLOAT: [FLOAT[1] [1.], FLOAT[1] [7.]]", x, y);
        list(s.remove(0), "LIST of 1 FLOAT: [FLOAT[2] [2., 3.]]", x, y);
        list(s.remove(-1), "LIST of 1 FLOAT: [FLOAT[1] [1.]]", x, y);
        list(s.remove(0).remove(0), "LIST of 0 FLOAT: []", x, y);
        tensor(s.length(), "INT64[] 2", x, y);
        tensor(s.get(-1), "FLOAT[2] [2., 3.]", x, y);
    }

    @Test
    void stepsDoNotChangeTheSequenceThatTheyAreOf() {
        SymSequence shorter = s.remove(0);
        run(map("s", Value.list(floats(1), floats(2))), value -> {
            assertEquals(2, value.asList().size());
        }, s, shorter, shorter.length());
    }

    @Test
    void itemsAreJoinedAlongAnAxisAndAlongANewOne() {
        Tensor<Float> x = matrix(new float[] {1, 2});
        Tensor<Float> y = matrix(new float[] {3, 4});
        run(map("s", Value.list(x, y)), value -> {
            float[] elements = new float[4];
            value.asTensor().floatData().copyTo(elements);
            assertArrayEquals(new long[] {1, 2, 2}, value.asTensor().shape());
            assertArrayEquals(new float[] {1, 3, 2, 4}, elements);
        }, s.concat(-1, true));
        run(map("s", Value.list(x, y)), value -> assertArrayEquals(new long[] {2, 2}, value.asTensor().shape()), s.concat(0, false));
    }

    @Test
    void aMapComputesWithEachItemWhateverItsShape() {
        list(s.map(x -> x.times(2).plus(1)), "LIST of 3 FLOAT: [FLOAT[1] [3.], FLOAT[2] [5., 7.], FLOAT[] 9.]", floats(1), floats(2, 3), scalar(4));
    }

    private Tensor<Float> scalar(float value) {
        Tensor<Float> tensor = Tensors.denseFloat(new long[0], data -> data.put(value));
        made.add(tensor);
        return tensor;
    }

    @Test
    void aMapOfNoItemsHasNone() {
        list(s.map(x -> x.times(2)), "LIST of 0: []");
        tensor(s.map(x -> x.times(2)).length(), "INT64[] 0");
    }

    @Test
    void aBodyUsesParametersConstantsInputsAndWhatIsMadeOfThemOutside() {
        Axis wide = Axis.of("H", 2);
        Sym w = t.tensor(wide, Axis.of(3));
        Sym x = t.input("x", DataType.FLOAT, wide);
        Sym twice = x.times(2);
        SymSequence mapped = s.map(item -> w.matmul(item).plus(twice));
        try (ComputeGraph cg = TensorGraph.of(mapped).compile()) {
            cg.set(w, FloatTensorData.of(new float[] {1, 0, 0, 0, 1, 0}, 2, 3));
            try (Value result = cg.run(map("s", Value.list(floats(1, 2, 3), floats(4, 5, 6)), "x", Value.of(floats(10, 20)))).get(mapped.name())) {
                assertEquals("LIST of 2 FLOAT: [FLOAT[2] [21., 42.], FLOAT[2] [24., 45.]]", result.toString());
            }
        }
    }

    @Test
    void segmentsAndStepsAlternate() {
        SymSequence doubled = s.map(x -> x.times(2));
        Sym last = doubled.get(-1).plus(doubled.get(0));
        SymSequence longer = doubled.add(last.times(10), 0);
        Sym joined = longer.map(x -> x.minus(1)).concat(0, false).times(2);
        tensor(joined, "FLOAT[3] [118.,   2.,   6.]", floats(1), floats(2));
    }

    @Test
    void bodiesMayHaveSequencesAndMapsInThem() {
        SymSequence other = t.sequence("other", DataType.FLOAT);
        SymSequence sums = s.map(x -> other.map(y -> y.plus(x)).add(x, 0).concat(0, true));
        run(map("s", Value.list(floats(1, 2), floats(10, 20)), "other", Value.list(floats(3, 4), floats(5, 6))), value -> {
            assertEquals(matrix(new float[] {1, 2}, new float[] {4, 6}, new float[] {6, 8}).floatData(), value.get(0).asTensor().floatData());
            assertEquals(matrix(new float[] {10, 20}, new float[] {13, 24}, new float[] {15, 26}).floatData(), value.get(1).asTensor().floatData());
        }, sums);
    }

    @Test
    void aBodyThatGivesBackItsItemOrSomethingFromOutsideIsCopiedOnce() {
        Sym w = t.tensor(Axis.of(1));
        Tensor<Float> x = floats(5);
        run(map("s", Value.list(x, x)), value -> {
            assertEquals("LIST of 2 FLOAT: [FLOAT[1] [5.], FLOAT[1] [5.]]", value.toString());
            assertNotSame(value.get(0).asTensor(), value.get(1).asTensor());
            assertNotSame(x, value.get(0).asTensor());
        }, s.map(item -> item));
        list(s.map(item -> w), "LIST of 2 FLOAT: [FLOAT[1] [0.], FLOAT[1] [0.]]", x, x);
        assertFalse(x.isClosed());
    }

    @Test
    void resultsAreCopiesThatTheCallerCloses() {
        Tensor<Float> x = floats(1, 2);
        SymDict d = t.dict("d", Collections.singletonMap("k", DataType.FLOAT));
        try (ComputeGraph cg = TensorGraph.of(s, d, s.get(0)).compile()) {
            Map<String, Value> results = cg.run(map("s", Value.list(x), "d", Value.dict(Collections.singletonMap("k", x))));
            results.values().forEach(Value::close);
            assertFalse(x.isClosed());
            results.values().forEach(Value::close);             // closed twice by us, which does nothing
        }
    }

    @Test
    void aBodyIsCompiledOnceForEachShapeOfItems() {
        AtomicInteger compiled = new AtomicInteger();
        List<Integer> ranks = new ArrayList<>();
        Sym y = t.scalar();
        SymSequence mapped = s.map(x -> t.comprehension(new Sym[] {x}, new Sym[0], new Sym[] {y}, tcb -> {
            compiled.incrementAndGet();
            ranks.add(x.rank());
            LoopIndex[] i = tcb.newIndexRange(x.rank());
            tcb.add(y.at().assignSum(x.at(i)));
        }));
        Map<String, Value> inputs = map("s", Value.list(floats(1), floats(2, 3), floats(4), floats(5, 6), scalar(1), floats(7)));
        try (ComputeGraph cg = TensorGraph.of(mapped.named("m"), mapped.concat(0, true).named("c")).compile()) {
            assertEquals(0, compiled.get());
            for (int n = 0; n < 3; n++) {
                cg.run(inputs, "m").get("m").close();
            }
            assertEquals(3, compiled.get());
            assertEquals(Arrays.asList(1, 1, 0), ranks);
            cg.run(map("s", Value.list(floats(1), floats(2, 3))), "c").get("c").close();        // another output, the same body
            assertEquals(3, compiled.get());
            cg.run(map("s", Value.list(floats(1, 2, 3))), "c").get("c").close();
            assertEquals(4, compiled.get());
        }
    }

    @Test
    void whatHangsOnNoItemIsComputedOutsideOfTheMap() {
        AtomicInteger compiled = new AtomicInteger();
        Sym x = t.input("x", DataType.FLOAT);
        Sym y = t.scalar();
        SymSequence mapped = s.map(item -> t.comprehension(new Sym[] {x}, new Sym[0], new Sym[] {y}, tcb -> {
            compiled.incrementAndGet();
            tcb.add(y.at().assign(x.at().times(3)));
        }).plus(item));
        run(map("s", Value.list(floats(1), floats(2, 3), scalar(4)), "x", Value.of(scalar(5))), value -> {
            assertEquals("LIST of 3 FLOAT: [FLOAT[1] [16.], FLOAT[2] [17., 18.], FLOAT[] 19.]", value.toString());
        }, mapped);
        assertEquals(2, compiled.get());                        // as the graph was compiled, and for the segment before the map
    }

    @Test
    void sentencesOfAnyLengthAreEmbedded() {
        SymSequence sentences = t.sequence("sentences", DataType.INT32);
        Axis words = Axis.of("W", 5);
        Axis wide = Axis.of("D", 2);
        Sym2<Axis, Axis> table = t.tensor(words, wide);
        Map<String, Sym> names = new HashMap<>();
        Sym vectors = sentences.map(ids -> {
            Sym mean = t.tensor1();
            names.put("v", tc.embedding(table, ids));
            names.put("m", mean);
            return t.comprehension("n max= i + 1 where i in 0:size(v, 0)\n sum[d] += v[i,d]\n m[d] = sum[d] / float(n)", names);
        }).concat(0, true);
        try (ComputeGraph cg = TensorGraph.of(vectors.named("vectors")).compile(); Tensor<Integer> first = Tensors.ofNested(new int[] {1, 2, 4});
                Tensor<Integer> second = Tensors.ofNested(new int[] {3})) {
            CGInit.glorot(cg, 1);
            try (Tensor<?> kept = cg.get(table)) {
                double limit = Math.sqrt(6 / 7.);                // 5 words in, 2 elements out
                for (double weight : kept.floatData().stream().toArray()) {
                    assertTrue(Math.abs(weight) <= limit && weight != 0, () -> weight + " of " + limit);
                }
            }
            cg.set(table, FloatTensorData.of(new float[] {0, 0, 1, 10, 2, 20, 3, 30, 6, 60}, 5, 2));
            try (Value value = cg.run(map("sentences", Value.list(first, second))).get("vectors")) {
                assertEquals(matrix(new float[] {3, 30}, new float[] {3, 30}).floatData(), value.asTensor().floatData());
            }
        }
    }

    @Test
    void parametersOfLayersInABodyAreInferredFromTheAxesOfItems() {
        SymSequence points = t.sequence("points", DataType.FLOAT, Axis.of("X", 3));
        List<Dense<Axis>> layers = new ArrayList<>();
        SymSequence mapped = points.map(x -> {
            layers.add(tc.dense(Axis.of("H", 2), x));
            return layers.get(0).output();
        });
        try (ComputeGraph cg = TensorGraph.of(mapped.named("m")).compile()) {
            assertArrayEquals(new long[] {2, 3}, layers.get(0).weights().axes().stream().mapToLong(Axis::length).toArray());
            CGInit.glorot(cg, 1);
            cg.run(map("points", Value.list(floats(1, 2, 3)))).get("m").close();
        }
    }

    @Test
    void aDictionaryGivesItsTensors() {
        Map<String, DataType> types = new LinkedHashMap<>();
        types.put("a", DataType.FLOAT);
        types.put("b", DataType.INT32);
        SymDict d = t.dict("d", types);
        Sym sum = d.get("a").plus(1);
        Map<String, Object> entries = new LinkedHashMap<>();
        Tensor<Integer> b = Tensors.ofNested(new int[] {1, 2});
        made.add(b);
        entries.put("b", b);
        entries.put("a", floats(1, 2, 3));
        run(map("d", Value.dict(entries)), value -> assertEquals("FLOAT[3] [2., 3., 4.]", value.toString()), sum);
        run(map("d", Value.dict(entries)), value -> assertEquals(Value.dict(entries), value), d, sum);
        assertSame(d.get("a"), d.get("a"));
    }

    @Test
    void anOptionalInputStandsForWhatItHas() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(1));
        Value one = Value.of(floats(1));
        try (ComputeGraph cg = TensorGraph.of(x.times(2).named("y"), s.length().named("n")).compile()) {
            Map<String, Value> results = cg.run(map("x", Value.optional(one), "s", Value.optional(Value.list(floats(1)))));
            assertEquals("FLOAT[1] [2.]", results.get("y").toString());
            assertEquals("INT64[] 1", results.get("n").toString());
            results.values().forEach(Value::close);
            cg.run(map("x", one, "s", Value.optional(null)), "y").get("y").close();         // not needed
        }
    }

    @Test
    void numbersOfTensorsDoNotHangOnSequences() {
        assertEquals(0, t.scalar().id());
        t.sequence("more", DataType.FLOAT).add(t.scalar(), 0);
        assertEquals(2, t.scalar().id());
    }

    @Test
    void examplesOfADoubleContextAreWidened() {
        TensorContext doubles = new TensorContext(DataType.DOUBLE);
        Sym x = doubles.input(Axis.of(1), Float.class, (in, data) -> data.put(in, 0));
        SymSequence list = doubles.sequence("s", DataType.DOUBLE).add(x, -1);
        run(map("s", Value.list(), x.name(), Value.of(floats(1.5f))), value -> assertEquals("LIST of 1 DOUBLE: [DOUBLE[1] [1.5]]", value.toString()),
            list);
    }
}
