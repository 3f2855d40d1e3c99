package io.tensornio.internal.layout;

/** Data of any element type from which an index takes positions. It is read when a slice is made. */
public interface IndexData extends OpenCheck {
    /**
     * The shape of the data, not of the positions.
     *
     * @return the sizes, not to be changed
     */
    long[] shape();

    /**
     * Reads the positions: the elements in row-major order; for BOOL data, the indices of the true elements.
     *
     * @param n the number of elements, from the checked shape
     * @return a new array; the positions are not checked
     */
    long[] positions(long n);
}
