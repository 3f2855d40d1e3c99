package io.tensornio.internal.element;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Planes;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import java.nio.Buffer;
import java.nio.FloatBuffer;

/**
 * A user's buffer whose class differs from that of the library's own: read-only, of the other byte order, or both. A
 * separate class, so that accesses to native memory stay monomorphic, which makes them several times faster.
 */
public final class FloatOtherBuffer implements FloatSource {
    //#if buffer
    /** From this length on, a contiguous row is copied faster in bulk than in a loop. */
    private static final int LONG_ROW = 16;
    //#end

    /** The buffer, for reads only, since it may be read-only. */
    public final FloatBuffer buffer;
    private final long[] shape;

    /** Keeps both; the shape is for messages. */
    public FloatOtherBuffer(FloatBuffer buffer, long[] shape) {
        this.buffer = buffer;
        this.shape = shape;
    }

    @Override
    public float read(long at) {
        return FloatElement.read(buffer, (int) at);
    }

    @Override
    public void write(float value, long at) {
        checkWritable();
        FloatElement.write(buffer, (int) at, value);
    }

    @Override
    public boolean readAll(Layout layout, float[] to, int at) {
        if (!layout.isStrided()) {
            return false;
        }
        Planes planes = new Planes(layout);
        for (int place = at; planes.next(); ) {
            int row = planes.start;
            for (int r = 0; r < planes.rows; r++, row += planes.rowStride, place += planes.columns) {
                //#if buffer
                if (planes.stride == 1 && planes.columns >= LONG_ROW) {
                    FloatBulk.get(buffer, row, to, place, planes.columns);
                    continue;
                }
                //#end
                for (int i = 0; i < planes.columns; i++) {
                    to[place + i] = FloatElement.read(buffer, row + i * planes.stride);
                }
            }
        }
        return true;
    }

    @Override
    public boolean writeFirst(Layout layout, int n, float[] from, int at) {
        if (!layout.isStrided()) {
            return false;
        }
        checkWritable();
        Planes planes = new Planes(layout);
        for (int place = at, end = at + n; place < end && planes.next(); ) {
            int row = planes.start;
            for (int r = 0; r < planes.rows && place < end; r++, row += planes.rowStride) {
                int some = Math.min(planes.columns, end - place);
                int first = place;
                place += some;
                //#if buffer
                if (planes.stride == 1 && some >= LONG_ROW) {
                    FloatBulk.put(buffer, row, from, first, some);
                    continue;
                }
                //#end
                for (int i = 0; i < some; i++) {
                    FloatElement.write(buffer, row + i * planes.stride, from[first + i]);
                }
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
        return buffer.isReadOnly();
    }

    @Override
    public void checkOpen() {
        // A buffer cannot be closed.
    }

    @Override
    public OpenCheck[] checks() {
        return new OpenCheck[0];
    }

    @Override
    public void checkWritable() {
        if (buffer.isReadOnly()) {
            throw new ReadOnlyTensorException(FloatElement.TYPE, shape, "is in a read-only buffer");
        }
    }

    @Override
    public long origin() {
        return 0;
    }

    @Override
    public Object memory() {
        return null;
    }

    @Override
    public Object given() {
        return buffer;
    }

    @Override
    public boolean mayShare(Object memory) {
        return buffer.isDirect() == (memory instanceof Buffer && ((Buffer) memory).isDirect());
    }
}
