package io.tensornio.internal.layout;

import java.util.Arrays;
import java.util.Objects;

/** Checks axes that a caller names; negative ones count from the end. */
public final class Axes {
    private Axes() {
    }

    /**
     * One axis.
     *
     * @param call the method that was called, for the message
     * @param shape the sizes of all axes
     * @param axis which one; -1 is the last
     * @return its number, 0 to the rank less 1
     * @throws IllegalArgumentException if there is no such axis
     */
    public static int check(String call, long[] shape, int axis) {
        return check(call, shape, axis, shape.length, "");
    }

    /**
     * The position at which an axis is inserted.
     *
     * @param call the method that was called, for the message
     * @param shape the sizes of the existing axes
     * @param axis before which of them; -1 is after the last
     * @return its number in the result, 0 to the rank
     * @throws IllegalArgumentException if it is out of range
     */
    public static int checkNew(String call, long[] shape, int axis) {
        return check(call, shape, axis, shape.length + 1, " the new one in");
    }

    private static int check(String call, long[] shape, int axis, int count, String where) {
        int found = axis < 0 ? axis + count : axis;
        if (found < 0 || found >= count) {
            String possible = count == 0 ? "there are none" : "they are " + -count + " to " + (count - 1);
            throw new IllegalArgumentException(call + ": no axis " + axis + where(where, shape) + ": " + possible);
        }
        return found;
    }

    private static String where(String what, long[] shape) {
        return (what.isEmpty() ? " in" : " for" + what) + " the shape " + Arrays.toString(shape) + " of rank " + shape.length;
    }

    /**
     * Several axes.
     *
     * @param call the method that was called, for the message
     * @param shape the sizes of all axes
     * @param axes which ones
     * @return their numbers, in a new array
     * @throws IllegalArgumentException if there is no such axis, or one is named twice
     */
    public static int[] checkDistinct(String call, long[] shape, int... axes) {
        int[] found = Objects.requireNonNull(axes, "axes").clone();
        boolean[] taken = new boolean[shape.length];
        for (int k = 0; k < found.length; k++) {
            int axis = check(call, shape, found[k]);
            if (taken[axis]) {
                throw new IllegalArgumentException(call + ": axis " + axis + " is named twice in " + Arrays.toString(axes));
            }
            taken[axis] = true;
            found[k] = axis;
        }
        return found;
    }

    /**
     * A permutation of the axes.
     *
     * @param shape the sizes of all axes
     * @param axes which one each axis of the result is
     * @return their numbers, in a new array
     * @throws IllegalArgumentException if an axis is missing or named twice, or there is no such axis
     */
    public static int[] checkPermutation(long[] shape, int... axes) {
        if (Objects.requireNonNull(axes, "axes").length != shape.length) {
            throw new IllegalArgumentException("permute: " + axes.length + " axes " + Arrays.toString(axes) + " for the shape "
                + Arrays.toString(shape) + ": each of its " + shape.length + " must be named once");
        }
        return checkDistinct("permute", shape, axes);
    }
}
