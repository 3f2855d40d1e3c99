package io.tensornio.internal.op;

import io.tensornio.DataType;
import io.tensornio.UInt8;
import java.util.Objects;

/** The element types that an operation supports. */
public enum Types {
    /** All types that comprehensions support. */
    ANY("of any type but STRING", "FLOAT"),
    /** All except BOOL. */
    NUMBER("of numbers, and not UINT64", "INT64"),
    /** Integer types. */
    INTEGER("of integers, and not UINT64", "INT64"),
    /** Floating-point types. */
    FLOATING("FLOAT, DOUBLE, FLOAT16 or BFLOAT16", "FLOAT"),
    /** Truth values. */
    BOOL("BOOL", "BOOL");

    private final String possible;
    private final String example;

    Types(String possible, String example) {
        this.possible = possible;
        this.example = example;
    }

    boolean has(DataType type) {
        switch (this) {
            case ANY:
                return type != DataType.STRING;
            case NUMBER:
                return type.isFloat() || type.isInteger() && type != DataType.UINT64;
            case INTEGER:
                return type.isInteger() && type != DataType.UINT64;
            case FLOATING:
                return type.isFloat();
            default:
                return type == DataType.BOOL;
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
