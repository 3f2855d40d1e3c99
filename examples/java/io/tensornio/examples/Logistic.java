package io.tensornio.examples;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells two digits apart by logistic regression: a comprehension, its gradient, and steps down it. */
final class Logistic {
    /** The largest value of a pixel. */
    private static final float WHITE = 16;
    /** What a digit is taken for, and how wrong that is; its gradient; and a step down. */
    private static final Comprehension STEP = Comprehension.of(
          "z[n] += x[n,p] * w[p]                                  # each image and the weights\n"
        + "s[n] = z[n] + b                                        # above 0: the second of the two digits\n"
        + "e[n] = max(s[n], 0) - s[n]*t[n] + log(1 + exp(-abs(s[n])))\n"
        + "l += e[n]                                              # the cross-entropy of all images\n"
        + "gradient l by w, b                                     # gives dw and db\n"
        + "v[p] = w[p] - rate*dw[p]\n"
        + "c = b - rate*db\n"
        + "return l, v, c");

    /** How many are taken for what they are. */
    private static final Comprehension RIGHT = Comprehension.of(
          "z[n] += x[n,p] * w[p]\n"
        + "right += float((z[n] + b > 0) == (t[n] > 0.5))\n"
        + "return right");

    private final FloatTensorData weights = FloatTensorData.of(new float[Digits.SIDE * Digits.SIDE]);
    private float bias;

    /** Rows of pixels of 0 to 1. */
    static Tensor<Float> pixels(List<String> rows) {
        return Tensors.denseFloat(new long[] {rows.size(), Digits.SIDE * Digits.SIDE}, data -> {
            FloatTensorIterator pixels = data.scalars();
            for (String row : rows) {
                String[] fields = row.split(",");
                for (int p = 0; p < Digits.SIDE * Digits.SIDE; p++) {
                    pixels.put(Float.parseFloat(fields[p]) / WHITE);
                }
            }
        });
    }

    /** 1 for rows of a digit, else 0. */
    static Tensor<Float> is(List<String> rows, int digit) {
        return Tensors.denseFloat(new long[] {rows.size()}, data -> {
            for (int n = 0; n < rows.size(); n++) {
                data.put(Digits.label(rows.get(n)) == digit ? 1 : 0, n);
            }
        });
    }

    /**
     * Takes steps.
     *
     * @param images (n, 64), from 0 to 1
     * @param second (n), 1 for the second of the two digits and 0 for the first
     * @return the loss before the last step, for an image
     */
    float train(Tensor<Float> images, Tensor<Float> second, int steps, float rate) {
        float loss = 0;
        for (int n = 0; n < steps; n++) {
            Map<String, Object> inputs = new HashMap<>();
            inputs.put("x", images);
            inputs.put("t", second);
            inputs.put("w", weights);
            inputs.put("b", bias);
            inputs.put("rate", rate / images.size(0));
            try (Results r = STEP.run(inputs)) {
                loss = r.floatTensor("l").floatData().get() / images.size(0);
                weights.put(r.floatTensor("v").floatData());
                bias = r.floatTensor("c").floatData().get();
            }
        }
        return loss;
    }

    /** The part of the images that are taken for what they are. */
    float accuracy(Tensor<Float> images, Tensor<Float> second) {
        Map<String, Object> inputs = new HashMap<>();
        inputs.put("x", images);
        inputs.put("t", second);
        inputs.put("w", weights);
        inputs.put("b", bias);
        try (Results r = RIGHT.run(inputs)) {
            return r.floatTensor("right").floatData().get() / images.size(0);
        }
    }
}
