package io.tensornio.onnx;

import com.google.protobuf.ByteString;
import io.tensornio.onnx.schema.Onnx.AttributeProto;
import io.tensornio.onnx.schema.Onnx.GraphProto;
import io.tensornio.onnx.schema.Onnx.ModelProto;
import io.tensornio.onnx.schema.Onnx.NodeProto;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import io.tensornio.onnx.schema.Onnx.TypeProto;
import io.tensornio.onnx.schema.Onnx.ValueInfoProto;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The model that computes in DOUBLE what another one computes in FLOAT, from the same weights: what it gives has no error of rounding to speak
 * of.
 */
final class InDouble {
    private InDouble() {
    }

    static byte[] of(ModelProto model) {
        return model.toBuilder().setGraph(graph(model.getGraph())).build().toByteArray();
    }

    private static GraphProto graph(GraphProto graph) {
        GraphProto.Builder made = graph.toBuilder().clearValueInfo();
        for (int n = 0; n < made.getInitializerCount(); n++) {
            made.setInitializer(n, tensor(made.getInitializer(n)));
        }
        for (int n = 0; n < made.getNodeCount(); n++) {
            made.setNode(n, node(made.getNode(n)));
        }
        for (int n = 0; n < made.getInputCount(); n++) {
            made.setInput(n, value(made.getInput(n)));
        }
        for (int n = 0; n < made.getOutputCount(); n++) {
            made.setOutput(n, value(made.getOutput(n)));
        }
        return made.build();
    }

    private static ValueInfoProto value(ValueInfoProto value) {
        TypeProto type = value.getType();
        return type.getTensorType().getElemType() != TensorProto.DataType.FLOAT_VALUE ? value : value.toBuilder().setType(type.toBuilder()
            .setTensorType(type.getTensorType().toBuilder().setElemType(TensorProto.DataType.DOUBLE_VALUE))).build();
    }

    private static NodeProto node(NodeProto node) {
        NodeProto.Builder made = node.toBuilder();
        for (int n = 0; n < made.getAttributeCount(); n++) {
            AttributeProto.Builder attribute = made.getAttribute(n).toBuilder();
            if (attribute.hasG()) {
                attribute.setG(graph(attribute.getG()));
            } else if (attribute.hasT()) {
                attribute.setT(tensor(attribute.getT()));
            } else if (attribute.getName().equals("value_float")) {
                attribute.clearF().setName("value").setType(AttributeProto.AttributeType.TENSOR).setT(TensorProto.newBuilder()
                    .setDataType(TensorProto.DataType.DOUBLE_VALUE).addDoubleData(made.getAttribute(n).getF()));
            } else if (attribute.getName().equals("to") && attribute.getI() == TensorProto.DataType.FLOAT_VALUE) {
                attribute.setI(TensorProto.DataType.DOUBLE_VALUE);
            }
            made.setAttribute(n, attribute);
        }
        return made.build();
    }

    private static TensorProto tensor(TensorProto tensor) {
        if (tensor.getDataType() != TensorProto.DataType.FLOAT_VALUE) {
            return tensor;
        }
        TensorProto.Builder made = tensor.toBuilder().clearFloatData().setDataType(TensorProto.DataType.DOUBLE_VALUE);
        if (!tensor.hasRawData()) {
            tensor.getFloatDataList().forEach(made::addDoubleData);
            return made.build();
        }
        ByteBuffer from = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer to = ByteBuffer.allocate(2 * from.remaining()).order(ByteOrder.LITTLE_ENDIAN);
        while (from.hasRemaining()) {
            to.putDouble(from.getFloat());
        }
        return made.setRawData(ByteString.copyFrom(to.array())).build();
    }
}
