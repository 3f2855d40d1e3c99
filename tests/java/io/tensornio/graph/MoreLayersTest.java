package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.TensorData;
import io.tensornio.op.Padding;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Layers against loops, their gradients against differences; tables and pictures of graphs; evaluation of columns. */
@ExtendWith(MemoryBalance.class)
class MoreLayersTest {
    private static double[] all(AnyTensor<?> tensor) {
        try (AnyTensor<?> own = tensor) {
            double[] elements = new double[(int) own.numElements()];
            own.doubleData().flatten().copyTo(elements);
            return elements;
        }
    }

    /** A layer of an input of given axes, in DOUBLE, whose parameters are random. */
    private static final class Net implements AutoCloseable {
        final TensorContext t = new TensorContext(DataType.DOUBLE);
        final Sym x;
        final Sym y;
        final Sym loss;
        final ComputeGraph cg;

        Net(BiFunction<TensorContext, Sym, Sym> layer, Axis... axes) {
            x = t.input("x", DataType.DOUBLE, axes);
            y = layer.apply(t, x);
            Sym zero = y.times(0);
            loss = t.comprehensions().meanSquare(y, zero);
            cg = new TensorGraph(loss, y).compile();
            Random random = new Random(6);
            cg.parameters().forEach((id, tensor) -> {
                long[] shape = tensor.shape();
                set(id, random.doubles(tensor.numElements()).map(v -> v - .4).toArray(), shape);
                tensor.close();
            });
        }

        void set(int id, double[] values, long... shape) {
            cg.model.set(cg.model.graph.variables.get(id), DoubleTensorData.of(values, shape));
        }

        double[] parameter(int below) {
            return all(cg.model.snapshot(cg.model.graph.variables.get(y.id() - below)));
        }

        double[] of(double... values) {
            return all(cg.evalAll(Collections.singletonMap(x, DoubleTensorData.of(values, shape())), y));
        }

        long[] shape() {
            long[] shape = new long[x.rank() + 1];
            shape[0] = 1;
            for (int n = 1; n < shape.length; n++) {
                shape[n] = x.axes().get(n - 1).length();
            }
            return shape;
        }

        /** Gradients by parameters against central differences. */
        void differ(double... values) {
            Map<Sym, TensorData<?>> columns = Collections.singletonMap(x, DoubleTensorData.of(values, shape()));
            try (Gradients gradients = cg.gradients(Minibatch.columns(columns, 1, 1))) {
                assertTrue(!gradients.ids().isEmpty());
                for (int id : gradients.ids()) {
                    long[] shape = gradients.get(id).shape();
                    double[] now = all(cg.model.snapshot(cg.model.graph.variables.get(id)));
                    double[] gradient = new double[now.length];
                    gradients.get(id).doubleData().flatten().copyTo(gradient);
                    for (int n = 0; n < now.length; n++) {
                        double kept = now[n];
                        now[n] = kept + 1e-5;
                        set(id, now, shape);
                        double above = all(cg.evalAll(columns, loss))[0];
                        now[n] = kept - 1e-5;
                        set(id, now, shape);
                        double below = all(cg.evalAll(columns, loss))[0];
                        now[n] = kept;
                        set(id, now, shape);
                        assertEquals((above - below) / 2e-5, gradient[n], 1e-6, "element " + n + " of t" + id);
                    }
                }
            }
        }

        @Override
        public void close() {
            cg.close();
        }
    }

    private static double[] random(int count) {
        return new Random(count).doubles(count).map(v -> v - .5).toArray();
    }

    @Test
    void rmsNormIsItsFormula() {
        try (Net net = new Net((t, x) -> t.comprehensions().rmsNorm(x, 1e-3), Axis.of(2), Axis.of(3))) {
            double[] x = random(6);
            double[] scale = net.parameter(1);
            double[] expected = new double[6];
            for (int n = 0; n < 6; n++) {
                int from = n / 3 * 3;
                double mean = (x[from] * x[from] + x[from + 1] * x[from + 1] + x[from + 2] * x[from + 2]) / 3;
                expected[n] = x[n] / Math.sqrt(mean + 1e-3) * scale[n % 3];
            }
            assertArrayEquals(expected, net.of(x), 1e-9);
            net.differ(x);
        }
    }

    @Test
    void residualAddsWhatIsMade() {
        try (Net net = new Net((t, x) -> t.comprehensions().residual(x, v -> v.times(2)), Axis.of(3))) {
            assertArrayEquals(new double[] {3, 6, 9}, net.of(1, 2, 3), 1e-12);
        }
    }

    @Test
    void averagesOfWindows() {
        for (Padding padding : Padding.values()) {
            try (Net net = new Net((t, x) -> t.comprehensions().avgPool2d(x, new int[] {3, 2}, new int[] {2, 1}, padding), Axis.of(5), Axis.of(4),
                    Axis.of(2))) {
                double[] x = random(40);
                int high = padding == Padding.SAME ? 3 : 2;
                int wide = padding == Padding.SAME ? 4 : 3;
                int above = padding == Padding.SAME ? 1 : 0;
                double[] expected = new double[high * wide * 2];
                for (int n = 0; n < expected.length; n++) {
                    int count = 0;
                    for (int r = 0; r < 3; r++) {
                        for (int q = 0; q < 2; q++) {
                            int row = n / 2 / wide * 2 + r - above;
                            int column = n / 2 % wide + q;
                            if (row >= 0 && row < 5 && column < 4) {
                                expected[n] += x[(row * 4 + column) * 2 + n % 2];
                                count++;
                            }
                        }
                    }
                    expected[n] /= count;
                }
                assertArrayEquals(expected, net.of(x), 1e-9);
            }
        }
        try (Net net = new Net((t, x) -> t.comprehensions().globalAvgPool(x), Axis.of(2), Axis.of(2), Axis.of(2))) {
            assertArrayEquals(new double[] {4, 5}, net.of(1, 2, 3, 4, 5, 6, 7, 8), 1e-12);
        }
    }

    @Test
    void convolutionsAlongOneAxis() {
        for (Padding padding : Padding.values()) {
            try (Net net = new Net((t, x) -> t.comprehensions().conv1d(x, 2, 3, 2, padding), Axis.of(7), Axis.of(2))) {
                double[] x = random(14);
                double[] filters = net.parameter(2);
                double[] bias = net.parameter(1);
                int steps = padding == Padding.SAME ? 4 : 3;
                int before = padding == Padding.SAME ? 1 : 0;
                double[] expected = new double[steps * 2];
                for (int n = 0; n < expected.length; n++) {
                    expected[n] = bias[n % 2];
                    for (int r = 0; r < 3; r++) {
                        for (int c = 0; c < 2; c++) {
                            int at = n / 2 * 2 + r - before;
                            expected[n] += at < 0 || at >= 7 ? 0 : x[at * 2 + c] * filters[(r * 2 + c) * 2 + n % 2];
                        }
                    }
                }
                assertArrayEquals(expected, net.of(x), 1e-9);
                net.differ(x);
            }
        }
    }

    @Test
    void bagsOfRows() {
        TensorContext t = new TensorContext(DataType.DOUBLE);
        Sym ids = t.input("ids", DataType.INT64, Axis.of(2), Axis.of(3));
        Sym weights = t.input("weights", DataType.DOUBLE, Axis.of(2), Axis.of(3));
        Sym table = t.tensor(Axis.of(4), Axis.of(2));
        Sym plain = t.comprehensions().embeddingBag(table, ids);
        Sym weighted = t.comprehensions().embeddingBag(table, ids, weights);
        try (ComputeGraph cg = TensorGraph.of(plain, weighted).compile()) {
            cg.set(table, DoubleTensorData.of(new double[] {1, 2, 3, 4, 5, 6, 7, 8}, 4, 2));
            Map<Sym, TensorData<?>> columns = new HashMap<>();
            columns.put(ids, LongTensorData.of(new long[] {0, 1, 1, 3, 2, 0}, 1, 2, 3));
            columns.put(weights, DoubleTensorData.of(new double[] {1, 2, 3, 0, 1, -1}, 1, 2, 3));
            assertArrayEquals(new double[] {7, 10, 13, 16}, all(cg.evalAll(columns, plain)), 1e-12);
            assertArrayEquals(new double[] {16, 22, 4, 4}, all(cg.evalAll(columns, weighted)), 1e-12);
        }
    }

    private static double[] attention(double[] x, double[][] w, int positions, int features, int heads, boolean[] takesPart) {
        int own = features / heads;
        double[] made = new double[positions * features];
        for (int h = 0; h < heads; h++) {
            double[][] projected = new double[3][positions * own];
            for (int p = 0; p < 3; p++) {
                for (int n = 0; n < positions * own; n++) {
                    for (int d = 0; d < features; d++) {
                        projected[p][n] += w[p][(h * own + n % own) * features + d] * x[n / own * features + d];
                    }
                }
            }
            for (int i = 0; i < positions; i++) {
                double[] power = new double[positions];
                double total = 0;
                for (int j = 0; j < positions; j++) {
                    double product = 0;
                    for (int f = 0; f < own; f++) {
                        product += projected[0][i * own + f] * projected[1][j * own + f];
                    }
                    power[j] = takesPart[i * positions + j] ? Math.exp(product / Math.sqrt(own)) : 0;
                    total += power[j];
                }
                for (int d = 0; d < features && total > 0; d++) {
                    for (int f = 0; f < own; f++) {
                        for (int j = 0; j < positions; j++) {
                            made[i * features + d] += w[3][(d * heads + h) * own + f] * power[j] / total * projected[2][j * own + f];
                        }
                    }
                }
            }
        }
        return made;
    }

    @Test
    void attentionIsItsFormula() {
        boolean[] mask = {true, false, true, false, false, false, true, true, true};
        for (int kind = 0; kind < 3; kind++) {
            int which = kind;
            boolean[] takesPart = new boolean[9];
            for (int n = 0; n < 9; n++) {
                takesPart[n] = kind == 0 || (kind == 1 ? n % 3 <= n / 3 : mask[n]);
            }
            try (Net net = new Net((t, x) -> {
                Attention plain = t.comprehensions().attention(x, x, x, 2);
                return which == 0 ? plain.output() : which == 1 ? plain.causal().output()
                    : plain.mask(t.constant(io.tensornio.BooleanTensorData.of(mask, 3, 3))).output();
            }, Axis.of(3), Axis.of(4))) {
                int first = -1;
                double[][] w = new double[4][];
                for (int id : new java.util.TreeSet<>(net.cg.model.graph.variables.keySet())) {
                    if (net.cg.model.graph.variables.get(id).isParameter()) {
                        w[++first] = all(net.cg.model.snapshot(net.cg.model.graph.variables.get(id)));
                    }
                }
                double[] x = random(12);
                assertArrayEquals(attention(x, w, 3, 4, 2, takesPart), net.of(x), 1e-9);
                net.differ(x);
            }
        }
        Expect.thrown(IllegalArgumentException.class, () -> new Net((t, x) -> t.comprehensions().attention(x, x, x, 3).output(), Axis.of(3),
            Axis.of(4)).close(), "4 features", "3 heads");
    }

    @Test
    void columnsAreEvaluatedInChunks() {
        int count = 600;
        try (Net net = new Net((t, x) -> x.times(2), Axis.of(2))) {
            double[] x = random(2 * count);
            double[] twice = all(net.cg.evalAll(Collections.singletonMap(net.x, DoubleTensorData.of(x, count, 2)), net.y));
            for (int n = 0; n < x.length; n++) {
                assertEquals(2 * x[n], twice[n], 0);
            }
            Expect.thrown(IllegalArgumentException.class, () -> net.cg.evalAll(new HashMap<Sym, TensorData<?>>(), net.y), "has no column");
            Expect.thrown(IllegalArgumentException.class, () -> net.cg.evalAll(Collections.singletonMap(net.x, IntTensorData.of(new int[6], 3, 2)),
                net.y), "INT32");
        }
    }

    @Test
    void tablesAndPictures() {
        TensorContext t = new TensorContext();
        Sym x = t.input("pixels", DataType.FLOAT, Axis.of("X", 4));
        Dense<Axis> layer = t.comprehensions().linear(Axis.of("H", 3), t.comprehensions().batchNorm(x));
        TensorGraph graph = new TensorGraph(t.comprehensions().meanSquare(layer.output(), layer.output()));
        String dot = graph.toDot();
        assertTrue(dot.startsWith("digraph {"), dot);
        assertTrue(dot.contains("label=\"pixels\\n[X=4]\"") && dot.contains("label=\"batchNorm(pixels)\"") && dot.contains("style=dashed"), dot);
        try (ComputeGraph cg = graph.compile()) {
            String table = cg.summary();
            assertTrue(table.endsWith("23 elements of parameters, 8 of states\n"), table);
            assertTrue(Arrays.stream(table.split("\n")).anyMatch(line -> line.matches("pixels +input +FLOAT +\\[X=4\\]")), table);
            assertTrue(Arrays.stream(table.split("\n")).anyMatch(line -> line.matches("t\\d+ +parameter +FLOAT +\\[H=3, X=4\\] +12")), table);
        }
    }
}
