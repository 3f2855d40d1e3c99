package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.layout.Pieces;
import java.util.Arrays;

/**
 * Parts concatenated along one axis, tiled, and padded with one value. Slices, permutations and flips of it are copied
 * part by part, each by one strided copy.
 */
final class StringPieces extends StringMade {
    private final Pieces pieces;
    private final String fill;

    /** Makes the view; the sizes of the parts, other than on the axis of concatenation, are those of the box. */
    StringPieces(Pieces pieces, String fill, StringData... parts) {
        super(pieces.shape(), parts);
        this.pieces = pieces;
        this.fill = fill;
    }

    /** Parts side by side, with the parts of those that are joined along the same axis themselves. */
    static StringData[] flat(int axis, StringData... parts) {
        TensorData<?>[] flat = flat(axis, sources(parts), parts);
        return Arrays.copyOf(flat, flat.length, StringData[].class);
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
    String value(long place) {
        return fill;
    }
}
