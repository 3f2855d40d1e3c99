//#if float int long
package io.tensornio.internal.element;

import io.tensornio.DataType;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import java.nio.Buffer;

/** A user's buffer, or array in one, whose elements are stored narrow and carried by {@code float}: see {@link Encodings}. */
public final class FloatGiven implements FloatSource {
    private final DataType type;
    /** The elements, whose positions are those of the buffer. */
    public final Buffer buffer;
    /** The array of the buffer, if it shows one. */
    private final Object array;
    private final long[] shape;

    /**
     * Keeps all; the shape is for messages.
     *
     * @param type the type
     * @param buffer a buffer of the class whose elements are as wide
     * @param shape the shape
     */
    public FloatGiven(DataType type, Buffer buffer, long[] shape) {
        this.type = type;
        this.buffer = buffer;
        array = buffer.hasArray() ? buffer.array() : null;
        this.shape = shape;
    }

    @Override
    public DataType type() {
        return type;
    }

    @Override
    public float read(long at) {
        return Encodings.readFloat(type, buffer, (int) at);
    }

    @Override
    public void write(float value, long at) {
        checkWritable();
        Encodings.check(type, value);
        Encodings.writeFloat(type, buffer, (int) at, value);
    }

    @Override
    public boolean readAll(Layout layout, float[] to, int at) {
        return FloatNarrow.read(type, buffer, layout, to, at);
    }

    @Override
    public boolean writeFirst(Layout layout, int n, float[] from, int at) {
        checkWritable();
        FloatNarrow.check(type, n, from, at);
        return FloatNarrow.write(type, buffer, layout, n, from, at);
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
            throw new ReadOnlyTensorException(type, shape, "is in a read-only buffer");
        }
    }

    @Override
    public long origin() {
        return array == null ? 0 : -buffer.arrayOffset();
    }

    @Override
    public Object memory() {
        return array;
    }

    @Override
    public Object given() {
        return array == null ? buffer : array;
    }

    @Override
    public boolean mayShare(Object memory) {
        if (array != null) {
            return memory == array || memory instanceof Buffer && !((Buffer) memory).isDirect();
        }
        // A read-only buffer does not show its array.
        return memory instanceof Buffer ? buffer.isDirect() == ((Buffer) memory).isDirect() : !buffer.isDirect();
    }
}
//#end
