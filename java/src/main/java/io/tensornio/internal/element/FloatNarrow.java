//#if float int long
package io.tensornio.internal.element;

import io.tensornio.DataType;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Planes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.NativeMemory;
import io.tensornio.internal.memory.Storage;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * The elements of one tensor whose type is stored narrow and carried by {@code float}: see {@link Encodings}. They are in one buffer, or in several,
 * one after the other, if there are more bytes than one can have.
 */
public final class FloatNarrow extends Block implements FloatSource {
    /** From this length on, a contiguous row is cast by native code, which has a fixed cost. */
    private static final int LONG_ROW = 512;
    /** The elements that are cast at a time, so that they stay in a cache. */
    private static final int CHUNK = 1 << 14;
    /** For so many nanoseconds after there was no memory for such elements none is asked for: many times as long as that took to find out. */
    private static final long PAUSE = 60_000_000_000L;

    /** When there was none, by {@link System#nanoTime}. */
    private static volatile long refused = System.nanoTime() - PAUSE;

    private final DataType type;
    /** The logarithm of the elements of each buffer but the last, if there are several. */
    private final int shift;
    /** The buffers for reads; null once the tensor is closed. */
    private Buffer[] rd;
    /** The buffers for writes; null once the tensor is published or closed. */
    private Buffer[] wr;

    private FloatNarrow(DataType type, Storage memory, long[] shape, boolean writable) {
        super(type, shape, memory);
        this.type = type;
        shift = Integer.numberOfTrailingZeros(Storage.windowStep() / type.byteSize());
        try {
            checkSize();
            ByteBuffer[] bytes = storage.segments(numBytes());
            Buffer[] all = new Buffer[bytes.length];
            for (int n = 0; n < all.length; n++) {
                all[n] = Encodings.view(type, bytes[n]);
            }
            rd = all;
        } catch (Throwable e) {
            close();            // releases this owner
            throw e;
        }
        wr = writable ? rd : null;
    }

    /**
     * Allocates memory of any size.
     *
     * @param type the type
     * @param shape a checked shape, which the block keeps
     * @param zeroed whether it must be zeroed; else its contents are undefined, and the caller must write every element before others can read it
     * @return an open block
     * @throws OutOfMemoryError if the memory is not available
     */
    public static FloatNarrow allocate(DataType type, long[] shape, boolean zeroed) {
        return over(type, Storage.allocateAny(Storage.size(type, shape), zeroed), shape);
    }

    /**
     * A block over existing memory.
     *
     * @param type the type
     * @param storage the storage, which the block owns from now on
     * @param shape a checked shape, which the block keeps, of no more elements than the storage holds
     * @return an open block, which can be written
     */
    public static FloatNarrow over(DataType type, Storage storage, long... shape) {
        return new FloatNarrow(type, storage, shape, true);
    }

    /**
     * A published tensor's elements in another shape. Both blocks own the memory, which is released when both are closed.
     *
     * @param other the elements, all of them
     * @param shape a checked shape of as many elements, which this object keeps
     * @throws io.tensornio.TensorClosedException if the other is closed
     */
    public FloatNarrow(FloatNarrow other, long[] shape) {
        this(other.type, other.share(), shape, false);
    }

    /** Whether one buffer holds all elements. */
    public boolean isOne() {
        return !storage.isLarge();
    }

    /**
     * The buffer by which native code finds all of the elements.
     *
     * @param write whether it is to be written
     * @return the first buffer
     * @throws java.nio.ReadOnlyBufferException if it is to be written, and this is published
     * @throws io.tensornio.TensorClosedException if this is closed
     */
    public Buffer first(boolean write) {
        return write ? writable()[0] : readable()[0];
    }

    private Buffer[] readable() {
        Buffer[] all = rd;
        if (all == null) {
            throw closedException();
        }
        return all;
    }

    private Buffer[] writable() {
        Buffer[] all = wr;
        if (all == null) {
            throw notWritableException();
        }
        return all;
    }

    @Override
    public DataType type() {
        return type;
    }

    @Override
    public float read(long at) {
        Buffer[] all = readable();
        if (all.length == 1) {
            return Encodings.readFloat(type, all[0], (int) at);
        }
        return Encodings.readFloat(type, all[(int) (at >> shift)], (int) (at & (1L << shift) - 1));
    }

    @Override
    public void write(float value, long at) {
        Buffer[] all = writable();
        Encodings.check(type, value);
        if (all.length == 1) {
            Encodings.writeFloat(type, all[0], (int) at, value);
        } else {
            Encodings.writeFloat(type, all[(int) (at >> shift)], (int) (at & (1L << shift) - 1), value);
        }
    }

    @Override
    public boolean readAll(Layout layout, float[] to, int at) {
        Buffer[] all = readable();
        return all.length == 1 && (cast(all[0], layout, (int) layout.totalSize(), to, at, false) || read(type, all[0], layout, to, at));
    }

    @Override
    public boolean writeFirst(Layout layout, int n, float[] from, int at) {
        Buffer[] all = writable();
        check(type, n, from, at);
        return all.length == 1 && (cast(all[0], layout, n, from, at, true) || write(type, all[0], layout, n, from, at));
    }

    /** Reads or writes the first elements of a layout by native code, row by row; returns false, and does nothing, where that does not pay. */
    private boolean cast(Buffer all, Layout layout, int n, float[] array, int at, boolean write) {
        Planes planes = n < LONG_ROW || !layout.isStrided() ? null : new Planes(layout);
        FloatBlock between = planes == null || planes.stride != 1 || planes.columns < LONG_ROW ? null : between(Math.min(n, CHUNK));
        if (between == null) {
            return false;
        }
        Storage pinned = null;
        try {
            pinned = pin();
            for (int place = at, end = at + n; place < end && planes.next(); ) {
                int row = planes.start;
                for (int r = 0; r < planes.rows && place < end; r++, row += planes.rowStride) {
                    for (int i = 0; i < planes.columns && place < end; ) {
                        int some = Math.min(Math.min(planes.columns - i, end - place), CHUNK);
                        if (write) {
                            FloatBulk.put(between.wr, 0, array, place, some);
                            NativeMemory.cast(between.rd, 0, all, row + i, some, FloatElement.TYPE.ordinal(), type.ordinal());
                        } else {
                            NativeMemory.cast(all, row + i, between.wr, 0, some, type.ordinal(), FloatElement.TYPE.ordinal());
                            FloatBulk.get(between.rd, 0, array, place, some);
                        }
                        i += some;
                        place += some;
                    }
                }
            }
            return true;
        } finally {
            between.close();
            if (pinned != null) {
                pinned.unpin();
            }
        }
    }

    /** Memory for a part; null if there is none, or was none a moment ago: to find that out takes collections, which are not to come for each row. */
    private static FloatBlock between(int n) {
        if (System.nanoTime() - refused < PAUSE) {
            return null;
        }
        try {
            return FloatBlock.uncleared(n);
        } catch (OutOfMemoryError e) {
            refused = System.nanoTime();
            return null;
        }
    }

    /** Reads all elements of a layout of a buffer; returns false, and does nothing, if it is not strided. */
    static boolean read(DataType type, Buffer all, Layout layout, float[] to, int at) {
        if (!layout.isStrided()) {
            return false;
        }
        Planes planes = new Planes(layout);
        for (int place = at; planes.next(); ) {
            int row = planes.start;
            for (int r = 0; r < planes.rows; r++, row += planes.rowStride, place += planes.columns) {
                for (int i = 0; i < planes.columns; i++) {
                    to[place + i] = Encodings.readFloat(type, all, row + i * planes.stride);
                }
            }
        }
        return true;
    }

    /** Writes checked values to the first elements of a layout of a buffer; returns false, and does nothing, if it is not strided. */
    static boolean write(DataType type, Buffer all, Layout layout, int n, float[] from, int at) {
        if (!layout.isStrided()) {
            return false;
        }
        Planes planes = new Planes(layout);
        for (int place = at, end = at + n; place < end && planes.next(); ) {
            int row = planes.start;
            for (int r = 0; r < planes.rows && place < end; r++, row += planes.rowStride) {
                int some = Math.min(planes.columns, end - place);
                for (int i = 0; i < some; i++) {
                    Encodings.writeFloat(type, all, row + i * planes.stride, from[place + i]);
                }
                place += some;
            }
        }
        return true;
    }

    /** Checks that a type holds values. */
    static void check(DataType type, int n, float[] values, int at) {
        //~int,long for (int i = at; i < at + n; i++) {
        //~int,long     Encodings.check(type, values[i]);
        //~int,long }
    }

    @Override
    public boolean copiesAtOnce() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return wr == null;
    }

    @Override
    public void checkOpen() {
        readable();
    }

    @Override
    public void checkWritable() {
        writable();
    }

    @Override
    public long origin() {
        return storage.isLarge() ? 0 : -storage.windowStart() / type.byteSize();
    }

    @Override
    public Object memory() {
        return storage.identity();
    }

    @Override
    public void stopWrites() {
        wr = null;
    }

    @Override
    public void stopAccess() {
        wr = null;
        rd = null;
    }
}
//#end
