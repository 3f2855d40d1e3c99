package io.tensornio.internal.data;

import io.tensornio.internal.layout.Shapes;

/** A selection from ragged rows that has a dense shape, but neither strides nor lists of positions: elements are addressed by linear index. */
final class FloatChosen extends FloatMade {
    private final FloatRagged data;

    FloatChosen(FloatRagged data) {
        super(data.shape(), data);
        this.data = data;
    }

    private long position(long at) {
        long[] coordinates = Shapes.coordinates(shape, at);
        int[] indices = new int[coordinates.length];
        for (int d = 0; d < indices.length; d++) {
            indices[d] = (int) coordinates[d];
        }
        return data.ragged().position(indices);
    }

    @Override
    public float read(long at) {
        return data.source().read(position(at));
    }

}
