package io.tensornio.internal.axes;

import io.tensornio.DataType;

/** The operand and result types of an elementwise operation. */
public enum ElementKind {
    /** From numbers to numbers of the same type. */
    NUMBERS,
    /** From FLOAT or DOUBLE to the same. */
    FLOATS,
    /** From FLOAT or DOUBLE to BOOL. */
    TESTED,
    /** From integers to integers of the same type. */
    INTEGERS,
    /** From numbers to BOOL. */
    COMPARED,
    /** From any type to BOOL. */
    EQUAL;

    /**
     * The type of the result.
     *
     * @param name the name of the operation, for the message
     * @throws IllegalArgumentException if the operation does not support the type
     */
    DataType of(String name, Node x) {
        DataType type = x.type();
        if ((this == FLOATS || this == TESTED) && type != DataType.FLOAT && type != DataType.DOUBLE) {
            throw new IllegalArgumentException(name + ": " + AxisLists.text(x.axes()) + " is " + type
                + ": this is of FLOAT and DOUBLE alone, as made by cast(DataType.FLOAT)");
        }
        if (this != EQUAL && type == DataType.BOOL) {
            throw noNumbers(name, x);
        }
        if (this == INTEGERS && !type.isInteger()) {
            throw new IllegalArgumentException(name + ": " + AxisLists.text(x.axes()) + " is " + type
                + ": this is of integers alone, as made by cast(DataType.INT64)");
        }
        return this == COMPARED || this == EQUAL || this == TESTED ? DataType.BOOL : type;
    }

    /** The exception for an operation on numbers with a BOOL operand. */
    static IllegalArgumentException noNumbers(String name, Node x) {
        return new IllegalArgumentException(name + ": " + AxisLists.text(x.axes()) + " is BOOL: it is computed with after cast(DataType.FLOAT)");
    }
}
