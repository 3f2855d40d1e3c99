package io.tensornio.internal.layout;

import io.tensornio.TensorIndex;

/** Data as coordinates: its n elements are positions on n consecutive axes. */
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

    /** Reads the coordinates; throws if the shape has fewer axes. */
    long[] read(long... shape) {
        long n = Positions.size(data, USE);
        if (n > shape.length) {
            throw new TensorIndexOutOfBoundsException(shape, "", n);
        }
        return Positions.read(data, USE);
    }
}
