//#if buffer
package io.tensornio.internal.element;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import java.nio.FloatBuffer;

/**
 * A buffer of the user's that is not like the library's own: read-only, of the other byte order, or both. Were they in the same class, the
 * accesses to native memory would meet more than one class of buffers, which makes them several times slower.
 */
public final class FloatOtherBuffer implements FloatSource {
    /** What to read, but not to write: that may be refused. */
    public final FloatBuffer buffer;
    private final long[] shape;

    /** Keeps both; the shape is for messages. */
    public FloatOtherBuffer(FloatBuffer buffer, long[] shape) {
        this.buffer = buffer;
        this.shape = shape;
    }

    @Override
    public float read(long at) {
        return buffer.get((int) at);
    }

    @Override
    public void write(float value, long at) {
        checkWritable();
        buffer.put((int) at, value);
    }

    @Override
    public boolean readAll(Layout layout, float[] to, int at) {
        if (!layout.isContiguous()) {
            return false;
        }
        int n = (int) layout.totalSize();
        from(layout, n).get(to, at, n);
        return true;
    }

    @Override
    public boolean writeFirst(Layout layout, int n, float[] from, int at) {
        if (!layout.isContiguous()) {
            return false;
        }
        checkWritable();
        from(layout, n).put(from, at, n);
        return true;
    }

    @Override
    public boolean copiesRows() {
        return true;
    }

    /** A buffer at the first element of some without gaps. */
    private FloatBuffer from(Layout layout, int n) {
        FloatBuffer own = buffer.duplicate();
        own.position(n == 0 ? 0 : (int) layout.offset());       // an empty selection may lie anywhere
        return own;
    }

    @Override
    public boolean isReadOnly() {
        return buffer.isReadOnly();
    }

    @Override
    public void checkOpen() {
        // Nobody can close a buffer.
    }

    @Override
    public void checkWritable() {
        if (buffer.isReadOnly()) {
            throw new ReadOnlyTensorException(FloatElement.TYPE, shape, "lies in a read-only buffer");
        }
    }

    @Override
    public Object memory() {
        return null;
    }

    @Override
    public boolean mayShare(float[] array) {
        return !buffer.isDirect();
    }

    @Override
    public boolean mayShare(FloatBuffer other) {
        return buffer.isDirect() == other.isDirect();
    }
}
//#end
