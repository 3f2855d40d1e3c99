package io.tensornio.internal.ragged;

import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.element.LongElement;
import io.tensornio.internal.memory.Block;
import java.nio.LongBuffer;

/** Where the rows of a ragged axis start, by their numbers, and after them where the last one ends: in native memory, or in an array. */
final class RowSplits {
    private final LongBlock block;
    private final long[] own;
    /** What is closed, for the exception. */
    private final Block owner;

    /** The row splits of a tensor. */
    RowSplits(LongBlock block, Block owner) {
        this.block = block;
        this.owner = owner;
        own = null;
    }

    /** The row splits of a view, which this object keeps. */
    RowSplits(long... splits) {
        own = splits;
        block = null;
        owner = null;
    }

    /**
     * One of them.
     *
     * @param row a row, or their number
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

    /** A 0 after the first may be true, or what memory reads that another thread is closing. It never reads anything else. */
    private void checkZero() {
        if (owner.isClosedAfterRead() || block.isClosedAfterRead()) {
            throw owner.closedException();
        }
    }

    /** How long a row is. */
    long length(long row) {
        long length = get(row + 1) - get(row);
        if (length < 0) {
            throw owner.closedException();
        }
        return length;
    }
}
