package io.tensornio.internal.sparse;

import io.tensornio.DataType;
import io.tensornio.TensorClosedException;
import io.tensornio.internal.element.IntBlock;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.LayoutWalk;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.memory.Storage;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * The positions of the entries of a sparse tensor under construction, for any element type. Positions are appended to a
 * log, without a look-up, until the log is full or an element is read; from then on a hash table maps positions to
 * entries of the log. The subclass keeps the values; it writes one as follows:
 *
 * <pre>{@code
 * int entry = entryFor(at);
 * values.write(value, entry);
 * add(entry, at);
 * }</pre>
 */
public abstract class SparseBuilder implements Source {
    /** The maximum number of slots of the hash table: one block cannot hold more. */
    private static final int MOST_SLOTS = 1 << 28;
    /** The maximum number of values, at a load factor of 7/8: above, probe sequences become long. */
    public static final int MOST_VALUES = MOST_SLOTS / 8 * 7;

    /** The dense shape; not to be changed. */
    public final long[] shape;
    /** The capacity in entries. */
    protected final int numValues;
    /** The log: the position of each entry, a linear index in row-major order, in order of insertion. */
    private final LongBlock positions;
    /** The buffer of the log while there is no hash table; null from then on. */
    private LongBuffer log;
    /** The number of entries; once there is a hash table they are distinct. */
    private int n;
    /** The hash table: for each slot the entry plus 1, or 0 if it is free; null until it is made. */
    private IntBlock slots;
    /** The slot of the latest entry that was looked up. */
    private int slot;
    /** The result; null before publication. */
    private volatile Sparse published;
    private final DataType type;
    /** 64 minus the bits of a slot's number. */
    private int shift;
    /** A random seed, against positions chosen to collide. */
    private final long seed = ThreadLocalRandom.current().nextLong();
    private volatile boolean closed;

    /** Allocates the log; the shape, which this object keeps, and the number are checked. */
    protected SparseBuilder(DataType type, long[] shape, int numValues) {
        this.type = type;
        this.shape = shape;
        this.numValues = numValues;
        positions = new LongBlock(new long[] {numValues});
        positions.name(shape);
        log = positions.wr;
    }

    /**
     * Checks the number of distinct elements that will be put, and returns it.
     *
     * @throws IllegalArgumentException if it is negative
     * @throws IllegalStateException if the shape has fewer elements
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

    /** Moves the value of an entry to an earlier entry. */
    protected abstract void move(int from, int to);

    // ---- Positions -------------------------------------------------------------------------------------------------

    /**
     * The entry for a position: that of an earlier value, or the next free one, to be passed to {@link #add}.
     *
     * @throws IllegalStateException if the capacity is exhausted
     */
    protected final int entryFor(long at) {
        int next = n;
        return log != null && next < numValues ? next : indexedEntryFor(at);
    }

    private int indexedEntryFor(long at) {
        checkWritable();
        index();
        IntBuffer table = open(slots.wr);
        slot = slot(table, open(positions.wr), at);
        int known = table.get(slot) - 1;
        if (known >= 0) {
            return known;
        }
        int next = n;           // read once: other threads may write, against the contract
        if (next >= numValues) {
            throw full(at);
        }
        return next;
    }

    /** Adds the entry that {@link #entryFor} returned for a position, once its value is written; does nothing if it was added before. */
    protected final void add(int entry, long at) {
        IntBlock index = slots;
        if (index == null) {
            open(positions.wr).put(entry, at);
            n = entry + 1;
        } else if (entry == n) {
            LongBuffer all = open(positions.wr);
            IntBuffer table = open(index.wr);
            // The slot is stale if another thread, against the contract, has made the hash table since.
            int free = table.get(slot) == 0 ? slot : slot(table, all, at);
            all.put(entry, at);
            table.put(free, entry + 1);
            n = entry + 1;
        }
    }

    /** Checks that a buffer exists, as it does until publication. */
    protected final <B> B open(B buffer) {
        if (buffer == null) {
            checkWritable();
            throw new TensorClosedException(type, shape);
        }
        return buffer;
    }

    /** The entry at a position, or -1 if there is none. */
    protected final int find(long at) {
        checkOpen();
        if (n == 0) {
            return -1;
        }
        index();
        IntBuffer table = open(slots.rd);
        return table.get(slot(table, open(positions.rd), at)) - 1;
    }

    private IllegalStateException full(long at) {
        return new IllegalStateException("the sparse " + type + " tensor of shape " + Arrays.toString(shape) + " has its numValues = "
            + numValues + " distinct values: no room for one at " + Arrays.toString(Shapes.coordinates(shape, at)));
    }

    /** Whether there is capacity for {@code count} more elements at any positions. */
    private boolean canHold(long count) {
        return count <= numValues - n;
    }

    /** Checks that there is capacity for elements: inserts new positions into the hash table up to the capacity, and removes them again. */
    private void checkCapacity(LongSupplier walk, long count) {
        checkWritable();
        index();
        if (canHold(count)) {
            return;
        }
        IntBuffer table = open(slots.wr);
        LongBuffer all = open(positions.wr);
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
            while (n > before) {            // in reverse order, so that each is the last of its probe sequence
                table.put(slot(table, all, all.get(n - 1)), 0);
                n--;
            }
        }
    }

    // ---- The hash table --------------------------------------------------------------------------------------------

    /** Makes the hash table, unless there is one, and drops overwritten entries. */
    private void index() {
        if (slots == null) {
            makeIndex();
        }
    }

    /** Synchronised with {@link #close()}: concurrent writes, against the contract, must not leak memory. */
    private synchronized void makeIndex() {
        if (slots != null) {
            return;
        }
        checkOpen();
        LongBuffer all = open(positions.wr);
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

    /** Mixes the bits: the finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
    private static long mix(long bits) {
        long z = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** The slot of a position, or the free one where it belongs; there is a free one unless threads write concurrently. */
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

    /** The number of entries so far, limited to the capacity in case threads have written concurrently. */
    public final int entries() {
        return Math.min(n, numValues);
    }

    /** Refuses writes from now on, and reads until the result is published; returns the number of entries. */
    protected final synchronized int stop() {
        closed = true;
        log = null;
        if (slots != null) {
            slots.close();
        }
        return entries();
    }

    /**
     * Sorts entries by position, as {@link SparseBuild#run} does.
     *
     * @param values the values of the entries
     * @return the number of distinct positions
     */
    protected final long sort(Object values, int entries, int elementBytes, LongBlock outIndices, Object outValues) {
        return SparseBuild.run(open(positions.rd), true, values, entries, shape, elementBytes, outIndices.wr, outValues);
    }

    /**
     * Sorts the entries. From now on this reads from the result, and refuses writes.
     *
     * @return the elements, for the caller to close
     * @throws IllegalStateException if fewer distinct values than numValues were put
     * @throws OutOfMemoryError if the memory for the result is not available
     */
    public abstract Sparse publish();

    /** The current entries, sorted, for the caller to close. */
    public abstract Sparse sorted();

    /** Pins the log. */
    protected final Storage pin() {
        return positions.pin();
    }

    /** Makes this read from the result, and releases the memory for the construction. */
    protected final void publish(Sparse sparse) {
        published = sparse;
        close();
    }

    /** The published result; null before. */
    public final Sparse result() {
        return published;
    }

    /**
     * Checks the number of distinct elements that were put, and returns it.
     *
     * @throws IllegalStateException if it is less than numValues
     */
    protected final long checkDistinct(long distinct) {
        if (distinct < numValues) {
            throw new IllegalStateException("the sparse " + type + " tensor of shape " + Arrays.toString(shape) + " has " + distinct
                + (distinct == 1 ? " distinct value" : " distinct values") + ", numValues is " + numValues);
        }
        return distinct;
    }

    /** Releases the memory for the construction: the log last, since it reads as 0 afterwards. */
    public final synchronized void close() {
        closed = true;
        log = null;
        if (slots != null) {
            slots.close();
        }
        closeValues();
        positions.close();
    }

    /** Releases the memory of the values, if there is any. */
    protected abstract void closeValues();

    /** Whether this was closed; checked after an element was read, which could be that of another position then. */
    public final boolean isClosedAfterRead() {
        return positions.isClosedAfterRead();
    }

    // ---- As a source -----------------------------------------------------------------------------------------------

    @Override
    public final void checkCapacity(Layout layout, long count) {
        if (!canHold(count)) {
            checkCapacity(new LayoutWalk(layout)::skip, count);
        }
    }

    @Override
    public final long longestList() {
        return 0;
    }

    /** Whether this was published or closed. */
    @Override
    public final boolean isReadOnly() {
        return closed;
    }

    /** Throws if this was closed. */
    @Override
    public final void checkOpen() {
        Sparse sparse = published;
        if (sparse != null) {
            sparse.open();
        } else if (closed) {
            throw new TensorClosedException(type, shape);
        }
    }

    /** Throws if this is closed or was published. */
    @Override
    public final void checkWritable() {
        Sparse sparse = published;
        if (sparse != null) {
            sparse.open();
            throw new ReadOnlyTensorException(type, shape, "is published");
        }
        checkOpen();
    }

    /** The identity of the memory, shared by all data of this tensor. */
    @Override
    public final Object memory() {
        return this;
    }
}
