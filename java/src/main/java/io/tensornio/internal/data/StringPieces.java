package io.tensornio.internal.data;

import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Pieces;

/**
 * Parts side by side along one axis, once or several times, with one value around them all. Slices, permutations and flips of it are copied part by
 * part: as many strided copies as there are parts in them.
 */
final class StringPieces extends StringMade {
    private final Pieces pieces;
    private final String fill;
    private final StringSource[] sources;
    private final Layout[] layouts;

    /** Parts, whose sizes on all axes but that of the pieces are those of the inner region. */
    StringPieces(Pieces pieces, String fill, StringData... parts) {
        super(pieces.shape(), parts);
        this.pieces = pieces;
        this.fill = fill;
        sources = new StringSource[parts.length];
        layouts = new Layout[parts.length];
        for (int n = 0; n < parts.length; n++) {
            sources[n] = parts[n].source();
            layouts[n] = parts[n].layout();
        }
    }

    @Override
    public String read(long at) {
        int part = pieces.part(at);
        return part < 0 ? fill : sources[part].read(pieces.position(part, layouts[part], at));
    }

    @Override
    public byte[] readBytes(long at) {
        int part = pieces.part(at);
        return part < 0 ? super.readBytes(at) : sources[part].readBytes(pieces.position(part, layouts[part], at));
    }

    @Override
    public Object readAny(long at) {
        int part = pieces.part(at);
        return part < 0 ? fill : sources[part].readAny(pieces.position(part, layouts[part], at));
    }
}
