package io.tensornio.internal.ragged;

import io.tensornio.TensorData;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.element.LongBulk;
import io.tensornio.internal.memory.Block;
import java.util.Arrays;

/** The parts of a ragged tensor: its flat values, and the row splits of each ragged axis. */
public final class RaggedParts {
    private final long[] shape;
    private final Block values;
    private final TensorData<?> valuesData;
    private final LongBlock[] splits;
    /** The whole tensor as data; null until first requested. */
    public TensorData<?> whole;

    /** Keeps its arguments. */
    public RaggedParts(long[] shape, Block values, TensorData<?> valuesData) {
        this.shape = shape;
        this.values = values;
        this.valuesData = valuesData;
        splits = new LongBlock[shape.length];
    }

    /** Checks that the splits are consistent with each other and with the values: from here on they are trusted. */
    private void check(long[]... own) {
        long rows = shape[0];
        for (int d = 1, last = RaggedShapes.last(shape); d <= last; d++) {
            if (own[d] == null) {
                rows *= shape[d];
                continue;
            }
            if (own[d].length != rows + 1) {
                throw new IllegalStateException(this + " has " + own[d].length + " splits of " + rows + " rows on axis " + d);
            }
            rows = own[d][own[d].length - 1];
        }
        if (rows != values.shape()[0]) {
            throw new IllegalStateException(this + " has " + rows + " as its last row split, and " + values.shape()[0] + " values");
        }
    }

    @Override
    public String toString() {
        return values.dataType() + " ragged tensor of shape " + Arrays.toString(shape);
    }

    /**
     * Copies the row splits of each axis, null for uniform ones, to native memory.
     *
     * @throws IllegalStateException if they are inconsistent with each other or with the values
     */
    public void addSplits(long[]... own) {
        check(own);
        for (int d = 1; d < splits.length; d++) {
            if (own[d] != null) {
                LongBlock block = LongBlock.uncleared(own[d].length);
                splits[d] = block;
                LongBulk.put(block.wr, 0, own[d], 0, own[d].length);
                block.name(shape);
                block.publish();
            }
        }
        values.namePlaces(this::where);
    }

    /** The row splits for a layout. */
    public RowSplits[] rowSplits() {
        RowSplits[] all = new RowSplits[splits.length];
        for (int d = 0; d < all.length; d++) {
            all[d] = splits[d] == null ? null : new RowSplits(splits[d], values);
        }
        return all;
    }

    /** The name of the value at a valid position, for messages. */
    public String where(long at) {
        RowSplits[] all = rowSplits();
        int last = RaggedShapes.last(shape);
        long[] rows = new long[last + 1];
        rows[1] = shape[0];
        for (int d = 1; d < last; d++) {
            rows[d + 1] = all[d] == null ? rows[d] * shape[d] : all[d].get(rows[d]);
        }
        long[] indices = new long[shape.length];
        long node = at;
        for (int d = shape.length - 1; d > 0; d--) {
            long row = all[d] == null ? node / shape[d] : rowOf(node, all[d], rows[d]);
            indices[d] = all[d] == null ? node % shape[d] : node - all[d].get(row);
            node = row;
        }
        indices[0] = node;
        return "the element " + Arrays.toString(indices) + " of the shape " + Arrays.toString(shape);
    }

    /** The row of a position: the last one that does not start after it, since earlier ones with that start are empty. */
    private static long rowOf(long position, RowSplits splits, long rows) {
        long low = 0;
        long high = rows - 1;
        while (low < high) {
            long middle = (low + high + 1) >>> 1;
            if (splits.get(middle) <= position) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /**
     * The shape, -1 for each ragged axis.
     *
     * @return the sizes themselves: not to be changed or handed out
     */
    public long[] shape() {
        return shape;
    }

    /**
     * The data of the tensor.
     *
     * @return all of it
     */
    public TensorData<?> data() {
        return whole;
    }

    /**
     * The flat values: those of all rows, contiguous.
     *
     * @return the block
     */
    public Block values() {
        return values;
    }

    /**
     * The values as data.
     *
     * @return all of the block
     */
    public TensorData<?> valuesData() {
        return valuesData;
    }

    /**
     * The row splits of an axis.
     *
     * @param axis which one
     * @return the block, or null if it is not ragged or there is no such axis
     */
    public LongBlock splits(int axis) {
        return axis < 0 || axis >= splits.length ? null : splits[axis];
    }

    /**
     * The memory of the parts.
     *
     * @return the bytes of values and splits
     */
    public long bytes() {
        long bytes = values.numBytes();
        for (LongBlock block : splits) {
            bytes += block == null ? 0 : block.numBytes();
        }
        return bytes;
    }

    /** Closes all parts. Closing again does nothing. */
    public void close() {
        values.close();         // first: concurrent readers of splits check whether the values are closed
        for (LongBlock block : splits) {
            if (block != null) {
                block.close();
            }
        }
    }
}
