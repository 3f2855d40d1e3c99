package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatBlock;
//#if buffer
import io.tensornio.internal.element.FloatBulk;
//#end
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.ragged.RaggedParts;
import java.util.Arrays;
import java.util.Objects;

/**
 * Makes ragged {@code float} tensors of nested arrays. What is to be copied is walked through twice: rows are counted, then each is held
 * against what was counted and copied, since another thread may put others in their place.
 */
public final class FloatRaggedNested {
    /** How many elements, and how many row splits, might fit one buffer; so that rows that stand at many places are not counted for ever. */
    private static final int MAX_ELEMENTS = Integer.MAX_VALUE / FloatElement.BYTES;
    private static final int MAX_SPLITS = Integer.MAX_VALUE / Long.BYTES;

    private final long[][] splits;
    /** The rows of each axis that were walked through. */
    private final int[] rows;
    /** The indices of the row that is walked through, for messages. */
    private final int[] place;
    private FloatBlock values;

    private FloatRaggedNested(int rank) {
        splits = new long[rank][];
        rows = new int[rank];
        place = new int[rank];
        for (int d = 1; d < rank; d++) {
            splits[d] = new long[16];
        }
    }

    /**
     * A ragged tensor of arrays.
     *
     * @param nested arrays at least two deep
     * @return the parts, published
     * @throws NullPointerException if a row is null
     * @throws IllegalArgumentException if a row has another length than it had at first
     */
    public static RaggedParts of(Object nested) {
        Objects.requireNonNull(nested, "nested");
        FloatRaggedNested walk = new FloatRaggedNested(FloatFromNested.rank(nested));
        walk.rows(nested, 0);
        int last = walk.rows.length - 1;
        long total = walk.splits[last][walk.rows[last]];
        for (int d = 1; d <= last; d++) {
            walk.splits[d] = Arrays.copyOf(walk.splits[d], walk.rows[d] + 1);
        }
        long[] shape = new long[walk.rows.length];
        Arrays.fill(shape, -1);
        shape[0] = ((Object[]) nested).length;
        walk.values = FloatBlock.uncleared(total);
        try {
            Arrays.fill(walk.rows, 0);
            walk.rows(nested, 0);
            return FloatRaggedTensors.parts(shape, walk.values, walk.splits);
        } catch (Throwable e) {
            walk.values.close();
            throw e;
        }
    }

    /** Counts the arrays at a depth; or copies them, once there are values. */
    private void rows(Object nested, int depth) {
        if (depth == rows.length - 1) {
            float[] row = (float[]) nested;
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

    /** The next row of an axis, whose rows together can have only {@code max} positions. */
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
            throw new OutOfMemoryError("a ragged " + FloatElement.TYPE + " tensor of " + positions + " positions on axis " + axis
                + "; it can have " + max);
        }
    }

    private void copy(float[] row, int at) {
        //#if buffer
        FloatBulk.put(values.wr, at, row, 0, row.length);
        //#end
        //~boolean for (int i = 0; i < row.length; i++) {
        //~boolean     FloatElement.write(values.wr, at + i, row[i]);
        //~boolean }
    }
}
