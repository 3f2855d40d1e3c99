package io.tensornio.internal.ragged;

import io.tensornio.internal.layout.Shapes;
import java.util.Arrays;
import java.util.Objects;

/** Checks of shapes in which -1 stands for a ragged axis. */
public final class RaggedShapes {
    private RaggedShapes() {
    }

    /**
     * Checks a caller's shape, and copies it so that the caller cannot change it afterwards.
     *
     * @param shape the sizes of all axes, -1 for ragged ones
     * @param byteSize the bytes of one element
     * @return a copy of the shape
     * @throws IllegalArgumentException if no axis or the first one is ragged, any other size is negative, or the sizes are too large
     */
    public static long[] check(long[] shape, int byteSize) {
        long[] copy = Objects.requireNonNull(shape, "shape").clone();
        long[] uniform = copy.clone();
        for (int d = 0; d < copy.length; d++) {
            if (copy[d] == -1 && d == 0) {
                throw new IllegalArgumentException("the shape " + Arrays.toString(copy) + " is ragged on axis 0, which must have a size");
            }
            if (copy[d] == -1) {
                uniform[d] = 1;
            } else if (copy[d] < 0) {
                throw new IllegalArgumentException("the shape " + Arrays.toString(copy) + " has a negative size on axis " + d
                    + "; -1 makes it ragged");
            }
        }
        if (Arrays.equals(copy, uniform)) {
            throw new IllegalArgumentException("the shape " + Arrays.toString(copy) + " has no ragged axis, which is one of size -1");
        }
        try {
            Shapes.check(uniform, byteSize);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the shape " + Arrays.toString(copy) + " of " + byteSize
                + "-byte elements has more bytes than a long can count, even if no row has more than one position", e);
        }
        return copy;
    }

    /** The last ragged axis. */
    public static int last(long... shape) {
        int d = shape.length - 1;
        while (shape[d] >= 0) {
            d--;
        }
        return d;
    }

    /**
     * Whether any axis is ragged.
     *
     * @param shape the shape of any data
     * @return true if a size is -1
     */
    public static boolean isRagged(long... shape) {
        for (long size : shape) {
            if (size < 0) {
                return true;
            }
        }
        return false;
    }
}
