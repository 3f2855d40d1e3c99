package io.tensornio.internal.element;

/** A user's array as the memory of data: the counterpart of {@link FloatBlock}. */
public final class FloatArray extends ArrayMemory implements FloatSource {
    /** For reads. */
    public final float[] rd;
    /** For writes: the same array, which is always writable. */
    public final float[] wr;

    /**
     * Wraps a part of an array.
     *
     * @param array the array
     * @param offset the first element
     * @param shape a checked shape, which this object keeps; the array has the elements
     */
    public FloatArray(float[] array, int offset, long[] shape) {
        super(array, offset, shape);
        rd = array;
        wr = array;
    }

    /** The array, for reads. */
    public float[] readable() {
        return rd;
    }

    /** The array, for writes. */
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
}
