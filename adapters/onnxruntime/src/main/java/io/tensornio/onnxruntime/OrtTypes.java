package io.tensornio.onnxruntime;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.TensorInfo;
import ai.onnxruntime.TensorInfo.OnnxTensorType;
import io.tensornio.DataType;
import java.util.EnumMap;
import java.util.Map;

/** The element types that both sides have: those of the same name. */
final class OrtTypes {
    private static final Map<DataType, OnnxJavaType> TO_ONNX = new EnumMap<>(DataType.class);
    private static final Map<OnnxTensorType, DataType> FROM_ONNX = new EnumMap<>(OnnxTensorType.class);

    static {
        for (DataType type : DataType.values()) {
            for (OnnxJavaType other : OnnxJavaType.values()) {
                if (type.name().equals(other.name())) {
                    TO_ONNX.put(type, other);
                    FROM_ONNX.put(OnnxTensorType.mapFromJavaType(other), type);
                }
            }
        }
    }

    private OrtTypes() {
    }

    /** The name of a type as ONNX has it, such as {@code UINT16}. */
    static String nameOf(TensorInfo info) {
        return info.onnxType.name().replace("ONNX_TENSOR_ELEMENT_DATA_TYPE_", "");
    }

    /**
     * The type of elements.
     *
     * @throws IllegalArgumentException if it is not one of both sides
     */
    static DataType of(TensorInfo info, String what) {
        DataType type = FROM_ONNX.get(info.onnxType);
        if (type == null) {
            throw new IllegalArgumentException(what + " has elements of type " + nameOf(info) + "; those that ONNX Runtime's Java and this "
                + "library share are " + TO_ONNX.keySet());
        }
        return type;
    }

    /** The type for ONNX Runtime; null if it has none. */
    static OnnxJavaType of(DataType type) {
        return TO_ONNX.get(type);
    }
}
