package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.layout.Shapes;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;

/** What nested arrays of all element types have in common: the classes of their rows, and what is said of those that are wrong. */
public final class Nested {
    /** How deep arrays of Java can be nested. */
    private static final int MAX_RANK = 255;

    private Nested() {
    }

    /**
     * Checks that there is no walk forever through rows that are empty and stand at many places. Those of a shape that has elements are as few as
     * these.
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
     * The rank of an object's class as nested arrays.
     *
     * @param nested any object
     * @param element what the innermost arrays should have
     * @param box the class of an element alone, which has rank 0
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
     * Checks that arrays are two deep at least.
     *
     * @param nested arrays, or an element alone
     * @throws IllegalArgumentException if they are not
     */
    public static void checkRagged(Object nested) {
        Class<?> row = nested.getClass().getComponentType();
        if (row == null || !row.isArray()) {
            throw new IllegalArgumentException("a " + nested.getClass().getSimpleName() + " for a ragged tensor, which needs arrays of arrays");
        }
    }

    /** The class of the rows of each axis but the last, whose rows are of the class given. */
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

    /** A number of elements as that of an array. */
    static int length(long n) {
        if (n > Integer.MAX_VALUE) {
            throw new OutOfMemoryError(Shapes.elements(n) + ": an array can have " + Integer.MAX_VALUE);
        }
        return (int) n;
    }

    /** A size as that of an array. */
    static int length(long size, int axis) {
        if (size > Integer.MAX_VALUE) {
            throw new OutOfMemoryError("the size " + size + " on axis " + axis + ": an array can have " + Integer.MAX_VALUE);
        }
        return (int) size;
    }

    /**
     * Data as nested arrays of a class.
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

    /** What {@code Class.getTypeName} says: Android has that from API level 26 on. */
    private static String name(Class<?> type) {
        return type.isArray() ? name(type.getComponentType()) + "[]" : type.getName();
    }

    /**
     * The exception for an object that no tensor can be made of.
     *
     * @param nested the object
     * @param elements what the innermost arrays may have
     * @return an exception that names its class
     */
    public static IllegalArgumentException unsupported(Object nested, String elements) {
        return new IllegalArgumentException(name(nested.getClass()) + " is not a nested array of " + elements);
    }

    /** The exception for an object that is not of the class that data of a shape takes. */
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
                throw new IllegalArgumentException("the rows of the shape " + Arrays.toString(shape) + " have lengths of their own;"
                    + " put(array, i) sets one");
            }
        }
    }

    private static String place(int depth, int... indices) {
        StringBuilder place = new StringBuilder();
        for (int d = 0; d < depth; d++) {
            place.append('[').append(indices[d]).append(']');
        }
        return place.toString();
    }

    /** The name of an element of a row in messages: the indices of the row, and one more. */
    static String where(int i, int... indices) {
        return place(indices.length - 1, indices) + "[" + i + "]";
    }

    /** The exception for a null at the first {@code depth} of some indices. */
    static NullPointerException isNull(int depth, int... indices) {
        return new NullPointerException(place(depth, indices) + " is null");
    }

    /** The exception for a row of another length than the first one, at the first {@code depth} of some indices; or for the whole, if that is 0. */
    static IllegalArgumentException length(int given, long expected, int depth, int... indices) {
        String row = depth == 0 ? "the array" : "row " + place(depth, indices);
        return new IllegalArgumentException(row + " has " + Shapes.elements(given) + ", expected " + expected);
    }
}
