package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import java.util.ArrayDeque;
import java.util.Deque;

/** Copies of views of pieces: of slices, permutations and flips, too, part by part, each by one strided copy. */
final class PieceCopies {
    /** The minimum length of runs of an array that are copied by themselves. */
    private static final int SHORT_RUN = 16;

    private PieceCopies() {
    }

    /** The elements behind data if it is a view of pieces, else null. */
    static Made pieces(Source source) {
        return source instanceof Made && ((Made) source).assembly instanceof Assembly.Joined ? (Made) source : null;
    }

    /** Copies data if it is a view of pieces that can be copied part by part, or has one value everywhere; else returns false. */
    static <D extends TensorData<D>, A> boolean copy(PrimitiveCarrier<D, A> carrier, D from, D to) {
        if (!(from instanceof OwnData) || !(to instanceof OwnData) || !((OwnData<?, ?>) to).isStrided()) {
            return false;
        }
        Source source = ((OwnData<?, ?>) from).source();
        if (!(source instanceof Made)) {
            return false;
        }
        Layout layout = ((OwnData<?, ?>) from).layout();
        OwnData<D, A> target = OwnData.own(to);
        if (((Made) source).isConstant()) {
            long[] sizes = layout.sizes();
            copyRows(carrier, carrier.view(carrier.spread(((Made) source).fill()), new Layout(0, sizes, new long[sizes.length])), target);
            return true;
        }
        Made pieces = pieces(source);
        return pieces != null && copy(carrier, pieces, layout, target.source(), target.layout());
    }

    /** Copies a selection of a source to an array if it is pieces that can be copied part by part; else returns false. */
    static <D extends TensorData<D>, A> boolean read(PrimitiveCarrier<D, A> carrier, Source source, Layout layout, A to, int at) {
        Made pieces = pieces(source);
        if (pieces == null) {
            return false;
        }
        long[] sizes = layout.sizes().clone();
        return copy(carrier, pieces, layout, carrier.over(to), new Layout(at, sizes, Layout.rowMajorStrides(sizes)));
    }

    /** What of pieces is still to be copied, and where to. */
    private static final class Rest {
        final Made source;
        final Layout from;
        final Layout to;

        Rest(Made source, Layout from, Layout to) {
            this.source = source;
            this.from = from;
            this.to = to;
        }
    }

    /** However deep pieces of pieces are, this takes no more stack. */
    private static <D extends TensorData<D>, A> boolean copy(PrimitiveCarrier<D, A> carrier, Made all, Layout view, Source target, Layout to) {
        Deque<Rest> rest = new ArrayDeque<>();
        if (!split(carrier, all, view, target, to, rest)) {
            return false;
        }
        for (Rest next = rest.poll(); next != null; next = rest.poll()) {
            if (!split(carrier, next.source, next.from, target, next.to, rest)) {
                carrier.copyDisjoint(carrier.view(next.source, next.from).self(), carrier.view(target, next.to).self());
            }
        }
        return true;
    }

    /** Copies the parts that a view has, but for those that are pieces themselves. */
    private static <D extends TensorData<D>, A> boolean split(PrimitiveCarrier<D, A> carrier, Made all, Layout view, Source target, Layout to,
            Deque<Rest> rest) {
        return ((Assembly.Joined) all.assembly).pieces.copy(view, to, (part, from, place) -> {
            Source source = part < 0 ? carrier.spread(all.fill()) : all.sources[part];
            if (pieces(source) != null) {
                rest.push(new Rest((Made) source, from, place));
            } else {
                copyRows(carrier, carrier.view(source, from), carrier.view(target, place));
            }
        });
    }

    /** Copies to native memory at once, and to an array in contiguous runs, unless these are short. */
    private static <D extends TensorData<D>, A> void copyRows(PrimitiveCarrier<D, A> carrier, OwnData<D, A> from, OwnData<D, A> to) {
        if (!to.isInArray() || to.isContiguous() || !hasRuns(to.layout())) {
            carrier.copyDisjoint(from.self(), to.self());
        } else {
            for (int i = 0; i < to.size(0); i++) {
                copyRows(carrier, OwnData.own(from.slice(i)), OwnData.own(to.slice(i)));
            }
        }
    }

    /** Whether the last axis is a run that is worth a copy of its own. */
    private static boolean hasRuns(Layout layout) {
        int last = layout.rank() - 1;
        return layout.stride(last) == 1 && layout.size(last) >= SHORT_RUN;
    }
}
