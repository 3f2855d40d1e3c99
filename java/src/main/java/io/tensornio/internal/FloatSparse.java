package io.tensornio.internal;

//#if buffer
import java.nio.FloatBuffer;
//#end

/** The elements of a published sparse {@code float} tensor, of which those that are not stored are 0. */
public final class FloatSparse extends Sparse implements FloatSource {
    private final FloatBlock stored;

    /** Takes over the shape, which is checked, and both blocks: distinct coordinates in row-major order, and their elements. */
    FloatSparse(long[] shape, LongBlock indices, FloatBlock values) {
        super(shape, indices, values);
        stored = values;
    }

    /**
     * The stored elements.
     *
     * @return the block, (n)
     */
    public FloatBlock stored() {
        return stored;
    }

    @Override
    public float read(long at) {
        int entry = find(open(), at);
        return entry < 0 ? FloatElement.ZERO : stored.read(entry);
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
        open();
        throw new ReadOnlyTensorException(FloatElement.TYPE, shape, "is published");
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
