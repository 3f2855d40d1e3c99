package io.tensornio.internal.element;

/** A user's array as the memory of data: the counterpart of {@link StringBlock}. */
public final class StringArray extends ArrayMemory implements StringSource {
    /** For reads. */
    public final String[] rd;
    /** For writes: the same array, which is always writable. */
    public final String[] wr;

    /**
     * Wraps a part of an array.
     *
     * @param array the array
     * @param offset the first element
     * @param shape a checked shape, which this object keeps; the array has the elements
     */
    public StringArray(String[] array, int offset, long[] shape) {
        super(array, offset, shape);
        rd = array;
        wr = array;
    }

    @Override
    public String read(long at) {
        return StringElement.present(rd[(int) at], "the array has", this, at);
    }

    @Override
    public void write(String value, long at) {
        check(value, at);
        wr[(int) at] = value;
    }

    @Override
    public String where(long at) {
        return StringElement.where(shape, at);
    }
}
