package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.compute.LoopIndex;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.value.SequenceOps;
import io.tensornio.value.Value;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is wrong with sequences in graphs is told, and leaves no tensor behind. */
@ExtendWith(MemoryBalance.class)
class SequenceErrorsTest {
    private final TensorContext t = new TensorContext();
    private final SymSequence s = t.sequence("s", DataType.FLOAT);
    private Tensor<Float> x;
    private Tensor<Float> y;
    private Tensor<Integer> ints;

    @BeforeEach
    void open() {
        x = Tensors.ofNested(new float[] {1, 2});
        y = Tensors.ofNested(new float[] {1, 2, 3});
        ints = Tensors.ofNested(new int[] {1});
    }

    @AfterEach
    void close() {
        x.close();
        y.close();
        ints.close();
    }

    private <E extends Throwable> void fails(Class<E> type, Symbolic wanted, Map<String, Value> inputs, String... parts) {
        try (ComputeGraph cg = TensorGraph.of(wanted).compile()) {
            Expect.thrown(type, () -> cg.run(inputs), parts);
        }
    }

    private static Map<String, Value> of(String name, Value value) {
        return Collections.singletonMap(name, value);
    }

    @Test
    void positionsThatNoItemHasAreTold() {
        Map<String, Value> two = of("s", Value.list(x, y));
        Sym w = t.tensor(Axis.of(1));
        fails(IndexOutOfBoundsException.class, s.get(2), two, "s", "position 2", "2 items", "-2 to 1");
        fails(IndexOutOfBoundsException.class, s.remove(-3), two, "s", "position -3");
        fails(IndexOutOfBoundsException.class, s.set(w, 2), two, "s", "position 2");
        fails(IndexOutOfBoundsException.class, s.add(w, 3), two, "s", "position 3", "-3 to 2");
        fails(IndexOutOfBoundsException.class, s.add(w, -4), two, "s", "position -4");
        fails(IndexOutOfBoundsException.class, s.map(item -> item.times(2)).named("m").remove(0).get(-2), two, "sequence 7", "1 item");
        fails(IndexOutOfBoundsException.class, s.get(0), of("s", Value.list()), "s", "0 items");
    }

    @Test
    void itemsOfAnotherTypeAreTold() {
        Sym number = t.input("n", DataType.INT32, Axis.of(1));
        Map<String, Value> inputs = new HashMap<>(of("s", Value.list(x)));
        inputs.put("n", Value.of(ints));
        fails(IllegalArgumentException.class, s.add(number, 0), inputs, "s", "INT32", "FLOAT");
        fails(IllegalArgumentException.class, s.set(number, 0), inputs, "s", "INT32", "FLOAT");
        fails(IllegalArgumentException.class, s, of("s", Value.list(ints)), "item 0 of input s", "INT32", "FLOAT");
        // A list that has lost its last item keeps its type.
        fails(IllegalArgumentException.class, s, of("s", SequenceOps.erase(Value.list(ints), 0)), "input s", "empty one of INT32", "FLOAT");
    }

    @Test
    void inputsOfAnotherKindAreToldWithBoth() {
        SymDict d = t.dict("d", Collections.singletonMap("k", DataType.FLOAT));
        Sym plain = t.input("x", DataType.FLOAT, Axis.of(2));
        fails(IllegalStateException.class, s, of("s", Value.of(x)), "s", "LIST", "TENSOR");
        fails(IllegalStateException.class, d, of("d", Value.list(x)), "d", "DICT", "LIST");
        fails(IllegalStateException.class, plain, of("x", Value.list(x)), "x", "TENSOR", "LIST");
        fails(IllegalStateException.class, s, of("s", Value.list(Value.list(x))), "item 0 of input s", "TENSOR", "LIST");
        fails(IllegalArgumentException.class, s, of("s", Value.optional(null)), "missing", "s");
        fails(NullPointerException.class, s, of("s", null), "s");
        try (SparseTensor<Float> sparse = Tensors.sparseFloat(new long[] {2}, 1, data -> data.put(1, 0))) {
            fails(IllegalArgumentException.class, s, of("s", Value.list(Collections.singletonList(sparse))), "item 0 of input s", "toDense");
        }
    }

    @Test
    void keysOfADictionaryAreJustThoseThatItHas() {
        SymDict d = t.dict("d", Collections.singletonMap("k", DataType.FLOAT));
        fails(IllegalArgumentException.class, d, of("d", Value.dict(Collections.emptyMap())), "d", "k");
        fails(IllegalArgumentException.class, d, of("d", Value.dict(Collections.singletonMap("l", x))), "d", "k", "l");
        fails(IllegalArgumentException.class, d, of("d", Value.dict(Collections.singletonMap("k", ints))), "\"k\"", "INT32", "FLOAT");
        Expect.thrown(IllegalArgumentException.class, () -> d.get("l"), "\"l\"", "k");
        Expect.thrown(NullPointerException.class, () -> d.get(null), "key");
    }

    @Test
    void missingAndUnknownInputsAreListed() {
        Map<String, Value> unknown = of("z", Value.of(x));
        fails(IllegalArgumentException.class, s.length(), unknown, "missing", "[s]", "unknown", "[z]");
    }

    @Test
    void anItemThatDoesNotFitIsNamedWithItsShape() {
        Sym w = t.tensor(Axis.of("H", 2), Axis.of("X", 2)).named("W");
        fails(IllegalArgumentException.class, s.map(item -> w.matmul(item)), of("s", Value.list(x, y)), "item 1 of s", "[3]", "W");
        SymSequence shaped = t.sequence("shaped", DataType.FLOAT, Axis.of(2));
        fails(IllegalArgumentException.class, shaped, of("shaped", Value.list(x, y)), "item 1 of input shaped", "[2]", "[3]");
    }

    @Test
    void whatCannotBeJoinedIsTold() {
        fails(IllegalArgumentException.class, s.concat(0, true), of("s", Value.list(x, y)), "s", "item 1", "[3]", "[2]");
        fails(IllegalArgumentException.class, s.concat(0, true), of("s", Value.list()), "s", "empty");
        fails(IllegalArgumentException.class, s.concat(1, false), of("s", Value.list(x)), "s", "axis 1");
    }

    @Test
    void aMapThatFailsLeavesNothing() {
        AtomicReference<Integer> calls = new AtomicReference<>(0);
        Sym made = t.scalar();
        SymSequence mapped = s.map(item -> t.comprehension(new Sym[] {item}, new Sym[0], new Sym[] {made}, tcb -> {
            calls.set(calls.get() + 1);
            if (calls.get() == 2) {
                throw new UnsupportedOperationException("by the user");
            }
            LoopIndex i = tcb.newIndex();
            tcb.add(made.at().assignSum(item.at(i)));
        }));
        fails(UnsupportedOperationException.class, mapped, of("s", Value.list(x, y)), "by the user");
    }

    @Test
    void anItemIsKnownInItsBodyAlone() {
        AtomicReference<Sym> inside = new AtomicReference<>();
        SymSequence mapped = s.map(item -> {
            inside.set(item);
            return item.times(2);
        });
        Expect.thrown(IllegalArgumentException.class, () -> TensorGraph.of(inside.get().plus(1)).compile(), "item", "body");
        Expect.thrown(IllegalArgumentException.class, () -> TensorGraph.of(mapped.map(other -> other.plus(inside.get()))).compile(), "item", "body");
        try (ComputeGraph cg = TensorGraph.of(mapped).compile()) {
            Expect.thrown(IllegalArgumentException.class, () -> cg.run(of("s", Value.list(x)), inside.get().name()), "item", "body");
        }
    }

    @Test
    void aGraphWithSequencesIsNotTrained() {
        Sym w = t.scalar();
        Sym loss = s.get(0).elementwise(w).named("loss");
        try (ComputeGraph cg = new TensorGraph(loss).compile()) {
            Expect.thrown(IllegalArgumentException.class, () -> SGD.of(cg), "s", "trained");
            Expect.thrown(IllegalArgumentException.class, () -> SGD.adam(cg), "s", "trained");
            Expect.thrown(IllegalArgumentException.class, () -> cg.gradients((Object) null), "loss", "s");
            Expect.thrown(IllegalArgumentException.class, () -> cg.eval(null, loss), "loss", "s", "run");
            Expect.thrown(IllegalArgumentException.class, () -> cg.evalAll(Collections.emptyList(), loss), "loss", "s", "run");
            Expect.thrown(IllegalArgumentException.class, () -> cg.run(of("s", Value.list(x)), "loss"), "loss", "one element", "[2]");
        }
        try (ComputeGraph cg = new TensorGraph(w, s.remove(0)).compile()) {
            Expect.thrown(IllegalArgumentException.class, () -> SGD.rmsProp(cg), "s", "trained");
        }
        try (ComputeGraph cg = TensorGraph.of(w).compile()) {
            Expect.thrown(IllegalStateException.class, () -> SGD.of(cg), "loss");
        }
    }

    @Test
    void aBatchIsRefusedWhereThereAreSequences() {
        Sym plain = t.input("x", DataType.FLOAT, Axis.of(2));
        Map<String, Value> inputs = new HashMap<>(of("s", Value.list(x)));
        try (Tensor<Float> two = Tensors.ofNested(new float[2][2])) {
            inputs.put("x", Value.of(two));
            fails(IllegalArgumentException.class, s.add(plain, 0), inputs, "x", "[2]", "[2, 2]", "batch");
        }
    }

    @Test
    void whatNothingDeterminesIsTold() {
        Sym w = t.tensor2().named("W");
        Expect.thrown(IllegalArgumentException.class, () -> TensorGraph.of(s.map(item -> w.matmul(item))).compile(), "W", "axis 0");
    }

    @Test
    void argumentsAreChecked() {
        TensorContext other = new TensorContext();
        Expect.thrown(NullPointerException.class, () -> s.add(null, 0), "item");
        Expect.thrown(NullPointerException.class, () -> s.set(null, 0), "item");
        Expect.thrown(NullPointerException.class, () -> s.map(null), "body");
        Expect.thrown(NullPointerException.class, () -> s.map(item -> null), "result");
        Expect.thrown(NullPointerException.class, () -> s.named(null), "name");
        Expect.thrown(NullPointerException.class, () -> t.sequence(null, DataType.FLOAT), "name");
        Expect.thrown(NullPointerException.class, () -> t.sequence("n", null), "elements");
        Expect.thrown(NullPointerException.class, () -> t.sequence("n", DataType.FLOAT, (Axis) null), "axis 0");
        assertThrows(NullPointerException.class, () -> t.dict("n", null));
        Expect.thrown(NullPointerException.class, () -> t.dict("n", Collections.singletonMap("k", null)), "k");
        Expect.thrown(IllegalArgumentException.class, () -> t.sequence("n", DataType.STRING), "strings");
        Expect.thrown(IllegalArgumentException.class, () -> t.dict("n", Collections.singletonMap("k", DataType.STRING)), "strings");
        Expect.thrown(IllegalArgumentException.class, () -> t.sequence("s", DataType.FLOAT), "s", "a sequence");
        Expect.thrown(IllegalArgumentException.class, () -> t.scalar().named("s"), "s", "a sequence");
        Expect.thrown(IllegalArgumentException.class, () -> t.scalar().named("sequence 7"), "sequence 7");
        Expect.thrown(IllegalArgumentException.class, () -> s.add(other.scalar(), 0), "another context");
        Expect.thrown(IllegalArgumentException.class, () -> s.map(item -> other.scalar()), "another context");
        Expect.thrown(IllegalArgumentException.class, () -> new TensorGraph(t.scalar(), other.sequence("s", DataType.FLOAT)), "another context");
        Expect.thrown(IllegalArgumentException.class, () -> s.map(item -> t.comprehension(new Sym[0], new Sym[0], new Sym[] {item}, tcb -> { })),
            "an item of a sequence");
        Expect.thrown(NullPointerException.class, () -> TensorGraph.of(null), "first");
        Expect.thrown(NullPointerException.class, () -> TensorGraph.of(s, (Symbolic) null), "output 1");
    }

    @Test
    void closedItemsAndClosedGraphsAreTold() {
        Tensor<Float> closed = Tensors.ofNested(new float[] {1});
        closed.close();
        fails(TensorClosedException.class, s.map(item -> item.times(2)), of("s", Value.list(x, closed)));
        fails(TensorClosedException.class, s, of("s", Value.list(x, closed)));
        AtomicReference<ComputeGraph> graph = new AtomicReference<>();
        Sym made = t.scalar();
        SymSequence closing = s.map(item -> t.comprehension(new Sym[] {item}, new Sym[0], new Sym[] {made}, tcb -> {
            graph.get().close();
            LoopIndex i = tcb.newIndex();
            tcb.add(made.at().assignSum(item.at(i)));
        }));
        ComputeGraph cg = TensorGraph.of(closing).compile();
        graph.set(cg);
        Expect.thrown(IllegalStateException.class, () -> cg.run(of("s", Value.list(x))), "closed");
        Expect.thrown(IllegalStateException.class, () -> cg.run(of("s", Value.list(x))), "closed");
    }

    @Test
    void aFailedRunLeavesTheGraphAsItWas() {
        Sym w = t.tensor(Axis.of(2));
        Sym sum = s.get(0).plus(w);
        try (ComputeGraph cg = TensorGraph.of(sum.named("sum")).compile()) {
            cg.set(w, FloatTensorData.of(new float[] {10, 20}, 2));
            Expect.thrown(IllegalArgumentException.class, () -> cg.run(of("s", Value.list(y))), w.name(), "2", "3");
            try (Value value = cg.run(of("s", Value.list(x))).get("sum")) {
                assertEquals("FLOAT[2] [11., 22.]", value.toString());
            }
        }
        assertEquals(DataType.FLOAT, sum.dataType());
    }
}
