package io.tensornio.internal.compute;

import io.tensornio.DataType;
import java.util.Objects;

/** Casts in the text of a comprehension. */
public final class Cast {
    private Cast() {
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
            default:
                throw new IllegalArgumentException("nothing is cast to " + type
                    + ": a comprehension computes FLOAT, DOUBLE, INT32, INT64, UINT8 and BOOL");
        }
    }
}
