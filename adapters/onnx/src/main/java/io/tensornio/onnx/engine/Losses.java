package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import java.util.Arrays;

/** Losses of classes. */
final class Losses {
    private Losses() {
    }

    static void addTo(Table table) {
        table.one("NegativeLogLikelihoodLoss", 12, "-a[n, label, ...] * weight[label]", call -> loss(call, call.item(0)));
        table.many("SoftmaxCrossEntropyLoss", 12, "the same of log(softmax(a))", Losses::crossEntropy);
    }

    private static Item[] crossEntropy(Call call) {
        Item logarithms = Reductions.along(call.data(0), 1, "m[K] max= a[A]; s[K] += exp(a[A] - m[K]); y[A] = a[A] - m[K] - log(s[K]); return y");
        Item loss = loss(call, logarithms);
        if (call.wants(1)) {
            return new Item[] {loss, logarithms};
        }
        logarithms.release();
        return new Item[] {loss};
    }

    /** Of logarithms (n, class, ...), and labels (n, ...). */
    private static Item loss(Call call, Item logarithms) {
        long[] shape = logarithms.shape();
        long[] labels = call.longs(1);
        if (shape.length < 2 || !Arrays.equals(call.shape(1), Shapes.replaced(shape, 1))) {
            throw call.refused("labels of shape " + Arrays.toString(call.shape(1)) + " are not for " + Arrays.toString(shape));
        }
        double[] a = Data.doubles(logarithms.data());
        double[] weights = call.has(2) ? call.doubles(2) : null;
        boolean ignores = call.attributes.has("ignore_index");
        long ignored = call.attributes.integer("ignore_index", 0);
        long classes = shape[1];
        long inner = Shapes.product(shape, 2, shape.length);
        double[] losses = new double[labels.length];
        double total = 0;
        double sum = 0;
        for (int n = 0; n < losses.length; n++) {
            if (ignores && labels[n] == ignored) {
                continue;
            }
            if (labels[n] < 0 || labels[n] >= classes) {
                throw call.refused("label " + labels[n] + " is none of " + classes + " classes");
            }
            double weight = weights == null ? 1 : weights[(int) labels[n]];
            losses[n] = -a[(int) ((n / inner * classes + labels[n]) * inner + n % inner)] * weight;
            total += weight;
            sum += losses[n];
        }
        DataType type = logarithms.type;
        switch (call.attributes.string("reduction", "mean")) {
            case "none":
                return Call.made(Data.ofDoubles(type, losses, call.shape(1)));
            case "sum":
                return Call.made(Data.ofDoubles(type, new double[] {sum}, Shapes.SCALAR));
            case "mean":
                return Call.made(Data.ofDoubles(type, new double[] {sum / total}, Shapes.SCALAR));
            default:
                throw call.refused("attribute `reduction` is `" + call.attributes.string("reduction", "") + "`");
        }
    }
}
