package io.tensornio.internal.data;

import io.tensornio.DataType;
import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * A walk through nested arrays of any type that become a ragged tensor, in two passes: the first counts the rows, the second checks each against the
 * counts, since another thread may have replaced it, and copies it.
 */
abstract class NestedRows {
    /** The maximum number of row splits in one buffer. */
    private static final int MAX_SPLITS = Integer.MAX_VALUE / Long.BYTES;

    private final DataType type;
    /** The maximum number of elements in one buffer; it bounds the traversal if one row is referenced very often. */
    private final int maxElements;
    /** The row splits of each axis; all of their elements are used once the rows were counted. */
    final long[][] splits;
    /** The indices of the current row, for messages. */
    final int[] indices;
    /** The number of rows traversed on each axis. */
    private final int[] rows;
    private boolean copies;

    NestedRows(int rank, DataType type, int elementBytes) {
        this.type = type;
        maxElements = Integer.MAX_VALUE / elementBytes;
        splits = new long[rank][];
        rows = new int[rank];
        indices = new int[rank];
        for (int d = 1; d < rank; d++) {
            splits[d] = new long[16];
        }
    }

    /** Counts all rows; returns the number of elements. */
    final long count(Object nested) {
        rows(nested, 0);
        for (int d = 1; d < rows.length; d++) {
            splits[d] = Arrays.copyOf(splits[d], rows[d] + 1);
        }
        int last = rows.length - 1;
        return splits[last][rows[last]];
    }

    /** Copies all rows, which were counted. */
    final void copy(Object nested) {
        copies = true;
        Arrays.fill(rows, 0);
        rows(nested, 0);
    }

    /** The shape of what becomes of the arrays. */
    final long[] shape(Object nested) {
        long[] shape = new long[rows.length];
        Arrays.fill(shape, -1);
        shape[0] = ((Object[]) nested).length;
        return shape;
    }

    /** Copies an array of elements to a position among all. */
    abstract void copy(Object row, int at);

    private void rows(Object nested, int depth) {
        if (depth == rows.length - 1) {
            row(Array.getLength(nested), depth, maxElements);
            if (copies) {
                copy(nested, (int) splits[depth][rows[depth] - 1]);
            }
            return;
        }
        Object[] inner = (Object[]) nested;
        if (depth == 0) {
            checkCapacity(inner.length, 0, MAX_SPLITS - 1);
        } else {
            row(inner.length, depth, MAX_SPLITS - 1);
        }
        for (int i = 0; i < inner.length; i++) {
            Object row = inner[i];
            indices[depth] = i;
            if (row == null) {
                throw Nested.isNull(depth + 1, indices);
            }
            rows(row, depth + 1);
        }
    }

    /** Counts a row of an axis, whose rows together can have at most {@code max} positions. */
    private void row(int length, int axis, int max) {
        int row = rows[axis]++;
        long[] own = splits[axis];
        if (copies) {
            long counted = own[row + 1] - own[row];
            if (length != counted) {
                throw Nested.length(length, counted, axis, indices);
            }
            return;
        }
        if (row + 1 == own.length) {
            own = Arrays.copyOf(own, (int) Math.min(2L * own.length, MAX_SPLITS));
            splits[axis] = own;
        }
        long end = own[row] + length;
        checkCapacity(end, axis, max);
        own[row + 1] = end;
    }

    private void checkCapacity(long positions, int axis, int max) {
        if (positions > max) {
            throw new OutOfMemoryError("a ragged " + type + " tensor of " + positions + " positions on axis " + axis + "; it can have " + max);
        }
    }
}
