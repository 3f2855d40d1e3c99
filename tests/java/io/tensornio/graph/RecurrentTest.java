package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Recurrent layers against PyTorch's, whose numbers are in {@code tests/files/recurrent.txt}, made by {@code recurrent.py} beside it. */
@ExtendWith(MemoryBalance.class)
class RecurrentTest {
    private static final int STEPS = 5;
    private static final int FEATURES = 3;
    private static final int UNITS = 4;

    /** The numbers that {@code recurrent.py} makes, too. */
    private static double[] values(int count, double start) {
        double[] values = new double[count];
        Arrays.setAll(values, k -> .6 * Math.sin(start + .7 * k));
        return values;
    }

    private static double[] sum(double[] a, double... b) {
        double[] sum = a.clone();
        for (int k = 0; k < b.length; k++) {
            sum[k] += b[k];
        }
        return sum;
    }

    private static double[] all(AnyTensor<?> tensor) {
        double[] elements = new double[(int) tensor.numElements()];
        tensor.doubleData().flatten().copyTo(elements);
        return elements;
    }

    /** What PyTorch gives, by name. */
    private static Map<String, double[]> expected(String layer) throws IOException {
        Map<String, double[]> all = new HashMap<>();
        for (String line : Files.readAllLines(Paths.get("tests/files/recurrent.txt"), StandardCharsets.UTF_8)) {
            String[] words = line.split(" ");
            if (words[0].equals(layer)) {
                all.put(words[1], Arrays.stream(words).skip(2).mapToDouble(Double::parseDouble).toArray());
            }
        }
        return all;
    }

    private final TensorContext t = new TensorContext(DataType.DOUBLE);
    private final Sym x = t.input("x", DataType.DOUBLE, Axis.of("steps", STEPS), Axis.of("features", FEATURES));
    private final Sym1<Axis> h = t.tensor(Axis.of("h", UNITS));
    private final Sym1<Axis> c = t.tensor(Axis.of("c", UNITS));

    private static void set(ComputeGraph cg, Sym sym, double[] values, long... shape) {
        cg.model.set(sym.variable, DoubleTensorData.of(values, shape));
    }

    /** The outputs, and the gradients of the mean of their squares, which are PyTorch's of the sum of their squares divided by their number. */
    private void check(String name, Recurrent layer, Map<Sym, String> gradients) throws IOException {
        Sym y = layer.output();
        Map<String, double[]> expected = expected(name);
        boolean hasCell = name.equals("LSTM");
        int gates = (hasCell ? 4 : 3) * UNITS;
        Map<Sym, DoubleTensorData> columns = Collections.singletonMap(x, DoubleTensorData.of(values(STEPS * FEATURES, 9), 1, STEPS, FEATURES));
        Sym last = layer.last();
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(y, y.times(0)), y, last).compile()) {
            set(cg, layer.weights(), values(gates * FEATURES, 1), gates, FEATURES);
            set(cg, layer.recurrentWeights(), values(gates * UNITS, 2), gates, UNITS);
            double[] hidden = values(gates, 4);
            if (!hasCell) {
                set(cg, layer.hiddenBias(), Arrays.copyOfRange(hidden, 2 * UNITS, gates), UNITS);
                hidden = Arrays.copyOf(hidden, 2 * UNITS);
            }
            set(cg, layer.bias(), sum(values(gates, 3), hidden), gates);
            set(cg, h, values(UNITS, 7), UNITS);
            if (hasCell) {
                set(cg, c, values(UNITS, 8), UNITS);
            }
            try (AnyTensor<?> made = cg.evalAll(columns, y); AnyTensor<?> end = cg.evalAll(columns, last)) {
                assertArrayEquals(new long[] {1, STEPS, UNITS}, made.shape());
                assertArrayEquals(expected.get("y"), all(made), 1e-12);
                assertArrayEquals(Arrays.copyOfRange(expected.get("y"), (STEPS - 1) * UNITS, STEPS * UNITS), all(end), 1e-12);
            }
            try (Gradients found = cg.gradients(Minibatch.columns(columns, 1, 1))) {
                for (Map.Entry<Sym, String> each : gradients.entrySet()) {
                    double[] scaled = Arrays.stream(expected.get(each.getValue())).map(v -> v / (STEPS * UNITS)).toArray();
                    double[] own = all(found.get(each.getKey().id()));
                    assertArrayEquals(own.length < scaled.length ? Arrays.copyOfRange(scaled, scaled.length - own.length, scaled.length) : scaled,
                        own, 1e-12, each.getValue());
                }
            }
        }
    }

    @Test
    void anLstmIsThatOfPyTorch() throws IOException {
        Recurrent layer = t.comprehensions().lstm(UNITS, x).from(h, c);
        Map<Sym, String> gradients = new HashMap<>();
        gradients.put(layer.weights(), "W");
        gradients.put(layer.recurrentWeights(), "U");
        gradients.put(layer.bias(), "b_ih");
        gradients.put(h, "h");
        gradients.put(c, "c");
        check("LSTM", layer, gradients);
    }

    @Test
    void aGruIsThatOfPyTorch() throws IOException {
        Recurrent layer = t.comprehensions().gru(UNITS, x).from(h);
        Map<Sym, String> gradients = new HashMap<>();
        gradients.put(layer.weights(), "W");
        gradients.put(layer.recurrentWeights(), "U");
        gradients.put(layer.bias(), "b_ih");
        gradients.put(layer.hiddenBias(), "b_hh");
        gradients.put(h, "h");
        check("GRU", layer, gradients);
    }

    @Test
    void withoutAFirstOutputItIs0() {
        Recurrent layer = t.comprehensions().lstm(UNITS, x);
        Recurrent from = layer.from(h);
        double[] values = values(STEPS * FEATURES, 9);
        Map<Sym, DoubleTensorData> columns = Collections.singletonMap(x, DoubleTensorData.of(values, 1, STEPS, FEATURES));
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(layer.output(), from.output()), layer.output()).compile()) {
            set(cg, layer.weights(), values(4 * UNITS * FEATURES, 1), 4 * UNITS, FEATURES);
            set(cg, h, new double[UNITS], UNITS);
            try (Gradients gradients = cg.gradients(Minibatch.columns(columns, 1, 1))) {
                assertEquals(0, gradients.loss());
            }
        }
    }

    @Test
    void misuseIsNamed() {
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehensions().gru(UNITS, x).from(h, c),
            "a GRU has no cell; it begins with its output alone, as in from(h0)");
        Expect.thrown(IllegalStateException.class, () -> t.comprehensions().lstm(UNITS, x).hiddenBias(),
            "an LSTM has one bias for each gate, bias()");
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehensions().lstm(0, x), "lstm: 0 units");
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehensions().lstm(2, h), "lstm is over (steps, features), not over");
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehensions().lstm(2, x).from(x), "h0 is of (units), not of");
        Sym other = new TensorContext().scalar();
        Expect.thrown(IllegalArgumentException.class, () -> t.comprehensions().gru(2, x).from(other), "is of another context");
    }

    @Test
    void tensorsMayHaveTheWordsOfScansAsNames() {
        TensorContext own = new TensorContext(DataType.DOUBLE);
        Sym in = own.input("in", DataType.DOUBLE, Axis.of("steps", 3));
        Sym out = own.tensor(Axis.of("steps", 3));
        Map<String, Sym> tensors = new HashMap<>();
        tensors.put("scan", in);
        tensors.put("end", out);
        own.comprehension("scan down down; init[down] = init[down+1]*2 + scan[down]; end[down] = init[down]; init init = 1; end", tensors);
        Map<Sym, DoubleTensorData> columns = Collections.singletonMap(in, DoubleTensorData.of(new double[] {1, 2, 3, 4, 5, 6}, 2, 3));
        try (ComputeGraph cg = new TensorGraph(own.comprehensions().meanSquare(out, out), out).compile();
             AnyTensor<?> made = cg.evalAll(columns, out)) {
            assertArrayEquals(new double[] {25, 12, 5, 46, 21, 8}, all(made));
        }
    }
}
