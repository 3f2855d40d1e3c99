package io.tensornio.internal.element;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import java.nio.Buffer;

/** What sources in a user's array have in common: the array is always there, and always writable. */
public abstract class ArrayMemory implements Source {
    protected final long[] shape;
    private final Object array;
    private final int offset;

    /** Keeps the checked shape; the elements begin at the offset. */
    protected ArrayMemory(Object array, int offset, long[] shape) {
        this.array = array;
        this.offset = offset;
        this.shape = shape;
    }

    /** All elements, in row-major order. */
    public final Layout layout() {
        return new Layout(offset, shape, Layout.rowMajorStrides(shape));
    }

    /** Whether the elements cannot be written. */
    public final boolean isReadOnly() {
        return false;
    }

    /** An array cannot be closed. */
    @Override
    public final void checkOpen() {
        // Nothing to check.
    }

    @Override
    public final OpenCheck[] checks() {
        return new OpenCheck[0];
    }

    /** Arrays are always writable. */
    public final void checkWritable() {
        // Nothing to check.
    }

    @Override
    public final long origin() {
        return offset;
    }

    @Override
    public final Object memory() {
        return array;
    }

    @Override
    public final Object given() {
        return array;
    }

    @Override
    public final boolean mayShare(Object memory) {
        return memory == array || memory instanceof Buffer && !((Buffer) memory).isDirect();       // a read-only buffer does not expose its array
    }
}
