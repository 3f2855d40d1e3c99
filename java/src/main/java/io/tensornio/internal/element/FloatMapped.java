package io.tensornio.internal.element;

import io.tensornio.DataType;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Bytes;
import io.tensornio.internal.memory.MappedFile;
import io.tensornio.internal.memory.Storage;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * The elements of a tensor in a mapped file, of {@code float} or of a type that it carries: see {@link Encodings}. One element is read from the
 * mapping, by {@code java.nio}, which has an {@link InternalError} thrown if the file was cut short; many are read from the file.
 */
public final class FloatMapped extends Block implements FloatSource, MappedSource {
    /** The most bytes that are read at once by way of an array. */
    private static final int CHUNK = 1 << 16;

    private final DataType type;
    /** The logarithm of the elements of a window. */
    private final int shift;
    private final MappedElements elements;
    /** All of the mapping; null once this is closed. */
    private Buffer[] windows;

    /**
     * Maps elements in native byte order.
     *
     * @param type the type, which {@code float} carries
     * @param file the file, of which this becomes a user
     * @param start the position of the first byte, a multiple of the size of an element
     * @param shape a checked shape, which this object keeps, of at least one element
     * @throws IOException if they cannot be mapped
     */
    public FloatMapped(DataType type, MappedFile file, long start, long[] shape) throws IOException {
        super(type, shape, Storage.map(file, start, bytes(type, shape)));
        this.type = type;
        shift = Integer.numberOfTrailingZeros(Storage.windowStep() / type.byteSize());
        elements = new MappedElements(file, start, this);
        try {
            long bytes = Storage.windowStep();
            Buffer[] all = new Buffer[Math.toIntExact((numBytes() + bytes - 1) / bytes)];
            for (int n = 0; n < all.length; n++) {
                all[n] = view(storage.segments(n * bytes, Math.min(bytes, numBytes() - n * bytes))[0]);
            }
            windows = all;
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private static long bytes(DataType type, long... shape) {
        long bytes = type.byteSize();
        for (long size : shape) {
            bytes *= size;
        }
        return bytes;
    }

    private Buffer view(ByteBuffer bytes) {
        //#if float int long
        if (type != FloatElement.TYPE) {
            return Encodings.view(type, bytes);
        }
        //#end
        return FloatElement.view(bytes);
    }

    private float read(Buffer from, int at) {
        //#if float int long
        if (type != FloatElement.TYPE) {
            return Encodings.readFloat(type, from, at);
        }
        //#end
        return FloatElement.read((FloatBuffer) from, at);
    }

    private Buffer[] open() {
        Buffer[] all = windows;
        if (all == null) {
            throw closedException();
        }
        return all;
    }

    @Override
    public DataType type() {
        return type;
    }

    @Override
    public MappedElements elements() {
        return elements;
    }

    @Override
    public float read(long at) {
        return read(open()[(int) (at >> shift)], (int) (at & (1L << shift) - 1));
    }

    @Override
    public boolean readAll(Layout layout, float[] to, int at) {
        long bytes = Math.min(CHUNK, layout.totalSize() * type.byteSize());
        readAll(layout, ByteBuffer.allocate((int) bytes).order(ByteOrder.nativeOrder()), to, at);
        return true;
    }

    /** Reads all elements of a layout into an array by way of a buffer, in parts that it has room for. */
    private void readAll(Layout layout, ByteBuffer bytes, float[] to, int at) {
        open();
        int count = (int) layout.totalSize();           // an array has room for them
        if (count > bytes.capacity() / type.byteSize()) {
            int rows = (int) layout.size(0);
            int half = rows / 2;
            if (rows == 1) {
                readAll(layout.at(0), bytes, to, at);
                return;
            }
            readAll(layout.part(0, half), bytes, to, at);
            readAll(layout.part(half, rows - half), bytes, to, at + count / rows * half);
            return;
        }
        elements.read(layout, new Bytes(bytes));
        //#if buffer
        if (type == FloatElement.TYPE) {
            FloatElement.view(bytes).get(to, at, count);
            return;
        }
        //#end
        Buffer all = view(bytes);
        for (int n = 0; n < count; n++) {
            to[at + n] = read(all, n);
        }
    }

    @Override
    public FloatSource cursor(Layout layout) {
        return new Cursor(this);
    }

    /** Reads elements one by one: many from the file at once, while one follows the other there, else each from the mapping. */
    private static final class Cursor implements FloatSource {
        private final FloatMapped mapped;
        private final long count;
        /** Those from a position on. */
        private float[] values = new float[1];
        /** As many of the file's bytes; null until many are read at once. */
        private ByteBuffer bytes;
        private long first = -1;
        private long end = -1;

        Cursor(FloatMapped mapped) {
            this.mapped = mapped;
            count = mapped.numBytes() / mapped.type.byteSize();
        }

        @Override
        public float read(long at) {
            mapped.open();
            if (at < first || at >= end) {
                move(at);
            }
            return values[(int) (at - first)];
        }

        private void move(long at) {
            int some = at == end ? (int) Math.min(CHUNK / mapped.type.byteSize(), count - at) : 1;
            end = -1;
            first = at;
            if (some == 1) {
                values[0] = mapped.read(at);
            } else {
                if (values.length < some) {
                    values = new float[some];
                    bytes = ByteBuffer.allocate(some * mapped.type.byteSize()).order(ByteOrder.nativeOrder());
                }
                mapped.readAll(new Layout(at, new long[] {some}, new long[] {1}), bytes, values, 0);
            }
            end = at + some;
        }

        @Override
        public DataType type() {
            return mapped.type;
        }

        @Override
        public void write(float value, long at) {
            mapped.checkWritable();
        }

        @Override
        public boolean isReadOnly() {
            return true;
        }

        @Override
        public void checkOpen() {
            mapped.open();
        }

        @Override
        public void checkWritable() {
            mapped.checkWritable();
        }

        @Override
        public Object memory() {
            return mapped.memory();
        }
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
