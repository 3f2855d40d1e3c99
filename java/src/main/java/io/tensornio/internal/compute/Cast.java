package io.tensornio.internal.compute;

import io.tensornio.DataType;
import io.tensornio.internal.data.AnyData;
import java.util.Locale;
import java.util.Objects;

/** Casts in the text of a comprehension. */
public final class Cast {
    private Cast() {
    }

    /** The type whose data interface carries the elements of a type. */
    public static DataType carrier(DataType type) {
        return AnyData.carrierType(type);
    }

    /**
     * The function of the language that casts to a type.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static String word(DataType type) {
        switch (Objects.requireNonNull(type, "type")) {
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
            case FLOAT16:
            case BFLOAT16:
            case INT8:
            case INT16:
            case UINT16:
            case UINT32:
            case UINT64:
                return type.name().toLowerCase(Locale.ROOT);
            default:
                throw new IllegalArgumentException("nothing is cast to " + type
                    + ": there are casts to all types of elements but strings");
        }
    }
}
