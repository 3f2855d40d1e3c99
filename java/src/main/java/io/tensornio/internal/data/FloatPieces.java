package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.layout.Pieces;
import java.util.Arrays;

/** Parts concatenated along one axis, tiled, and padded with one value. */
final class FloatPieces extends FloatMade {
    final Pieces pieces;
    /** What is in no part. */
    final float fill;

    /** Makes the view; the sizes of the parts, other than on the axis of concatenation, are those of the box. */
    FloatPieces(Pieces pieces, float fill, FloatData... parts) {
        super(pieces.shape(), parts);
        this.pieces = pieces;
        this.fill = fill;
    }

    /** Parts side by side, with the parts of those that are joined along the same axis themselves. */
    static FloatData[] flat(int axis, FloatData... parts) {
        TensorData<?>[] flat = flat(axis, sources(parts), parts);
        return Arrays.copyOf(flat, flat.length, FloatData[].class);
    }

    @Override
    boolean isJoined(int axis) {
        return pieces.isJoined(axis);
    }

    @Override
    int part(long place) {
        return pieces.part(place);
    }

    @Override
    long position(int part, long place) {
        return pieces.position(part, place);
    }

    @Override
    float value(long place) {
        return fill;
    }
}
