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
 * The views of {@link Views} and {@link Reshape} on ragged layouts. New, dropped and reversed axes are made as slices; other views change the uniform
 * axes after the last ragged one, which are alike in all rows, or build a new tree, see {@link RaggedAxes}. No axis crosses a ragged one.
 *
 * <p>Every method throws {@link IllegalArgumentException} if the view is impossible; the message names the ragged axis.
 */
public final class RaggedViews {
    private RaggedViews() {
    }

    /** The exception for a view that a ragged axis prevents. */
    public static IllegalArgumentException refused(String call, long... shape) {
        int ragged = lastRagged(shape) < 0 ? -1 : 0;
        while (ragged >= 0 && shape[ragged] >= 0) {
            ragged++;
        }
        if (ragged < 0) {
            return new IllegalArgumentException(call + ": the elements of the shape " + Arrays.toString(shape) + " were selected from rows that"
                + " start anywhere, which is a list of positions: copy() it first");
        }
        return new IllegalArgumentException(call + ": axis " + ragged + " of the shape " + Arrays.toString(shape)
            + " is ragged, so that there is no such view: make it dense by toDense(padding) first");
    }

    /** Inserts an axis of size 1. */
    public static RaggedLayout expandDims(RaggedLayout source, int axis) {
        int added = Axes.checkNew("expandDims", source.shape(), axis);
        TensorIndex[] steps = new TensorIndex[added + 1];
        Arrays.fill(steps, RangeIndex.ALL);
        steps[added] = NewAxisIndex.NEW_AXIS;
        return RaggedSlicer.slice(source, steps);
    }

    /** Drops axes of size 1: those that are named, or all that are not ragged. */
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

    /** Reverses axes; on a ragged one, each row separately. */
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

    /** Permutes the uniform axes between two ragged ones, before the first and after the last. */
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

    /** Reverses the axes, which is possible only if no axis crosses a ragged one. */
    public static RaggedLayout transpose(RaggedLayout source) {
        return permute(source, Views.reversed(source.rank()));
    }

    /** The diagonal of two axes after the last ragged one. */
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

    /** Reshapes the axes after the last ragged one; those up to it are unchanged, with -1 for ragged ones. */
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
        // The tree extends beyond the last ragged axis: extended to each element, it has them in order.
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

    /** Returns the step, after a check that the shape has the same axes before those that the step changes. */
    private static UnaryOperator<Layout> rest(String call, RaggedLayout source, int free, long[] shape, UnaryOperator<Layout> step) {
        boolean isSame = shape.length >= free;
        for (int d = 0; d < shape.length && isSame; d++) {
            isSame = d < free ? shape[d] == source.shape()[d] : shape[d] >= 0;
        }
        if (!isSame) {
            throw new IllegalArgumentException(refused(call, source.shape()).getMessage() + "; asked for " + Arrays.toString(shape)
                + ", in which each -1 stands for a ragged axis and only axes after the last of them can differ");
        }
        return step;
    }

    /** Splits a uniform axis into several. */
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

    /** Broadcasts to a shape, with -1 for ragged axes, by NumPy's rule. Read-only. */
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

    /** Checks that the product of the uniform sizes fits a long. */
    private static long[] checked(long... shape) {
        Shapes.checkSparse(Arrays.stream(shape).map(Math::abs).toArray());
        return shape;
    }

    /** Merges adjacent axes into one, including ragged ones. */
    public static RaggedLayout flatten(RaggedLayout source, int first, int last) {
        long[] shape = source.shape();
        int begin = Axes.check("flatten", shape, first);
        int end = Axes.check("flatten", shape, last);
        if (begin > end) {
            Reshape.flattened(shape, first, last);      // throws
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
            // The axes after the ragged axis are merged into it.
            rows = mergedRows(source, end);
            until = free - 1;
        }
        return begin == until ? rows : merged(rows, begin, until);
    }

    // ---- The axes after the last ragged one --------------------------------------------------------------------------

    /** The first axis after the tree and the last ragged one. */
    private static int free(RaggedLayout source) {
        return source.depth() + (source.hasRaggedRows() ? 1 : 0);
    }

    /** Applies a step to the axes after the last ragged one. */
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

    /** The starts of the nodes at the depth, plus a distance. */
    private static long[] shifted(RaggedLayout source, long distance) {
        long end = source.end(source.depth());
        long[] starts = new long[Positions.count(end)];
        for (long node = source.begin(source.depth()); node < end; node++) {
            starts[(int) node] = source.start(node) + distance;
        }
        return starts;
    }

    // ---- Merging axes ------------------------------------------------------------------------------------------------

    /** Merges the ragged axis at the depth with those after it up to {@code last}. */
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

    /** Merges axes of the tree, of which the last may be that of the rows. */
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

    /** The first descendant of a node at the depth. */
    private static long below(RaggedLayout source, int from, long node) {
        long at = node;
        for (int d = from; d < source.depth(); d++) {
            at = source.below(d, at);
        }
        return at;
    }

    /** Checks that rows are contiguous. */
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
