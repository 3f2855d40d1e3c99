package io.tensornio.internal.sparse;

import io.tensornio.DataType;
import io.tensornio.TensorClosedException;
import io.tensornio.internal.element.IntBlock;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.memory.Storage;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * The positions of the elements of a sparse tensor while it is filled, whatever the type. A position is appended to a log, without a look-up, until
 * the log is full or something is read; from then on a hash table finds positions in the log. The subclass keeps the value of each entry, and
 * writes one so:
 *
 * <pre>{@code
 * int entry = entryFor(at);
 * values.write(value, entry);
 * add(entry, at);
 * }</pre>
 */
public abstract class SparseBuilder {
    /** The most slots of an index: one block cannot hold more. */
    private static final int MOST_SLOTS = 1 << 28;
    /** The most values, at a load factor of 7/8: above, searches become long. */
    public static final int MOST_VALUES = MOST_SLOTS / 8 * 7;

    /** The dense shape; not to be changed. */
    protected final long[] shape;
    /** The capacity: how many elements can be stored. */
    protected final int numValues;
    /** The position of each entry in row-major order, in the order in which they came. */
    private final LongBlock places;
    /** The places as long as they have no index; null from then on. */
    private LongBuffer log;
    /** The number of entries; with an index they are distinct. */
    private int n;
    /** The hash table: for each slot the entry plus 1, or 0 if it is free; null as long as there is no index. */
    private IntBlock slots;
    /** The slot of the latest entry that was looked up. */
    private int slot;
    /** The result; null before it is published. */
    private volatile Sparse published;
    private final DataType type;
    /** 64 minus the bits of a slot's number. */
    private int shift;
    /** Differs from object to object, so that nobody can choose places that meet in one slot. */
    private final long seed = ThreadLocalRandom.current().nextLong();
    private volatile boolean closed;

    /** Takes memory for the places; the shape, which this object keeps, and the number are checked. */
    protected SparseBuilder(DataType type, long[] shape, int numValues) {
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
    protected static int checkNumValues(DataType type, long[] shape, int numValues) {
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
    protected abstract void move(int from, int to);

    // ---- Places ----------------------------------------------------------------------------------------------------

    /**
     * The entry for a place: that of an earlier value, or the next free one, which {@link #add} makes the place's.
     *
     * @throws IllegalStateException if there is none left
     */
    protected final int entryFor(long at) {
        int next = n;
        return log != null && next < numValues ? next : indexedEntryFor(at);
    }

    private int indexedEntryFor(long at) {
        checkWritable();
        index();
        IntBuffer table = open(slots.wr);
        slot = slot(table, open(places.wr), at);
        int known = table.get(slot) - 1;
        if (known >= 0) {
            return known;
        }
        int next = n;           // once: others may write, though they should not
        if (next >= numValues) {
            throw full(at);
        }
        return next;
    }

    /** Makes an entry, whose value is written, that of a place, as {@link #entryFor} gave it; nothing happens if it was before. */
    protected final void add(int entry, long at) {
        IntBlock index = slots;
        if (index == null) {
            open(places.wr).put(entry, at);
            n = entry + 1;
        } else if (entry == n) {
            LongBuffer all = open(places.wr);
            IntBuffer table = open(index.wr);
            // The slot was not looked up, if another thread, which should not, has made the index since.
            int free = table.get(slot) == 0 ? slot : slot(table, all, at);
            all.put(entry, at);
            table.put(free, entry + 1);
            n = entry + 1;
        }
    }

    /** A buffer of memory that this has until it is published. */
    protected final <B> B open(B buffer) {
        if (buffer == null) {
            checkWritable();
            throw new TensorClosedException(type, shape);
        }
        return buffer;
    }

    /** The entry of a place, or -1 if nothing was put there. */
    protected final int find(long at) {
        checkOpen();
        if (n == 0) {
            return -1;
        }
        index();
        IntBuffer table = open(slots.rd);
        return table.get(slot(table, open(places.rd), at)) - 1;
    }

    private IllegalStateException full(long at) {
        return new IllegalStateException("the sparse " + type + " tensor of shape " + Arrays.toString(shape) + " has its numValues = "
            + numValues + " distinct values: no room for one at " + Arrays.toString(Shapes.coordinates(shape, at)));
    }

    /** Whether {@code count} more elements fit, wherever they are. */
    protected final boolean canHold(long count) {
        return count <= numValues - n;
    }

    /** Checks that elements fit: enters new positions into the index up to the capacity, and takes them out again. */
    protected final void checkCapacity(LongSupplier walk, long count) {
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
    private void index() {
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
    private int slot(IntBuffer table, LongBuffer all, long at) {
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

    /** The number of entries so far; threads that write when none should may have counted more than there can be. */
    public final int entries() {
        return Math.min(n, numValues);
    }

    /** Refuses writes, and reads until there is a result; returns the number of entries. */
    protected final synchronized int stop() {
        closed = true;
        log = null;
        if (slots != null) {
            slots.close();
        }
        return entries();
    }

    /**
     * Sorts entries by place, as {@link SparseBuild#run} does.
     *
     * @param values their values
     * @return how many different places there are
     */
    protected final long sort(Object values, int entries, int elementBytes, LongBlock outIndices, Object outValues) {
        return SparseBuild.run(open(places.rd), true, values, entries, shape, elementBytes, outIndices.wr, outValues);
    }

    /** Keeps the memory of the places until they are unpinned. */
    protected final Storage pin() {
        return places.pin();
    }

    /** Makes this read a result from now on, and gives back the memory for the filling. */
    protected final void publish(Sparse sparse) {
        published = sparse;
        close();
    }

    /** What this was published as; null before. */
    protected final Sparse result() {
        return published;
    }

    /**
     * Checks how many distinct elements were put, and gives that number.
     *
     * @throws IllegalStateException if they are fewer than numValues
     */
    protected final long checkDistinct(long distinct) {
        if (distinct < numValues) {
            throw new IllegalStateException("the sparse " + type + " tensor of shape " + Arrays.toString(shape) + " has " + distinct
                + (distinct == 1 ? " distinct value" : " distinct values") + ", numValues is " + numValues);
        }
        return distinct;
    }

    /** Gives back the memory for the filling: the places last, since a place read after that is 0. */
    public final synchronized void close() {
        closed = true;
        log = null;
        if (slots != null) {
            slots.close();
        }
        closeValues();
        places.close();
    }

    /** Gives back the memory of the values, if there is any yet. */
    protected abstract void closeValues();

    /** Whether this was closed by now, after an element was read: it may be that of another place. */
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
