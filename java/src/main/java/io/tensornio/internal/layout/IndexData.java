package io.tensornio.internal.layout;

/** Data that an index takes positions from, whatever its type. It is read when a slice is made. */
public interface IndexData extends OpenCheck {
    /**
     * The shape of the data, not of the positions.
     *
     * @return the sizes, not to be changed
     */
    long[] shape();

    /**
     * Reads the positions: the elements in row-major order, or of BOOL data the indices of those that are true.
     *
     * @param n the number of elements, which follows from a shape that was checked
     * @return a new array; the positions are not checked
     */
    long[] positions(long n);
}
