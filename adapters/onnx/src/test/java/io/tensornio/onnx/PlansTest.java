package io.tensornio.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.onnx.schema.Onnx.AttributeProto;
import io.tensornio.onnx.schema.Onnx.GraphProto;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import io.tensornio.value.Value;
import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Nodes keep plans of shapes: what they give for one shape does not hang on those before. */
class PlansTest {
    private static AttributeProto integers(String name, long... values) {
        AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INTS);
        for (long value : values) {
            attribute.addInts(value);
        }
        return attribute.build();
    }

    /** Convolution with what follows it, pool, softmax, product and normalisation, of images of any size. */
    private static byte[] model() {
        float[] weights = new float[2 * 9];
        for (int n = 0; n < weights.length; n++) {
            weights[n] = n % 5 - 2;
        }
        return Models.model(GraphProto.newBuilder().setName("g").addInput(Models.value("x", "n", 2, "h", "w")).addOutput(Models.value("y"))
            .addInitializer(Models.floats("w", new long[] {2, 1, 3, 3}, weights)).addInitializer(Models.floats("b", new long[] {2}, 0.5f, -1))
            .addInitializer(Models.floats("m", new long[] {2, 3}, 1, 2, 3, 4, 5, 6)).addInitializer(Models.floats("c", new long[] {3}, 1, 0, -1))
            .addNode(Models.node("Conv", "x w b", "a").toBuilder().addAttribute(integers("pads", 1, 1, 1, 1))
                .addAttribute(AttributeProto.newBuilder().setName("group").setType(AttributeProto.AttributeType.INT).setI(2)))
            .addNode(Models.node("Relu", "a", "r")).addNode(Models.node("MaxPool", "r", "p").toBuilder()
                .addAttribute(integers("kernel_shape", 3, 3)).addAttribute(integers("strides", 2, 2)).addAttribute(integers("pads", 1, 1, 1, 1)))
            .addNode(Models.node("GlobalAveragePool", "p", "g")).addNode(Models.node("Flatten", "g", "f"))
            .addNode(Models.node("Gemm", "f m c", "k")).addNode(Models.node("Softmax", "k", "y")));
    }

    private static float[] image(int count, int high, int wide) {
        Random random = new Random(count * 31L + high * 7L + wide);
        float[] pixels = new float[count * 2 * high * wide];
        for (int n = 0; n < pixels.length; n++) {
            pixels[n] = (float) random.nextGaussian();
        }
        return pixels;
    }

    /** The same network by loops. */
    private static float[] expected(int count, int high, int wide) {
        float[] x = image(count, high, wide);
        float[] result = new float[count * 3];
        for (int n = 0; n < count; n++) {
            double[] mean = new double[2];
            for (int c = 0; c < 2; c++) {
                double[][] r = new double[high][wide];
                for (int i = 0; i < high; i++) {
                    for (int j = 0; j < wide; j++) {
                        double sum = c == 0 ? 0.5 : -1;
                        for (int t = 0; t < 9; t++) {
                            int p = i + t / 3 - 1;
                            int q = j + t % 3 - 1;
                            sum += p < 0 || q < 0 || p >= high || q >= wide ? 0 : ((c * 9 + t) % 5 - 2) * x[((n * 2 + c) * high + p) * wide + q];
                        }
                        r[i][j] = Math.max(0, sum);
                    }
                }
                int rows = (high - 1) / 2 + 1;
                int columns = (wide - 1) / 2 + 1;
                for (int i = 0; i < rows; i++) {
                    for (int j = 0; j < columns; j++) {
                        double most = Double.NEGATIVE_INFINITY;
                        for (int t = 0; t < 9; t++) {
                            int p = 2 * i + t / 3 - 1;
                            int q = 2 * j + t % 3 - 1;
                            most = p < 0 || q < 0 || p >= high || q >= wide ? most : Math.max(most, r[p][q]);
                        }
                        mean[c] += most / (rows * columns);
                    }
                }
            }
            double[] k = new double[3];
            double sum = 0;
            for (int j = 0; j < 3; j++) {
                k[j] = Math.exp(mean[0] * (j + 1) + mean[1] * (j + 4) + 1 - j);
                sum += k[j];
            }
            for (int j = 0; j < 3; j++) {
                result[n * 3 + j] = (float) (k[j] / sum);
            }
        }
        return result;
    }

    @Test
    void shapesInTurnGiveWhatEachGives() {
        try (OnnxModel model = OnnxModel.load(Models.model(GraphProto.newBuilder().setName("g").addInput(Models.value("x", "n")).addOutput(
                Models.value("y", TensorProto.DataType.INT64)).addNode(Models.node("ArgMax", "x", "y"))));
                Value out = model.run(Collections.singletonMap("x", new float[] {1, 3, Float.NaN, 3}))) {
            assertEquals(2, out.get("y").asTensor().longData().get(0));
        }
        int[][] shapes = {{1, 5, 7}, {2, 5, 7}, {1, 40, 33}, {1, 7, 5}, {1, 5, 7}, {3, 64, 64}, {2, 5, 7}};
        try (OnnxModel model = OnnxModel.load(model())) {
            for (int[] shape : shapes) {
                int n = shape[0];
                float[] pixels = image(n, shape[1], shape[2]);
                float[][][][] x = new float[n][2][shape[1]][shape[2]];
                for (int k = 0; k < pixels.length; k++) {
                    int row = k / shape[2];
                    x[row / shape[1] / 2][row / shape[1] % 2][row % shape[1]][k % shape[2]] = pixels[k];
                }
                try (Value out = model.run(Collections.singletonMap("x", x))) {
                    float[] found = new float[n * 3];
                    out.get("y").asTensor().floatData().copyTo(found);
                    assertArrayEquals(expected(n, shape[1], shape[2]), found, 1e-4f);
                }
            }
        }
    }
}
