package io.tensornio.examples;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.graph.CGInit;
import io.tensornio.graph.Comprehensions;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.History;
import io.tensornio.graph.Metric;
import io.tensornio.graph.Minibatch;
import io.tensornio.graph.ProgressListener;
import io.tensornio.graph.SGD;
import io.tensornio.graph.Sym;
import io.tensornio.graph.Sym1;
import io.tensornio.graph.TensorContext;
import io.tensornio.graph.TensorGraph;
import io.tensornio.graph.Training;
import io.tensornio.op.Padding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A convolutional network that tells handwritten digits, with batch normalization and dropout. */
final class Classifier implements AutoCloseable {
    private static final int PIXELS = Digits.SIDE * Digits.SIDE;
    private static final float WHITE = 16;
    private static final int BATCH = 64;
    private static final int MANY = 256;
    private static final int FILTERS = 16;
    private static final double DROPPED = .25;
    private static final int TENTH = 10;
    private static final int PATIENCE = 8;

    /** A digit and the number it shows. */
    static final class Example {
        final float[] pixels = new float[PIXELS];
        final int label;

        Example(String row) {
            String[] fields = row.split(",");
            for (int p = 0; p < PIXELS; p++) {
                pixels[p] = Float.parseFloat(fields[p]) / WHITE;
            }
            label = Digits.label(row);
        }
    }

    private static final class DC extends Axis {
        DC() {
            super("class", Digits.CLASSES);
        }
    }

    private final Sym label;
    private final Sym1<DC> logits;
    private final ComputeGraph graph;
    private final long seed;

    /** A network whose first weights, and what it drops in training, hang on a seed. */
    Classifier(long seed) {
        this.seed = seed;
        TensorContext t = new TensorContext();
        Comprehensions layers = t.comprehensions();
        Sym pixels = t.input(Axis.of("height", Digits.SIDE), Axis.of("width", Digits.SIDE), Axis.of("channel", 1), Example.class, (example, data) ->
            data.flatten().put(example.pixels));
        label = t.inputInt(Example.class, (example, data) -> data.put(example.label));
        Sym small = block(layers, block(layers, pixels, FILTERS), 2 * FILTERS);
        logits = layers.linear(new DC(), layers.dropout(small, DROPPED)).output();
        graph = new TensorGraph(layers.softmaxCrossEntropy(logits, label)).compile();
        CGInit.he(graph, seed);
    }

    /** Filters, batch normalization, the positive part, and the largest of each 2 x 2. */
    private static Sym block(Comprehensions layers, Sym x, int filters) {
        Sym filtered = layers.batchNorm(layers.conv2d(x, filters, new int[] {3, 3}, new int[] {1, 1}, Padding.SAME));
        return layers.maxPool2d(layers.relu(filtered), new int[] {2, 2}, new int[] {2, 2}, Padding.VALID);
    }

    /** The examples of all rows, in their order. */
    static List<Example> examples(List<String> rows) {
        List<Example> examples = new ArrayList<>();
        rows.forEach(row -> examples.add(new Example(row)));
        return examples;
    }

    /** The same examples in another order. */
    static List<Example> shuffled(List<Example> examples, long seed) {
        List<Example> shuffled = new ArrayList<>(examples);
        Collections.shuffle(shuffled, new Random(seed));
        return shuffled;
    }

    /**
     * Trains until a tenth of the digits, which it does not train on, are told no better for some epochs, and keeps what was best for these.
     *
     * @param best the file of the best parameters
     */
    History train(List<Example> known, int epochs, Path best, ProgressListener listener) {
        int split = known.size() - known.size() / TENTH;
        return Training.of(graph).optimizer(SGD.adam(graph).rate(.003).seed(seed)).epochs(epochs)
            .validate(Minibatch.inOrder(known.subList(split, known.size()), MANY), 1).metric(Metric.accuracy(logits, label))
            .stopEarly(PATIENCE).keepBest(best).listen(listener).run(Minibatch.of(known.subList(0, split), BATCH, 1));
    }

    /** What the network is made of. */
    String summary() {
        return graph.summary();
    }

    /** Which number each digit shows. */
    int[] classify(List<Example> examples) {
        int[] classes = new int[examples.size()];
        try (AnyTensor<?> all = graph.evalAll(examples, logits)) {
            FloatTensorData values = all.floatData();
            for (int n = 0; n < classes.length; n++) {
                for (int c = 1; c < Digits.CLASSES; c++) {
                    classes[n] = values.get(n, c) > values.get(n, classes[n]) ? c : classes[n];
                }
            }
        }
        return classes;
    }

    /** How many of the digits it knows, from 0 to 1. */
    double accuracy(List<Example> examples) {
        int[][] matrix = confusion(examples);
        int right = 0;
        for (int c = 0; c < Digits.CLASSES; c++) {
            right += matrix[c][c];
        }
        return (double) right / examples.size();
    }

    /** How often each digit, a row, was taken for each other, a column. */
    int[][] confusion(List<Example> examples) {
        int[][] matrix = new int[Digits.CLASSES][Digits.CLASSES];
        int[] classes = classify(examples);
        for (int n = 0; n < classes.length; n++) {
            matrix[examples.get(n).label][classes[n]]++;
        }
        return matrix;
    }

    void save(Path file) {
        graph.save(file);
    }

    void load(Path file) {
        graph.load(file);
    }

    @Override
    public void close() {
        graph.close();
    }
}
