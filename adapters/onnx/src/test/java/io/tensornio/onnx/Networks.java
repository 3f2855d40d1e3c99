package io.tensornio.onnx;

import com.google.protobuf.ByteString;
import io.tensornio.onnx.schema.Onnx.AttributeProto;
import io.tensornio.onnx.schema.Onnx.GraphProto;
import io.tensornio.onnx.schema.Onnx.NodeProto;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** Networks of usual kinds with random weights, as models. */
final class Networks {
    private final GraphProto.Builder graph = GraphProto.newBuilder().setName("network");
    private final Random random = new Random(11);
    private int named;

    private Networks() {
    }

    private String name(String prefix) {
        return prefix + "_" + named++;
    }

    /** Weights of a normal distribution whose variance keeps that of what they are multiplied by. */
    private String weights(int fanIn, long... shape) {
        int size = (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        ByteBuffer bytes = ByteBuffer.allocate(4 * size).order(ByteOrder.LITTLE_ENDIAN);
        for (int n = 0; n < size; n++) {
            bytes.putFloat((float) (random.nextGaussian() * Math.sqrt(1.5 / fanIn)));
        }
        String name = name("w");
        TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).setDataType(TensorProto.DataType.FLOAT_VALUE)
            .setRawData(ByteString.copyFrom(bytes.array()));
        Arrays.stream(shape).forEach(tensor::addDims);
        graph.addInitializer(tensor);
        return name;
    }

    private String number(float value) {
        String name = name("c");
        graph.addInitializer(Models.floats(name, new long[0], value));
        return name;
    }

    private String node(String operator, String inputs, AttributeProto... attributes) {
        String output = name(operator.toLowerCase(java.util.Locale.ROOT));
        NodeProto.Builder node = Models.node(operator, inputs, output).toBuilder();
        Arrays.stream(attributes).forEach(node::addAttribute);
        graph.addNode(node);
        return output;
    }

    private static AttributeProto integers(String name, long... values) {
        AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INTS);
        Arrays.stream(values).forEach(attribute::addInts);
        return attribute.build();
    }

    private static AttributeProto integer(String name, long value) {
        return AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INT).setI(value).build();
    }

    private String conv(String x, int from, int to, int size, int stride, int groups) {
        long pad = size / 2;
        return node("Conv", x + " " + weights(from / groups * size * size, to, from / groups, size, size) + " " + weights(100, to),
            integers("kernel_shape", size, size), integers("strides", stride, stride), integers("pads", pad, pad, pad, pad),
            integer("group", groups));
    }

    /** One convolution of 6 channels and a sigmoid behind it. */
    static byte[] filters(int to, int size, int stride, int dilation, int groups) {
        Networks n = new Networks();
        long pad = size / 2;
        String y = n.node("Sigmoid", n.node("Conv", "x " + n.weights(size * size, to, 6 / groups, size, size) + " " + n.weights(100, to),
            integers("strides", stride, stride), integers("dilations", dilation, dilation), integers("pads", pad, pad, 0, pad),
            integer("group", groups)));
        n.graph.addInput(Models.value("x", "n", 6, "h", "w")).addOutput(Models.value(y, "n", to, "high", "wide"));
        return Models.model(n.graph);
    }

    private byte[] classifier(String x, int width, long... shape) {
        String mean = node("Flatten", node("GlobalAveragePool", x));
        node("Gemm", mean + " " + weights(width, width, 1000) + " " + weights(100, 1000));
        graph.addInput(Models.value("x", (Object[]) Arrays.stream(shape).boxed().toArray(Long[]::new)));
        graph.addOutput(Models.value(graph.getNode(graph.getNodeCount() - 1).getOutput(0), 1, 1000));
        return Models.model(graph);
    }

    /** Basic blocks of 64 to 512 channels, for (1, 3, 112, 112). */
    static byte[] residual() {
        Networks n = new Networks();
        String x = n.node("MaxPool", n.node("Relu", n.conv("x", 3, 64, 7, 2, 1)), integers("kernel_shape", 3, 3), integers("strides", 2, 2),
            integers("pads", 1, 1, 1, 1));
        int from = 64;
        for (int to : new int[] {64, 64, 128, 128, 256, 256, 512, 512}) {
            int stride = to == from ? 1 : 2;
            String inner = n.conv(n.node("Relu", n.conv(x, from, to, 3, stride, 1)), to, to, 3, 1, 1);
            x = n.node("Relu", n.node("Add", inner + " " + (to == from ? x : n.conv(x, from, to, 1, 2, 1))));
            from = to;
        }
        return n.classifier(x, 512, 1, 3, 112, 112);
    }

    /** Convolutions of each channel by itself and of each pixel by itself, for (1, 3, 112, 112). */
    static byte[] mobile() {
        Networks n = new Networks();
        String zero = n.number(0);
        String six = n.number(6);
        String x = n.node("Clip", n.conv("x", 3, 32, 3, 2, 1) + " " + zero + " " + six);
        int from = 32;
        for (int[] block : new int[][] {{64, 1}, {128, 2}, {128, 1}, {256, 2}, {256, 1}, {512, 2}, {512, 1}, {512, 1}}) {
            String each = n.node("Clip", n.conv(x, from, from, 3, block[1], from) + " " + zero + " " + six);
            x = n.node("Clip", n.conv(each, from, block[0], 1, 1, 1) + " " + zero + " " + six);
            from = block[0];
        }
        return n.classifier(x, 512, 1, 3, 112, 112);
    }

    private String dense(String x, int from, int to) {
        return node("Add", node("MatMul", x + " " + weights(from, from, to)) + " " + weights(100, to));
    }

    private String normalized(String x, int width) {
        String scale = name("scale");
        float[] ones = new float[width];
        Arrays.fill(ones, 1);
        graph.addInitializer(Models.floats(scale, new long[] {width}, ones));
        return node("LayerNormalization", x + " " + scale + " " + weights(100, width));
    }

    /** Four layers of 256 channels in 4 heads, for (1, 128, 256). */
    static byte[] encoder() {
        Networks n = new Networks();
        n.graph.addInitializer(Models.longs("heads", new long[] {4}, 1, 128, 4, 64))
            .addInitializer(Models.longs("whole", new long[] {3}, 1, 128, 256));
        String scale = n.number(0.125f);
        String x = "x";
        for (int layer = 0; layer < 4; layer++) {
            String[] parts = new String[3];
            for (int k = 0; k < 3; k++) {
                parts[k] = n.node("Transpose", n.node("Reshape", n.dense(x, 256, 256) + " heads"), integers("perm", k == 1 ? new long[] {0, 2, 3, 1}
                    : new long[] {0, 2, 1, 3}));
            }
            String weights = n.node("Softmax", n.node("Mul", n.node("MatMul", parts[0] + " " + parts[1]) + " " + scale), integer("axis", -1));
            String heads = n.node("Transpose", n.node("MatMul", weights + " " + parts[2]), integers("perm", 0, 2, 1, 3));
            x = n.normalized(n.node("Add", x + " " + n.dense(n.node("Reshape", heads + " whole"), 256, 256)), 256);
            String inner = n.dense(x, 256, 1024);
            String erf = n.node("Add", n.node("Erf", n.node("Div", inner + " " + n.number((float) Math.sqrt(2)))) + " " + n.number(1));
            String gelu = n.node("Mul", n.node("Mul", inner + " " + erf) + " " + n.number(0.5f));
            x = n.normalized(n.node("Add", x + " " + n.dense(gelu, 1024, 256)), 256);
        }
        n.graph.addInput(Models.value("x", 1, 128, 256)).addOutput(Models.value(x, 1, 128, 256));
        return Models.model(n.graph);
    }
}
