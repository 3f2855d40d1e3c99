package io.tensornio.internal.ragged;

import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.element.LongElement;
import io.tensornio.internal.memory.Block;
import java.nio.LongBuffer;

/** The row splits of a ragged axis: the start of each row, and the end of the last one, in native memory or in an array. */
final class RowSplits {
    private final LongBlock block;
    private final long[] own;
    /** The block whose close is checked. */
    private final Block owner;

    /** The row splits of a tensor. */
    RowSplits(LongBlock block, Block owner) {
        this.block = block;
        this.owner = owner;
        own = null;
    }

    /** Keeps the array, the row splits of a view. */
    RowSplits(long... splits) {
        own = splits;
        block = null;
        owner = null;
    }

    /**
     * A row split.
     *
     * @param row a row, or the number of rows
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    long get(long row) {
        if (own != null) {
            return own[(int) row];
        }
        LongBuffer b = block.rd;
        if (b == null) {
            throw owner.closedException();
        }
        long split = LongElement.read(b, (int) row);
        if (split == 0 && row > 0) {
            checkZero();
        }
        return split;
    }

    /** A 0 after the first split may be its value, or be read from memory that another thread is closing, which reads as either. */
    private void checkZero() {
        if (owner.isClosedAfterRead() || block.isClosedAfterRead()) {
            throw owner.closedException();
        }
    }

    /** The block, if it has the splits of so many rows; else null, and for those in an array. */
    LongBlock block(long rows) {
        return block != null && block.shape()[0] == rows + 1 ? block : null;
    }

    /** The length of a row. */
    long length(long row) {
        long length = get(row + 1) - get(row);
        if (length < 0) {
            throw owner.closedException();
        }
        return length;
    }
}
