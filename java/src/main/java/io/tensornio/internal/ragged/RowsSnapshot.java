package io.tensornio.internal.ragged;

/** A snapshot of the rows of a ragged tensor under construction. */
public final class RowsSnapshot {
    /** The numbers of the rows in row-major order. */
    public final int[] rows;
    /** The row splits of all axes, null for uniform ones, in positions of the level below. */
    final long[][] splits;

    RowsSnapshot(int[] rows, long[]... splits) {
        this.rows = rows;
        this.splits = splits;
    }

    /** The length of the row {@code n} of these, in positions of the last ragged axis. */
    public int length(int last, int n) {
        return (int) (splits[last][n + 1] - splits[last][n]);
    }

    /** The total length of all rows. */
    public long positions(int last) {
        return splits[last][rows.length];
    }
}
