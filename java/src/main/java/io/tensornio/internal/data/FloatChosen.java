package io.tensornio.internal.data;

import io.tensornio.internal.layout.Shapes;

/** A selection from ragged rows that has a dense shape, but neither strides nor lists of positions: elements are addressed by linear index. */
final class FloatChosen extends FloatMade {
    private final FloatRagged data;

    FloatChosen(FloatRagged data) {
        super(data.shape(), data);
        this.data = data;
    }

    @Override
    int part(long place) {
        return 0;
    }

    @Override
    long position(int part, long place) {
        long[] coordinates = Shapes.coordinates(shape, place);
        int[] indices = new int[coordinates.length];
        for (int d = 0; d < indices.length; d++) {
            indices[d] = (int) coordinates[d];
        }
        return data.tree().position(indices);
    }
}
