package io.tensornio.internal.ragged;

/**
 * The position of an element while a ragged tensor is filled: the number of its row in the upper half of a long, its place among the row's
 * elements in the lower. Neither is negative, and no row has 2^31 elements, so adding strides to a position moves the place within the row.
 */
public final class RowPosition {
    private RowPosition() {
    }

    /** The position of a place in a row. */
    public static long of(int row, int place) {
        return (long) row << 32 | place;
    }

    /** The number of the row. */
    public static int row(long position) {
        return (int) (position >>> 32);
    }

    /** The place in the row. */
    public static int place(long position) {
        return (int) position;
    }
}
