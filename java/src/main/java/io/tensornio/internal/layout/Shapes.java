package io.tensornio.internal.layout;

import io.tensornio.DataType;
import java.util.Arrays;
import java.util.Objects;

/** Checks of shapes, products of sizes, and coordinates of linear indices. */
public final class Shapes {
    /** Added to the message if an empty shape overflows without its sizes of 0. */
    private static final String BESIDE_ZERO = ", its sizes of 0 left out";

    private Shapes() {
    }

    /**
     * Checks a caller's shape, and copies it so that the caller cannot change it afterwards.
     *
     * @param shape the sizes of all axes
     * @param byteSize the bytes of one element
     * @return a copy of the shape
     * @throws IllegalArgumentException if a size is negative, or the bytes of all elements overflow a {@code long}
     */
    public static long[] check(long[] shape, int byteSize) {
        return check(shape, byteSize, "the shape %s of " + byteSize + "-byte elements has more bytes than a long can count");
    }

    private static long[] check(long[] shape, int byteSize, String tooLarge) {
        long[] copy = Objects.requireNonNull(shape, "shape").clone();
        for (int d = 0; d < copy.length; d++) {
            if (copy[d] < 0) {
                throw new IllegalArgumentException("the shape " + Arrays.toString(copy) + " has a negative size on axis " + d);
            }
        }
        if (overflows(copy, byteSize)) {
            throw new IllegalArgumentException(String.format(tooLarge, Arrays.toString(copy)) + (isEmpty(copy) ? BESIDE_ZERO : ""));
        }
        return copy;
    }

    /**
     * A number of elements, in words.
     *
     * @param n how many
     * @return such as {@code 1 element}, {@code 2 elements}
     */
    public static String elements(long n) {
        return n + (n == 1 ? " element" : " elements");
    }

    /** Whether a long cannot count the bytes. Sizes beside a 0 count too: strides, slices and messages multiply them. */
    private static boolean overflows(long[] shape, int byteSize) {
        long bytes = byteSize;
        for (long size : shape) {
            long factor = Math.max(size, 1);
            if (bytes > Long.MAX_VALUE / factor) {
                return true;
            }
            bytes *= factor;
        }
        return false;
    }

    private static boolean isEmpty(long... shape) {
        for (long size : shape) {
            if (size == 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * As {@link #check(long[], int)}, for data that does not store all elements, such as sparse tensors and
     * user-defined data: only the number of elements is limited.
     *
     * @param shape the sizes of all axes
     * @return a copy of the shape
     * @throws IllegalArgumentException if a size is negative, or their product overflows a {@code long}
     */
    public static long[] checkSparse(long... shape) {
        return check(shape, 1, "the shape %s has more elements than a long can count");
    }

    /**
     * Checks that the bytes of a dense copy fit a {@code long}. Unlike in {@link #check(long[], int)}, the shape is
     * valid, since sparse or user-defined data has it, but may be too large to be dense: an {@link OutOfMemoryError}.
     *
     * @param shape the sizes of all axes
     * @param type the type of the elements
     * @param byteSize the bytes of one
     * @throws OutOfMemoryError if they overflow a {@code long}
     * @throws IllegalArgumentException if there are none, and only the sizes beside a 0 overflow it
     */
    public static void checkDense(long[] shape, DataType type, int byteSize) {
        if (overflows(shape, byteSize)) {
            String tooLarge = "the dense " + type + " tensor of shape " + Arrays.toString(shape) + " has more bytes than a long can count";
            if (isEmpty(shape)) {
                throw new IllegalArgumentException(tooLarge + BESIDE_ZERO);
            }
            throw new OutOfMemoryError(tooLarge);
        }
    }

    /**
     * The number of elements of a checked shape.
     *
     * @param shape the sizes of all axes
     * @return their product; 1 for none
     */
    public static long product(long... shape) {
        long product = 1;
        for (long size : shape) {
            product *= size;
        }
        return product;
    }

    /**
     * The coordinates of an element.
     *
     * @param shape the sizes of all axes
     * @param at its linear index in row-major order, within the shape
     * @return one index for each axis, in a new array
     */
    public static long[] coordinates(long[] shape, long at) {
        long[] indices = new long[shape.length];
        long rest = at;
        for (int d = indices.length - 1; d > 0; d--) {
            indices[d] = rest % shape[d];
            rest /= shape[d];
        }
        if (indices.length > 0) {
            indices[0] = rest;
        }
        return indices;
    }

    /**
     * The size of one axis.
     *
     * @param shape the sizes of all axes
     * @param axis which one
     * @return its size
     * @throws IllegalArgumentException if there is no such axis
     */
    public static long size(long[] shape, int axis) {
        if (axis < 0 || axis >= shape.length) {
            throw new IllegalArgumentException("no axis " + axis + " in the shape " + Arrays.toString(shape) + " of rank " + shape.length);
        }
        return shape[axis];
    }
}
