package io.tensornio.internal.element;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Bytes;
import io.tensornio.internal.memory.MappedFile;
import io.tensornio.internal.memory.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * The elements of a {@code float} tensor in a mapped file. One element is read from the mapping, by {@code java.nio}, which has an
 * {@link InternalError} thrown if the file was cut short; many are read from the file.
 */
public final class FloatMapped extends Block implements FloatSource, MappedSource {
    /** The number of elements of a window, a power of 2. */
    private static final int STEP = Storage.windowStep() / FloatElement.BYTES;
    private static final int SHIFT = Integer.numberOfTrailingZeros(STEP);
    /** The most elements that are read at once by way of an array of bytes. */
    private static final int CHUNK = (1 << 16) / FloatElement.BYTES;

    private final MappedElements elements;
    /** All of the mapping; null once this is closed. */
    private FloatBuffer[] windows;

    /**
     * Maps elements in native byte order.
     *
     * @param file the file, of which this becomes a user
     * @param start the position of the first byte, a multiple of the size of an element
     * @param shape a checked shape, which this object keeps, of at least one element
     * @throws IOException if they cannot be mapped
     */
    public FloatMapped(MappedFile file, long start, long[] shape) throws IOException {
        super(FloatElement.TYPE, shape, Storage.map(file, start, bytes(shape)));
        elements = new MappedElements(file, start, this);
        try {
            long step = (long) STEP * FloatElement.BYTES;
            FloatBuffer[] all = new FloatBuffer[Math.toIntExact((numBytes() + step - 1) / step)];
            for (int n = 0; n < all.length; n++) {
                all[n] = FloatElement.view(storage.segments(n * step, Math.min(step, numBytes() - n * step))[0]);
            }
            windows = all;
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private static long bytes(long... shape) {
        long bytes = FloatElement.BYTES;
        for (long size : shape) {
            bytes *= size;
        }
        return bytes;
    }

    private FloatBuffer[] open() {
        FloatBuffer[] all = windows;
        if (all == null) {
            throw closedException();
        }
        return all;
    }

    @Override
    public MappedElements elements() {
        return elements;
    }

    @Override
    public float read(long at) {
        return FloatElement.read(open()[(int) (at >> SHIFT)], (int) at & STEP - 1);
    }

    @Override
    public boolean readAll(Layout layout, float[] to, int at) {
        open();
        int count = (int) layout.totalSize();           // an array has room for them
        if (count > CHUNK) {
            int rows = (int) layout.size(0);
            int half = rows / 2;
            if (rows == 1) {
                return readAll(layout.at(0), to, at);
            }
            return readAll(layout.part(0, half), to, at) && readAll(layout.part(half, rows - half), to, at + count / rows * half);
        }
        ByteBuffer bytes = ByteBuffer.allocate(count * FloatElement.BYTES).order(ByteOrder.nativeOrder());
        elements.read(layout, new Bytes(bytes));
        //#if buffer
        FloatElement.view(bytes).get(to, at, count);
        //#end
        //~boolean for (int n = 0; n < count; n++) {
        //~boolean     to[at + n] = bytes.get(n) != 0;
        //~boolean }
        return true;
    }

    @Override
    public boolean copiesAtOnce() {
        return true;
    }

    @Override
    public void write(float value, long at) {
        checkWritable();
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public void checkOpen() {
        open();
    }

    @Override
    public void checkWritable() {
        throw notWritableException();
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
        // It never was writable.
    }

    @Override
    public void stopAccess() {
        windows = null;
    }
}
