//#if float int long
package io.tensornio.internal.element;

import io.tensornio.DataType;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Planes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import java.nio.ByteBuffer;

/**
 * The elements of one tensor whose type is stored narrow and carried by {@code float}: see {@link Encodings}. Its memory is bytes, in one buffer, or
 * in several one after the other if it is larger than one can be.
 */
public final class FloatNarrow extends Block implements FloatSource {
    /** The bytes of each buffer but the last, if there are several: a power of 2. */
    private static final int SHIFT = Integer.numberOfTrailingZeros(Storage.windowStep());

    private final DataType type;
    private final int width;
    /** The buffers for reads; null once the tensor is closed. */
    private ByteBuffer[] rd;
    /** The buffers for writes; null once the tensor is published or closed. */
    private ByteBuffer[] wr;

    private FloatNarrow(DataType type, Storage memory, long[] shape) {
        super(type, shape, memory);
        this.type = type;
        width = type.byteSize();
        try {
            checkSize();
            rd = storage.segments(numBytes());
        } catch (Throwable e) {
            close();
            throw e;
        }
        wr = rd;
    }

    /**
     * Allocates memory of any size for elements of any type that {@code float} carries.
     *
     * @param type the type
     * @param shape a checked shape, which the block keeps
     * @param zeroed whether it must be zeroed; else its contents are undefined, and the caller must write every element before others can read it
     * @return an open block, which is a {@link FloatSource}
     * @throws OutOfMemoryError if the memory is not available
     */
    public static Block allocate(DataType type, long[] shape, boolean zeroed) {
        if (type == FloatElement.TYPE) {
            return FloatWindows.allocate(shape, zeroed);
        }
        return new FloatNarrow(type, Storage.allocateAny(Storage.size(type, shape), zeroed), shape);
    }

    /**
     * A block over existing memory.
     *
     * @param type the type
     * @param storage the storage, which the block owns from now on
     * @param shape a checked shape, which the block keeps, of no more elements than the storage holds
     * @return an open block, which can be written: as of {@link #allocate}
     */
    public static Block over(DataType type, Storage storage, long... shape) {
        return type == FloatElement.TYPE ? FloatWindows.over(storage, shape) : new FloatNarrow(type, storage, shape);
    }

    /**
     * The buffer by which native code finds all of the elements.
     *
     * @param write whether it is to be written
     * @return the first buffer
     * @throws java.nio.ReadOnlyBufferException if it is to be written, and this is published
     * @throws io.tensornio.TensorClosedException if this is closed
     */
    public ByteBuffer first(boolean write) {
        return write ? writable()[0] : readable()[0];
    }

    private ByteBuffer[] readable() {
        ByteBuffer[] all = rd;
        if (all == null) {
            throw closedException();
        }
        return all;
    }

    private ByteBuffer[] writable() {
        ByteBuffer[] all = wr;
        if (all == null) {
            throw notWritableException();
        }
        return all;
    }

    @Override
    public float read(long at) {
        ByteBuffer[] all = readable();
        if (all.length == 1) {
            return Encodings.readFloat(type, all[0], (int) at);
        }
        long start = at * width;
        return Encodings.readFloat(type, all[(int) (start >> SHIFT)], (int) (start & (1 << SHIFT) - 1) / width);
    }

    @Override
    public void write(float value, long at) {
        ByteBuffer[] all = writable();
        Encodings.check(type, value);
        if (all.length == 1) {
            Encodings.writeFloat(type, all[0], (int) at, value);
            return;
        }
        long start = at * width;
        Encodings.writeFloat(type, all[(int) (start >> SHIFT)], (int) (start & (1 << SHIFT) - 1) / width, value);
    }

    @Override
    public boolean readAll(Layout layout, float[] to, int at) {
        ByteBuffer[] all = readable();
        if (!layout.isStrided() || all.length > 1) {
            return false;
        }
        Planes planes = new Planes(layout);
        for (int place = at; planes.next(); ) {
            int row = planes.start;
            for (int r = 0; r < planes.rows; r++, row += planes.rowStride, place += planes.columns) {
                for (int i = 0; i < planes.columns; i++) {
                    to[place + i] = Encodings.readFloat(type, all[0], row + i * planes.stride);
                }
            }
        }
        return true;
    }

    @Override
    public boolean writeFirst(Layout layout, int n, float[] from, int at) {
        ByteBuffer[] all = writable();
        for (int i = at; i < at + n; i++) {
            Encodings.check(type, from[i]);
        }
        if (!layout.isStrided() || all.length > 1) {
            return false;
        }
        Planes planes = new Planes(layout);
        for (int place = at, end = at + n; place < end && planes.next(); ) {
            int row = planes.start;
            for (int r = 0; r < planes.rows && place < end; r++, row += planes.rowStride) {
                int some = Math.min(planes.columns, end - place);
                for (int i = 0; i < some; i++) {
                    Encodings.writeFloat(type, all[0], row + i * planes.stride, from[place + i]);
                }
                place += some;
            }
        }
        return true;
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
        return 0;
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
