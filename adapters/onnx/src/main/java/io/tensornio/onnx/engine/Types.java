package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import java.util.Locale;

/** The element types of ONNX, by their numbers, and those of tensors. */
public final class Types {
    private Types() {
    }

    /**
     * The element type of a number in a model.
     *
     * @return the type; null if tensors have none such
     */
    public static DataType of(int code) {
        switch (code) {
            case TensorProto.DataType.FLOAT_VALUE:
                return DataType.FLOAT;
            case TensorProto.DataType.DOUBLE_VALUE:
                return DataType.DOUBLE;
            case TensorProto.DataType.INT32_VALUE:
                return DataType.INT32;
            case TensorProto.DataType.INT64_VALUE:
                return DataType.INT64;
            case TensorProto.DataType.UINT8_VALUE:
                return DataType.UINT8;
            case TensorProto.DataType.BOOL_VALUE:
                return DataType.BOOL;
            case TensorProto.DataType.STRING_VALUE:
                return DataType.STRING;
            case TensorProto.DataType.FLOAT16_VALUE:
                return DataType.FLOAT16;
            case TensorProto.DataType.BFLOAT16_VALUE:
                return DataType.BFLOAT16;
            case TensorProto.DataType.INT8_VALUE:
                return DataType.INT8;
            case TensorProto.DataType.INT16_VALUE:
                return DataType.INT16;
            case TensorProto.DataType.UINT16_VALUE:
                return DataType.UINT16;
            case TensorProto.DataType.UINT32_VALUE:
                return DataType.UINT32;
            case TensorProto.DataType.UINT64_VALUE:
                return DataType.UINT64;
            default:
                return null;
        }
    }

    /** The name that ONNX gives to a type; its number if it has none. */
    static String name(int code) {
        TensorProto.DataType type = TensorProto.DataType.forNumber(code);
        return type == null ? "number " + code : type.name();
    }

    static DataType checked(int code, String what) {
        DataType type = of(code);
        if (type == null) {
            throw new IllegalArgumentException(what + " has elements of the type " + name(code) + ", which this engine does not support");
        }
        return type;
    }

    /** The type that elements of a type are computed in. */
    static DataType wide(DataType type) {
        if (type == null) {
            return null;
        }
        switch (type) {
            case FLOAT16:
            case BFLOAT16:
                return DataType.FLOAT;
            case INT8:
            case INT16:
            case UINT16:
                return DataType.INT32;
            case UINT32:
            case UINT64:
                return DataType.INT64;
            default:
                return type;
        }
    }

    /** The word that casts to a type in a comprehension: the type's name, but of the two that every program computes in. */
    static String cast(DataType type) {
        if (type == DataType.STRING) {
            throw new IllegalArgumentException("strings are not computed with");
        }
        return type == DataType.INT32 ? "int" : type == DataType.INT64 ? "long" : type.name().toLowerCase(Locale.ROOT);
    }
}
