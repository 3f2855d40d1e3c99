package io.tensornio.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.axes.NamedTensor;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.Minibatch;
import io.tensornio.graph.SGD;
import io.tensornio.graph.Sym1;
import io.tensornio.graph.Sym2;
import io.tensornio.graph.Sym;
import io.tensornio.graph.SymSequence;
import io.tensornio.graph.TensorContext;
import io.tensornio.graph.TensorGraph;
import io.tensornio.op.Operand;
import io.tensornio.op.Ops;
import io.tensornio.support.Expect;
import io.tensornio.value.SequenceOps;
import io.tensornio.value.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.function.Executable;

/** Computations of a random program, each against loops over arrays: of small integers and halves of them, which floats have exactly. */
final class Computed {
    private static final float RATE = .25f;

    private Computed() {
    }

    /** One of the computations. */
    static void any(Random random, StringBuilder done) {
        switch (random.nextInt(6)) {
            case 0:
                descend(random, done);
                break;
            case 1:
                gradient(random, done);
                break;
            case 2:
                named(random, done);
                break;
            case 3:
                lists(random, done);
                break;
            default:
                product(random, done);
        }
    }

    /** Not 0: a sum of nothing but -0 is -0, where a loop that begins at 0 has 0. */
    private static int factor(Random random) {
        return (1 + random.nextInt(4)) * (random.nextBoolean() ? 1 : -1);
    }

    private static float[] vector(Random random, int size) {
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = factor(random);
        }
        return values;
    }

    private static float[][] matrix(Random random, int rows, int columns) {
        float[][] values = new float[rows][];
        Arrays.setAll(values, i -> vector(random, columns));
        return values;
    }

    private static float dot(float[] a, float... b) {
        float sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /** Products of a matrix and a vector, in three ways that must agree. */
    private static void product(Random random, StringBuilder done) {
        int rows = 1 + random.nextInt(6);
        int columns = 1 + random.nextInt(40);
        done.append(" product of ").append(rows).append(" by ").append(columns);
        float[][] a = matrix(random, rows, columns);
        float[] x = vector(random, columns);
        float[] y = new float[rows];
        for (int i = 0; i < rows; i++) {
            y[i] = dot(a[i], x);
        }
        FloatTensorData expected = FloatTensorData.of(y);
        try (Tensor<Float> matrix = Tensors.ofNested(a); Tensor<Float> vector = Tensors.ofNested(x)) {
            switch (random.nextInt(3)) {
                case 0:
                    try (Results results = Comprehension.of("y[i] += A[i,j] * x[j]").run(matrix, vector)) {
                        assertEquals(expected, results.floatTensor("y").floatData());
                    }
                    break;
                case 1:
                    try (Ops tf = Ops.create()) {
                        assertEquals(expected, tf.reduce.sum(tf.math.mul(tf.constant(a), tf.constant(x)), 1).asTensor().floatData());
                    }
                    break;
                default: {
                    Axis i = Axis.of("I", rows);
                    Axis j = Axis.of("J", columns);
                    try (NamedTensor product = NamedTensor.of(matrix, i, j).times(NamedTensor.of(vector, j)).sum(j)) {
                        assertEquals(expected, product.floatData());
                    }
                }
            }
        }
    }

    /** Halves are exact in floats, which leaves nothing but the sign of 0 to differ. */
    private static void assertNumbers(double[] expected, Tensor<?> actual) {
        assertArrayEquals(expected, actual.floatData().stream().toArray(), 1e-9);
    }

    /** The squared error of a product and its gradient, among eager operations. */
    private static void gradient(Random random, StringBuilder done) {
        int rows = 1 + random.nextInt(6);
        int columns = 1 + random.nextInt(20);
        done.append(" gradient of ").append(rows).append(" by ").append(columns);
        float[][] a = matrix(random, rows, columns);
        float[] w = vector(random, columns);
        float[] b = vector(random, rows);
        double error = 0;
        double[] slopes = new double[columns];
        for (int i = 0; i < rows; i++) {
            float off = dot(a[i], w) - b[i];
            error += off * off;
            for (int k = 0; k < columns; k++) {
                slopes[k] += 2 * off * a[i][k];
            }
        }
        Comprehension loss = Comprehension.of("p[i] += A[i,k] * w[k]; e += (p[i] - b[i])^2; return e").gradient("e", "w");
        try (Ops tf = Ops.create()) {
            Map<String, Operand<?>> both = tf.applyAll(loss, tf.constant(a), tf.constant(w), tf.constant(b));
            assertNumbers(new double[] {error}, both.get("e").asTensor());
            assertNumbers(slopes, both.get("dw").asTensor());
        }
    }

    /** Steps with named axes, which are one expression in the end. */
    private static void named(Random random, StringBuilder done) {
        int rows = 1 + random.nextInt(5);
        int columns = 1 + random.nextInt(9);
        done.append(" named axes ").append(rows).append(" by ").append(columns);
        Axis i = Axis.of("I", rows);
        Axis j = Axis.of("J", columns);
        float[][] model = matrix(random, rows, columns);
        try (Tensor<Float> first = Tensors.ofNested(model)) {
            NamedTensor x = NamedTensor.of(first, i, j);
            for (int steps = random.nextInt(4); steps > 0; steps--) {
                int way = random.nextInt(3);
                boolean along = random.nextBoolean();
                done.append(' ').append(way).append(along ? 'I' : 'J');
                float[] values = vector(random, along ? rows : columns);
                NamedTensor other = NamedTensor.of(FloatTensorData.of(values), along ? i : j);
                x = way == 0 ? x.plus(other) : way == 1 ? x.minus(other) : x.times(other);
                for (int r = 0; r < rows; r++) {
                    for (int c = 0; c < columns; c++) {
                        float value = values[along ? r : c];
                        model[r][c] = way == 0 ? model[r][c] + value : way == 1 ? model[r][c] - value : model[r][c] * value;
                    }
                }
            }
            ended(x, i, j, random.nextInt(3), model);
        }
    }

    private static void ended(NamedTensor x, Axis i, Axis j, int way, float[]... model) {
        IntStream columns = IntStream.range(0, model[0].length);
        switch (way) {
            case 0:
                try (NamedTensor turned = x.order(j, i); Tensor<Float> result = turned.floatTensor()) {
                    assertNumbers(columns.boxed().flatMapToDouble(c -> Arrays.stream(model).mapToDouble(row -> row[c])).toArray(), result);
                }
                break;
            case 1:
                try (NamedTensor sums = x.sum(i); Tensor<Float> result = sums.floatTensor()) {
                    assertNumbers(columns.mapToDouble(c -> Arrays.stream(model).mapToDouble(row -> row[c]).sum()).toArray(), result);
                }
                break;
            default:
                try (NamedTensor largest = x.max(j); Tensor<Float> result = largest.floatTensor()) {
                    assertNumbers(Arrays.stream(model).mapToDouble(row -> FloatTensorData.of(row).stream().max().getAsDouble()).toArray(), result);
                }
        }
    }

    /** A layer without activation, one step down the mean of squares, and its parameters saved and loaded. */
    private static void descend(Random random, StringBuilder done) {
        int in = 1 + random.nextInt(5);
        int out = 1 << random.nextInt(2);
        int examples = 1 << random.nextInt(3);
        done.append(" step of ").append(examples).append(" examples from ").append(in).append(" to ").append(out);
        float[][] a = matrix(random, out, in);
        float[] b = vector(random, out);
        List<float[]> all = Arrays.asList(matrix(random, examples, in));
        List<float[]> errors = new ArrayList<>();
        double loss = 0;
        double[] next = new double[out * in];
        for (float[] x : all) {
            float[] error = new float[out];
            errors.add(error);
            for (int i = 0; i < out; i++) {
                error[i] = dot(a[i], x) + b[i];             // of 0, which is right
                loss += error[i] * error[i] / (examples * out);
                for (int j = 0; j < in; j++) {
                    next[i * in + j] -= RATE * 2 * error[i] * x[j] / (examples * out);
                }
            }
        }
        for (int n = 0; n < next.length; n++) {
            next[n] += a[n / in][n % in];
        }

        TensorContext t = new TensorContext();
        Sym1<Axis> x = t.input(Axis.of("in", in), float[].class, (example, data) -> data.put(example));
        Sym right = t.constant(FloatTensorData.of(new float[out]));
        Sym2<?, ?> weights = t.tensor2();
        Sym1<Axis> bias = t.tensor(Axis.of("out", out));
        Sym y = weights.times(x).plus(bias);
        TensorGraph graph = new TensorGraph(t.comprehensions().meanSquare(right, y));
        try (ComputeGraph cg = graph.compile(); ComputeGraph loaded = graph.compile()) {
            cg.set(weights, FloatTensorData.of(flat(a), out, in));
            cg.set(bias, FloatTensorData.of(b));
            int n = random.nextInt(examples);
            try (Tensor<?> estimate = cg.eval(all.get(n), y)) {
                assertNumbers(FloatTensorData.of(errors.get(n)).stream().toArray(), estimate);
            }
            assertEquals(loss, SGD.of(cg).rate(RATE).step(Minibatch.inOrder(all, examples)), 1e-9);
            ByteArrayOutputStream saved = new ByteArrayOutputStream();
            cg.save(saved);
            loaded.load(new ByteArrayInputStream(saved.toByteArray()));
            try (Tensor<?> now = loaded.get(weights)) {
                assertNumbers(next, now);
            }
        }
    }

    private static float[] flat(float[]... rows) {
        float[] all = new float[rows.length * rows[0].length];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(rows[i], 0, all, i * rows[i].length, rows[i].length);
        }
        return all;
    }

    /** A list of vectors that items come to and leave, by itself and in a graph; joined and split again. */
    private static void lists(Random random, StringBuilder done) {
        int steps = 1 + random.nextInt(6);
        done.append(" list of ").append(steps).append(" steps");
        List<float[]> model = new ArrayList<>();
        List<Tensor<Float>> made = new ArrayList<>();
        try {
            Value list = SequenceOps.empty(DataType.FLOAT);
            for (; steps > 0; steps--) {
                if (!model.isEmpty() && random.nextInt(4) == 0) {
                    int at = random.nextInt(model.size());
                    boolean fromEnd = random.nextBoolean();
                    list = SequenceOps.erase(list, fromEnd ? at - model.size() : at);
                    model.remove(at);
                } else {
                    float[] item = vector(random, 1 + random.nextInt(4));
                    made.add(Tensors.ofNested(item));
                    int at = random.nextInt(model.size() + 1);
                    list = SequenceOps.insert(list, made.get(made.size() - 1), at);
                    model.add(at, item);
                }
            }
            assertEquals(model.size(), SequenceOps.length(list));
            Expect.thrown(IndexOutOfBoundsException.class, at(list, model.size()), String.valueOf(model.size()));
            if (!model.isEmpty()) {
                joined(list, model);
            }
        } finally {
            made.forEach(Tensor::close);
        }
    }

    private static Executable at(Value list, int position) {
        return () -> SequenceOps.at(list, position);
    }

    private static void joined(Value list, List<float[]> model) {
        double[] all = model.stream().flatMapToDouble(item -> FloatTensorData.of(item).stream()).toArray();
        long[] sizes = model.stream().mapToLong(item -> item.length).toArray();
        try (Tensor<?> whole = SequenceOps.concatFromSequence(list, 0, false); Value parts = SequenceOps.splitToSequence(whole, 0, sizes)) {
            assertNumbers(all, whole);
            assertEquals(list, parts);
        }
        TensorContext t = new TensorContext();
        SymSequence items = t.sequence("items", DataType.FLOAT);
        Sym twice = items.map(item -> item.plus(item)).concat(0, false).named("twice");
        try (ComputeGraph cg = TensorGraph.of(twice).compile(); Value result = cg.run(Collections.singletonMap("items", list)).get("twice")) {
            assertNumbers(Arrays.stream(all).map(value -> 2 * value).toArray(), (Tensor<?>) result.asTensor());
        }
    }
}
