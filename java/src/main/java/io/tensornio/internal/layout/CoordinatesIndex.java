package io.tensornio.internal.layout;

import io.tensornio.TensorIndex;

/** Data as an index: each element is a position on one of as many axes. */
public final class CoordinatesIndex implements TensorIndex {
    private static final String USE = "as an index";

    private final IndexData data;

    /**
     * Makes the index.
     *
     * @param data of rank 0 or 1
     */
    public CoordinatesIndex(IndexData data) {
        this.data = data;
    }

    void checkOpen() {
        data.checkOpen();
    }

    /** Reads the coordinates for a shape, unless it has fewer axes. */
    long[] read(long... shape) {
        long n = Positions.size(data, USE);
        if (n > shape.length) {
            throw new TensorIndexOutOfBoundsException(shape, "", n);
        }
        return Positions.read(data, USE);
    }
}
