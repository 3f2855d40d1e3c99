package io.tensornio.examples;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.graph.CGInit;
import io.tensornio.graph.Comprehensions;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.Dense;
import io.tensornio.graph.Minibatch;
import io.tensornio.graph.SGD;
import io.tensornio.graph.Sym;
import io.tensornio.graph.Sym1;
import io.tensornio.graph.TensorContext;
import io.tensornio.graph.TensorGraph;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A network that tells handwritten digits: 64 pixels, a layer of 128, and 10 classes. */
final class Classifier implements AutoCloseable {
    private static final int PIXELS = Digits.SIDE * Digits.SIDE;
    private static final float WHITE = 16;
    private static final int BATCH = 64;
    private static final int BAR = 20;

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

    private static final class DX extends Axis {
        DX() {
            super("pixel", PIXELS);
        }
    }

    private static final class DH extends Axis {
        DH() {
            super("hidden", 128);
        }
    }

    private static final class DC extends Axis {
        DC() {
            super("class", Digits.CLASSES);
        }
    }

    /** The mean loss of each epoch so far. */
    final List<Double> losses = new ArrayList<>();
    private final Sym1<DC> logits;
    private final ComputeGraph graph;

    /** A network whose first weights hang on a seed. */
    Classifier(long seed) {
        TensorContext t = new TensorContext();
        Comprehensions layers = t.comprehensions();
        Sym1<DX> pixels = t.input(new DX(), Example.class, (example, data) -> data.put(example.pixels));
        Sym label = t.inputInt(Example.class, (example, data) -> data.put(example.label));
        Dense<DH> hidden = layers.dense(new DH(), pixels);
        logits = layers.linear(new DC(), hidden.output()).output();
        graph = new TensorGraph(layers.softmaxCrossEntropy(logits, label)).compile();
        CGInit.glorot(graph, seed);
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

    /** What is told of each step. */
    interface Progress {
        /** A line that takes the place of the last; it is complete once an epoch is. */
        void show(String line, boolean isComplete);
    }

    /** Trains for some epochs, and tells how many of the digits that are held out it knows then. */
    void train(List<Example> known, List<Example> heldOut, int epochs, Progress progress) {
        SGD descent = SGD.adam(graph).rate(.003);
        Minibatch minibatch = Minibatch.of(known, BATCH, 1);
        int steps = (known.size() - 1) / BATCH + 1;
        for (int n = 1; n <= epochs; n++) {
            int epoch = n;
            double[] mean = descent.train(minibatch, 1, (e, step, loss) ->
                progress.show(String.format("epoch %2d/%d  [%s]  loss %.4f", epoch, epochs, bar(step + 1, steps), loss), false));
            losses.add(mean[0]);
            progress.show(String.format("epoch %2d/%d  [%s]  loss %.4f  accuracy %.2f %%", epoch, epochs, bar(steps, steps), mean[0],
                100 * accuracy(heldOut)), true);
        }
    }

    private static String bar(long done, long all) {
        int full = (int) (BAR * done / all);
        return String.join("", Collections.nCopies(full, "=")) + String.join("", Collections.nCopies(BAR - full, " "));
    }

    /** Which number each digit shows. */
    int[] classify(List<Example> examples) {
        int[] classes = new int[examples.size()];
        try (Tensor<?> all = graph.evalAll(examples, logits)) {
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
