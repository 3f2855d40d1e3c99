package io.tensornio.bench;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.compute.F;
import io.tensornio.graph.CGInit;
import io.tensornio.graph.Comprehensions;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.Minibatch;
import io.tensornio.graph.SGD;
import io.tensornio.graph.Sym;
import io.tensornio.graph.TensorContext;
import io.tensornio.graph.TensorGraph;
import io.tensornio.op.Padding;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Epochs of networks for digits of 8 x 8 pixels, whose yardsticks are those of {@code bench/python/training.py}; and what a step and an evaluation
 * cost besides arithmetic, of which the graph of the overheads has none to speak of.
 */
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TrainingBench extends Timed {
    /** As many as the digits of scikit-learn are. */
    private static final int EXAMPLES = 1797;
    private static final int SIDE = 8;
    private static final int CLASSES = 10;
    private static final int BATCH = 64;

    /** What is trained. */
    @State(Scope.Thread)
    public abstract static class Network {
        private final Random random = new Random(1);
        private Tensor<?> pixels;
        private Tensor<?> labels;
        private ComputeGraph cg;
        private SGD descent;
        private Minibatch minibatch;

        abstract Sym logits(Comprehensions layers, Sym image);

        /** Makes a network, and digits that are none. */
        @Setup
        public void make() {
            float[] noise = new float[EXAMPLES * SIDE * SIDE];
            for (int n = 0; n < noise.length; n++) {
                noise[n] = random.nextFloat();
            }
            int[] classes = random.ints(EXAMPLES, 0, CLASSES).toArray();
            pixels = FloatTensorData.of(noise, EXAMPLES, SIDE, SIDE, 1).copy();
            labels = IntTensorData.of(classes).copy();
            TensorContext t = new TensorContext();
            Sym image = t.input("image", DataType.FLOAT, Axis.of(SIDE), Axis.of(SIDE), Axis.of(1));
            Sym label = t.input("label", DataType.INT32);
            Sym logits = logits(t.comprehensions(), image);
            cg = new TensorGraph(t.comprehensions().softmaxCrossEntropy(logits, label)).compile();
            CGInit.glorot(cg, 1);
            descent = SGD.adam(cg);
            Map<Sym, TensorData<?>> columns = new HashMap<>();
            columns.put(image, pixels.floatData());
            columns.put(label, labels.intData());
            minibatch = Minibatch.columns(columns, BATCH, 1);
        }

        double epoch() {
            return descent.train(minibatch, 1, (epoch, step, loss) -> { })[0];
        }

        /** Closes all. */
        @TearDown
        public void close() {
            cg.close();
            pixels.close();
            labels.close();
        }
    }

    /** 64-128-10. */
    public static class Perceptron extends Network {
        @Override
        Sym logits(Comprehensions layers, Sym image) {
            return layers.linear(Axis.of(CLASSES), layers.dense(Axis.of(128), image).output()).output();
        }
    }

    /** Two convolutions of 3 x 3, with 16 and 32 filters, and a layer of what the largest of 2 x 2 are. */
    public static class Convolutional extends Network {
        @Override
        Sym logits(Comprehensions layers, Sym image) {
            int[] three = {3, 3};
            int[] two = {2, 2};
            int[] one = {1, 1};
            Sym first = F.relu(layers.conv2d(image, 16, three, one, Padding.SAME));
            Sym second = F.relu(layers.conv2d(first, 32, three, one, Padding.SAME));
            return layers.linear(Axis.of(CLASSES), layers.maxPool2d(second, two, two, Padding.VALID)).output();
        }
    }

    /** The same, each convolution normalised over the batch, and a half of what the layer reads dropped. */
    public static class Normalised extends Network {
        @Override
        Sym logits(Comprehensions layers, Sym image) {
            int[] three = {3, 3};
            int[] two = {2, 2};
            int[] one = {1, 1};
            Sym first = F.relu(layers.batchNorm(layers.conv2d(image, 16, three, one, Padding.SAME)));
            Sym second = F.relu(layers.batchNorm(layers.conv2d(first, 32, three, one, Padding.SAME)));
            return layers.linear(Axis.of(CLASSES), layers.dropout(layers.maxPool2d(second, two, two, Padding.VALID), 0.5)).output();
        }
    }

    /** An LSTM of 64 units over 100 steps of 64 features, 32 examples of them, and one number of its last output. */
    @State(Scope.Thread)
    public static class Sequences {
        private static final int STEPS = 100;
        private static final int UNITS = 64;
        private static final int EXAMPLES = 32;

        private Tensor<?> sequences;
        private Tensor<?> wanted;
        private ComputeGraph cg;
        private SGD descent;
        private Minibatch minibatch;

        /** Makes it, and sequences that are noise. */
        @Setup
        public void make() {
            Random random = new Random(1);
            sequences = FloatTensorData.generate(at -> random.nextFloat(), EXAMPLES, STEPS, UNITS).copy();
            wanted = FloatTensorData.generate(at -> random.nextFloat(), EXAMPLES, 1).copy();
            TensorContext t = new TensorContext();
            Sym x = t.input("x", DataType.FLOAT, Axis.of(STEPS), Axis.of(UNITS));
            Sym y = t.input("y", DataType.FLOAT, Axis.of(1));
            Sym found = t.comprehensions().linear(Axis.of(1), t.comprehensions().lstm(UNITS, x).last()).output();
            cg = new TensorGraph(t.comprehensions().meanSquare(found, y)).compile();
            CGInit.glorot(cg, 1);
            descent = SGD.of(cg);
            Map<Sym, TensorData<?>> columns = new HashMap<>();
            columns.put(x, sequences.floatData());
            columns.put(y, wanted.floatData());
            minibatch = Minibatch.columns(columns, EXAMPLES, 1);
        }

        /** Closes all. */
        @TearDown
        public void close() {
            cg.close();
            sequences.close();
            wanted.close();
        }
    }

    /** One weight. */
    @State(Scope.Thread)
    public static class Tiny {
        private final float[] example = {3};
        private Sym product;
        private ComputeGraph cg;
        private SGD descent;
        private Minibatch minibatch;

        /** Makes the graph. */
        @Setup
        public void make() {
            TensorContext t = new TensorContext();
            Sym x = t.input(float[].class, (in, data) -> data.put(in[0]));
            product = t.scalar().times(x);
            cg = new TensorGraph(t.comprehensions().meanSquare(x, product), product).compile();
            descent = SGD.of(cg);
            minibatch = Minibatch.of(Collections.nCopies(64, example), 1, 1);
        }

        /** Closes it. */
        @TearDown
        public void close() {
            cg.close();
        }
    }

    /** An epoch of 64-128-10. */
    @Benchmark
    public double perceptron(Perceptron network) {
        return network.epoch();
    }

    /** An epoch of the convolutional network. */
    @Benchmark
    public double convolutional(Convolutional network) {
        return network.epoch();
    }

    /** An epoch of the convolutional network with batch norm and dropout. */
    @Benchmark
    public double normalised(Normalised network) {
        return network.epoch();
    }

    /** A step of the LSTM, forward and backward. */
    @Benchmark
    public double lstm(Sequences on) {
        return on.descent.step(on.minibatch);
    }

    /** A step of one example and one weight. */
    @Benchmark
    public double tinyStep(Tiny tiny) {
        return tiny.descent.step(tiny.minibatch);
    }

    /** An evaluation of one example and one weight. */
    @Benchmark
    public void tinyEval(Tiny tiny) {
        tiny.cg.eval(tiny.example, tiny.product).close();
    }
}
