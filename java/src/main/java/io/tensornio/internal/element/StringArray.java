package io.tensornio.internal.element;

import io.tensornio.internal.layout.Layout;
import java.nio.Buffer;

/** A user's array as the memory of data: the counterpart of {@link StringBlock}. */
public final class StringArray implements StringSource {
    /** For reads. */
    public final String[] rd;
    /** For writes: the same array, which is always writable. */
    public final String[] wr;
    private final int offset;
    private final long[] shape;

    /**
     * Wraps a part of an array.
     *
     * @param array the array
     * @param offset the first element
     * @param shape a checked shape, which this object keeps; the array has the elements
     */
    public StringArray(String[] array, int offset, long[] shape) {
        rd = array;
        wr = array;
        this.offset = offset;
        this.shape = shape;
    }

    /** All elements, in row-major order. */
    public Layout layout() {
        return new Layout(offset, shape, Layout.rowMajorStrides(shape));
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

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public void checkOpen() {
        // An array cannot be closed.
    }

    @Override
    public void checkWritable() {
        // Arrays are always writable.
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
        return memory == rd || memory instanceof Buffer && !((Buffer) memory).isDirect();          // a read-only buffer does not expose its array
    }
}
