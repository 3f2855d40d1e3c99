package io.tensornio.internal.layout;

import io.tensornio.TensorIndex;

/** A {@link TensorIndex} that the {@link Slicer} applies to one axis: any index but data. */
public abstract class AxisIndex implements TensorIndex {
    /**
     * Narrows the slicer's current axis, and moves on to the next.
     *
     * @param slicer the slice being made
     * @throws IndexOutOfBoundsException if this index does not fit the axis
     */
    abstract void apply(Slicer slicer);

    /**
     * Checks that the data from which this index takes positions, if any, is open.
     *
     * @throws io.tensornio.TensorClosedException if its tensor is closed
     */
    void checkOpen() {
        // Most indices have no data.
    }

    /**
     * An equivalent index that no longer depends on data: its positions are read now.
     *
     * @param size the size of the axis
     * @return this, if it has no data
     */
    AxisIndex settled(long size) {
        return this;
    }

    /**
     * The number of axes of the source that this index consumes.
     *
     * @return 1; 0 for a new axis
     */
    public int axes() {
        return 1;
    }

    /** Resolves a position that counts from the end if it is negative; not checked. */
    public static long fromEnd(long i, long size) {
        return i < 0 ? i + size : i;
    }
}
