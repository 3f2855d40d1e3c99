package io.tensornio.internal.layout;

import io.tensornio.TensorIndex;

/** A {@link TensorIndex} as a step of {@link Slicer}, as all are but data. */
public abstract class AxisIndex implements TensorIndex {
    /**
     * Narrows the slicer's current axis, and moves on to the next.
     *
     * @param slicer the slice being made
     * @throws IndexOutOfBoundsException if this index does not fit the axis
     */
    abstract void apply(Slicer slicer);

    /**
     * Checks that the data which this reads, if any, is open.
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

    /** The position of a number, which counts from the end if it is negative; not checked. */
    public static long fromEnd(long i, long size) {
        return i < 0 ? i + size : i;
    }
}
