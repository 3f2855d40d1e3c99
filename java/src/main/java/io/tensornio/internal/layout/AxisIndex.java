package io.tensornio.internal.layout;

import io.tensornio.TensorIndex;

/** What every {@link TensorIndex} but data is: a step in the making of a sliced layout. */
public abstract class AxisIndex implements TensorIndex {
    /**
     * Narrows the slicer's current axis, and moves on to the next.
     *
     * @param slicer the slice being made
     * @throws IndexOutOfBoundsException if this index does not fit the axis
     */
    abstract void apply(Slicer slicer);

    /**
     * Sees to it that data which this reads when it is applied is still there.
     *
     * @throws io.tensornio.TensorClosedException if its tensor is closed
     */
    void checkOpen() {
        // Most have none.
    }

    /**
     * An index that selects the same and reads no data any more.
     *
     * @param size the size of the axis
     * @return this, if it reads none
     */
    AxisIndex settled(long size) {
        return this;
    }

    /**
     * How many axes of the source this takes.
     *
     * @return 1, but for the few that take none
     */
    public int axes() {
        return 1;
    }

    /** The position that a number means, which counts from the end where it is negative; not yet checked. */
    public static long fromEnd(long i, long size) {
        return i < 0 ? i + size : i;
    }
}
