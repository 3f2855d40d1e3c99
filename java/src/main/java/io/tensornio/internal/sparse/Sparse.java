package io.tensornio.internal.sparse;

import io.tensornio.DataType;
import io.tensornio.TensorClosedException;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.MemorySnapshot;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.memory.Storage;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * Published sparse elements of any type: the coordinates of the entries (COO), sorted in row-major order and distinct, and the search among them. The
 * position of an element, here and in all layouts over it, is its linear index in the dense shape; the key of an entry is its position.
 *
 * <p>A search that races with a close may find a wrong entry, but never one out of bounds. It reads as 0, since the
 * values are released first; where their pages stay, because they are shared or in a slab, {@link #checkRead} throws.
 */
public abstract class Sparse implements Source {
    /** One key in 2^4 is sampled, once there was one far search for each 2^10 entries. */
    private static final int SAMPLE_BITS = 4;
    private static final int SEARCH_BITS = 10;

    /** Of fewer entries, or more rows than entries, a compressed form saves no time. */
    private static final int LEAST_COMPRESSED = 1 << 16;

    /** The coordinates, (n, rank). */
    public final LongBlock indices;
    /** The values of the entries, (n). */
    public final Block values;
    /** The number of entries. */
    public final int n;
    /** The dense shape; not to be written. */
    public final long[] shape;
    private final long[] strides;
    private final int rank;
    /** The first stride. */
    private final long s0;
    /** Null until enough far searches were made. */
    private Samples samples;
    private int searches;
    /** Null until a program reads the entries once more. */
    private LongBlock compressed;
    private boolean wasRead;
    /** Whether a thread has made that, or tried to: without memory once, none is asked for again, which would take collections in each run. */
    private boolean isTried;
    private boolean isClosed;

    /** Keeps the checked shape, and both blocks, which are not written any more. */
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
     * The coordinates of the entries.
     *
     * @return the block, (n, rank)
     */
    public final LongBlock indices() {
        return indices;
    }

    /**
     * The values of the entries.
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
     * The row pointers of a matrix, as in CSR: the number of entries before each row, and the total.
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

    /**
     * The compressed rows of a large matrix, of which programs read less than half as much: the row pointers, and then the columns of the entries in
     * 4 bytes each. They are made when a program reads the entries for the second time, and kept.
     *
     * @return a block that is closed with this; null the first time, of other tensors, while another thread makes it, and without
     *     memory for it
     * @throws TensorClosedException if the tensor is closed meanwhile
     */
    public final LongBlock compressed() {
        synchronized (this) {
            boolean isRead = wasRead;
            wasRead = true;
            if (!isRead || isTried || !isCompressible()) {
                return compressed;
            }
            isTried = true;
        }
        LongBlock made = compress();
        if (made == null) {
            return null;
        }
        synchronized (this) {
            if (!isClosed) {
                compressed = made;
                return made;
            }
        }
        made.close();
        throw closedException();
    }

    private boolean isCompressible() {
        return rank == 2 && n >= LEAST_COMPRESSED && shape[0] <= n && shape[1] <= Integer.MAX_VALUE
            && (values.dataType() == DataType.FLOAT || values.dataType() == DataType.DOUBLE);
    }

    /** The compressed rows; null if they would take more than half of what is left of the budget, which results need, or there is no memory. */
    private LongBlock compress() {
        long longs = shape[0] + 1 + (n + 1) / 2;
        MemorySnapshot memory = MemorySnapshot.read();
        if (longs * Long.BYTES > (memory.maxMemory - memory.bytesInUse) / 2) {
            return null;
        }
        Storage pinned = pin(indices);
        try {
            LongBlock made = LongBlock.uncleared(longs);
            try {
                NativeSparse.rowPointers(open(), n, shape[0], made.wr);
                LongBuffer columns = made.wr.duplicate();
                columns.position((int) shape[0] + 1);
                NativeSparse.narrowColumns(open(), n, shape[1], columns.slice());
                return made;
            } catch (Throwable e) {
                made.close();
                throw e;
            }
        } catch (OutOfMemoryError e) {
            return null;
        } finally {
            pinned.unpin();
        }
    }

    /** Releases the memory, that of the values first: see above. Closing again does nothing. */
    public final void close() {
        try {
            values.close();
        } finally {
            indices.close();
            synchronized (this) {
                isClosed = true;
                if (compressed != null) {
                    compressed.close();
                }
            }
        }
    }

    /**
     * Checks, after an element was read, that the tensor had not been closed: its coordinates could have read as zeros.
     *
     * @throws TensorClosedException if it is closed
     */
    public final void checkRead() {
        if (indices.isClosedAfterRead()) {
            throw closedException();
        }
    }

    /** The buffer of the coordinates. */
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

    /** Pins one of the blocks for a native call. */
    public final Storage pin(Block block) {
        if (block.isClosed() || !block.storage.pin()) {
            throw closedException();
        }
        return block.storage;
    }

    /** The key of an entry. */
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

    /** The entry at a position, or -1 if there is none. */
    public final int find(LongBuffer coordinates, long position) {
        Samples known = samples;
        int from = 0;
        int length = n;
        if (known != null) {
            from = known.find(position) << SAMPLE_BITS;
            length = Math.min(1 << SAMPLE_BITS, n - from);
        } else if (pays(searches)) {
            samples = new Samples(coordinates);
        } else {
            searches++;
        }
        while (length > 1) {            // branchless: one comparison for each step
            int half = length >>> 1;
            from += key(coordinates, from + half) <= position ? half : 0;
            length -= half;
        }
        return n > 0 && key(coordinates, from) == position ? from : -1;
    }

    private boolean pays(int made) {
        return n >> SEARCH_BITS > 0 && made >= n >> SEARCH_BITS;
    }

    /** Whether there are samples, or making them pays after so many far searches. */
    final boolean hasSamples(int made) {
        return samples != null || pays(made);
    }

    /**
     * Every 16th key, contiguous: a search among many entries has a cache miss at nearly each step. The field is final, for safe publication.
     */
    private final class Samples {
        private final long[] keys;

        Samples(LongBuffer coordinates) {
            keys = new long[(n - 1 >> SAMPLE_BITS) + 1];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = key(coordinates, i << SAMPLE_BITS);
            }
        }

        /** The last sample that is not after a position, or the first one. */
        int find(long position) {
            int from = 0;
            for (int length = keys.length; length > 1; ) {
                int half = length >>> 1;
                from += keys[from + half] <= position ? half : 0;
                length -= half;
            }
            return from;
        }
    }

    /**
     * The first entry at or after a position, or n: a galloping search, whose cost is the logarithm of the distance from a hint, which is 0 to n.
     * Beyond {@code near} entries it searches the samples, which are made if there are none yet.
     */
    final int seek(LongBuffer coordinates, long position, int hint, int near) {
        int low = 0;
        int high = hint;
        int step = 1;
        if (hint < n && key(coordinates, hint) < position) {
            low = hint + 1;
            while (step < near && low + step <= n && key(coordinates, low + step - 1) < position) {
                low += step;
                step <<= 1;
            }
            high = Math.min(low + step - 1, n);
        } else {
            while (step < near && high >= step && key(coordinates, high - step) >= position) {
                high -= step;
                step <<= 1;
            }
            low = Math.max(high - step + 1, 0);
        }
        return step < near ? first(coordinates, position, low, high) : seekSampled(coordinates, position);
    }

    private int seekSampled(LongBuffer coordinates, long position) {
        Samples known = samples;
        if (known == null) {
            known = new Samples(coordinates);
            samples = known;
        }
        int from = known.find(position) << SAMPLE_BITS;
        return first(coordinates, position, from, Math.min(from + (1 << SAMPLE_BITS), n));
    }

    /** The first entry in {@code from} to {@code to}, which is not included, at or after a position; {@code to} if there is none. */
    private int first(LongBuffer coordinates, long position, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (key(coordinates, middle) < position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    // ---- As a source -----------------------------------------------------------------------------------------------

    @Override
    public final boolean isReadOnly() {
        return true;
    }

    @Override
    public final void checkOpen() {
        open();
    }

    @Override
    public final void checkWritable() {
        open();
        throw new ReadOnlyTensorException(values.dataType(), shape, "is published");
    }

    @Override
    public final Object memory() {
        return this;
    }

    @Override
    public final long longestList() {
        return 0;
    }

    /**
     * Checks that the shapes of coordinates and values match each other and a dense shape.
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
