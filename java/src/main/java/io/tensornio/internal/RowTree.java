package io.tensornio.internal;

/** The rows of a ragged tensor that is filled, as they were at one time. */
final class RowTree {
    /** Their numbers in row-major order. */
    final int[] rows;
    /** The row splits of all axes, null of those that are not ragged, in positions of the level below. */
    final long[][] splits;

    RowTree(int[] rows, long[]... splits) {
        this.rows = rows;
        this.splits = splits;
    }

    /** How many positions of the last ragged axis the row {@code n} of these has. */
    int length(int last, int n) {
        return (int) (splits[last][n + 1] - splits[last][n]);
    }

    /** How many all rows have. */
    long positions(int last) {
        return splits[last][rows.length];
    }
}
