package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.compute.F;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.value.Value;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dimensions that are inferred, that contradict each other, and that nothing determines; and graphs that are none. */
@ExtendWith(MemoryBalance.class)
class DimensionsTest {
    private final TensorContext t = new TensorContext();
    private final Comprehensions tc = t.comprehensions();

    private static Map<String, Sym> map(Object... entries) {
        Map<String, Sym> map = new HashMap<>();
        for (int n = 0; n < entries.length; n += 2) {
            map.put((String) entries[n], (Sym) entries[n + 1]);
        }
        return map;
    }

    private static long[] lengths(Sym of) {
        return of.axes().stream().mapToLong(Axis::length).toArray();
    }

    private void refused(Sym loss, String... parts) {
        Expect.thrown(IllegalArgumentException.class, () -> new TensorGraph(loss).compile().close(), parts);
    }

    @Test
    void textEquatesLengthsBothWays() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(5));
        Sym a = t.tensor();
        Sym b = t.tensor();
        Sym y = t.tensor(Axis.of(3));
        t.comprehension("y[i] += a[i,j] * x[j] + b[i]", map("y", y, "a", a, "x", x, "b", b));
        new TensorGraph(tc.meanSquare(y, y)).compile().close();
        assertArrayEquals(new long[] {3, 5}, lengths(a));
        assertArrayEquals(new long[] {3}, lengths(b));
    }

    @Test
    void otherReadsFlowFromInputsToOutputs() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(10));
        Sym k = t.tensor(Axis.of(3));
        Sym y = t.tensor();
        t.comprehension("y[i] += x[i+j] * k[j]", map("y", y, "k", k, "x", x));
        Sym d = t.tensor1();
        Sym loss = tc.meanSquare(y, d);
        new TensorGraph(loss).compile().close();
        assertArrayEquals(new long[] {8}, lengths(d));
    }

    @Test
    void allConflictsAreToldAtOnce() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(5));
        Sym a = t.tensor(Axis.of(3), Axis.of(4)).named("A");
        Sym b = t.tensor(Axis.of(2)).named("B");
        Sym y = a.times(x).plus(b);
        refused(tc.meanSquare(y, y), "axis 1 of A is 4", "axis 0 of x is 5", "axis 0 of B is 2", "its declaration");
    }

    @Test
    void theStepsOfAScanHaveTheNameOfItsLoop() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(5));
        Sym z = t.input("z", DataType.FLOAT, Axis.of(6));
        Sym y = t.tensor().named("y");
        t.comprehension("scan s; a[s] = a[s-1] + x[s]; y[s] = a[s] * z[s]; end", map("y", y, "x", x, "z", z));
        refused(tc.meanSquare(y, y), "the number of steps of scan s is 5 by axis 0 of x, its declaration, and `",
            "axis 0 of z is 6 by its declaration", "they are one by `");
    }

    @Test
    void aConflictNamesTheStatementsThatMakeIt() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(3));
        Sym z = t.input("z", DataType.FLOAT, Axis.of(2));
        Sym y = t.tensor().named("y");
        t.comprehension("y[i] = 2 * x[i]", map("y", y, "x", x));
        Sym v = t.tensor().named("v");
        t.comprehension("v[i] = y[i] + z[i]", map("v", v, "y", y, "z", z));
        refused(tc.meanSquare(v, v), "axis 0 of y is 3 by axis 0 of x, its declaration, and `y[i] = 2 * x[i]`", "axis 0 of z is 2 by its declaration",
            "they are one by `v[i] = y[i] + z[i]`");
        Sym a = t.tensor().named("a");
        Sym u = t.tensor().named("u");
        t.comprehension("u[i] = a[i] * x[i]", map("u", u, "a", a, "x", x));
        Sym w = t.tensor().named("w");
        t.comprehension("w[i,j] = a[i,j] * u[i]", map("w", w, "a", a, "u", u));
        refused(tc.meanSquare(w, w), "a has rank 1 by `u[i] = a[i] * x[i]`, and rank 2 by `w[i,j] = a[i,j] * u[i]`");
        Sym b = t.tensor(Axis.of(2), Axis.of(2)).named("b");
        Sym c = t.tensor().named("c");
        t.comprehension("c[i] = b[i]", map("c", c, "b", b));
        refused(tc.meanSquare(c, c), "b has rank 2 by its declaration, and rank 1 by `c[i] = b[i]`");
    }

    @Test
    void aConflictAtTheEndOfALongChainIsToldInALine() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(3));
        Sym y = x;
        for (int n = 0; n < 50; n++) {
            Sym next = t.tensor();
            t.comprehension("y[i] = " + (n + 1) + " * x[i]", map("y", next, "x", y));
            y = next;
        }
        Sym z = t.input("z", DataType.FLOAT, Axis.of(2));
        refused(tc.meanSquare(y, z), "axis 0 of x, its declaration", "= 1 * x[i]`", "and 48 more", "= 50 * ", "axis 0 of z is 2");
    }

    @Test
    void aComprehensionGivesBackWhatItWasGiven() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(3));
        Sym1<Axis> first = t.tensor(Axis.of(3));
        Sym1<Axis> second = t.tensor(Axis.of(3));
        assertSame(first, t.comprehension("y[i] = 2 * x[i]; z[i] = x[i]", map("y", first, "x", x, "z", second)));
        Sym1<Axis> built = t.tensor(Axis.of(3));
        assertSame(built, t.comprehension(new Sym[] {x}, new Sym[0], new Sym[] {built}, tcb -> {
            io.tensornio.compute.LoopIndex i = tcb.newIndex();
            tcb.add(built.at(i).assign(x.at(i)));
        }));
    }

    @Test
    void aDeclaredTensorKeepsItsAxes() {
        Axis h = Axis.of("H", 3);
        Axis w = Axis.of("W", 3);
        Sym x = t.input("x", DataType.FLOAT, h);
        Sym v = t.tensor(w, h);
        Sym y = t.tensor(w);
        Sym open = t.tensor();
        t.comprehension("y[i] = x[i] * v[i,i] * open[i]", map("y", y, "x", x, "v", v, "open", open));
        TensorGraph graph = new TensorGraph(tc.meanSquare(y, x));
        for (int n = 0; n < 2; n++) {
            graph.compile().close();
            assertSame(h, x.axes().get(0));
            assertSame(w, v.axes().get(0));
            assertSame(h, v.axes().get(1));
            assertSame(w, y.axes().get(0));
            assertEquals(3, open.axes().get(0).length());
        }
    }

    @Test
    void whatNothingDeterminesIsNamed() {
        Sym a = t.tensor2().named("A");
        Sym b = t.tensor1().named("B");
        Sym y = a.times(b);
        refused(tc.meanSquare(y, y), "axis 0 of A", "axis 1 of A");
    }

    @Test
    void aGraphHasNoCycle() {
        Sym a = t.tensor(Axis.of(2));
        Sym b = t.tensor(Axis.of(2));
        t.comprehension("a[i] = b[i]", map("a", a, "b", b));
        t.comprehension("b[i] = a[i]", map("a", a, "b", b));
        refused(tc.meanSquare(a, b), "cycle");
    }

    @Test
    void aTensorIsMadeOnce() {
        Sym a = t.tensor(Axis.of(2));
        Sym b = t.tensor(Axis.of(2));
        t.comprehension("a[i] = b[i]", map("a", a, "b", b));
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehension("a[i] = 2 * b[i]", map("a", a, "b", b)), "t0");
        Sym x = t.input("x", DataType.FLOAT, Axis.of(2));
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehension("x[i] = b[i]", map("x", x, "b", b)), "x", "input");
        Sym c = t.constant1((i, n) -> i);
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehension("c[i] = b[i]", map("c", c, "b", b)), "constant");
    }

    @Test
    void aLossHasOneElement() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of("X", 5));
        refused(x.plus(t.tensor(Axis.of(5))), "loss", "X=5");
    }

    @Test
    void tensorsOfOtherContextsAndNamesThatAreTakenAreRefused() {
        Sym a = t.scalar().named("A");
        Sym other = new TensorContext().scalar();
        Expect.thrown(IllegalArgumentException.class, () -> a.plus(other), "context");
        Expect.thrown(IllegalArgumentException.class, () -> new TensorGraph(a, other), "context");
        Expect.thrown(IllegalArgumentException.class, () -> t.scalar().named("A"), "A");
        Expect.thrown(IllegalArgumentException.class, () -> t.input("A", DataType.FLOAT), "A");
    }

    @Test
    void timesNeedsRanks() {
        Sym a = t.tensor();
        Sym v = t.tensor1();
        Expect.thrown(IllegalStateException.class, () -> a.times(v), "matmul", "elementwise");
        Expect.thrown(IllegalArgumentException.class, () -> v.matmul(v), "matrix");
    }

    @Test
    void namesOfATextAreTensorsOrLocal() {
        Sym y = t.tensor();
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehension("y[i] = q[i]", map("y", y)), "q");
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehension("y[i] = ", map("y", y)));
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehension("z[i] = y[i]", map("y", y)), "output");
        Sym x = t.input("x", DataType.FLOAT, Axis.of(2));
        t.comprehension("local[i] = 2 * x[i]; y[j] = local[j] + 1", map("y", y, "x", x));
        new TensorGraph(tc.meanSquare(y, x)).compile().close();
        assertArrayEquals(new long[] {2}, lengths(y));
    }

    @Test
    void operatorsAndFunctionsGiveTheirValues() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(2));
        Sym s = t.input("s", DataType.FLOAT);
        Sym y = F.relu(x.neg()).plus(s).times(2).minus(x.elementwise(x)).div(s.plus(1));
        Sym soft = tc.softmax(x);
        try (ComputeGraph cg = new TensorGraph(tc.meanSquare(y, y), y, soft).compile()) {
            Map<String, Value> in = new HashMap<>();
            try (Tensor<?> xs = Tensors.ofNested(new float[] {1, -2}); Tensor<?> one = FloatTensorData.of(new float[] {3},
                    new long[0]).copy()) {
                in.put("x", Value.of(xs));
                in.put("s", Value.of(one));
                Map<String, Value> out = cg.run(in);
                FloatTensorData values = ((Tensor<?>) out.get(y.name()).asTensor()).floatData();
                assertEquals((0 + 3) * 2 / 4f - 1 / 4f, values.get(0), 1e-6);
                assertEquals((2 + 3) * 2 / 4f - 4 / 4f, values.get(1), 1e-6);
                assertEquals(1 / (1 + Math.exp(-3)), ((Tensor<?>) out.get(soft.name()).asTensor()).floatData().get(0), 1e-6);
                out.values().forEach(Value::close);
                Expect.thrown(IllegalArgumentException.class, () -> cg.run(Collections.singletonMap("q", in.get("x"))), "q", "x", "s");
                Expect.thrown(IllegalArgumentException.class, () -> cg.run(in, "nothing"), "nothing");
            }
        }
    }

    @Test
    void whatDependsOnNoInputHasNoLeadingAxis() {
        Sym w = t.tensor(Axis.of(2));
        Sym x = t.input(Axis.of(2), float[].class, (in, data) -> data.put(in));
        Sym own = w.plus(1);
        Sym sum = own.plus(x);
        try (ComputeGraph cg = new TensorGraph(tc.meanSquare(sum, x), own).compile();
                AnyTensor<?> alone = cg.evalAll(Arrays.asList(new float[2], new float[2]), own);
                AnyTensor<?> each = cg.evalAll(Arrays.asList(new float[2], new float[2]), sum);
                AnyTensor<?> none = cg.evalAll(Collections.emptyList(), sum)) {
            assertArrayEquals(new long[] {2}, alone.shape());
            assertArrayEquals(new long[] {2, 2}, each.shape());
            assertArrayEquals(new long[] {0, 2}, none.shape());
        }
    }

    @Test
    void dotsAreAxesOfAnExample() {
        Sym x = t.input("x", DataType.FLOAT, Axis.of(3));
        Sym w = t.constant(FloatTensorData.of(new float[] {1, 1, 1, 2, 2, 2}, 2, 3));
        Sym y = t.tensor();
        Sym s = t.tensor();
        t.comprehension("y[...] = x[...] * w[...]", map("y", y, "x", x, "w", w));
        t.comprehension("s += y[...] / size(y,-1)", map("s", s, "y", y));
        y.named("y");
        try (ComputeGraph cg = new TensorGraph(s, y).compile()) {
            assertArrayEquals(new long[] {2, 3}, lengths(y));
            assertArrayEquals(new long[0], lengths(s));
            Map<String, Value> in = Collections.singletonMap("x", Value.of(Tensors.ofNested(new float[][] {{1, 2, 3}, {4, 5, 6}})));
            try (Value made = cg.run(in, "y").get("y")) {
                assertEquals("[2, 2, 3]", Arrays.toString(made.asTensor().shape()));
            }
            in.values().forEach(Value::close);
        }
    }
}
