package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.layout.Shapes;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;

/** Common code for nested arrays of all element types: classes of rows, and exceptions. */
public final class Nested {
    /** The maximum nesting depth of Java arrays. */
    private static final int MAX_RANK = 255;

    private Nested() {
    }

    /**
     * Limits the number of rows of a shape without elements, which nothing else bounds.
     *
     * @param shape the sizes
     * @throws OutOfMemoryError if there are more than {@link Integer#MAX_VALUE} rows
     */
    static void checkRows(long... shape) {
        long rows = 1;
        for (long size : shape) {
            rows *= Math.max(size, 1);
            if (rows > Integer.MAX_VALUE && Shapes.product(shape) == 0) {
                throw new OutOfMemoryError("nested arrays of the shape " + Arrays.toString(shape) + " have no elements, but more than "
                    + Integer.MAX_VALUE + " rows");
            }
        }
    }

    /**
     * The nesting depth of an object's class.
     *
     * @param nested any object
     * @param element the element class of the innermost arrays
     * @param box the class of a boxed element, which has rank 0
     * @return -1 if it is something else
     */
    static int rank(Object nested, Class<?> element, Class<?> box) {
        int rank = 0;
        Class<?> type = nested.getClass();
        while (type.isArray()) {
            type = type.getComponentType();
            rank++;
        }
        return type == (rank == 0 ? box : element) ? rank : -1;
    }

    /**
     * Checks that arrays are nested at least two deep.
     *
     * @param nested arrays, or a boxed element
     * @throws IllegalArgumentException if they are not
     */
    public static void checkRagged(Object nested) {
        Class<?> row = nested.getClass().getComponentType();
        if (row == null || !row.isArray()) {
            throw new IllegalArgumentException("a " + nested.getClass().getSimpleName() + " for a ragged tensor, which needs arrays of arrays");
        }
    }

    /** The class of the rows of each axis but the last; {@code innermost} is that of the last. */
    static Class<?>[] rowTypes(Class<?> innermost, int rank) {
        if (rank > MAX_RANK) {
            throw new IllegalArgumentException("rank " + rank + ": arrays can be nested " + MAX_RANK + " deep");
        }
        Class<?>[] types = new Class<?>[rank - 1];
        Class<?> type = innermost;
        for (int d = types.length - 1; d >= 0; d--) {
            types[d] = type;
            type = Array.newInstance(type, 0).getClass();
        }
        return types;
    }

    /** Checks that a number of elements fits an array. */
    static int length(long n) {
        if (n > Integer.MAX_VALUE) {
            throw new OutOfMemoryError(Shapes.elements(n) + ": an array can have " + Integer.MAX_VALUE);
        }
        return (int) n;
    }

    /** Checks that a size fits an array. */
    static int length(long size, int axis) {
        if (size > Integer.MAX_VALUE) {
            throw new OutOfMemoryError("the size " + size + " on axis " + axis + ": an array can have " + Integer.MAX_VALUE);
        }
        return (int) size;
    }

    /**
     * Converts data to nested arrays of a class.
     *
     * @param <A> the class
     * @param type the class that is expected
     * @param data the data
     * @return new arrays
     * @throws IllegalArgumentException if they are of another class
     */
    @SuppressWarnings("unchecked")          // for Class.cast the class of a primitive type has no instances
    public static <A> A cast(Class<A> type, TensorData<?> data) {
        boolean isValue = Objects.requireNonNull(type, "type").isPrimitive() && type != void.class;
        Class<?> boxed = isValue ? Array.get(Array.newInstance(type, 1), 0).getClass() : type;
        Object nested = data.toNested();
        if (!boxed.isInstance(nested)) {
            throw new IllegalArgumentException(data.dataType() + " data of shape " + Arrays.toString(data.shape()) + " becomes "
                + name(nested.getClass()) + ", not " + name(type));
        }
        return (A) nested;
    }

    /** {@code Class.getTypeName}, which Android lacks before API level 26. */
    private static String name(Class<?> type) {
        return type.isArray() ? name(type.getComponentType()) + "[]" : type.getName();
    }

    /**
     * The exception for an object from which no tensor can be made.
     *
     * @param nested the object
     * @param elements the supported element types of the innermost arrays
     * @return an exception that names its class
     */
    public static IllegalArgumentException unsupported(Object nested, String elements) {
        return new IllegalArgumentException(name(nested.getClass()) + " is not a nested array of " + elements);
    }

    /** The exception for an object whose class does not fit a shape. */
    static IllegalArgumentException misfit(Object nested, Class<?> element, Class<?> box, long... shape) {
        StringBuilder expected = new StringBuilder(name(shape.length == 0 ? box : element));
        for (int d = 0; d < shape.length; d++) {
            expected.append("[]");
        }
        return new IllegalArgumentException(name(nested.getClass()) + " is not the " + expected + " that the shape " + Arrays.toString(shape)
            + " takes");
    }

    /** Throws if the data is ragged: the lengths of nested arrays could not be checked against it. */
    static void checkUniform(long... shape) {
        for (long size : shape) {
            if (size < 0) {
                throw new IllegalArgumentException("the rows of the shape " + Arrays.toString(shape) + " differ in length;"
                    + " put(array, i) sets one");
            }
        }
    }

    private static String brackets(int depth, int... indices) {
        StringBuilder text = new StringBuilder();
        for (int d = 0; d < depth; d++) {
            text.append('[').append(indices[d]).append(']');
        }
        return text.toString();
    }

    /** The name of an element of a row in messages: the indices of the row and of the element. */
    static String where(int i, int... indices) {
        return brackets(indices.length - 1, indices) + "[" + i + "]";
    }

    /** The exception for a null at the first {@code depth} of some indices. */
    static NullPointerException isNull(int depth, int... indices) {
        return new NullPointerException(brackets(depth, indices) + " is null");
    }

    /** The exception for a row that is not as long as the first, at the first {@code depth} indices; for the whole array if that is 0. */
    static IllegalArgumentException length(int given, long expected, int depth, int... indices) {
        String row = depth == 0 ? "the array" : "row " + brackets(depth, indices);
        return new IllegalArgumentException(row + " has " + Shapes.elements(given) + ", expected " + expected);
    }
}
