package io.tensornio.internal.ragged;

import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.Axes;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.NewAxisIndex;
import io.tensornio.internal.layout.Positions;
import io.tensornio.internal.layout.RangeIndex;
import io.tensornio.internal.layout.Reshape;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Views;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * The steps of {@link Views} and {@link Reshape} on ragged layouts. New axes, dropped ones and reversed ones are slices; other steps change the
 * uniform axes behind the last ragged one, which each row has in the same form, or build a new tree, see {@link RaggedAxes}. No axis crosses a
 * ragged one.
 *
 * <p>Every step throws {@link IllegalArgumentException} if it cannot be; the message names the ragged axis.
 */
public final class RaggedViews {
    private RaggedViews() {
    }

    /** The exception for a step that a ragged axis does not allow. */
    public static IllegalArgumentException refused(String call, long... shape) {
        int ragged = lastRagged(shape) < 0 ? -1 : 0;
        while (ragged >= 0 && shape[ragged] >= 0) {
            ragged++;
        }
        if (ragged < 0) {
            return new IllegalArgumentException(call + ": the elements of the shape " + Arrays.toString(shape) + " were chosen out of rows that start"
                + " anywhere, which is a list of positions: copy() it first");
        }
        return new IllegalArgumentException(call + ": axis " + ragged + " of the shape " + Arrays.toString(shape)
            + " is ragged, so that there is no such view: make it dense by toDense(padding) first");
    }

    /** A new axis of size 1. */
    public static RaggedLayout expandDims(RaggedLayout source, int axis) {
        int place = Axes.checkNew("expandDims", source.shape(), axis);
        TensorIndex[] steps = new TensorIndex[place + 1];
        Arrays.fill(steps, RangeIndex.ALL);
        steps[place] = NewAxisIndex.NEW_AXIS;
        return RaggedSlicer.slice(source, steps);
    }

    /** Leaves axes of size 1 out: those that are named, or all that are not ragged. */
    public static RaggedLayout squeeze(RaggedLayout source, int... axes) {
        long[] shape = source.shape();
        for (int axis : Axes.checkDistinct("squeeze", shape, axes)) {
            if (shape[axis] < 0) {
                throw refused("squeeze", shape);
            }
        }
        boolean[] dropped = Views.squeezed(shape, axes);
        TensorIndex[] steps = new TensorIndex[shape.length];
        for (int d = 0; d < steps.length; d++) {
            steps[d] = dropped[d] ? TensorIndex.at(0) : RangeIndex.ALL;
        }
        return RaggedSlicer.slice(source, steps);
    }

    /** Some axes in reverse, each row of a ragged one for itself. */
    public static RaggedLayout flip(RaggedLayout source, int... axes) {
        long[] shape = source.shape();
        TensorIndex[] steps = new TensorIndex[shape.length];
        Arrays.fill(steps, RangeIndex.ALL);
        for (int axis : Views.flipped(shape, axes)) {
            steps[axis] = RangeIndex.FLIP;
        }
        return RaggedSlicer.slice(source, steps);
    }

    private static int lastRagged(long... shape) {
        int d = shape.length - 1;
        while (d >= 0 && shape[d] >= 0) {
            d--;
        }
        return d;
    }

    /** The uniform axes between two ragged ones, in front of the first and behind the last, in another order. */
    public static RaggedLayout permute(RaggedLayout source, int... axes) {
        int[] order = Axes.checkPermutation(source.shape(), axes);
        int free = free(source);
        boolean isSame = true;
        int[] to = new int[order.length];
        long[] shape = new long[order.length];
        for (int k = 0; k < order.length; k++) {
            for (int d = Math.min(k, order[k]); d < Math.max(k, order[k]) + 1; d++) {
                if (order[k] != k && source.shape()[d] < 0) {
                    throw refused("permute", source.shape());
                }
            }
            isSame &= k >= free || order[k] == k;
            to[order[k]] = k;
            shape[k] = source.shape()[order[k]];
        }
        RaggedLayout tree = source;
        if (!isSame) {
            if (!source.hasRaggedRows()) {
                return RaggedAxes.moved(source, shape, to);
            }
            System.arraycopy(source.shape(), free, shape, free, shape.length - free);
            tree = RaggedAxes.moved(source, shape, to);
        }
        int[] rest = new int[order.length - free];
        for (int k = 0; k < rest.length; k++) {
            rest[k] = order[free + k] - free;
        }
        return withFree(tree, layout -> Views.permute(layout, rest));
    }

    /** The axes in reverse, which is a view only where there are too few of them to cross. */
    public static RaggedLayout transpose(RaggedLayout source) {
        return permute(source, Views.reversed(source.rank()));
    }

    /** The diagonal of two axes behind the last ragged one. */
    public static RaggedLayout diagonal(RaggedLayout source, int axis1, int axis2) {
        int[] two = Axes.checkDistinct("diagonal", source.shape(), axis1, axis2);
        int free = free(source);
        if (Math.min(two[0], two[1]) <= lastRagged(source.shape())) {
            throw refused("diagonal", source.shape());
        }
        if (two[0] >= free && two[1] >= free) {
            return withFree(source, layout -> Views.diagonal(layout, two[0] - free, two[1] - free));
        }
        int[] to = new int[source.rank()];
        long[] shape = new long[source.rank() - 1];
        int kept = 0;
        for (int d = 0; d < to.length; d++) {
            boolean isOne = d == two[0] || d == two[1];
            to[d] = isOne ? shape.length - 1 : kept++;
            shape[to[d]] = isOne ? Math.min(source.shape()[two[0]], source.shape()[two[1]]) : source.shape()[d];
        }
        return RaggedAxes.moved(source, shape, to);
    }

    /** Another shape, in which the axes up to the last ragged one are as they were, each ragged one as -1. */
    public static RaggedLayout reshape(RaggedLayout source, long... asked) {
        boolean isUniform = lastRagged(source.shape()) < 0;
        return reshape("reshape", source, isUniform ? Reshape.shape(source.shape(), asked) : asked.clone());
    }

    private static RaggedLayout reshape(String call, RaggedLayout source, long... shape) {
        int free = free(source);
        int behind = lastRagged(source.shape()) + 1;
        boolean isFree = shape.length >= free;
        for (int d = behind; d < free && isFree; d++) {
            isFree = shape[d] == source.shape()[d];
        }
        if (isFree) {
            return withFree(source, rest(call, source, free, shape, layout -> Reshape.reshape(layout, behind(source, shape))));
        }
        rest(call, source, behind, shape, null);
        // The tree goes on behind the last ragged axis: once it has each element, it has them in order.
        int[] same = new int[source.rank()];
        Arrays.setAll(same, d -> d);
        RaggedLayout deep = RaggedAxes.moved(source, source.shape().clone(), same);
        long[] tail = Reshape.shape(Arrays.copyOfRange(source.shape(), behind, source.rank()), Arrays.copyOfRange(shape, behind, shape.length));
        long[] whole = joined(Arrays.copyOf(source.shape(), behind), tail);
        if (whole.length == 0) {
            return RaggedLayout.plain(source.access(new Layout(deep.start(deep.firstNode()), new long[0], new long[0])));
        }
        RowSplits[] splits = new RowSplits[whole.length];
        for (int d = 0; d < behind; d++) {
            splits[d] = deep.splits(d);
        }
        return new RaggedLayout(whole, splits, whole.length, deep.firstNode(), deep.starts(), deep.inner());
    }

    private static long[] behind(RaggedLayout source, long... shape) {
        return Arrays.copyOfRange(shape, free(source), shape.length);
    }

    /** A step, once it is checked that a shape has the axes in front of those that the step changes. */
    private static UnaryOperator<Layout> rest(String call, RaggedLayout source, int free, long[] shape, UnaryOperator<Layout> step) {
        boolean isSame = shape.length >= free;
        for (int d = 0; d < shape.length && isSame; d++) {
            isSame = d < free ? shape[d] == source.shape()[d] : shape[d] >= 0;
        }
        if (!isSame) {
            throw new IllegalArgumentException(refused(call, source.shape()).getMessage() + "; asked for " + Arrays.toString(shape)
                + ", in which each -1 stands for a ragged axis and only axes behind the last of them can differ");
        }
        return step;
    }

    /** One uniform axis as several. */
    public static RaggedLayout unflatten(RaggedLayout source, int axis, long... sizes) {
        int d = Axes.check("unflatten", source.shape(), axis);
        int free = free(source);
        if (d <= lastRagged(source.shape())) {
            throw refused("unflatten", source.shape());
        }
        if (d < free) {
            return reshape("unflatten", source, Reshape.unflattened(source.shape(), d, sizes));
        }
        return withFree(source, layout -> Reshape.unflatten(layout, d - free, sizes));
    }

    /** A larger shape, of which the ragged axes are -1, by NumPy's rule. Read-only. */
    public static RaggedLayout broadcastTo(RaggedLayout source, long... asked) {
        long[] shape = asked.clone();
        long[] from = source.shape();
        if (lastRagged(from) < 0) {
            Views.broadcastShape(from, shape);
        }
        int added = shape.length - from.length;
        boolean fits = added >= 0;
        for (int k = 0; k < shape.length && fits; k++) {
            long own = k < added ? 1 : from[k - added];
            fits = own == shape[k] || own == 1 && shape[k] >= 0;
        }
        if (!fits) {
            throw new IllegalArgumentException(refused("broadcastTo", from).getMessage() + "; asked for " + Arrays.toString(shape)
                + ", in which each -1 stands for a ragged axis, and only axes of size 1 can differ, and those that are added in front");
        }
        int free = free(source);
        int[] to = new int[from.length];
        boolean isSame = added == 0;
        for (int d = 0; d < to.length; d++) {
            to[d] = from[d] == shape[d + added] ? d + added : -1;
            isSame &= d >= free || to[d] >= 0;
        }
        RaggedLayout tree = source;
        if (!isSame && !source.hasRaggedRows()) {
            return readOnly(RaggedAxes.moved(source, checked(shape), to));
        }
        if (!isSame) {
            tree = RaggedAxes.moved(source, joined(Arrays.copyOf(checked(shape), free + added), Arrays.copyOfRange(from, free, from.length)), to);
        }
        long[] rest = Arrays.copyOfRange(shape, free + added, shape.length);
        return withFree(tree, layout -> Views.broadcastTo(layout, rest));
    }

    private static RaggedLayout readOnly(RaggedLayout source) {
        return withFree(source, Layout::asReadOnly);
    }

    /** A shape whose sizes but for the ragged ones a long can multiply. */
    private static long[] checked(long... shape) {
        Shapes.checkSparse(Arrays.stream(shape).map(Math::abs).toArray());
        return shape;
    }

    /** Neighbouring axes as one, also over ragged ones. */
    public static RaggedLayout flatten(RaggedLayout source, int first, int last) {
        long[] shape = source.shape();
        int begin = Axes.check("flatten", shape, first);
        int end = Axes.check("flatten", shape, last);
        if (begin > end) {
            Reshape.flattened(shape, first, last);      // which says so
        }
        int free = free(source);
        if (begin >= free) {
            return withFree(source, layout -> Reshape.flatten(layout, begin - free, end - free));
        }
        if (begin == end) {
            return source;
        }
        if (begin > lastRagged(shape)) {
            return reshape("flatten", source, Reshape.flattened(shape, begin, end));
        }
        RaggedLayout rows = source;
        int until = end;
        if (end >= free) {
            // What is behind the ragged axis becomes a part of it.
            rows = mergedRows(source, end);
            until = free - 1;
        }
        return begin == until ? rows : merged(rows, begin, until);
    }

    // ---- The axes behind the last ragged one -------------------------------------------------------------------------

    /** The first axis behind the tree and the last ragged one. */
    private static int free(RaggedLayout source) {
        return source.depth() + (source.hasRaggedRows() ? 1 : 0);
    }

    /** The layout in which a step has changed the axes behind the last ragged one. */
    private static RaggedLayout withFree(RaggedLayout source, UnaryOperator<Layout> step) {
        int depth = source.depth();
        int free = free(source);
        int kept = free - depth;
        Layout inner = source.inner();
        Layout changed = step.apply(behind(inner, kept));
        long[] shape = joined(Arrays.copyOf(source.shape(), free), changed.sizes());
        RowSplits[] splits = new RowSplits[shape.length];
        for (int d = 0; d < free; d++) {
            splits[d] = source.splits(d);
        }
        Layout after = new Layout(0, joined(Arrays.copyOf(inner.sizes(), kept), changed.sizes()),
            joined(Arrays.copyOf(inner.strides(), kept), changed.strides()), lists(kept, changed));
        boolean isWhole = kept == 1 && changed.offset() == 0 && changed.isContiguous() && inner.stride(0) == changed.totalSize();
        long[] starts = isWhole ? source.starts() : shifted(source, changed.offset());
        return new RaggedLayout(shape, splits, depth, source.firstNode(), starts, changed.isReadOnly() ? after.asReadOnly() : after);
    }

    private static Layout behind(Layout inner, int kept) {
        int n = inner.rank();
        Layout rest = new Layout(0, Arrays.copyOfRange(inner.sizes(), kept, n), Arrays.copyOfRange(inner.strides(), kept, n),
            inner.lists() == null ? null : Arrays.copyOfRange(inner.lists(), kept, n));
        return inner.isReadOnly() ? rest.asReadOnly() : rest;
    }

    private static long[][] lists(int kept, Layout changed) {
        if (changed.lists() == null) {
            return null;
        }
        long[][] lists = new long[kept + changed.rank()][];
        System.arraycopy(changed.lists(), 0, lists, kept, changed.rank());
        return lists;
    }

    private static long[] joined(long[] before, long... after) {
        long[] all = Arrays.copyOf(before, before.length + after.length);
        System.arraycopy(after, 0, all, before.length, after.length);
        return all;
    }

    /** Where each node of the depth starts, and a distance more. */
    private static long[] shifted(RaggedLayout source, long distance) {
        long end = source.end(source.depth());
        long[] starts = new long[Positions.count(end)];
        for (long node = source.begin(source.depth()); node < end; node++) {
            starts[(int) node] = source.start(node) + distance;
        }
        return starts;
    }

    // ---- Several axes as one -----------------------------------------------------------------------------------------

    /** The ragged axis at the depth and those behind it up to one, as one. */
    private static RaggedLayout mergedRows(RaggedLayout source, int last) {
        int depth = source.depth();
        if (!source.hasRaggedRows()) {
            throw scattered(source);
        }
        Layout inner = source.inner();
        int behind = last - depth;
        Layout merged = Reshape.flatten(behind(inner, 1), 0, behind - 1);
        long n = merged.size(0);
        long stride = n == 1 ? inner.stride(0) : merged.stride(0);
        if (n > 1 && inner.stride(0) != n * stride) {
            throw scattered(source);
        }
        long begin = source.begin(depth);
        long[] splits = new long[Positions.count(source.end(depth) + 1)];
        for (int node = (int) begin; node < splits.length; node++) {
            splits[node] = source.split(node) * n;
        }
        long[] shape = joined(Arrays.copyOf(source.shape(), depth + 1), Arrays.copyOfRange(source.shape(), last + 1, source.rank()));
        RowSplits[] all = new RowSplits[shape.length];
        for (int d = 0; d < depth; d++) {
            all[d] = source.splits(d);
        }
        all[depth] = new RowSplits(splits);
        long[] sizes = merged.sizes().clone();
        long[] strides = merged.strides().clone();
        sizes[0] = 0;
        strides[0] = stride;
        return new RaggedLayout(shape, all, depth, source.firstNode(), source.starts(), source.access(new Layout(0, sizes, strides, merged.lists())));
    }

    /** Axes of the tree as one, of which the last may be that of the rows. */
    private static RaggedLayout merged(RaggedLayout source, int first, int last) {
        int depth = source.depth();
        boolean withRows = last == depth;
        Layout inner = source.inner();
        if (withRows) {
            checkRows(source);
        }
        if (withRows && first == 0) {
            long begin = source.begin(depth);
            long[] sizes = inner.sizes().clone();
            sizes[0] = source.split(source.end(depth)) - source.split(begin);
            long offset = sizes[0] == 0 ? 0 : source.start(source.nextRow(begin, source.end(depth)));
            return RaggedLayout.plain(source.access(new Layout(offset, sizes, inner.strides(), inner.lists())));
        }
        long[] shape = joined(Arrays.copyOf(source.shape(), first + 1), Arrays.copyOfRange(source.shape(), last + 1, source.rank()));
        RowSplits[] splits = new RowSplits[shape.length];
        for (int d = 0; d < shape.length; d++) {
            splits[d] = d < first ? source.splits(d) : d > first ? source.splits(d + last - first) : null;
        }
        if (first == 0) {
            shape[0] = source.end(last + 1) - source.begin(last + 1);
            return new RaggedLayout(shape, splits, depth - last, source.begin(last + 1), source.starts(), inner);
        }
        boolean isUniform = true;
        long product = 1;
        for (int d = first; d <= last; d++) {
            isUniform &= source.splits(d) == null;
            product *= source.shape()[d];
        }
        shape[first] = isUniform ? product : -1;
        long begin = source.begin(first);
        long[] own = new long[isUniform ? 0 : Positions.count(source.end(first) + 1)];
        for (int node = (int) begin; node < own.length; node++) {
            own[node] = node;
            for (int d = first; d <= last; d++) {
                own[node] = d == depth ? source.split(own[node]) : source.below(d, own[node]);
            }
        }
        splits[first] = isUniform ? null : new RowSplits(own);
        if (!withRows) {
            return new RaggedLayout(shape, splits, depth - (last - first), source.firstNode(), source.starts(), inner);
        }
        long[] starts = source.starts() == null ? null : new long[own.length];
        for (int node = (int) begin; starts != null && node < own.length - 1; node++) {
            starts[node] = own[node] == own[node + 1] ? 0 : source.start(source.nextRow(below(source, first, node), source.end(depth)));
        }
        return new RaggedLayout(shape, splits, first, source.firstNode(), starts, inner);
    }

    /** The first node of the depth below a node. */
    private static long below(RaggedLayout source, int from, long node) {
        long at = node;
        for (int d = from; d < source.depth(); d++) {
            at = source.below(d, at);
        }
        return at;
    }

    /** Checks that each row follows the one in front of it. */
    private static void checkRows(RaggedLayout source) {
        if (source.starts() == null) {
            return;
        }
        long end = source.end(source.depth());
        long expected = 0;
        boolean isFirst = true;
        for (long node = source.nextRow(source.begin(source.depth()), end); node < end; node = source.nextRow(node + 1, end)) {
            if (!isFirst && source.start(node) != expected) {
                throw scattered(source);
            }
            isFirst = false;
            expected = source.start(node) + (source.split(node + 1) - source.split(node)) * source.inner().stride(0);
        }
    }

    private static IllegalArgumentException scattered(RaggedLayout source) {
        return new IllegalArgumentException(refused("flatten", source.shape()).getMessage()
            + ", or copy() its rows; they do not follow each other in memory");
    }
}
