package io.tensornio.onnx;

import io.tensornio.onnx.schema.Onnx.GraphProto;
import io.tensornio.onnx.schema.Onnx.ModelProto;
import io.tensornio.onnx.schema.Onnx.NodeProto;
import io.tensornio.onnx.schema.Onnx.OperatorSetIdProto;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import io.tensornio.onnx.schema.Onnx.TensorShapeProto;
import io.tensornio.onnx.schema.Onnx.TypeProto;
import io.tensornio.onnx.schema.Onnx.ValueInfoProto;
import java.util.Arrays;

/** Small models for tests. */
final class Models {
    private Models() {
    }

    static NodeProto node(String operator, String inputs, String outputs) {
        NodeProto.Builder node = NodeProto.newBuilder().setOpType(operator).setName(operator + "_" + outputs);
        Arrays.stream(inputs.split(" ")).filter(name -> !name.isEmpty()).forEach(node::addInput);
        return node.addAllOutput(Arrays.asList(outputs.split(" "))).build();
    }

    static ValueInfoProto value(String name, Object... axes) {
        return value(name, TensorProto.DataType.FLOAT, axes);
    }

    static ValueInfoProto value(String name, TensorProto.DataType type, Object... axes) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (Object axis : axes) {
            shape.addDim(axis instanceof String ? TensorShapeProto.Dimension.newBuilder().setDimParam((String) axis)
                : TensorShapeProto.Dimension.newBuilder().setDimValue(((Number) axis).longValue()));
        }
        return ValueInfoProto.newBuilder().setName(name).setType(TypeProto.newBuilder().setTensorType(TypeProto.Tensor.newBuilder()
            .setElemType(type.getNumber()).setShape(shape))).build();
    }

    static TensorProto floats(String name, long[] shape, float... values) {
        TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).setDataType(TensorProto.DataType.FLOAT_VALUE);
        Arrays.stream(shape).forEach(tensor::addDims);
        for (float value : values) {
            tensor.addFloatData(value);
        }
        return tensor.build();
    }

    static TensorProto longs(String name, long[] shape, long... values) {
        TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).setDataType(TensorProto.DataType.INT64_VALUE);
        Arrays.stream(shape).forEach(tensor::addDims);
        for (long value : values) {
            tensor.addInt64Data(value);
        }
        return tensor.build();
    }

    static byte[] model(GraphProto.Builder graph) {
        return model(graph, 18);
    }

    /** A model of a version of the operators, and of version 5 of those of classical learning if there are any. */
    static byte[] model(GraphProto.Builder graph, int version) {
        ModelProto.Builder model = ModelProto.newBuilder().setIrVersion(8).setGraph(graph)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(version));
        if (graph.getNodeList().stream().anyMatch(node -> node.getDomain().equals("ai.onnx.ml"))) {
            model.addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("ai.onnx.ml").setVersion(5));
        }
        return model.build().toByteArray();
    }

    /** y = relu(x w + b), for x of (batch, 2). */
    static GraphProto.Builder layer() {
        return GraphProto.newBuilder().setName("layer").addInput(value("x", "batch", 2)).addOutput(value("y", "batch", 2)).addOutput(value("s"))
            .addInitializer(floats("w", new long[] {2, 2}, 1, 2, 3, 4)).addInitializer(floats("b", new long[] {2}, -10, 0.5f))
            .addNode(node("MatMul", "x w", "t")).addNode(node("Add", "t b", "u")).addNode(node("Relu", "u", "y"))
            .addNode(node("ReduceSum", "x", "s"));
    }
}
