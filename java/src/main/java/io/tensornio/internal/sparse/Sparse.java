package io.tensornio.internal.sparse;

import io.tensornio.TensorClosedException;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * What published sparse elements of any type have in common: the coordinates of those that are stored, sorted in row-major order and distinct, and
 * the search among them. The place of an element, here and in all layouts over it, is its row-major position in the dense shape; the key of a stored
 * one is that of its coordinates.
 *
 * <p>A search that races with a close may find any entry, but never one out of bounds. That entry reads as 0, since the values are released first;
 * where their pages stay, because they are shared or in a slab, {@link #checkRead} finds out.
 */
public abstract class Sparse {
    /** One key in 2^4 is sampled, once there was one search for each 2^10 entries. */
    private static final int SAMPLE_BITS = 4;
    private static final int SEARCH_BITS = 10;

    /** The coordinates, (n, rank). */
    public final LongBlock indices;
    /** The stored elements, (n). */
    public final Block values;
    /** How many elements are stored. */
    public final int n;
    /** The dense shape; not to be written. */
    public final long[] shape;
    private final long[] strides;
    private final int rank;
    /** The first stride. */
    private final long s0;
    /** Null as long as few searches were made. */
    private Samples samples;
    private int searches;

    /** Takes over the shape, which is checked, and both blocks, which nobody writes any more. */
    public Sparse(long[] shape, LongBlock indices, Block values) {
        this.shape = shape;
        this.indices = indices;
        this.values = values;
        n = (int) values.shape()[0];
        values.name(shape);
        strides = Layout.rowMajorStrides(shape);
        rank = shape.length;
        s0 = rank > 0 ? strides[0] : 0;
    }

    /**
     * The coordinates of the stored elements.
     *
     * @return the block, (n, rank)
     */
    public final LongBlock indices() {
        return indices;
    }

    /**
     * The stored elements.
     *
     * @return the block, (n)
     */
    public final Block values() {
        return values;
    }

    /**
     * The dense shape.
     *
     * @return the sizes themselves: not to be changed or handed out
     */
    public final long[] shape() {
        return shape;
    }

    /**
     * Of a matrix, how many entries are in front of each row, and the number of all.
     *
     * @return a new block, (rows + 1)
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if the memory is not available, or one buffer cannot hold it
     */
    public final LongBlock rowPointers() {
        if (shape[0] >= Integer.MAX_VALUE) {
            throw new OutOfMemoryError("the row pointers of " + shape[0] + " rows; one tensor can have " + Integer.MAX_VALUE + " bytes");
        }
        Storage pinned = pin(indices);
        try {
            LongBlock pointers = LongBlock.uncleared(shape[0] + 1);
            try {
                NativeSparse.rowPointers(open(), n, shape[0], pointers.wr);
                return pointers;
            } catch (Throwable e) {
                pointers.close();
                throw e;
            }
        } finally {
            pinned.unpin();
        }
    }

    /** Gives the memory back, that of the values first: see above. Closing again does nothing. */
    public final void close() {
        try {
            values.close();
        } finally {
            indices.close();
        }
    }

    /**
     * Checks that the tensor is not closed by now, after an element was read: its coordinates may have been zeros by then.
     *
     * @throws TensorClosedException if it is
     */
    public final void checkRead() {
        if (indices.isClosedAfterRead()) {
            throw closedException();
        }
    }

    /** What the coordinates are read through. */
    public final LongBuffer open() {
        LongBuffer coordinates = indices.rd;
        if (coordinates == null) {
            throw closedException();
        }
        return coordinates;
    }

    final TensorClosedException closedException() {
        return new TensorClosedException(values.dataType(), shape);
    }

    /** Keeps one of the blocks in place for a native call, until the storage is unpinned. */
    public final Storage pin(Block block) {
        if (block.isClosed() || !block.storage.pin()) {
            throw closedException();
        }
        return block.storage;
    }

    /** The place of a stored element. */
    public final long key(LongBuffer coordinates, int k) {
        if (rank == 2) {
            return coordinates.get(2 * k) * s0 + coordinates.get(2 * k + 1);
        }
        long key = 0;
        for (int d = 0, at = k * rank; d < rank; d++) {
            key += coordinates.get(at + d) * strides[d];
        }
        return key;
    }

    /** The entry of a place, or -1 if nothing is stored there. */
    public final int find(LongBuffer coordinates, long place) {
        Samples known = samples;
        int from = 0;
        int length = n;
        if (known != null) {
            from = known.find(place) << SAMPLE_BITS;
            length = Math.min(1 << SAMPLE_BITS, n - from);
        } else if (pays(searches)) {
            samples = new Samples(coordinates);
        } else {
            searches++;
        }
        while (length > 1) {            // one comparison a step, of which the compiler makes no jump
            int half = length >>> 1;
            from += key(coordinates, from + half) <= place ? half : 0;
            length -= half;
        }
        return n > 0 && key(coordinates, from) == place ? from : -1;
    }

    private boolean pays(int made) {
        return n >> SEARCH_BITS > 0 && made >= n >> SEARCH_BITS;
    }

    /** Whether there are samples, or they pay after so many searches that went far. */
    final boolean hasSamples(int made) {
        return samples != null || pays(made);
    }

    /**
     * Every 16th key, close together: a search in many entries waits for memory at nearly each step. The field is final, so that any thread sees
     * the keys.
     */
    private final class Samples {
        private final long[] keys;

        Samples(LongBuffer coordinates) {
            keys = new long[(n - 1 >> SAMPLE_BITS) + 1];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = key(coordinates, i << SAMPLE_BITS);
            }
        }

        /** The last one that is not after a place, or the first. */
        int find(long place) {
            int from = 0;
            for (int length = keys.length; length > 1; ) {
                int half = length >>> 1;
                from += keys[from + half] <= place ? half : 0;
                length -= half;
            }
            return from;
        }
    }

    /**
     * The first entry at a place or after it, or n. The search costs the logarithm of its distance from a hint, which is 0 to n; what is not within
     * {@code near} entries is looked for among samples, which are taken if nobody has yet.
     */
    final int seek(LongBuffer coordinates, long place, int hint, int near) {
        int low = 0;
        int high = hint;
        int step = 1;
        if (hint < n && key(coordinates, hint) < place) {
            low = hint + 1;
            while (step < near && low + step <= n && key(coordinates, low + step - 1) < place) {
                low += step;
                step <<= 1;
            }
            high = Math.min(low + step - 1, n);
        } else {
            while (step < near && high >= step && key(coordinates, high - step) >= place) {
                high -= step;
                step <<= 1;
            }
            low = Math.max(high - step + 1, 0);
        }
        return step < near ? first(coordinates, place, low, high) : seekSampled(coordinates, place);
    }

    private int seekSampled(LongBuffer coordinates, long place) {
        Samples known = samples;
        if (known == null) {
            known = new Samples(coordinates);
            samples = known;
        }
        int from = known.find(place) << SAMPLE_BITS;
        return first(coordinates, place, from, Math.min(from + (1 << SAMPLE_BITS), n));
    }

    /** The first of the entries from one on that is at a place or after it; {@code to} if none before that is. */
    private int first(LongBuffer coordinates, long place, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (key(coordinates, middle) < place) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Checks that coordinates and values belong together, and to a dense shape.
     *
     * @throws IllegalArgumentException if they are not (n, rank) and (n)
     */
    public static void checkParts(long[] indicesShape, long[] valuesShape, long... denseShape) {
        if (valuesShape.length != 1 || !Arrays.equals(indicesShape, new long[] {valuesShape[0], denseShape.length})) {
            throw new IllegalArgumentException("indices of shape " + Arrays.toString(indicesShape) + " and values of shape "
                + Arrays.toString(valuesShape) + " for the dense shape " + Arrays.toString(denseShape)
                + ": they must be (n, " + denseShape.length + ") and (n)");
        }
    }
}
