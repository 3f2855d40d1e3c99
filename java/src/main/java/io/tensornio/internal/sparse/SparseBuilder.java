package io.tensornio.internal.sparse;

import io.tensornio.DataType;
import io.tensornio.TensorClosedException;
import io.tensornio.internal.element.IntBlock;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * The positions of the elements of a sparse tensor while it is filled, whatever the type. A position is appended to a log, without a look-up, until
 * the log is full or something is read; from then on a hash index finds positions in the log. The subclass keeps the value of each entry of the log.
 */
public abstract class SparseBuilder {
    /** The most slots of an index: one block cannot hold more. */
    private static final int MOST_SLOTS = 1 << 28;
    /** The most values, at a load factor of 7/8: above, searches become long. */
    public static final int MOST_VALUES = MOST_SLOTS / 8 * 7;

    /** The dense shape; not to be written. */
    public final long[] shape;
    /** How many elements can be stored. */
    public final int numValues;
    /** The position of each stored element among all, in the order in which they came. */
    public final LongBlock places;
    /** The places of the log as long as it has no index; null from then on. */
    public LongBuffer log;
    /** Entries of the log; with an index they are distinct. */
    public int n;
    /** For each slot the entry plus 1, or 0; null as long as there is no index. */
    public IntBlock slots;
    /** What it was published as; null before. */
    public volatile Sparse published;
    private final DataType type;
    /** 64 minus the bits of a slot's number. */
    private int shift;
    /** Differs from object to object, so that nobody can choose places that meet in one slot. */
    private final long seed = ThreadLocalRandom.current().nextLong();
    private volatile boolean closed;

    /** Takes memory for the places; the shape, which this object keeps, and the number are checked. */
    public SparseBuilder(DataType type, long[] shape, int numValues) {
        this.type = type;
        this.shape = shape;
        this.numValues = numValues;
        places = new LongBlock(new long[] {numValues});
        places.name(shape);
        log = places.wr;
    }

    /**
     * Checks how many distinct elements will be put, and gives that number.
     *
     * @throws IllegalArgumentException if it is negative
     * @throws IllegalStateException if there are fewer elements
     * @throws OutOfMemoryError if one tensor cannot hold so many
     */
    public static int checkNumValues(DataType type, long[] shape, int numValues) {
        if (numValues < 0) {
            throw new IllegalArgumentException("numValues is " + numValues + " for the shape " + Arrays.toString(shape) + ", must not be negative");
        }
        long elements = Shapes.product(shape);
        if (numValues > elements) {
            throw new IllegalStateException("the sparse " + type + " tensor of shape " + Arrays.toString(shape) + " has " + Shapes.elements(elements)
                + ", numValues is " + numValues);
        }
        if ((long) numValues * shape.length > Integer.MAX_VALUE / Long.BYTES) {
            throw new OutOfMemoryError("the coordinates of " + numValues + " values in the shape " + Arrays.toString(shape) + " need "
                + (long) numValues * shape.length * Long.BYTES + " bytes; one tensor can have " + Integer.MAX_VALUE);
        }
        if (numValues > MOST_VALUES) {
            throw new OutOfMemoryError(numValues + " values in the shape " + Arrays.toString(shape) + "; one tensor that is being filled can have "
                + MOST_VALUES);
        }
        return numValues;
    }

    /** Makes the value of an entry that of an earlier one, too; its own is not asked for any more. */
    public abstract void move(int from, int to);

    // ---- Places ----------------------------------------------------------------------------------------------------

    /** A buffer of memory that this has until it is published. */
    public final <B> B open(B buffer) {
        if (buffer == null) {
            checkWritable();
            throw new TensorClosedException(type, shape);
        }
        return buffer;
    }

    /** The entry of a place, or -1 if nothing was put there. */
    public final int find(long at) {
        checkOpen();
        if (n == 0) {
            return -1;
        }
        index();
        IntBuffer table = open(slots.rd);
        return table.get(slot(table, open(places.rd), at)) - 1;
    }

    /** For one element more than can be stored; {@code at} is its position. */
    public final IllegalStateException full(long at) {
        return new IllegalStateException("the sparse " + type + " tensor of shape " + Arrays.toString(shape) + " has its numValues = "
            + numValues + " distinct values: no room for one at " + Arrays.toString(Shapes.coordinates(shape, at)));
    }

    /** Whether {@code count} more elements fit, wherever they are. */
    public final boolean canHold(long count) {
        return count <= numValues - n;
    }

    /** Checks that elements fit: enters new positions into the index up to the capacity, and takes them out again. */
    public final void checkCapacity(LongSupplier walk, long count) {
        checkWritable();
        index();
        if (canHold(count)) {
            return;
        }
        IntBuffer table = open(slots.wr);
        LongBuffer all = open(places.wr);
        int before = n;
        try {
            for (long i = 0; i < count; i++) {
                long at = walk.getAsLong();
                int slot = slot(table, all, at);
                if (table.get(slot) == 0) {
                    if (n >= numValues) {
                        throw full(at);
                    }
                    all.put(n, at);
                    table.put(slot, ++n);
                }
            }
        } finally {
            while (n > before) {            // backwards, so that each is the last of its chain
                table.put(slot(table, all, all.get(n - 1)), 0);
                n--;
            }
        }
    }

    // ---- The index -------------------------------------------------------------------------------------------------

    /** Makes the index, unless there is one, and drops the entries that were overwritten. */
    public final void index() {
        if (slots == null) {
            makeIndex();
        }
    }

    /** Synchronised with {@link #close()}: threads that write when none should must not leak memory. */
    private synchronized void makeIndex() {
        if (slots != null) {
            return;
        }
        checkOpen();
        LongBuffer all = open(places.wr);
        int bits = 64 - Long.numberOfLeadingZeros(Math.min(numValues + (numValues >> 1) + 1L, MOST_SLOTS - 1));
        IntBlock block = new IntBlock(new long[] {1L << bits});
        log = null;
        slots = block;
        shift = 64 - bits;
        IntBuffer table = block.wr;
        int distinct = 0;
        for (int entry = 0; entry < n; entry++) {
            long at = all.get(entry);
            int slot = slot(table, all, at);
            int known = table.get(slot) - 1;
            if (known < 0) {
                known = distinct++;
                all.put(known, at);
                table.put(slot, distinct);
            }
            if (known != entry) {
                move(entry, known);
            }
        }
        n = distinct;
    }

    /** Each bit depends on all others: the finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
    private static long mix(long bits) {
        long z = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** The slot of a place, or the free one where it would be; there is always a free one, unless threads write at the same time. */
    public final int slot(IntBuffer table, LongBuffer all, long at) {
        int mask = (1 << 64 - shift) - 1;
        int slot = (int) (mix(at ^ seed) >>> shift);
        for (int i = 0; i <= mask; i++) {
            int entry = table.get(slot) - 1;
            if (entry < 0 || all.get(entry) == at) {
                return slot;
            }
            slot = slot + 1 & mask;
        }
        throw new IllegalStateException("several threads write the sparse " + type + " tensor of shape " + Arrays.toString(shape)
            + " that is being filled: only one may");
    }

    // ---- The end ---------------------------------------------------------------------------------------------------

    /** Refuses writes, and reads until there is a result; returns the number of entries. */
    public final synchronized int stop() {
        closed = true;
        log = null;
        if (slots != null) {
            slots.close();
        }
        return Math.min(n, numValues);
    }

    /**
     * Checks how many distinct elements were put, and gives that number.
     *
     * @throws IllegalStateException if they are fewer than numValues
     */
    public final long checkDistinct(long distinct) {
        if (distinct < numValues) {
            throw new IllegalStateException("the sparse " + type + " tensor of shape " + Arrays.toString(shape) + " has " + distinct
                + (distinct == 1 ? " distinct value" : " distinct values") + ", numValues is " + numValues);
        }
        return distinct;
    }

    /** Gives back the memory that is needed for the filling alone: the places last, since one that is gone reads as that of element 0. */
    public final synchronized void close() {
        closed = true;
        log = null;
        if (slots != null) {
            slots.close();
        }
        closeValues();
        places.close();
    }

    /** Gives back the memory of the elements. */
    protected abstract void closeValues();

    /** Whether this was closed by now, for one who has read an element: it may be that of another place. */
    public final boolean isClosedAfterRead() {
        return places.isClosedAfterRead();
    }

    // ---- As a source -----------------------------------------------------------------------------------------------

    /** Whether it was published or closed. */
    public final boolean isReadOnly() {
        return closed;
    }

    /** Throws if this was closed. */
    public final void checkOpen() {
        Sparse sparse = published;
        if (sparse != null) {
            sparse.open();
        } else if (closed) {
            throw new TensorClosedException(type, shape);
        }
    }

    /** Throws if this is closed or was published. */
    public final void checkWritable() {
        Sparse sparse = published;
        if (sparse != null) {
            sparse.open();
            throw new ReadOnlyTensorException(type, shape, "is published");
        }
        checkOpen();
    }

    /** What is the same for all data of this tensor. */
    public final Object memory() {
        return this;
    }
}
