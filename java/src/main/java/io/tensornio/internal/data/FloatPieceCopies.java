package io.tensornio.internal.data;

//#if float boolean byte
import io.tensornio.FloatConsumer;
//#end
import io.tensornio.FloatTensorData;
import io.tensornio.internal.element.FloatArray;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import java.util.ArrayDeque;
import java.util.Deque;
//~double import java.util.function.DoubleConsumer;
//~int import java.util.function.IntConsumer;
//~long import java.util.function.LongConsumer;

/** Copies of {@link FloatPieces}: of slices, permutations and flips, too, part by part, each by one strided copy. */
final class FloatPieceCopies {
    /** The minimum length of runs of an array that are copied by themselves. */
    private static final int SHORT_RUN = 16;
    /** The minimum number of elements that are passed on by way of an array. */
    private static final int FEW = 64;

    private FloatPieceCopies() {
    }

    /** Copies data if it is a view of pieces that can be copied part by part, or has one value everywhere; else returns false. */
    static boolean copy(FloatTensorData from, FloatTensorData to) {
        FloatSource source = from instanceof FloatData ? ((FloatData) from).source() : null;
        if (!(to instanceof FloatStrided || to instanceof FloatArrayStrided)) {
            return false;
        }
        if (source instanceof FloatConstant) {
            long[] sizes = ((FloatData) from).layout().sizes();
            copyRows(FloatView.data(spread(source.read(0)), new Layout(0, sizes, new long[sizes.length])), (FloatData) to);
            return true;
        }
        if (!(source instanceof FloatPieces)) {
            return false;
        }
        return copy((FloatPieces) source, ((FloatData) from).layout(), ((FloatData) to).source(), ((FloatData) to).layout());
    }

    /** Copies a selection of a source to an array if it is pieces that can be copied part by part; else returns false. */
    static boolean read(FloatSource source, Layout layout, float[] to, int at) {
        if (!(source instanceof FloatPieces)) {
            return false;
        }
        long[] sizes = layout.sizes().clone();
        Layout target = new Layout(at, sizes, Layout.rowMajorStrides(sizes));
        return copy((FloatPieces) source, layout, new FloatArray(to, 0, new long[] {to.length}), target);
    }

    /**
     * Passes on all elements in order, if they are a view of pieces: copied to an array part by part, since to find one alone takes divisions. Few
     * are not worth the array.
     *
     * @return whether it was done
     */
    static boolean forEach(FloatTensorData data, FloatConsumer action) {
        long n = data.totalSize();
        if (n < FEW || !(data instanceof FloatData) || !(((FloatData) data).source() instanceof FloatPieces)) {
            return false;
        }
        float[] elements = new float[(int) Math.min(n, FloatData.CHUNK)];
        DataPart.of(data).each(elements.length, (part, count) -> {
            part.get(elements, new int[0]);
            for (int i = 0; i < count; i++) {
                action.accept(elements[i]);
            }
        });
        return true;
    }

    /** What of pieces is still to be copied, and where to. */
    private static final class Rest {
        final FloatPieces source;
        final Layout from;
        final Layout to;

        Rest(FloatPieces source, Layout from, Layout to) {
            this.source = source;
            this.from = from;
            this.to = to;
        }
    }

    /** However deep pieces of pieces are, this takes no more stack. */
    private static boolean copy(FloatPieces all, Layout view, FloatSource target, Layout to) {
        Deque<Rest> rest = new ArrayDeque<>();
        if (!split(all, view, target, to, rest)) {
            return false;
        }
        for (Rest next = rest.poll(); next != null; next = rest.poll()) {
            if (!split(next.source, next.from, target, next.to, rest)) {
                FloatCopies.copyDisjoint(FloatView.data(next.source, next.from), FloatView.data(target, next.to));
            }
        }
        return true;
    }

    /** Copies the parts that a view has, but for those that are pieces themselves. */
    private static boolean split(FloatPieces all, Layout view, FloatSource target, Layout to, Deque<Rest> rest) {
        return all.pieces.copy(view, to, (part, from, place) -> {
            FloatSource source = part < 0 ? spread(all.fill) : all.source(part);
            if (source instanceof FloatPieces) {
                rest.push(new Rest((FloatPieces) source, from, place));
            } else {
                copyRows(FloatView.data(source, from), FloatView.data(target, place));
            }
        });
    }

    /** One value, to be read with strides of 0. */
    private static FloatSource spread(float value) {
        return new FloatArray(new float[] {value}, 0, new long[0]);
    }

    /** Copies to native memory at once, and to an array in contiguous runs, unless these are short. */
    private static void copyRows(FloatData from, FloatData to) {
        if (!(to instanceof FloatArrayStrided) || to.isContiguous() || !hasRuns(to.layout())) {
            FloatCopies.copyDisjoint(from, to);
        } else {
            for (int i = 0; i < to.size(0); i++) {
                copyRows((FloatData) from.slice(i), (FloatData) to.slice(i));
            }
        }
    }

    /** Whether the last axis is a run that is worth a copy of its own. */
    private static boolean hasRuns(Layout layout) {
        int last = layout.rank() - 1;
        return layout.stride(last) == 1 && layout.size(last) >= SHORT_RUN;
    }
}
