package io.tensornio.internal.ragged;

/**
 * The position of an element of a ragged tensor under construction: the number of its row in the upper half of a long, its offset in the row in the
 * lower. Neither is negative, and no row has 2^31 elements, so adding strides to a position moves it within the row.
 */
public final class RowPosition {
    private RowPosition() {
    }

    /** The position with an offset in a row. */
    public static long of(int row, int offset) {
        return (long) row << 32 | offset;
    }

    /** The number of the row. */
    public static int row(long position) {
        return (int) (position >>> 32);
    }

    /** The offset in the row. */
    public static int offset(long position) {
        return (int) position;
    }
}
