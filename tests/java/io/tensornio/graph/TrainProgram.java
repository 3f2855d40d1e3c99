package io.tensornio.graph;

import io.tensornio.Axis;
import io.tensornio.compute.F;
import io.tensornio.op.Padding;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Trains a network that is large enough for several threads, and prints what comes of it, bit for bit; run by {@link SharingTest}. */
public final class TrainProgram {
    private static final int SIDE = 8;

    private TrainProgram() {
    }

    /** Takes no arguments. */
    public static void main(String[] arguments) {
        TensorContext t = new TensorContext();
        Comprehensions tc = t.comprehensions();
        int[] three = {3, 3};
        int[] one = {1, 1};
        Sym x = t.input(Axis.of(SIDE), Axis.of(SIDE), Axis.of(1), float[].class, (in, data) -> data.flatten().put(in));
        Sym label = t.inputInt(float[].class, (in, data) -> data.put(in[0] > .5f ? 1 : 0));
        Sym image = F.relu(tc.conv2d(x, 8, three, one, Padding.SAME));
        Dense<Axis> hidden = tc.dense(Axis.of(256), tc.maxPool2d(image, new int[] {2, 2}, new int[] {2, 2}, Padding.VALID));
        Sym logits = tc.linear(Axis.of(10), hidden.output()).output();
        Random random = new Random(3);
        List<float[]> examples = new ArrayList<>();
        for (int n = 0; n < 400; n++) {
            float[] example = new float[SIDE * SIDE];
            for (int p = 0; p < example.length; p++) {
                example[p] = random.nextFloat();
            }
            examples.add(example);
        }
        try (ComputeGraph cg = new TensorGraph(tc.softmaxCrossEntropy(logits, label)).compile()) {
            CGInit.glorot(cg, 7);
            SGD descent = SGD.adam(cg);
            double[] losses = descent.train(Minibatch.of(examples, 128, 5), 3, (epoch, step, loss) -> { });
            ByteArrayOutputStream bits = new ByteArrayOutputStream();
            descent.save(bits);
            System.out.println("loss " + Arrays.toString(losses) + ", " + bits.size() + " bytes of hash " + Arrays.hashCode(bits.toByteArray()));
        }
    }
}
