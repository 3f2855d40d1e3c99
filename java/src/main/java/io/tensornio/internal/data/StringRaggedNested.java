package io.tensornio.internal.data;

import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.ragged.RaggedParts;
import io.tensornio.internal.string.StagedStrings;
import io.tensornio.internal.string.StringHeap;
import io.tensornio.internal.string.StringPacked;
import java.util.Arrays;
import java.util.Objects;

/**
 * Makes ragged {@code String} tensors of nested arrays. What is to be copied is walked through twice: rows are counted, then each is held
 * each against the counts, since another thread may have replaced it, and copies it.
 */
public final class StringRaggedNested {
    /** The maximum numbers of elements and of row splits in one buffer; they bound the traversal if one row is referenced very often. */
    private static final int MAX_ELEMENTS = Integer.MAX_VALUE / StringElement.BYTES;
    private static final int MAX_SPLITS = Integer.MAX_VALUE / Long.BYTES;

    private final long[][] splits;
    /** The number of rows traversed on each axis. */
    private final int[] rows;
    /** The indices of the row that is walked through, for messages. */
    private final int[] place;

    private StringHeap values;

    private StringRaggedNested(int rank) {
        splits = new long[rank][];
        rows = new int[rank];
        place = new int[rank];
        for (int d = 1; d < rank; d++) {
            splits[d] = new long[16];
        }
    }

    /**
     * A ragged tensor from nested arrays.
     *
     * @param nested arrays at least two deep
     * @return the parts, published
     * @throws NullPointerException if a row is null
     * @throws IllegalArgumentException if the length of a row changed meanwhile
     */
    public static RaggedParts of(Object nested) {
        Objects.requireNonNull(nested, "nested");
        StringRaggedNested walk = new StringRaggedNested(StringFromNested.rank(nested));
        walk.rows(nested, 0);
        int last = walk.rows.length - 1;
        long total = walk.splits[last][walk.rows[last]];
        for (int d = 1; d <= last; d++) {
            walk.splits[d] = Arrays.copyOf(walk.splits[d], walk.rows[d] + 1);
        }
        long[] shape = new long[walk.rows.length];
        Arrays.fill(shape, -1);
        shape[0] = ((Object[]) nested).length;
        walk.values = new StringHeap(StringPacked.checkCount(new long[] {total})).named(shape);
        Arrays.fill(walk.rows, 0);
        walk.rows(nested, 0);
        return StringRaggedTensors.parts(shape, StringPacked.of(new long[] {total}, walk.values), walk.splits);
    }

    /** Counts the arrays at a depth; or copies them in the second pass, when there are values. */
    private void rows(Object nested, int depth) {
        if (depth == rows.length - 1) {
            String[] row = (String[]) nested;
            row(row.length, depth, MAX_ELEMENTS);
            if (values != null) {
                copy(row, (int) splits[depth][rows[depth] - 1]);
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
            place[depth] = i;
            if (row == null) {
                throw Nested.isNull(depth + 1, place);
            }
            rows(row, depth + 1);
        }
    }

    /** Counts a row of an axis, whose rows together can have at most {@code max} positions. */
    private void row(int length, int axis, int max) {
        int row = rows[axis]++;
        long[] own = splits[axis];
        if (values != null) {
            long counted = own[row + 1] - own[row];
            if (length != counted) {
                throw Nested.length(length, counted, axis, place);
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

    private static void checkCapacity(long positions, int axis, int max) {
        if (positions > max) {
            throw new OutOfMemoryError("a ragged " + StringElement.TYPE + " tensor of " + positions + " positions on axis " + axis
                + "; it can have " + max);
        }
    }

    private void copy(String[] row, int at) {
        for (int i = 0; i < row.length; i++) {
            if (row[i] == null) {
                place[place.length - 1] = i;
                throw Nested.isNull(place.length, place);
            }
        }
        StagedStrings all = StagedStrings.of(values, row.length, row, 0, i -> Nested.where(i, place));
        for (int i = 0; i < row.length; i++) {
            all.set(at + i, i);
        }
    }
}
