package io.tensornio.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.onnx.schema.Onnx.AttributeProto;
import io.tensornio.onnx.schema.Onnx.GraphProto;
import io.tensornio.onnx.schema.Onnx.NodeProto;
import io.tensornio.value.Value;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What nodes give that are computed together. */
class RewritesTest {
    /** Numbers near 1000: the squares have a million, of which a FLOAT keeps no digit behind the point. */
    private static final float[][] FAR = {{999, 1000, 1001}, {1000.5f, 1000.5f, 1000.5f}};

    private static NodeProto sum(String input, String output) {
        return Models.node("ReduceSum", input + " axes", output).toBuilder()
            .addAttribute(AttributeProto.newBuilder().setName("keepdims").setType(AttributeProto.AttributeType.INT).setI(0)).build();
    }

    private static GraphProto.Builder graph(String mean, float factor) {
        return GraphProto.newBuilder().setName("variance").addInput(Models.value("x", 2, 3)).addOutput(Models.value("v", 2))
            .addInitializer(Models.longs("axes", new long[] {1}, 1)).addInitializer(Models.floats("c", new long[0], factor))
            .addNode(Models.node("Mul", "x x", "x2")).addNode(sum("x2", "s2")).addNode(Models.node(mean, "s2 c", "e2"))
            .addNode(sum("x", "s")).addNode(Models.node(mean, "s c", "m")).addNode(Models.node("Mul", "m m", "m2"))
            .addNode(Models.node("Sub", "e2 m2", "v"));
    }

    private static float[] run(GraphProto.Builder graph, Object x) {
        try (OnnxModel model = OnnxModel.load(Models.model(graph)); Value out = model.run(Collections.singletonMap("x", x))) {
            float[] values = new float[2];
            out.get("v").asTensor().floatData().copyTo(values);
            return values;
        }
    }

    @Test
    void aVarianceKeepsItsDigits() {
        // The mean of (1, 0, 1) is 2/3; of what is equal, 0.
        for (float[] v : new float[][] {run(graph("Mul", 1 / 3f), FAR), run(graph("Div", 3), FAR)}) {
            assertEquals(2 / 3., v[0], 1e-6);
            assertEquals(0, v[1], 0);
        }
    }

    @Test
    void anotherFactorThanOneOverTheNumberIsKept() {
        // Of (1, 2, 3): squares 14, sum 6; 14 / 2 - (6 / 2) ^ 2 = -2. Of (0, 1, 1): 2 / 2 - (2 / 2) ^ 2 = 0.
        float[] v = run(graph("Mul", 0.5f), new float[][] {{1, 2, 3}, {0, 1, 1}});
        assertEquals(-2, v[0], 1e-6);
        assertEquals(0, v[1], 1e-6);
    }

    @Test
    void meansOverOtherAxesAreNoVariance() {
        GraphProto.Builder graph = graph("Mul", 1 / 3f);
        graph.addInitializer(Models.longs("first", new long[] {1}, 1));
        graph.setNode(3, graph.getNode(3).toBuilder().setInput(1, "first"));
        assertEquals(5 / 3. - 1, run(graph, new float[][] {{0, 1, 2}, {0, 1, 2}})[0], 1e-6);
    }

    /** Graphs of elements, products and convolutions give the same whether nodes are put together or all of their results are asked for. */
    @Test
    void nodesPutTogetherGiveWhatEachGives() {
        String[] two = {"Add", "Sub", "Mul", "Max", "Min", "PRelu"};
        String[] one = {"Relu", "Sigmoid", "Tanh", "Abs", "Neg", "HardSigmoid", "LeakyRelu", "Softplus"};
        Random random = new Random(3);
        for (int round = 0; round < 40; round++) {
            GraphProto.Builder graph = GraphProto.newBuilder().setName("elements").addInput(Models.value("x", 2, 3))
                .addInitializer(Models.floats("w", new long[] {3, 3}, 1, -2, 3, 0.5f, 0, 1, -1, 2, 0.25f))
                .addInitializer(Models.floats("row", new long[] {3}, 1, -0.5f, 2))
                .addInitializer(Models.floats("column", new long[] {2, 1}, 0.5f, -1))
                .addInitializer(Models.floats("number", new long[0], 0.75f));
            String[] names = new String[12];
            for (int n = 0; n < names.length; n++) {
                String last = n == 0 ? "x" : names[n - 1];
                String[] others = {"row", "column", "number", last, "x", n < 2 ? "x" : names[random.nextInt(n)]};
                names[n] = "n" + n;
                int kind = random.nextInt(8);
                graph.addNode(kind == 0 ? Models.node("MatMul", last + " w", names[n]) : kind == 1 ? Models.node("Gemm", last + " w row", names[n])
                    : kind < 5 ? Models.node(two[random.nextInt(two.length)], last + " " + others[random.nextInt(others.length)], names[n])
                    : Models.node(one[random.nextInt(one.length)], last, names[n]));
            }
            GraphProto.Builder all = graph.clone();
            for (String name : names) {
                all.addOutput(Models.value(name));
            }
            graph.addOutput(Models.value("n11"));
            float[][] x = {{0.5f, -1, 2}, {-0.25f, 3, 0}};
            try (OnnxModel together = OnnxModel.load(Models.model(graph)); OnnxModel each = OnnxModel.load(Models.model(all));
                    Value made = together.run(Collections.singletonMap("x", x)); Value wanted = each.run(Collections.singletonMap("x", x))) {
                float[] a = new float[6];
                float[] b = new float[6];
                double largest = 1;
                for (String name : names) {
                    wanted.get(name).asTensor().floatData().copyTo(b);
                    for (float value : b) {
                        largest = Math.max(largest, Math.abs(value));
                    }
                }
                made.get("n11").asTensor().floatData().copyTo(a);
                for (int k = 0; k < 6; k++) {
                    assertEquals(b[k], a[k], 1e-5 * largest, "round " + round + ", element " + k);
                }
            }
        }
    }

    @Test
    void aConvolutionWithWhatIsBehindIt() {
        // Pixels 1 to 4, two filters of one weight each, bias 1 and -3; then the residual x, and no less than 0.
        GraphProto.Builder graph = GraphProto.newBuilder().setName("images").addInput(Models.value("x", 1, 1, 2, 2))
            .addOutput(Models.value("y", 1, 2, 2, 2)).addInitializer(Models.floats("w", new long[] {2, 1, 1, 1}, 2, -1))
            .addInitializer(Models.floats("b", new long[] {2}, 1, -3)).addNode(Models.node("Conv", "x w b", "c"))
            .addNode(Models.node("Add", "c x", "r")).addNode(Models.node("Relu", "r", "y"));
        try (OnnxModel model = OnnxModel.load(Models.model(graph));
                Value out = model.run(Collections.singletonMap("x", new float[][][][] {{{{1, 2}, {3, 4}}}}))) {
            float[] y = new float[8];
            out.get("y").asTensor().floatData().copyTo(y);
            assertArrayEquals(new float[] {4, 7, 10, 13, 0, 0, 0, 0}, y);
        }
    }

    @Test
    void aConvolutionIsNormalised() {
        // 2 x + 1, less the mean 3, by the deviation 2, times 4, plus 10.
        GraphProto.Builder graph = GraphProto.newBuilder().setName("images").addInput(Models.value("x", 1, 1, 1, 3))
            .addOutput(Models.value("y", 1, 1, 1, 3)).addInitializer(Models.floats("w", new long[] {1, 1, 1, 1}, 2))
            .addInitializer(Models.floats("b", new long[] {1}, 1)).addInitializer(Models.floats("scale", new long[] {1}, 4))
            .addInitializer(Models.floats("offset", new long[] {1}, 10)).addInitializer(Models.floats("mean", new long[] {1}, 3))
            .addInitializer(Models.floats("variance", new long[] {1}, 4)).addNode(Models.node("Conv", "x w b", "c"))
            .addNode(Models.node("BatchNormalization", "c scale offset mean variance", "n")).addNode(Models.node("Relu", "n", "y"));
        try (OnnxModel model = OnnxModel.load(Models.model(graph));
                Value out = model.run(Collections.singletonMap("x", new float[][][][] {{{{1, 0, -10}}}}))) {
            float[] y = new float[3];
            out.get("y").asTensor().floatData().copyTo(y);
            assertArrayEquals(new float[] {10, 6, 0}, y, 1e-4f);
        }
    }

    @Test
    void aResultThatBroadcastsIsComputedByItself() {
        GraphProto.Builder graph = GraphProto.newBuilder().setName("gate").addInput(Models.value("x", 2, 3)).addInput(Models.value("g", 2, 1))
            .addOutput(Models.value("y", 2, 3)).addNode(Models.node("Neg", "g", "n")).addNode(Models.node("Mul", "x n", "y"));
        Map<String, Object> given = new HashMap<>();
        given.put("x", new float[][] {{1, 2, 3}, {4, 5, 6}});
        given.put("g", new float[][] {{2}, {-1}});
        try (OnnxModel model = OnnxModel.load(Models.model(graph)); Value out = model.run(given)) {
            assertArrayEquals(new float[][] {{-2, -4, -6}, {4, 5, 6}}, out.get("y").asTensor().toNested(float[][].class));
        }
    }
}
