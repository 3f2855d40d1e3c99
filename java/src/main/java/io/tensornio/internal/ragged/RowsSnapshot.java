package io.tensornio.internal.ragged;

/** The rows of a ragged tensor that is filled, as they were at one time. */
public final class RowsSnapshot {
    /** Their numbers in row-major order. */
    public final int[] rows;
    /** The row splits of all axes, null of those that are not ragged, in positions of the level below. */
    final long[][] splits;

    RowsSnapshot(int[] rows, long[]... splits) {
        this.rows = rows;
        this.splits = splits;
    }

    /** How many positions of the last ragged axis the row {@code n} of these has. */
    public int length(int last, int n) {
        return (int) (splits[last][n + 1] - splits[last][n]);
    }

    /** How many all rows have. */
    public long positions(int last) {
        return splits[last][rows.length];
    }
}
