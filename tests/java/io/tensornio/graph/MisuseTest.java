package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.compute.F;
import io.tensornio.compute.Mappable;
import io.tensornio.op.Padding;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.value.Value;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** Arguments that are null, or out of range, and calls that come too late: each is refused by a message that names what is wrong. */
@ExtendWith(MemoryBalance.class)
class MisuseTest {
    private static final ProgressListener NOBODY = (epoch, step, loss) -> { };

    private final TensorContext t = new TensorContext();
    private final Comprehensions tc = t.comprehensions();
    private final Sym1<Axis> x = t.input(Axis.of(2), float[].class, (in, data) -> data.put(in));
    private final Sym w = t.tensor(Axis.of(2));
    private final Sym loss = tc.meanSquare(x, w);

    private ComputeGraph graph() {
        return new TensorGraph(loss, w).compile();
    }

    private static void isNull(String name, Executable call) {
        Expect.exactly(NullPointerException.class, call, name);
    }

    @Test
    void nullIsRefusedWhereGraphsAreMade() {
        Map<String, Sym> names = Collections.singletonMap("w", w);
        isNull("type", () -> new TensorContext(null));
        isNull("loss", () -> new TensorGraph(null));
        isNull("outputs", () -> new TensorGraph(loss, (Sym[]) null));
        isNull("output 1", () -> new TensorGraph(loss, w, null));
        isNull("parameters", () -> new TensorGraph(loss).compile(null));
        isNull("parameter 1", () -> new TensorGraph(loss).compile(Collections.<Integer, Tensor<?>>singletonMap(1, null)));
        isNull("axes", () -> t.tensor((Axis[]) null));
        isNull("axis 1", () -> t.tensor(Axis.of(2), null));
        isNull("axes", () -> t.input("a", DataType.FLOAT, (Axis[]) null));
        isNull("name", () -> t.input(null, DataType.FLOAT));
        isNull("elements", () -> t.input("a", null));
        isNull("type", () -> t.input((Class<Float>) null, (in, data) -> { }));
        isNull("binder", () -> t.input(Float.class, null));
        isNull("tensor", () -> t.constant((Tensor<?>) null));
        isNull("data", () -> t.constant((TensorData<?>) null));
        isNull("elements", () -> t.constant2(null));
        isNull("whole", () -> t.bindOnRight(null, Axis.of(2), x));
        isNull("axis", () -> t.bindOnRight(w, null, x));
        isNull("right", () -> t.bindOnRight(w, Axis.of(2), null));
        isNull("text", () -> t.comprehension(null, names));
        isNull("tensors", () -> t.comprehension("w[i] = 1", null));
        isNull("tensors.w", () -> t.comprehension("w[i] = 1", Collections.singletonMap("w", null)));
        isNull("inputs 0", () -> t.comprehension(new Sym[] {null}, new Sym[0], new Sym[] {w}, tcb -> { }));
        isNull("params", () -> t.comprehension(new Sym[0], null, new Sym[] {w}, tcb -> { }));
        isNull("factory", () -> t.comprehension(new Sym[0], new Sym[0], new Sym[] {w}, null));
        isNull("name", () -> w.named(null));
    }

    @Test
    void nullIsRefusedByOperatorsAndLayers() {
        int[] one = {1, 1};
        Sym image = t.tensor(Axis.of(4), Axis.of(4), Axis.of(1));
        isNull("other", () -> w.plus(null));
        isNull("other", () -> w.times((Sym) null));
        isNull("other", () -> w.matmul(null));
        isNull("x", () -> F.relu((Sym) null));
        isNull("axis", () -> tc.dense(null, x));
        isNull("x", () -> tc.dense(Axis.of(2), null));
        isNull("x", () -> tc.softmax(null));
        isNull("zHat", () -> tc.meanSquare(x, null));
        isNull("label", () -> tc.softmaxCrossEntropy(x, null));
        isNull("ids", () -> tc.embedding(w, null));
        isNull("x", () -> tc.layerNorm(null, 1));
        isNull("size", () -> tc.conv2d(image, 1, null, one, Padding.SAME));
        isNull("strides", () -> tc.maxPool2d(image, one, null, Padding.SAME));
        isNull("padding", () -> tc.maxPool2d(image, one, one, null));
        Expect.thrown(IllegalArgumentException.class, () -> tc.layerNorm(x, Double.NaN), "epsilon", "NaN");
        Expect.thrown(IllegalArgumentException.class, () -> tc.conv2d(image, 0, one, one, Padding.SAME), "0 filters");
        Expect.thrown(IllegalArgumentException.class, () -> tc.maxPool2d(image, new int[] {0, 1}, one, Padding.SAME), "size", "[0, 1]");
        Expect.thrown(IllegalArgumentException.class, () -> tc.maxPool2d(x, one, one, Padding.SAME), "rank 1");
    }

    @Test
    void layersSayOfWhichRanksTheyAreNot() {
        Sym scalar = t.input(Float.class, (in, data) -> data.put(in));
        Sym id = t.input("id", DataType.INT32);
        Class<IllegalArgumentException> bad = IllegalArgumentException.class;
        Expect.thrown(bad, () -> new TensorGraph(loss, tc.softmax(scalar)).compile(), "softmax(" + scalar + ")", scalar + " has rank 0");
        Expect.thrown(bad, () -> new TensorGraph(loss, tc.layerNorm(scalar, 1)).compile(), "layerNorm(" + scalar + ")", "rank 0");
        Expect.thrown(bad, () -> new TensorGraph(loss, tc.embedding(scalar, id)).compile(), "embedding(" + scalar + ")", scalar + " has rank 0");
    }

    @Test
    void windowsThatDoNotFitAreRefused() {
        Sym image = t.input("image", DataType.FLOAT, Axis.of(4), Axis.of(2), Axis.of(1));
        int[] size = {3, 3};
        int[] one = {1, 1};
        Class<IllegalArgumentException> bad = IllegalArgumentException.class;
        Sym small = tc.conv2d(image, 1, size, one, Padding.VALID);
        Expect.thrown(bad, () -> new TensorGraph(loss, small).compile(), "conv2d(image)", "window of 3", "axis 1 of length 2", "VALID");
        Sym pooled = tc.maxPool2d(image, size, one, Padding.VALID);
        Expect.thrown(bad, () -> new TensorGraph(loss, pooled).compile(), "maxPool2d(image)", "window of 3", "axis 1 of length 2");
        new TensorGraph(loss, tc.maxPool2d(image, size, one, Padding.SAME)).compile().close();
    }

    /** Loops of what is added to comprehensions are called so. */
    @Test
    void anyNameMayBeGivenToATensor() {
        TensorContext own = new TensorContext();
        Sym1<Axis> in = own.input(Axis.of(2), float[].class, (example, data) -> data.put(example));
        in.named("example");
        Sym weights = own.tensor(Axis.of(2)).named("axis_0");
        Sym bias = own.scalar().named("row");
        Sym square = own.comprehensions().meanSquare(in, weights.plus(bias));
        try (ComputeGraph cg = new TensorGraph(square).compile()) {
            SGD descent = SGD.of(cg).rate(.1).momentum(.5);
            assertEquals(2.5, descent.step(Minibatch.inOrder(Collections.singletonList(new float[] {1, 2}), 1)));
            Map<Sym, TensorData<?>> columns = Collections.singletonMap(in, FloatTensorData.of(new float[] {1, 2}, 1, 2));
            assertTrue(descent.step(Minibatch.columns(columns, 1, 1)) < 2.5);
        }
    }

    @Test
    void examplesWithoutAnIteratorAreRefused() {
        Iterable<float[]> broken = () -> null;
        isNull("iterator()", () -> Minibatch.of(broken, 1, 1));
        try (ComputeGraph cg = graph()) {
            isNull("iterator()", () -> SGD.of(cg).step(Minibatch.inOrder(broken, 1)));
        }
    }

    @Test
    void aFolderIsNoCheckpoint() {
        try (ComputeGraph cg = graph()) {
            Expect.thrown(UncheckedIOException.class, () -> cg.save(Paths.get("/")), "/", "is a folder");
            Path folder = Paths.get("").toAbsolutePath();
            Expect.thrown(UncheckedIOException.class, () -> cg.load(folder), folder.toString(), "is a folder");
        }
    }

    @Test
    void nullIsRefusedByComputeGraphs() {
        float[] in = {1, 2};
        try (ComputeGraph cg = graph()) {
            isNull("sym", () -> cg.get(null));
            isNull("sym", () -> cg.eval(in, null));
            isNull("sym", () -> cg.eval(in, w, null));
            isNull("others", () -> cg.eval(in, w, x, (Sym[]) null));
            isNull("examples", () -> cg.evalAll((Iterable<?>) null, loss));
            isNull("sym", () -> cg.evalAll(Collections.singletonList(in), null));
            isNull("data", () -> cg.set(w, (TensorData<?>) null));
            isNull("tensor", () -> cg.set(w, (Tensor<?>) null));
            isNull("inputs", () -> cg.run(null));
            isNull("outputs", () -> cg.run(Collections.emptyMap(), (String[]) null));
            isNull("the name of an output", () -> cg.run(Collections.emptyMap(), (String) null));
            isNull("input t0", () -> cg.run(Collections.<String, Value>singletonMap("t0", null), loss.name()));
            isNull("file", () -> cg.save((Path) null));
            isNull("out", () -> cg.save((OutputStream) null));
            isNull("file", () -> cg.load((Path) null));
            isNull("in", () -> cg.load((InputStream) null));
            Expect.thrown(IllegalArgumentException.class, () -> cg.eval(null, loss), "null", "[F");
        }
        isNull("cg", () -> CGInit.glorot(null, 1));
        isNull("cg", () -> CGInit.zeros(null));
    }

    @Test
    void nullIsRefusedByTraining() {
        isNull("cg", () -> SGD.of(null));
        isNull("examples", () -> Minibatch.of(null, 1, 1));
        isNull("examples", () -> Minibatch.inOrder(null, 1));
        isNull("columns", () -> Minibatch.columns(null, 1, 1));
        isNull("column of t0", () -> Minibatch.columns(Collections.<Sym, TensorData<?>>singletonMap(x, null), 1, 1));
        isNull("the input of a column", () -> Minibatch.columns(Collections.singletonMap((Sym) null, FloatTensorData.of(new float[2])), 1, 1));
        try (ComputeGraph cg = graph()) {
            SGD descent = SGD.of(cg);
            Minibatch one = Minibatch.of(Collections.singletonList(new float[2]), 1, 1);
            isNull("minibatch", () -> descent.step(null));
            isNull("minibatch", () -> descent.train(null, 1, NOBODY));
            isNull("listener", () -> descent.train(one, 1, null));
            isNull("out", () -> descent.save((OutputStream) null));
            isNull("in", () -> descent.load((InputStream) null));
            Expect.thrown(IllegalArgumentException.class, () -> descent.train(one, -1, NOBODY), "-1");
            Expect.thrown(IllegalArgumentException.class, () -> descent.step(Minibatch.of(Collections.singletonList(null), 1, 1)), "null");
            assertEquals(0, descent.steps());
        }
    }

    @Test
    void fractionsAreLessThanOne() {
        try (ComputeGraph cg = graph()) {
            for (double bad : new double[] {2, 1, -.1, Double.NaN}) {
                String said = String.valueOf(bad);
                Expect.thrown(IllegalArgumentException.class, () -> SGD.of(cg).momentum(bad), "momentum", said);
                Expect.thrown(IllegalArgumentException.class, () -> SGD.rmsProp(cg).rho(bad), "rho", said);
                Expect.thrown(IllegalArgumentException.class, () -> SGD.adam(cg).beta1(bad), "beta1", said);
                Expect.thrown(IllegalArgumentException.class, () -> SGD.adam(cg).beta2(bad), "beta2", said);
            }
            Expect.thrown(IllegalArgumentException.class, () -> SGD.adam(cg).epsilon(Double.POSITIVE_INFINITY), "epsilon", "Infinity");
            Expect.thrown(IllegalArgumentException.class, () -> SGD.of(cg).rate(-1), "rate", "-1.0");
            Expect.thrown(IllegalArgumentException.class, () -> CGInit.normal(cg, -1, 1), "deviation", "-1.0");
            SGD.of(cg).momentum(0).momentum(.999);
        }
    }

    @Test
    void nothingIsDoneWithAClosedGraph() {
        ComputeGraph cg = graph();
        SGD before = SGD.of(cg);
        Minibatch one = Minibatch.of(Collections.singletonList(new float[2]), 1, 1);
        before.step(one);
        cg.close();
        Executable[] calls = {() -> SGD.of(cg), () -> SGD.rmsProp(cg), () -> SGD.adam(cg), () -> before.step(one), () -> before.train(one, 1, NOBODY),
            () -> CGInit.glorot(cg, 1), () -> CGInit.zeros(cg), () -> cg.get(w), cg::parameters, () -> cg.eval(new float[2], loss),
            () -> cg.evalAll(Collections.singletonList(new float[2]), loss), () -> cg.run(Collections.emptyMap(), w.name()),
            () -> cg.gradients(new float[2]), () -> cg.set(w, FloatTensorData.of(new float[2])),
            () -> cg.load(new ByteArrayInputStream(new byte[0])),
            // Whatever else is wrong.
            () -> cg.get(null), () -> cg.get(new TensorContext().scalar()), () -> cg.set(w, (Tensor<?>) null), () -> cg.set(null, FloatTensorData.of(
                new float[2])), () -> cg.eval(3, loss), () -> cg.eval(3, null), () -> cg.eval(3, null, null),
            () -> cg.evalAll((Iterable<?>) null, loss), () -> cg.evalAll(null, null, loss), () -> cg.run(Collections.emptyMap()), () -> cg.run(null),
            () -> cg.run(Collections.emptyMap(), "none"),
            () -> cg.save(Paths.get("/")), () -> cg.load(Paths.get("/")), () -> cg.save((OutputStream) null), () -> before.step(null),
            () -> before.train(null, -1, null), () -> before.save(Paths.get("/")), () -> before.load((InputStream) null),
            () -> CGInit.normal(cg, -1, 1)};
        for (Executable call : calls) {
            Expect.thrown(IllegalStateException.class, call, "closed");
        }
        cg.close();
    }

    @Test
    void aPositionHasABound() {
        Minibatch shuffled = Minibatch.of(Arrays.asList(new float[2], new float[2], new float[2]), 2, 1);
        shuffled.seek(1L << 62);
        try (ComputeGraph cg = graph()) {
            SGD descent = SGD.of(cg);
            for (int step = 0; step < 3; step++) {
                descent.step(shuffled);
            }
        }
        assertEquals((1L << 62) + 3, shuffled.position());
        Expect.thrown(IllegalArgumentException.class, () -> shuffled.seek((1L << 62) + 1), "2^62");
        Expect.thrown(IllegalArgumentException.class, () -> shuffled.seek(Long.MAX_VALUE), "2^62");
        Expect.thrown(IllegalArgumentException.class, () -> shuffled.seek(Long.MIN_VALUE), "count from 0");
        assertEquals((1L << 62) + 3, shuffled.position());
    }

    @Test
    void batchesInOrderTakeMemoryForWhatThereIs() {
        try (ComputeGraph cg = graph()) {
            SGD descent = SGD.of(cg);
            Minibatch huge = Minibatch.inOrder(Arrays.asList(new float[] {1, 2}, new float[] {3, 4}), Integer.MAX_VALUE);
            long before = MemoryStats.current().bytesInUse();
            assertEquals(7.5, descent.step(huge), 1e-6);
            assertTrue(MemoryStats.current().bytesInUse() - before < 1 << 20);
        }
    }

    @Test
    void examplesMayBecomeMoreFromEpochToEpoch() {
        int[] count = {0};
        Iterable<float[]> more = () -> Collections.nCopies(++count[0], new float[] {3, 3}).iterator();
        try (ComputeGraph cg = graph()) {
            double[] means = SGD.of(cg).rate(0).train(Minibatch.inOrder(more, 100), 5, NOBODY);
            assertTrue(Arrays.equals(new double[] {9, 9, 9, 9, 9}, means), () -> Arrays.toString(means));
        }
    }

    private static double valueOf(DataType of, Function<TensorContext, Sym> input) {
        TensorContext context = new TensorContext(of);
        Sym given = input.apply(context);
        Sym y = given.times(3).plus(context.scalar());
        try (ComputeGraph cg = new TensorGraph(y, y).compile();
                Tensor<?> two = FloatTensorData.of(new float[] {2}, new long[0]).copy();
                Value made = cg.run(Collections.singletonMap(given.name(), Value.of(two))).get(y.name())) {
            assertEquals(of, made.asTensor().dataType());
            Tensor<?> tensor = (Tensor<?>) made.asTensor();
            return of == DataType.DOUBLE ? tensor.doubleData().get() : tensor.floatData().get();
        }
    }

    @Test
    void floatsAreWidenedInAContextOfDoubles() {
        for (DataType of : new DataType[] {DataType.FLOAT, DataType.DOUBLE}) {
            assertEquals(6, valueOf(of, context -> context.input("x", DataType.FLOAT)));
        }
        TensorContext doubles = new TensorContext(DataType.DOUBLE);
        Sym column = doubles.input("column", DataType.FLOAT, Axis.of(2));
        Sym bias = doubles.tensor(Axis.of(2));
        assertEquals(DataType.DOUBLE, column.dataType());
        try (ComputeGraph cg = new TensorGraph(doubles.comprehensions().meanSquare(column, bias)).compile()) {
            Map<Sym, TensorData<?>> columns = Collections.singletonMap(column, FloatTensorData.of(new float[] {1, 3}, 1, 2));
            assertEquals(5, SGD.of(cg).step(Minibatch.columns(columns, 1, 1)));
        }
        Sym constant = doubles.constant(FloatTensorData.of(new float[] {1.5f, -2}, 2).flip(0));
        Sym moved = constant.plus(bias);
        assertEquals(DataType.DOUBLE, constant.dataType());
        try (ComputeGraph cg = new TensorGraph(doubles.comprehensions().meanSquare(moved, bias), moved).compile()) {
            cg.set(bias, FloatTensorData.of(new float[] {.25f, .5f}, 2));
            try (Value made = cg.run(Collections.emptyMap()).get(moved.name())) {
                assertEquals("DOUBLE[2] [-1.75,  2.  ]", made.toString());
            }
        }
        assertEquals(DataType.DOUBLE, new TensorContext().constant(DoubleTensorData.of(new double[1], 1)).dataType());
    }

    @Test
    void whatHasNoParameterIsNotTrained() {
        TensorContext t = new TensorContext();
        Sym x = t.input("x", DataType.FLOAT, Axis.of(3));
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(x, x).named("loss")).compile()) {
            Expect.thrown(IllegalArgumentException.class, () -> SGD.of(cg), "the loss loss depends on no parameter");
        }
    }

    @Test
    void faultsOfLayersAreToldByTheirTitles() {
        TensorContext t = new TensorContext();
        Sym x = t.input("x", DataType.DOUBLE, Axis.of(3));
        Sym y = t.input("y", DataType.FLOAT, Axis.of(3));
        Sym z = t.input("z", DataType.FLOAT, Axis.of(2));
        IllegalArgumentException types = Expect.thrown(IllegalArgumentException.class,
            () -> new TensorGraph(t.comprehensions().meanSquare(x, y)).compile(), "meanSquare(x, y): ", "x is DOUBLE and y is FLOAT");
        assertTrue(!types.getMessage().contains("total"), types.getMessage());
        IllegalArgumentException lengths = Expect.thrown(IllegalArgumentException.class,
            () -> new TensorGraph(t.comprehensions().meanSquare(y, z)).compile(), "axis 0 of y is 3", "axis 0 of z is 2");
        assertEquals(1, lengths.getMessage().split("\n").length, lengths.getMessage());
    }

    @Test
    void layersOfOnesOwnThatCannotBe() {
        TensorContext t = new TensorContext();
        Sym x = t.input("x", DataType.FLOAT, Axis.of(3));
        Sym weights = t.tensor(Axis.of(3)).named("weights");
        Sym undeclared = t.tensor(Axis.of(3)).named("y");
        Class<IllegalArgumentException> bad = IllegalArgumentException.class;
        t.comprehension(new Sym[] {x}, new Sym[0], new Sym[] {undeclared}, tcb -> {
            io.tensornio.compute.LoopIndex i = tcb.newIndex();
            tcb.add(undeclared.at(i).assign(x.at(i).times(weights.at(i))));
        });
        Expect.thrown(bad, () -> new TensorGraph(t.comprehensions().meanSquare(undeclared, x)).compile(), "comprehension of y", "reads weights",
            "none of its inputs [x]");

        Sym nothing = t.tensor(Axis.of(3)).named("nothing");
        t.comprehension(new Sym[] {x}, new Sym[0], new Sym[] {nothing}, tcb -> { });
        Expect.thrown(bad, () -> new TensorGraph(t.comprehensions().meanSquare(nothing, x)).compile(), "comprehension of nothing adds no statement");

        Map<String, Sym> names = new HashMap<>();
        names.put("x", x);
        names.put("z", t.tensor(Axis.of(3)));
        Expect.thrown(bad, () -> t.comprehension("s += x[i]^2; gradient s by x; z[i] = d_x[i]", names), "`gradient` statement", "its loss");
        Map<String, Sym> slopes = new HashMap<>();
        slopes.put("x", x);
        slopes.put("d_x", names.get("z"));
        Expect.thrown(bad, () -> t.comprehension("s += x[i]^2; gradient s by x", slopes), "`gradient` statement");
    }

    @Test
    void nullIsRefusedByLayersOverSequencesAndFunctions() {
        isNull("x", () -> t.comprehensions().lstm(2, null));
        isNull("x", () -> t.comprehensions().gru(2, null));
        Sym2<?, ?> steps = t.tensor2();
        isNull("h0", () -> t.comprehensions().lstm(2, steps).from(null));
        isNull("h0", () -> t.comprehensions().gru(2, steps).from(null));
        isNull("c0", () -> t.comprehensions().lstm(2, steps).from(t.tensor1(), null));
        isNull("x", () -> t.comprehensions().batchNorm(null));
        isNull("x", () -> t.comprehensions().dropout(null, .5));
        isNull("the first argument of max", () -> F.max((Sym) null, x));
        isNull("the second argument of min", () -> F.min(x, null));
        isNull("x", () -> F.clip(null, x, x));
    }

    @Test
    void functionsByName() {
        TensorContext t = new TensorContext();
        Sym x = t.tensor();
        Mappable<Sym> stranger = (function, others) -> x;
        Expect.thrown(IllegalArgumentException.class, () -> F.max(x, stranger), "the second argument of max", "no tensor of a graph");
        Expect.thrown(IllegalArgumentException.class, () -> x.map("exp(", Collections.emptyList()), "`exp(` is no function");
        Expect.thrown(IllegalArgumentException.class, () -> x.map("max", Arrays.asList(x, x)), "max of 3 tensors");
        isNull("function", () -> x.map(null, Collections.emptyList()));
    }

    /** A bound that is refused leaves no tensor: what later ones draw depends on their numbers. */
    @Test
    void boundsThatAreRefusedLeaveNoTensor() {
        Sym before = t.scalar();
        isNull("low", () -> F.clip(x, null, x));
        isNull("high", () -> F.clip(x, x, null));
        Sym other = new TensorContext().scalar();
        Expect.thrown(IllegalArgumentException.class, () -> F.clip(x, x, other), "is of another context");
        assertEquals(before.variable.id + 1, t.scalar().variable.id);
    }
}
