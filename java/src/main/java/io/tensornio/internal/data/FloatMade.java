package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.memory.ReadOnlyTensorException;

/**
 * The elements of a complex view, addressed by linear index in its own shape: those of other data, or computed. They
 * are evaluated at each read, and read-only.
 */
abstract class FloatMade implements FloatSource {
    final long[] shape;
    /** The data that it reads. */
    final FloatData[] parts;
    /** The call that made the view; null inside of another complex view. */
    private Composition composition;

    FloatMade(long[] shape, FloatData... parts) {
        this.shape = shape;
        this.parts = parts;
    }

    /** Sets the call that made the view, before this is published. */
    final FloatMade as(Composition asked) {
        composition = asked;
        return this;
    }

    final Composition composition() {
        return composition;
    }

    /**
     * The position, in a layout of the same shape, of the element with a linear index. Allocates nothing, so that
     * reading an element costs only divisions.
     */
    final long position(Layout layout, long linear) {
        long at = layout.offset();
        long rest = linear;
        for (int d = shape.length - 1; d >= 0; d--) {
            long size = shape[d];
            long left = d == 0 ? 0 : rest / size;
            at += layout.distance(d, rest - left * size);
            rest = left;
        }
        return at;
    }

    /** Whether the elements depend on nothing but {@link #parts} and the other data that it reads. */
    boolean isKnown() {
        return true;
    }

    /** All data that it reads, of any type. */
    TensorData<?>[] read() {
        return parts;
    }

    @Override
    public final void write(float value, long at) {
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
        throw new ReadOnlyTensorException(FloatElement.TYPE, shape, "is a complex view");
    }

    @Override
    public final Object memory() {
        return null;
    }

    @Override
    public boolean mayShare(Object memory) {
        for (FloatData part : parts) {
            if (part.source().mayShare(memory)) {
                return true;
            }
        }
        return false;
    }
}
