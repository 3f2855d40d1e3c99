package io.tensornio.internal.layout;

import java.util.Arrays;

/**
 * Parts tiled over a shape: concatenated along one axis, repeated cyclically along all, inside a box with padding
 * around it. Elements are addressed by their linear index in row-major order of the shape. Immutable.
 */
public final class Pieces {
    /** Views that are not one box are copied box by box if each box has at least so many elements. */
    private static final long LEAST = 16;

    /** Copies a box of one part, both sides given as layouts. */
    public interface Copy {
        /**
         * Copies.
         *
         * @param part the part, or -1 for the padding value, which is at position 0
         * @param from the layout within the part
         * @param to the layout within the target; of the same shape
         */
        void copy(int part, Layout from, Layout to);
    }

    private final long[] shape;
    private final long[] weights;
    private final long[] before;
    private final long[] inner;
    private final int axis;
    /** The start of each part on the axis, and the end of the last one. */
    private final long[] cuts;
    private final Layout[] layouts;

    /**
     * Keeps the arrays, without copies.
     *
     * @param shape the whole shape, which is checked
     * @param before the width of the padding before the box on each axis
     * @param inner the shape of the box
     * @param axis the axis along which the parts are concatenated; ignored for rank 0
     * @param layouts the layouts of the parts
     */
    public Pieces(long[] shape, long[] before, long[] inner, int axis, Layout... layouts) {
        this.shape = shape;
        this.before = before;
        this.inner = inner;
        this.axis = axis;
        this.layouts = layouts;
        weights = Layout.rowMajorStrides(shape);
        cuts = new long[layouts.length + 1];
        for (int n = 0; n < layouts.length; n++) {
            cuts[n + 1] = cuts[n] + (shape.length == 0 ? 1 : layouts[n].size(axis));
        }
    }

    /** The whole shape: not to be changed. */
    public long[] shape() {
        return shape;
    }

    /** Whether these are parts side by side along an axis, each of them once, and nothing else. */
    public boolean isJoined(int along) {
        return axis == along && Arrays.equals(inner, shape) && shape.length > 0 && cuts[layouts.length] == shape[axis];
    }

    /** The part that has an element, or -1 if it is in the margin. */
    public int part(long linear) {
        long rest = linear;
        int part = 0;
        for (int d = 0; d < shape.length; d++) {
            long i = rest / weights[d];
            rest -= i * weights[d];
            i -= before[d];
            if (i < 0 || i >= inner[d]) {
                return -1;
            }
            if (d == axis) {
                part = partAt(i % cuts[layouts.length]);
            }
        }
        return part;
    }

    private int partAt(long i) {
        if (layouts.length == 1) {
            return 0;
        }
        int found = Arrays.binarySearch(cuts, i);
        if (found < 0) {
            return -found - 2;
        }
        while (cuts[found + 1] == i) {          // skips parts without elements
            found++;
        }
        return found;
    }

    /** The position of an element in the layout of its part. */
    public long position(int part, long linear) {
        Layout layout = layouts[part];
        long at = layout.offset();
        long rest = linear;
        for (int d = 0; d < shape.length; d++) {
            long i = rest / weights[d];
            rest -= i * weights[d];
            i -= before[d];
            at += layout.distance(d, d == axis ? i % cuts[layouts.length] - cuts[part] : i);
        }
        return at;
    }

    /**
     * How many elements from one on are in the same part, or in none, {@link #step} apart, along the last axis.
     *
     * @param part the part that has the element, or -1
     * @param linear its linear index
     * @return at least 1
     */
    public long run(int part, long linear) {
        int last = shape.length - 1;
        if (last < 0 || part >= 0 && !layouts[part].isStrided(last)) {
            return 1;
        }
        long i = linear % shape[last] - before[last];
        if (part < 0) {
            return i < 0 ? -i : shape[last] - before[last] - i;
        }
        long rest = inner[last] - i;
        return last == axis ? Math.min(rest, cuts[part + 1] - i % cuts[layouts.length]) : rest;
    }

    /** The distance from an element of a part to the next one of a {@link #run}. */
    public long step(int part) {
        return shape.length == 0 || !layouts[part].isStrided(shape.length - 1) ? 1 : layouts[part].stride(shape.length - 1);
    }

    /**
     * Splits a view into boxes that lie in one part or in the padding, and copies each.
     *
     * @param view the view, whose positions are linear indices
     * @param to the destination, of the same shape; without lists
     * @param each copies one box
     * @return false, without any copy, if the view is neither aligned with the axes of the shape nor of consecutive elements, or boxes are too small
     *     to be worthwhile
     */
    public boolean copy(Layout view, Layout to, Copy each) {
        if (view.totalSize() == 0) {
            return true;
        }
        if (!to.isStrided()) {
            return false;
        }
        long[][] steps = steps(view);
        if (steps == null) {
            return copyWhole(view, to, each) || copyRange(view, to, each);
        }
        boolean[] single = singleSteps(view, steps);
        long atOnce = 1;
        boolean isWhole = true;
        for (int k = 0; k < single.length; k++) {
            isWhole &= !single[k];
            atOnce *= single[k] ? 1 : view.size(k);
        }
        if (!isWhole && atOnce < LEAST) {
            return false;
        }
        walk(new Target(view, to, steps, single), 0, first(view), to.offset(), each);
        return true;
    }

    /** The linear index of the first element; there is at least one. */
    private static long first(Layout view) {
        long linear = view.offset();
        for (int k = 0; k < view.rank(); k++) {
            linear += view.distance(k, 0);
        }
        return linear;
    }

    /**
     * The stride of each axis of a view along each axis of the shape; for an axis with varying strides, non-zero where any is.
     *
     * @return null if the view is not aligned with the axes of the shape, so that its elements are no box
     */
    private long[][] steps(Layout view) {
        long linear = first(view);
        long[] low = Shapes.coordinates(shape, linear);
        long[] high = low.clone();
        long[] first = low.clone();
        long[][] steps = new long[view.rank()][shape.length];
        for (int k = 0; k < steps.length; k++) {
            long n = view.size(k);
            boolean isStrided = view.isStrided(k);
            long[] least = new long[shape.length];
            long[] most = new long[shape.length];
            for (long i = 1; i < (isStrided ? Math.min(n, 2) : n); i++) {
                long[] at = Shapes.coordinates(shape, linear + view.distance(k, i) - view.distance(k, 0));
                for (int d = 0; d < at.length; d++) {
                    long distance = at[d] - first[d];
                    steps[k][d] = distance == 0 ? steps[k][d] : distance;
                    least[d] = Math.min(least[d], distance);
                    most[d] = Math.max(most[d], distance);
                }
            }
            long times = isStrided ? n - 1 : 1;
            for (int d = 0; d < shape.length; d++) {
                low[d] += least[d] * times;
                high[d] += most[d] * times;
            }
        }
        for (int d = 0; d < shape.length; d++) {
            if (low[d] < 0 || high[d] >= shape[d]) {
                return null;
            }
        }
        return steps;
    }

    /**
     * The axes of a view that are iterated, since the elements of all their indices together are no box: lists of
     * positions, and one of two axes that run along the same axis of the shape, as in windows.
     */
    private boolean[] singleSteps(Layout view, long[][] steps) {
        boolean[] single = new boolean[steps.length];
        for (int k = 0; k < single.length; k++) {
            single[k] = !view.isStrided(k);
        }
        for (int d = 0; d < shape.length; d++) {
            int mover = -1;
            for (int k = 0; k < single.length; k++) {
                if (single[k] || steps[k][d] == 0) {
                    continue;
                }
                boolean isShorter = mover < 0 || view.size(k) < view.size(mover);
                if (mover >= 0) {
                    single[isShorter ? k : mover] = true;
                }
                mover = mover < 0 || !isShorter ? k : mover;
            }
        }
        return single;
    }

    /** A view, its destination, and which of its axes are iterated. */
    private static final class Target {
        final Layout view;
        final Layout to;
        final long[][] steps;
        final boolean[] single;

        Target(Layout view, Layout to, long[][] steps, boolean... single) {
            this.view = view;
            this.to = to;
            this.steps = steps;
            this.single = single;
        }
    }

    /** Iterates over the axes from {@code k} on that are to be iterated. */
    private void walk(Target all, int k, long linear, long offset, Copy each) {
        if (k == all.single.length) {
            split(new Walk(shape, all, linear, offset), each);
        } else if (!all.single[k]) {
            walk(all, k + 1, linear, offset, each);
        } else {
            for (long i = 0; i < all.view.size(k); i++) {
                walk(all, k + 1, linear + all.view.distance(k, i) - all.view.distance(k, 0), offset + i * all.to.stride(k), each);
            }
        }
    }

    /** Copies a view that is a reshape of the whole, if the target can be reshaped, too. */
    private boolean copyWhole(Layout view, Layout to, Copy each) {
        if (!view.isContiguous() || view.totalSize() != Shapes.product(shape) || Arrays.equals(view.sizes(), shape)) {
            return false;
        }
        Layout target = Reshape.attempt(to, shape.clone());
        return target != null && copy(Layout.rowMajor(shape), target, each);
    }

    /** Copies a view that is a part of a reshape, of consecutive elements: as boxes, which are as large as they can be one after the other. */
    private boolean copyRange(Layout view, Layout to, Copy each) {
        if (view.totalSize() < LEAST || !view.isContiguous() || !to.isContiguous()) {
            return false;
        }
        long linear = first(view);
        long place = first(to);
        for (long rest = view.totalSize(); rest > 0;) {
            int d = 0;
            while (linear % weights[d] != 0 || weights[d] > rest) {
                d++;                            // the weight of the last axis is 1
            }
            long[] sizes = shape.clone();
            Arrays.fill(sizes, 0, d, 1);
            sizes[d] = Math.min(rest / weights[d], shape[d] - linear / weights[d] % shape[d]);
            copy(new Layout(linear, sizes, weights), new Layout(place, sizes, Layout.rowMajorStrides(sizes)), each);
            long n = sizes[d] * weights[d];
            linear += n;
            place += n;
            rest -= n;
        }
        return true;
    }

    /** A box of elements: its sizes, its strides along the axes of the shape, and its strides in the target. */
    private static final class Walk {
        /** The first index on each axis of the shape. */
        final long[] first;
        /** The stride of each axis of the box along each axis of the shape. */
        final long[][] steps;
        /** For each axis of the shape the axis of the box that runs along it, or -1: there is at most one. */
        final int[] axes;
        final long[] count;
        final long[] stride;
        long offset;

        Walk(long[] shape, Target all, long linear, long offset) {
            int rank = 0;
            for (boolean isSingle : all.single) {
                rank += isSingle ? 0 : 1;
            }
            first = Shapes.coordinates(shape, linear);
            steps = new long[rank][];
            axes = new int[shape.length];
            count = new long[rank];
            stride = new long[rank];
            this.offset = offset;
            Arrays.fill(axes, -1);
            for (int k = 0, n = 0; k < all.single.length; k++) {
                if (!all.single[k]) {
                    steps[n] = all.steps[k];
                    count[n] = all.view.size(k);
                    stride[n] = all.to.stride(k);
                    for (int d = 0; d < shape.length; d++) {
                        axes[d] = steps[n][d] != 0 ? n : axes[d];
                    }
                    n++;
                }
            }
        }

        private Walk(Walk other) {
            first = other.first.clone();
            steps = other.steps;
            axes = other.axes;
            count = other.count.clone();
            stride = other.stride;
            offset = other.offset;
        }

        /** The number of indices on an axis of the shape. */
        long count(int d) {
            return axes[d] < 0 ? 1 : count[axes[d]];
        }

        /** The step between these indices. */
        long step(int d) {
            return axes[d] < 0 ? 1 : steps[axes[d]][d];
        }

        /** The part of the box at {@code n} of the indices on an axis of the shape, starting at {@code from}. */
        Walk part(int d, long from, long n) {
            int k = axes[d];
            if (k < 0) {
                return this;            // its only index
            }
            Walk part = new Walk(this);
            for (int e = 0; e < first.length; e++) {
                part.first[e] += from * steps[k][e];
            }
            part.offset += from * stride[k];
            part.count[k] = n;
            return part;
        }

        Layout target() {
            return new Layout(offset, count.clone(), stride.clone());
        }
    }

    /** Splits the padding off axis by axis, and the rest into parts. */
    private void split(Walk all, Copy each) {
        Walk box = all;
        for (int d = 0; d < shape.length; d++) {
            long n = box.count(d);
            long step = box.step(d);
            long low = Math.min(n, firstFrom(step > 0 ? before[d] : before[d] + inner[d] - 1, box.first[d], step));
            long high = Math.min(n, firstFrom(step > 0 ? before[d] + inner[d] : before[d] - 1, box.first[d], step));
            margin(box, d, 0, low, each);
            margin(box, d, high, n - high, each);
            if (low >= high) {
                return;
            }
            box = low == 0 && high == n ? box : box.part(d, low, high - low);
        }
        if (shape.length == 0) {
            each.copy(0, source(layouts[0], box, 0), box.target());
            return;
        }
        long total = cuts[layouts.length];
        long step = box.step(axis);
        for (long done = 0, n = box.count(axis); done < n;) {
            long at = (box.first[axis] + done * step - before[axis]) % total;
            int part = partAt(at);
            long local = at - cuts[part];
            long more = step > 0 ? (cuts[part + 1] - 1 - at) / step + 1 : local / -step + 1;
            long some = Math.min(more, n - done);
            Walk piece = some == n ? box : box.part(axis, done, some);
            each.copy(part, source(layouts[part], piece, local), piece.target());
            done += some;
        }
    }

    /** The number of steps from {@code first} to the first index that is not before {@code index}, in the direction of the step. */
    private static long firstFrom(long index, long first, long step) {
        long distance = step > 0 ? index - first : first - index;
        long width = Math.abs(step);
        return distance <= 0 ? 0 : (distance + width - 1) / width;
    }

    /** Fills the padding at {@code n} of the indices on an axis of the shape, starting at {@code from}. */
    private static void margin(Walk box, int d, long from, long n, Copy each) {
        if (n > 0) {
            Layout target = box.part(d, from, n).target();
            each.copy(-1, new Layout(0, target.sizes(), new long[target.rank()]), target);
        }
    }

    /** The layout of a box within a part; {@code local} is the start of the box on the axis of concatenation. */
    private Layout source(Layout part, Walk box, long local) {
        int rank = box.count.length;
        long[] strides = new long[rank];
        long[][] lists = null;
        long offset = part.offset();
        for (int d = 0; d < shape.length; d++) {
            long first = d == axis ? local : box.first[d] - before[d];
            int k = box.axes[d];
            if (k < 0 || box.count[k] == 1) {
                offset += part.distance(d, first);
            } else if (part.isStrided(d)) {
                offset += part.distance(d, first);
                strides[k] += box.steps[k][d] * part.stride(d);
            } else {
                lists = lists == null ? new long[rank][] : lists;
                lists[k] = lists[k] == null ? new long[Positions.count(box.count[k])] : lists[k];
                for (int i = 0; i < lists[k].length; i++) {
                    lists[k][i] += part.distance(d, first + i * box.steps[k][d]);
                }
            }
        }
        for (int k = 0; lists != null && k < rank; k++) {
            for (int i = 0; lists[k] != null && i < lists[k].length; i++) {
                lists[k][i] += i * strides[k];
            }
            if (lists[k] != null && Slicer.isArithmetic(lists[k])) {
                offset += lists[k][0];
                strides[k] = Slicer.step(lists[k]);
                lists[k] = null;
            }
        }
        return new Layout(offset, box.count.clone(), strides, lists);
    }
}
