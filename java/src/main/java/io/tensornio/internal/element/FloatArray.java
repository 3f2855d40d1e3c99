package io.tensornio.internal.element;

import io.tensornio.internal.layout.Layout;
import java.nio.Buffer;

/** An array of the user's as the memory of data: what {@link FloatBlock} is for native memory. */
public final class FloatArray implements FloatSource {
    /** Reads. */
    public final float[] rd;
    /** Writes: the same, since an array can always be written. */
    public final float[] wr;
    private final int offset;
    private final long[] shape;

    /**
     * Wraps a part of an array.
     *
     * @param array the array
     * @param offset the first element
     * @param shape a checked shape, which this object keeps; the array has the elements
     */
    public FloatArray(float[] array, int offset, long[] shape) {
        rd = array;
        wr = array;
        this.offset = offset;
        this.shape = shape;
    }

    /** All elements, in row-major order. */
    public Layout layout() {
        return new Layout(offset, shape, Layout.rowMajorStrides(shape));
    }

    /** What to read. */
    public float[] readable() {
        return rd;
    }

    /** What to write. */
    public float[] writable() {
        return wr;
    }

    @Override
    public float read(long at) {
        return rd[(int) at];
    }

    @Override
    public void write(float value, long at) {
        wr[(int) at] = value;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public void checkOpen() {
        // Nobody can close an array.
    }

    @Override
    public void checkWritable() {
        // Arrays can always be written.
    }

    @Override
    public long origin() {
        return offset;
    }

    @Override
    public Object memory() {
        return rd;
    }

    @Override
    public Object given() {
        return rd;
    }

    @Override
    public boolean mayShare(Object memory) {
        return memory == rd || memory instanceof Buffer && !((Buffer) memory).isDirect();          // a read-only one does not show its array
    }
}
