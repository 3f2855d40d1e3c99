package io.tensornio.internal.data;

import io.tensornio.internal.layout.Pieces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Parts concatenated along one axis, tiled, and padded with one value. Slices, permutations and flips of it are copied
 * part by part, each by one strided copy.
 */
final class StringPieces extends StringMade {
    /** How many parts of parts are put side by side. */
    private static final int MOST_JOINED = 64;

    private final Pieces pieces;
    private final String fill;

    /** Makes the view; the sizes of the parts, other than on the axis of concatenation, are those of the box. */
    StringPieces(Pieces pieces, String fill, StringData... parts) {
        super(pieces.shape(), parts);
        this.pieces = pieces;
        this.fill = fill;
    }

    /**
     * Parts side by side, with the parts of those that are joined along the same axis themselves: so a view that is made in a loop, part by part,
     * stays flat. If that were too many, the parts are joined as they are.
     */
    static StringData[] flat(int axis, StringData... parts) {
        List<StringData> flat = new ArrayList<>();
        for (StringData part : parts) {
            StringPieces joined = part.source() instanceof StringPieces ? (StringPieces) part.source() : null;
            boolean isJoined = joined != null && joined.pieces.isJoined(axis) && part.layout().isWhole(joined.shape);
            flat.addAll(isJoined ? Arrays.asList(joined.parts) : Collections.singletonList(part));
        }
        return flat.size() > MOST_JOINED ? parts : flat.toArray(new StringData[0]);
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
