package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.element.FloatArray;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Pieces;

/**
 * Parts concatenated along one axis, tiled, and padded with one value. Slices, permutations and flips of it are copied
 * part by part, each by one strided copy.
 */
final class FloatPieces extends FloatMade {
    /** The maximum number of elements of an array copied to native memory at once. */
    private static final int MOST = 1 << 16;

    private final Pieces pieces;
    private final float fill;
    private final FloatSource[] sources;
    private final Layout[] layouts;

    /** Makes the view; the sizes of the parts, other than on the axis of concatenation, are those of the box. */
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

    /** Copies data if it is a view of pieces that can be copied part by part; else returns false. */
    static boolean copy(FloatTensorData from, FloatTensorData to) {
        FloatSource source = from instanceof FloatData ? ((FloatData) from).source() : null;
        if (!(source instanceof FloatPieces) || !(to instanceof FloatStrided || to instanceof FloatArrayStrided)) {
            return false;
        }
        return ((FloatPieces) source).copy(((FloatData) from).layout(), ((FloatData) to).source(), ((FloatData) to).layout());
    }

    private boolean copy(Layout view, FloatSource target, Layout to) {
        return pieces.copy(view, to, (part, from, box) -> copyPart(part, from, target, box));
    }

    private void copyPart(int part, Layout from, FloatSource target, Layout to) {
        if (part < 0) {
            FloatData value = FloatView.data(new FloatArray(new float[] {fill}, 0, new long[0]), from);
            copyRows(value, FloatView.data(target, to));
        } else {
            copyRows(FloatView.data(sources[part], from), FloatView.data(target, to));
        }
    }

    /** Copies to native memory at once, and to an array in contiguous runs. */
    private static void copyRows(FloatData from, FloatData to) {
        boolean isArray = to instanceof FloatArrayStrided;
        if (!isArray && from instanceof FloatArrayStrided) {
            // Native copies cannot have arrays on both sides: the rows of the target are written one by one.
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
