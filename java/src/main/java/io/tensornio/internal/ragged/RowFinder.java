package io.tensornio.internal.ragged;

import io.tensornio.internal.layout.FourIndices;

/**
 * Finds elements of a ragged tensor under construction by their indices: the row that has an element, and its offset in the row. Indices are those of
 * the part at some leading indices: on the axes from {@code depth} on, below {@code node}.
 */
public final class RowFinder {
    private final RaggedTree tree;

    RowFinder(RaggedTree tree) {
        this.tree = tree;
    }

    /** The offset in the row of the element at the indices from {@code k} on, those on the last ragged axis and after it. */
    public int offset(int depth, int node, int k, int... indices) {
        int offset = 0;
        for (int n = k; n < indices.length; n++) {
            int d = depth + n;
            if (d > tree.last) {
                tree.check(depth, node, n, 0, false, indices);
            }
            offset = d == tree.last ? indices[n] : offset * (int) tree.shape[d] + indices[n];
        }
        for (int d = depth + indices.length; d < tree.shape.length; d++) {
            offset *= (int) tree.shape[d];
        }
        return offset;
    }

    /** The position in the arena of the element at all indices. */
    public long position(int depth, int node, int... indices) {
        int before = tree.last - depth;
        int row = tree.find(depth, node, before, false, indices);
        tree.check(depth, node, before, row, false, indices);
        return RowPosition.of(row, offset(depth, node, before, indices));
    }

    /**
     * The row that contains the element at the first {@code n} of four indices, or to which it can be appended; -1 if
     * there is none, or an index is invalid. Allocates no array.
     */
    public int row(int depth, int node, int n, int i, int j, int k, int l) {
        if (n != tree.shape.length - depth) {
            return -1;
        }
        int at = node;
        int d = depth;
        for (; d < tree.last; d++) {
            int index = FourIndices.get(d - depth, i, j, k, l);
            if (index < 0 || index >= tree.size(d, at)) {
                return -1;
            }
            at = tree.below(d, at, index);
        }
        int index = FourIndices.get(d - depth, i, j, k, l);
        boolean isInside = index >= 0 && index <= tree.rows.length(at);
        for (d++; d < tree.shape.length && isInside; d++) {
            index = FourIndices.get(d - depth, i, j, k, l);
            isInside = index >= 0 && index < tree.shape[d];
        }
        return isInside ? at : -1;
    }

    /** The offset in its {@link #row} of the element at four indices, of which those that exist count. */
    public int offset(int depth, int i, int j, int k, int l) {
        int offset = FourIndices.get(tree.last - depth, i, j, k, l);
        for (int d = tree.last + 1; d < tree.shape.length; d++) {
            offset = offset * (int) tree.shape[d] + FourIndices.get(d - depth, i, j, k, l);
        }
        return offset;
    }
}
