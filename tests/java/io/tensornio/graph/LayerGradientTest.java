package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.Tensor;
import io.tensornio.compute.F;
import io.tensornio.compute.LoopIndex;
import io.tensornio.op.Padding;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The gradients of each layer against differences of the loss. */
@ExtendWith(MemoryBalance.class)
class LayerGradientTest {
    private static final double STEP = 1e-6;

    static final class In {
        final float[] x = {.3f, -.7f, 1.1f, .2f, -.4f, .9f};
        final int[] ids = {2, 0, 2};
    }

    /** A loss of a tensor: its weighted sum of squares, so that every element counts in its own way. */
    private static void check(BiFunction<TensorContext, Sym, Sym> layer, Axis... axes) {
        TensorContext t = new TensorContext(DataType.DOUBLE);
        Sym x = axes.length == 1 ? t.input(axes[0], In.class, (in, data) -> data.flatten().put(in.x))
            : axes.length == 2 ? t.input(axes[0], axes[1], In.class, (in, data) -> data.flatten().put(in.x))
            : t.input(axes[0], axes[1], axes[2], In.class, (in, data) -> data.flatten().put(in.x));
        Sym made = layer.apply(t, x);
        Sym loss = made.rank() == 0 ? made : t.comprehensions().meanSquare(made, made.times(3).plus(.5));
        try (ComputeGraph cg = new TensorGraph(loss).compile()) {
            In in = new In();
            Random random = new Random(3);
            Map<Integer, Tensor<?>> parameters = cg.parameters();
            CGInit.normal(cg, .5, 8);
            try (Gradients gradients = cg.gradients(in)) {
                for (int id : gradients.ids()) {
                    long[] shape = parameters.get(id).shape();
                    double[] values = new double[(int) parameters.get(id).numElements()];
                    for (int n = 0; n < values.length; n++) {
                        values[n] = random.nextDouble() - .5;
                    }
                    set(cg, id, values, shape);
                }
            }
            try (Gradients gradients = cg.gradients(in)) {
                for (int id : gradients.ids()) {
                    compare(cg, id, in, loss, gradients.get(id).doubleData().flatten());
                }
            }
            parameters.values().forEach(Tensor::close);
        }
    }

    private static void set(ComputeGraph cg, int id, double[] values, long... shape) {
        cg.model.set(cg.model.graph.variables.get(id), DoubleTensorData.of(values, shape));
    }

    private static void compare(ComputeGraph cg, int id, In in, Sym loss, DoubleTensorData gradient) {
        try (Tensor<?> now = cg.model.snapshot(cg.model.graph.variables.get(id))) {
            double[] values = new double[(int) now.numElements()];
            now.doubleData().flatten().copyTo(values);
            for (int n = 0; n < values.length; n++) {
                double kept = values[n];
                values[n] = kept + STEP;
                set(cg, id, values, now.shape());
                double above = loss(cg, in, loss);
                values[n] = kept - STEP;
                set(cg, id, values, now.shape());
                double below = loss(cg, in, loss);
                values[n] = kept;
                set(cg, id, values, now.shape());
                double difference = (above - below) / (2 * STEP);
                assertEquals(difference, gradient.get(n), 1e-6 * Math.max(1, Math.abs(difference)), "element " + n + " of t" + id);
            }
        }
    }

    private static double loss(ComputeGraph cg, In in, Sym loss) {
        try (Tensor<?> value = cg.eval(in, loss)) {
            return value.doubleData().get();
        }
    }

    private static final Axis SIX = Axis.of("X", 6);

    private static Map<String, Sym> names(Object... entries) {
        Map<String, Sym> names = new HashMap<>();
        for (int n = 0; n < entries.length; n += 2) {
            names.put((String) entries[n], (Sym) entries[n + 1]);
        }
        return names;
    }

    @Test
    void meanSquares() {
        check((t, x) -> t.comprehensions().meanSquare(x, t.tensor(Axis.of(6))), SIX);
        check((t, x) -> t.comprehensions().meanSquare(t.tensor(Axis.of(2), Axis.of(3)), x), Axis.of(2), Axis.of(3));
    }

    @Test
    void matrixProducts() {
        check((t, x) -> t.tensor(Axis.of(3), Axis.of(6)).matmul(x), SIX);
        check((t, x) -> t.tensor(Axis.of(4), Axis.of(2)).matmul(x).matmul(t.tensor(Axis.of(3), Axis.of(5))), Axis.of(2), Axis.of(3));
    }

    @Test
    void functions() {
        List<UnaryOperator<Sym>> functions = Arrays.asList(F::abs, F::exp, F::sin, F::cos, F::tanh, F::sigmoid, F::relu, F::erf,
            a -> F.sqrt(a.elementwise(a).plus(1)), a -> F.log(a.elementwise(a).plus(1)), Sym::neg);
        for (UnaryOperator<Sym> function : functions) {
            check((t, x) -> function.apply(x.plus(t.tensor(Axis.of(6)))), SIX);
        }
        check((t, x) -> F.floor(F.ceil(x)).plus(F.round(F.sign(x))).plus(t.tensor(Axis.of(6))), SIX);
    }

    @Test
    void layersOfLogitsWithSeveralLabels() {
        check((t, x) -> {
            Sym ids = t.inputInt(Axis.of(2), In.class, (in, data) -> data.put(new int[] {in.ids[0], in.ids[1]}));
            Sym perRow = t.comprehensions().softmaxCrossEntropy(x.plus(t.tensor(Axis.of(2), Axis.of(3))), ids);
            return t.comprehensions().meanSquare(perRow, perRow.times(2));
        }, Axis.of(2), Axis.of(3));
    }

    @Test
    void sharedWeights() {
        check((t, x) -> {
            Dense<Axis> layer = t.comprehensions().dense(Axis.of(6), x);
            Sym w = layer.weights();
            return w.matmul(layer.withTanh().output()).plus(layer.withSigmoid().output()).plus(layer.withoutActivation().output());
        }, SIX);
    }

    @Test
    void layersOfOnesOwn() {
        check((t, x) -> t.comprehension("s[i] += w[i,j] * x[j]; y[i] = tanh(s[i]) * w[i,0]",
            names("x", x, "w", t.tensor(), "y", t.tensor(Axis.of(4)))), SIX);
        check((t, x) -> {
            Sym a = t.tensor();
            Sym res = t.tensor(Axis.of(4));
            t.bindOnRight(a, Axis.of(4), x);
            return t.comprehension(new Sym[] {x}, new Sym[] {a}, new Sym[] {res}, tcb -> {
                LoopIndex i = tcb.newIndex("i");
                LoopIndex[] jx = tcb.newIndexRange(a.rank() - 1);
                tcb.add(res.at(i).assignSum(a.at(i, jx).times(x.at(jx))));
                tcb.add(res.at(i).assign(F.sigmoid(res.at(i))));
            });
        }, Axis.of(2), Axis.of(3));
    }

    @Test
    void denseLayers() {
        check((t, x) -> t.comprehensions().dense(Axis.of(4), t.comprehensions().dense(Axis.of(5), x).withTanh().output()).withSigmoid().output(),
            SIX);
        check((t, x) -> t.comprehensions().dense(Axis.of(3), x).output(), Axis.of(2), Axis.of(3));
    }

    @Test
    void softmaxAndItsLoss() {
        check((t, x) -> t.comprehensions().softmax(t.comprehensions().linear(Axis.of(4), x).output()), SIX);
        check((t, x) -> t.comprehensions().softmaxCrossEntropy(t.comprehensions().linear(Axis.of(4), x).output(),
            t.inputInt(In.class, (in, data) -> data.put(in.ids[0]))), SIX);
    }

    @Test
    void layerNorm() {
        check((t, x) -> t.comprehensions().layerNorm(t.comprehensions().linear(Axis.of(4), x).output(), 1e-3), SIX);
    }

    @Test
    void embedding() {
        check((t, x) -> t.comprehensions().embedding(t.tensor(Axis.of(3), Axis.of(2)),
            t.inputInt(Axis.of(3), In.class, (in, data) -> data.put(in.ids))), SIX);
    }

    @Test
    void operators() {
        check((t, x) -> {
            Sym w = t.tensor(Axis.of(6));
            Sym s = t.scalar();
            return F.exp(w.elementwise(x)).div(s.times(s).plus(2)).minus(w.neg()).plus(s);
        }, SIX);
    }

    @Test
    void convolutionsAndPools() {
        for (Padding padding : Padding.values()) {
            for (int[] strides : new int[][] {{1, 1}, {2, 1}}) {
                check((t, x) -> {
                    Sym convolved = t.comprehensions().conv2d(x, 2, new int[] {2, 2}, strides, padding);
                    return t.comprehensions().maxPool2d(convolved.neg(), new int[] {1, 2}, new int[] {1, 1}, padding);
                }, Axis.of(2), Axis.of(3), Axis.of(1));
            }
        }
    }

    @Test
    void poolsIgnoreWhatIsOutside() {
        poolOfMinusOne(2, 2);
        poolOfMinusOne(5, 2);
        poolOfMinusOne(Integer.MAX_VALUE, 2);
    }

    private static void poolOfMinusOne(int size, int stride) {
        TensorContext t = new TensorContext();
        Sym x = t.input(Axis.of(2), Axis.of(3), Axis.of(1), In.class, (in, data) -> data.flatten().put(in.x));
        Sym pooled = t.comprehensions().maxPool2d(x.times(0).minus(1), new int[] {size, size}, new int[] {stride, stride}, Padding.SAME);
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(pooled, pooled), pooled).compile();
                Tensor<?> value = cg.eval(new In(), pooled); AnyTensor<?> both = cg.evalAll(Arrays.asList(new In(), new In()), pooled)) {
            assertEquals("FLOAT[2] [-1., -1.]", value.floatData().flatten().toString());
            assertEquals("FLOAT[4] [-1., -1., -1., -1.]", both.floatData().flatten().toString());
        }
    }
}
