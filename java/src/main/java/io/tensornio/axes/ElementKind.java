package io.tensornio.axes;

import io.tensornio.DataType;

/** Which types an operation on elements takes, and which it gives. */
enum ElementKind {
    /** Numbers give numbers of their type. */
    NUMBERS,
    /** FLOAT and DOUBLE give the same. */
    FLOATS,
    /** Numbers give BOOL. */
    COMPARED,
    /** Any type gives BOOL. */
    EQUAL;

    /**
     * The type of the result.
     *
     * @param name the operation's, for the message
     * @throws IllegalArgumentException if the operation is not of that type
     */
    DataType of(String name, Node x) {
        DataType type = x.type();
        if (this == FLOATS && type != DataType.FLOAT && type != DataType.DOUBLE) {
            throw new IllegalArgumentException(name + ": " + AxisLists.text(x.axes()) + " is " + type
                + ": this is of FLOAT and DOUBLE alone, as made by cast(DataType.FLOAT)");
        }
        if (this != EQUAL && type == DataType.BOOL) {
            throw noNumbers(name, x);
        }
        return this == COMPARED || this == EQUAL ? DataType.BOOL : type;
    }

    /** What is said of an operation on numbers that is given BOOL. */
    static IllegalArgumentException noNumbers(String name, Node x) {
        return new IllegalArgumentException(name + ": " + AxisLists.text(x.axes()) + " is BOOL: it is computed with after cast(DataType.FLOAT)");
    }
}
