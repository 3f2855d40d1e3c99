package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.memory.ReadOnlyTensorException;

/**
 * The elements of a complex view, by their place in row-major order of its own shape: those of other data, or of none. They are read when they are
 * asked for, and never written.
 */
abstract class StringMade implements StringSource {
    final long[] shape;
    /** What it reads. */
    final StringData[] parts;
    /** What the caller asked for; null inside of another complex view. */
    private Composition composition;

    StringMade(long[] shape, StringData... parts) {
        this.shape = shape;
        this.parts = parts;
    }

    /** Tells what the caller asked for, before anybody else sees this. */
    final StringMade as(Composition asked) {
        composition = asked;
        return this;
    }

    final Composition composition() {
        return composition;
    }

    /**
     * The position, in a layout of the same shape, of the element at a place of that shape. It is found without objects, so that reading one element
     * costs divisions alone.
     */
    final long position(Layout layout, long place) {
        long at = layout.offset();
        long rest = place;
        for (int d = shape.length - 1; d >= 0; d--) {
            long size = shape[d];
            long left = d == 0 ? 0 : rest / size;
            at += layout.distance(d, rest - left * size);
            rest = left;
        }
        return at;
    }

    /** Whether {@link #parts} and what else it reads is all that the elements depend on. */
    boolean isKnown() {
        return true;
    }

    /** All data that it reads, of whatever type. */
    TensorData<?>[] read() {
        return parts;
    }

    @Override
    public String where(long at) {
        return StringElement.where(shape, at);
    }

    @Override
    public final void write(String value, long at) {
        checkWritable();
    }

    @Override
    public final boolean isReadOnly() {
        return true;
    }

    @Override
    public void checkOpen() {
        for (OpenCheck part : parts) {
            part.checkOpen();
        }
    }

    @Override
    public final void checkWritable() {
        checkOpen();
        throw new ReadOnlyTensorException(StringElement.TYPE, shape, "is a complex view");
    }

    @Override
    public final Object memory() {
        return null;
    }

    @Override
    public boolean mayShare(Object memory) {
        for (StringData part : parts) {
            if (part.source().mayShare(memory)) {
                return true;
            }
        }
        return false;
    }
}
