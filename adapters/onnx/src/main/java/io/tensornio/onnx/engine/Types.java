package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.onnx.schema.Onnx.TensorProto;

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

    static boolean isFloat(DataType type) {
        return type == DataType.FLOAT || type == DataType.DOUBLE;
    }

    static boolean isInteger(DataType type) {
        return type == DataType.INT32 || type == DataType.INT64 || type == DataType.UINT8;
    }

    /** The word that casts to a type in a comprehension. */
    static String cast(DataType type) {
        switch (type) {
            case FLOAT:
                return "float";
            case DOUBLE:
                return "double";
            case INT32:
                return "int";
            case INT64:
                return "long";
            case UINT8:
                return "uint8";
            case BOOL:
                return "bool";
            default:
                throw new IllegalArgumentException("elements of type " + type + " are not computed with");
        }
    }
}
