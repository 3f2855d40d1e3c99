package io.tensornio.internal.op;

import io.tensornio.DataType;
import io.tensornio.UInt8;
import java.util.Objects;

/** The element types that an operation supports. */
public enum Types {
    /** All types that comprehensions support. */
    ANY("FLOAT, DOUBLE, INT32, INT64, UINT8 or BOOL", "FLOAT"),
    /** All except BOOL. */
    NUMBER("FLOAT, DOUBLE, INT32, INT64 or UINT8", "INT64"),
    /** Integer types. */
    INTEGER("INT32, INT64 or UINT8", "INT64"),
    /** Floating-point types. */
    FLOATING("FLOAT or DOUBLE", "FLOAT"),
    /** Truth values. */
    BOOL("BOOL", "BOOL");

    private final String possible;
    private final String example;

    Types(String possible, String example) {
        this.possible = possible;
        this.example = example;
    }

    boolean has(DataType type) {
        switch (type) {
            case FLOAT:
            case DOUBLE:
                return this != BOOL && this != INTEGER;
            case INT32:
            case INT64:
            case UINT8:
                return this == ANY || this == NUMBER || this == INTEGER;
            case BOOL:
                return this == ANY || this == BOOL;
            default:
                return false;
        }
    }

    /** The end of the error message for another type. */
    String wanted() {
        return "must be " + possible + ": cast(x, DataType." + example + ") makes it so";
    }

    /**
     * The type of a class.
     *
     * @param type {@code Float.class} and the like
     * @return the type
     * @throws IllegalArgumentException if there is none
     */
    public static DataType of(Class<?> type) {
        Objects.requireNonNull(type, "type");
        if (type == Float.class) {
            return DataType.FLOAT;
        }
        if (type == Double.class) {
            return DataType.DOUBLE;
        }
        if (type == Integer.class) {
            return DataType.INT32;
        }
        if (type == Long.class) {
            return DataType.INT64;
        }
        if (type == Boolean.class) {
            return DataType.BOOL;
        }
        if (type == UInt8.class) {
            return DataType.UINT8;
        }
        throw new IllegalArgumentException(type.getName() + " is no element type: those that can be computed with are Float, Double, Integer, Long, "
            + "Boolean and UInt8");
    }
}
