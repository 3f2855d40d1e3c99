package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.element.FloatArray;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Pieces;

/**
 * Parts side by side along one axis, once or several times, with one value around them all. Slices, permutations and flips of it are copied part by
 * part: as many strided copies as there are parts in them.
 */
final class FloatPieces extends FloatMade {
    /** How many elements of an array are copied to native memory at once. */
    private static final int MOST = 1 << 16;

    private final Pieces pieces;
    private final float fill;
    private final FloatSource[] sources;
    private final Layout[] layouts;

    /** Parts, whose sizes on all axes but that of the pieces are those of the inner region. */
    FloatPieces(Pieces pieces, float fill, FloatData... parts) {
        super(pieces.shape(), parts);
        this.pieces = pieces;
        this.fill = fill;
        sources = new FloatSource[parts.length];
        layouts = new Layout[parts.length];
        for (int n = 0; n < parts.length; n++) {
            sources[n] = parts[n].source();
            layouts[n] = parts[n].layout();
        }
    }

    @Override
    public float read(long at) {
        int part = pieces.part(at);
        return part < 0 ? fill : sources[part].read(pieces.position(part, layouts[part], at));
    }

    @Override
    public boolean readAll(Layout layout, float[] to, int at) {
        long[] sizes = layout.sizes().clone();
        Layout target = new Layout(at, sizes, Layout.rowMajorStrides(sizes));
        return copy(layout, new FloatArray(to, 0, new long[] {to.length}), target);
    }

    /** Copies data, if it is a view of pieces that is copied part by part; else it does nothing. */
    static boolean copy(FloatTensorData from, FloatTensorData to) {
        FloatSource source = from instanceof FloatData ? ((FloatData) from).source() : null;
        if (!(source instanceof FloatPieces) || !(to instanceof FloatStrided || to instanceof FloatArrayStrided)) {
            return false;
        }
        return ((FloatPieces) source).copy(((FloatData) from).layout(), ((FloatData) to).source(), ((FloatData) to).layout());
    }

    private boolean copy(Layout view, FloatSource target, Layout to) {
        return pieces.copy(view, to, (part, from, place) -> copyPart(part, from, target, place));
    }

    private void copyPart(int part, Layout from, FloatSource target, Layout place) {
        if (part < 0) {
            FloatData value = FloatView.data(new FloatArray(new float[] {fill}, 0, new long[0]), from);
            copyRows(value, FloatView.data(target, place));
        } else {
            copyRows(FloatView.data(sources[part], from), FloatView.data(target, place));
        }
    }

    /** Copies to native memory at once, and to an array as many elements at once as follow each other there. */
    private static void copyRows(FloatData from, FloatData to) {
        boolean isArray = to instanceof FloatArrayStrided;
        if (!isArray && from instanceof FloatArrayStrided) {
            // A native copy wants a whole array on the side of Java: the rows of the target are written one by one.
            writeRows(from, to);
        } else if (!isArray || to.isContiguous()) {
            FloatCopies.copyDisjoint(from, to);
        } else {
            for (int i = 0; i < to.size(0); i++) {
                copyRows((FloatData) from.slice(i), (FloatData) to.slice(i));
            }
        }
    }

    private static void writeRows(FloatData from, FloatData to) {
        int n = (int) to.totalSize();
        if (n > MOST && to.size(0) > 1) {
            for (int i = 0; i < to.size(0); i++) {
                writeRows((FloatData) from.slice(i), (FloatData) to.slice(i));
            }
            return;
        }
        float[] between = new float[n];
        from.readAll(between, 0);
        to.writeFirst(n, between, 0);
    }
}
