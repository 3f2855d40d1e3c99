package io.tensornio.internal;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorClosedException;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * The elements of a sparse {@code float} tensor that is being filled. What is put is appended to a log, without a look-up, until that is full or
 * something is read: from then on an index by hash says where in the log a place is. Once published, it reads what it was published as.
 */
public final class FloatSparseFilling implements FloatSource {
    /** Slots of the largest index that one block has room for. */
    private static final int MOST_SLOTS = 1 << 28;
    /** Values that it has slots for, with an eighth of them free: else each search would be a long one. */
    private static final int MOST_VALUES = MOST_SLOTS / 8 * 7;

    private final long[] shape;
    private final int numValues;
    private final LongBlock places;
    //#if primitive
    private final FloatBlock values;
    //#end
    //~string /** The strings of the log. */
    //~string private StringStore values = new StringStore(0);
    //~string /** Null for strings of any length. */
    //~string private final StringPadding form;
    /** The places of the log as long as it has no index; null from then on. */
    private LongBuffer log;
    /** Entries of the log; with an index they are distinct. */
    private int n;
    /** For each slot the entry plus 1, or 0; null as long as there is no index. */
    private IntBlock slots;
    /** 64 minus the bits of a slot's number. */
    private int shift;
    /** Differs from object to object, so that nobody can choose places that meet in one slot. */
    private final long seed = mix(System.nanoTime() ^ (long) System.identityHashCode(this) << Integer.SIZE);
    private volatile FloatSparse published;
    private volatile boolean closed;

    /**
     * Takes memory.
     *
     * @param shape the dense shape, checked, which this object keeps
     * @param numValues how many distinct elements will be put
     //~string * @param form how strings of a fixed length are made; null for any length
     * @throws IllegalArgumentException if that is negative
     * @throws IllegalStateException if there are fewer elements
     * @throws OutOfMemoryError if the memory is not to be had, or one tensor cannot hold it
     */
    //#if primitive
    public FloatSparseFilling(long[] shape, int numValues) {
    //#end
    //~string StringSparseFilling(long[] shape, int numValues, StringPadding form) {
        if (numValues < 0) {
            throw new IllegalArgumentException("numValues is " + numValues + " for the shape " + Arrays.toString(shape) + ", must not be negative");
        }
        long elements = Shapes.product(shape);
        if (numValues > elements) {
            throw new IllegalStateException("the sparse " + FloatElement.TYPE + " tensor of shape " + Arrays.toString(shape) + " has " + elements
                + (elements == 1 ? " element" : " elements") + ", numValues is " + numValues);
        }
        if ((long) numValues * shape.length > Integer.MAX_VALUE / Long.BYTES) {
            throw new OutOfMemoryError("the coordinates of " + numValues + " values in the shape " + Arrays.toString(shape) + " need "
                + (long) numValues * shape.length * Long.BYTES + " bytes; one tensor can have " + Integer.MAX_VALUE);
        }
        if (numValues > MOST_VALUES) {
            throw new OutOfMemoryError(numValues + " values in the shape " + Arrays.toString(shape) + "; one tensor that is being filled can have "
                + MOST_VALUES);
        }
        this.shape = shape;
        this.numValues = numValues;
        //~string this.form = form;
        //~string StringSparseBuilder.checkRoom(form, numValues);
        places = new LongBlock(new long[] {numValues});
        //#if primitive
        try {
            values = new FloatBlock(new long[] {numValues});
        } catch (Throwable e) {
            places.close();
            throw e;
        }
        //#end
        places.name(shape);
        //#if primitive
        values.name(shape);
        //#end
        log = places.wr;
    }

    //~string /**
    //~string  * Takes memory for a caller's tensor.
    //~string  *
    //~string  * @param shape the dense shape
    //~string  * @param numValues how many distinct elements will be put
    //~string  * @return an empty one, of strings of any length
    //~string  * @throws IllegalArgumentException if a number is negative, or there are more elements, if it were dense, than a {@code long} can count
    //~string  * @throws OutOfMemoryError if the memory is not to be had, or one tensor cannot hold it
    //~string  */
    //~string public static StringSparseFilling of(long[] shape, int numValues) {
    //~string     return new StringSparseFilling(Shapes.checkSparse(shape), numValues, null);
    //~string }

    //~string /**
    //~string  * Takes memory for a caller's tensor.
    //~string  *
    //~string  * @param shape the dense shape
    //~string  * @param numValues how many distinct elements will be put
    //~string  * @param elementLength the bytes of an element
    //~string  * @param padding what is behind shorter ones, 0 to 127
    //~string  * @return an empty one, of strings of a fixed length
    //~string  * @throws IllegalArgumentException as for any length; or if the length or the padding is out of range
    //~string  * @throws OutOfMemoryError if the memory is not to be had, or one tensor cannot hold it
    //~string  */
    //~string public static StringSparseFilling of(long[] shape, int numValues, int elementLength, int padding) {
    //~string     StringPadding form = new StringPadding(elementLength, padding);
    //~string     return new StringSparseFilling(Shapes.checkSparse(shape), numValues, form);
    //~string }

    /**
     * What {@code init} is given.
     *
     * @return the data of all elements
     */
    public FloatTensorData data() {
        return FloatView.of(this, shape);
    }

    // ---- Elements --------------------------------------------------------------------------------------------------

    //~string @Override
    //~string public void write(String value, long at) {
    //~string     checkWritable();
    //~string     writeBytes(StringElement.encode(value, this, at), at);
    //~string }

    //~string @Override
    //~string public void check(String value, long at) {
    //~string     checkBytes(StringElement.encode(value, this, at), at);
    //~string }

    //~string @Override
    //~string public void checkBytes(byte[] bytes, long at) {
    //~string     if (form != null) {
    //~string         form.check(bytes, this, at);
    //~string     }
    //~string }

    //~string @Override
    //~string public String where(long at) {
    //~string     return StringElement.where(shape, at);
    //~string }

    //#if primitive
    @Override
    public void write(float value, long at) {
    //#end
    //~string @Override
    //~string public void writeBytes(byte[] value, long at) {
    //~string     checkWritable();
    //~string     checkBytes(value, at);
    //~string     StringStore values = open(this.values);
        LongBuffer all = log;
        int entry = n;
        if (all != null && entry < numValues) {
            values.write(value, entry);
            all.put(entry, at);
            n = entry + 1;
        } else {
            writeIndexed(value, at);
        }
    }

    /** A buffer of memory that this has until it is published. */
    private <B> B open(B buffer) {
        if (buffer == null) {
            checkWritable();
            throw new TensorClosedException(FloatElement.TYPE, shape);
        }
        return buffer;
    }

    //#if primitive
    private void writeIndexed(float value, long at) {
    //#end
    //~string private void writeIndexed(byte[] value, long at) {
        checkWritable();
        index();
        //~string StringStore values = open(this.values);
        IntBuffer table = open(slots.wr);
        LongBuffer all = open(places.wr);
        int slot = slot(table, all, at);
        int entry = table.get(slot) - 1;
        int next = n;
        if (entry >= 0) {
            values.write(value, entry);
        } else if (next >= numValues) {
            throw full(at);
        } else {
            values.write(value, next);
            all.put(next, at);
            table.put(slot, next + 1);
            n = next + 1;
        }
    }

    //#if primitive
    @Override
    public float read(long at) {
        FloatSparse sparse = published;
        if (sparse != null) {
            return sparse.read(at);
        }
        int entry = find(at);
        return entry < 0 ? FloatElement.ZERO : values.read(entry);
    }
    //#end
    //~string @Override
    //~string public byte[] readBytes(long at) {
    //~string     StringSparse sparse = published;
    //~string     if (sparse != null) {
    //~string         return sparse.readBytes(at);
    //~string     }
    //~string     int entry = find(at);
    //~string     return entry < 0 ? new byte[0] : open(values).bytes(entry);
    //~string }

    //~string @Override
    //~string public String read(long at) {
    //~string     return StringElement.decode(readBytes(at), this, at);
    //~string }

    //~string @Override
    //~string public Object readAny(long at) {
    //~string     return StringElement.any(readBytes(at));
    //~string }

    /** The entry of a place, or -1 if nothing was put there. */
    private int find(long at) {
        checkOpen();
        if (n == 0) {
            return -1;
        }
        index();
        IntBuffer table = open(slots.rd);
        return table.get(slot(table, open(places.rd), at)) - 1;
    }

    private IllegalStateException full(long at) {
        return new IllegalStateException("the sparse " + FloatElement.TYPE + " tensor of shape " + Arrays.toString(shape) + " has its numValues = "
            + numValues + " distinct values: no room for one at " + Arrays.toString(coordinates(at)));
    }

    private long[] coordinates(long at) {
        long[] coordinates = new long[shape.length];
        long rest = at;
        for (int d = coordinates.length - 1; d >= 0; d--) {
            coordinates[d] = rest % shape[d];
            rest /= shape[d];
        }
        return coordinates;
    }

    // ---- The index -------------------------------------------------------------------------------------------------

    /** Makes the index, unless there is one, and drops the entries that were overwritten. */
    private void index() {
        if (slots == null) {
            makeIndex();
        }
    }

    /** With {@link #close()}, one at a time: threads that write when none should take no memory that nobody gives back. */
    private synchronized void makeIndex() {
        if (slots != null) {
            return;
        }
        checkOpen();
        //~string StringStore values = open(this.values);
        int bits = 64 - Long.numberOfLeadingZeros(Math.min(numValues + (numValues >> 1) + 1L, MOST_SLOTS - 1));
        IntBlock block = new IntBlock(new long[] {1L << bits});
        log = null;
        slots = block;
        shift = 64 - bits;
        IntBuffer table = block.wr;
        LongBuffer all = open(places.wr);
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
                //#if primitive
                values.write(values.read(entry), known);
                //#end
                //~string values.move(entry, known);
            }
        }
        n = distinct;
    }

    /** Each bit depends on all others. */
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
        throw new IllegalStateException("several threads write the sparse " + FloatElement.TYPE + " tensor of shape " + Arrays.toString(shape)
            + " that is being filled: only one may");
    }

    // ---- The end ---------------------------------------------------------------------------------------------------

    /**
     * Sorts what was put. Reads go on, of the result; writes are refused from now on.
     *
     * @return the elements, for the caller to close
     * @throws IllegalStateException if fewer distinct values than numValues were put
     * @throws OutOfMemoryError if the memory for the result is not to be had
     */
    public FloatSparse publish() {
        int entries = stop();
        //#if primitive
        FloatSparse sparse = FloatSparseBuilder.make(shape, numValues, (indices, sorted) -> {
            long distinct = Native.sparseBuild(places.rd, true, values.rd, entries, shape, FloatElement.BYTES, indices.wr, sorted.wr);
        //#end
        //~string int[] numbers = StringSparseBuilder.numbers(entries);
        //~string StringStore all = values;
        //~string StringSparse sparse = StringSparseBuilder.make(shape, numValues, form, () -> all, (indices, sorted) -> {
        //~string     long distinct = Native.sparseBuild(places.rd, true, numbers, entries, shape, IntElement.BYTES, indices.wr, sorted.wr);
            if (distinct < numValues) {
                throw new IllegalStateException("the sparse " + FloatElement.TYPE + " tensor of shape " + Arrays.toString(shape) + " has " + distinct
                    + (distinct == 1 ? " distinct value" : " distinct values") + ", numValues is " + numValues);
            }
            return distinct;
        });
        published = sparse;
        close();
        return sparse;
    }

    /** Refuses writes, and reads until there is a result; gives the number of entries. */
    private synchronized int stop() {
        closed = true;
        log = null;
        if (slots != null) {
            slots.close();
        }
        return Math.min(n, numValues);
    }

    /** What was put so far, sorted, for the caller to close. */
    FloatSparse sorted() {
        checkOpen();
        int entries = Math.min(n, numValues);
        Storage pinnedPlaces = places.pin();
        try {
            //#if primitive
            Storage pinnedValues = values.pin();
            try {
                return FloatSparseBuilder.make(shape, entries, (indices, sorted) ->
                    Native.sparseBuild(open(places.rd), true, open(values.rd), entries, shape, FloatElement.BYTES, indices.wr, sorted.wr));
            } finally {
                pinnedValues.unpin();
            }
            //#end
            //~string StringStore all = open(values);
            //~string int[] numbers = StringSparseBuilder.numbers(entries);
            //~string return StringSparseBuilder.make(shape, entries, form, () -> all, (indices, sorted) ->
            //~string     Native.sparseBuild(open(places.rd), true, numbers, entries, shape, IntElement.BYTES, indices.wr, sorted.wr));
        } finally {
            pinnedPlaces.unpin();
        }
    }

    /** Gives back the memory that is needed for the filling alone. */
    public synchronized void close() {
        closed = true;
        log = null;
        places.close();
        //#if primitive
        values.close();
        //#end
        //~string values = null;
        if (slots != null) {
            slots.close();
        }
    }

    /** What it was published as; null before. */
    FloatSparse published() {
        return published;
    }

    // ---- As a source -----------------------------------------------------------------------------------------------

    @Override
    public boolean isReadOnly() {
        return closed;
    }

    @Override
    public void checkOpen() {
        FloatSparse sparse = published;
        if (sparse != null) {
            sparse.checkOpen();
        } else if (closed) {
            throw new TensorClosedException(FloatElement.TYPE, shape);
        }
    }

    @Override
    public void checkWritable() {
        FloatSparse sparse = published;
        if (sparse != null) {
            sparse.checkWritable();
        }
        checkOpen();
    }

    @Override
    public FloatSource cursor() {
        FloatSparse sparse = published;
        return sparse == null ? this : sparse.cursor();
    }

    @Override
    public boolean readAll(Layout layout, float[] to, int at) {
        FloatSparse sparse = published;
        return sparse != null && sparse.readAll(layout, to, at);
    }

    /** Enters the places that are new, as far as there is room, and takes them out again. */
    @Override
    public void checkRoom(Layout layout, long count) {
        if (count <= numValues - n) {
            return;
        }
        checkWritable();
        index();
        if (count <= numValues - n) {
            return;
        }
        IntBuffer table = open(slots.wr);
        LongBuffer all = open(places.wr);
        int before = n;
        try {
            FloatViewScalars walk = new FloatViewScalars(this, layout);
            for (long i = 0; i < count; i++) {
                long at = walk.skip();
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

    @Override
    public Object memory() {
        return this;
    }

    @Override
    public boolean mayShare(float[] array) {
        return false;
    }

    //#if buffer
    @Override
    public boolean mayShare(FloatBuffer buffer) {
        return false;
    }
    //#end
}
