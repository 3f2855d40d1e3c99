package io.tensornio.internal.layout;

import java.util.Arrays;

/**
 * Parts in a shape: side by side along one axis, repeated until it is full, inside of a box with a margin around it. Elements are numbered in
 * row-major order of the shape. Immutable.
 */
public final class Pieces {
    /** Views that cannot be copied as boxes are if each step along the axes in the way copies so many elements at least. */
    private static final long LEAST = 16;

    /** Receives a copy of one part: the elements of a layout of the part go to those of a layout of the target. */
    public interface Copy {
        /**
         * Copies.
         *
         * @param part which part, or -1 for the value in the margin, which is at position 0
         * @param from where in the part
         * @param to where in the target; of the same shape
         */
        void copy(int part, Layout from, Layout to);
    }

    private final long[] shape;
    private final long[] weights;
    private final long[] before;
    private final long[] inner;
    private final int axis;
    /** Where each part begins on the axis, and after them where the last one ends. */
    private final long[] cuts;
    private final Layout[] layouts;

    /**
     * Takes over all arrays.
     *
     * @param shape the whole shape, which is checked
     * @param before how wide the margin is in front of each axis
     * @param inner the sizes of the box
     * @param axis the axis along which the parts are; any of rank 0
     * @param layouts where the elements of the parts are
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

    /** The part that has an element, or -1 if it is in the margin. */
    public int part(long place) {
        long rest = place;
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
        while (cuts[found + 1] == i) {          // a part without elements
            found++;
        }
        return found;
    }

    /** The position of an element in the layout of its part. */
    public long position(int part, Layout layout, long place) {
        long at = layout.offset();
        long rest = place;
        for (int d = 0; d < shape.length; d++) {
            long i = rest / weights[d];
            rest -= i * weights[d];
            i -= before[d];
            at += layout.distance(d, d == axis ? i % cuts[layouts.length] - cuts[part] : i);
        }
        return at;
    }

    /**
     * Splits a view of the pieces into the elements of each part and of the margin.
     *
     * @param view the view, whose positions are numbers of elements
     * @param to where its elements go, in the same shape; without lists
     * @param each receives the copies
     * @return false if the view does not go along axes of the shape, or copies would be so small that elements are as good, and nothing was done
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
            return copyWhole(view, to, each);
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

    /** The place of the first element, of which there is one. */
    private static long first(Layout view) {
        long place = view.offset();
        for (int k = 0; k < view.rank(); k++) {
            place += view.distance(k, 0);
        }
        return place;
    }

    /**
     * How far a step along each axis of a view leads on each axis of the shape; of an axis whose steps differ, whether any leads anywhere.
     *
     * @return null if the view does not go along axes of the shape: its elements are no box of them
     */
    private long[][] steps(Layout view) {
        long place = first(view);
        long[] low = Shapes.coordinates(shape, place);
        long[] high = low.clone();
        long[] first = low.clone();
        long[][] steps = new long[view.rank()][shape.length];
        for (int k = 0; k < steps.length; k++) {
            long n = view.size(k);
            boolean isStrided = view.isStrided(k);
            long[] least = new long[shape.length];
            long[] most = new long[shape.length];
            for (long i = 1; i < (isStrided ? Math.min(n, 2) : n); i++) {
                long[] at = Shapes.coordinates(shape, place + view.distance(k, i) - view.distance(k, 0));
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
     * Which axes of a view are gone along step by step, since the elements of all steps together are no box: lists of positions, and one of two axes
     * that lead along the same axis of the shape, as those of windows do.
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

    /** A view, where it goes, and how. */
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

    /** Goes along the axes from {@code k} on that are gone along step by step. */
    private void walk(Target all, int k, long place, long offset, Copy each) {
        if (k == all.single.length) {
            split(new Walk(shape, all, place, offset), each);
        } else if (!all.single[k]) {
            walk(all, k + 1, place, offset, each);
        } else {
            for (long i = 0; i < all.view.size(k); i++) {
                walk(all, k + 1, place + all.view.distance(k, i) - all.view.distance(k, 0), offset + i * all.to.stride(k), each);
            }
        }
    }

    /** The same where the view is the whole in another shape, to which the target can be reshaped. */
    private boolean copyWhole(Layout view, Layout to, Copy each) {
        if (!view.isContiguous() || view.totalSize() != Shapes.product(shape) || Arrays.equals(view.sizes(), shape)) {
            return false;
        }
        Layout target = Reshape.attempt(to, shape.clone());
        return target != null && copy(Layout.rowMajor(shape), target, each);
    }

    /** A box of elements: how many along each of its own axes, where these lead in the shape, and what the target's strides are. */
    private static final class Walk {
        /** Where it begins on each axis of the shape. */
        final long[] first;
        /** How far a step along each axis of the box leads on each of the shape. */
        final long[][] steps;
        /** The axis of the box that leads along an axis of the shape, or -1: there is one at most. */
        final int[] axes;
        final long[] count;
        final long[] stride;
        long offset;

        Walk(long[] shape, Target all, long place, long offset) {
            int rank = 0;
            for (boolean isSingle : all.single) {
                rank += isSingle ? 0 : 1;
            }
            first = Shapes.coordinates(shape, place);
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

        /** How many indices it has on an axis of the shape. */
        long count(int d) {
            return axes[d] < 0 ? 1 : count[axes[d]];
        }

        /** How far apart they are. */
        long step(int d) {
            return axes[d] < 0 ? 1 : steps[axes[d]][d];
        }

        /** The same with {@code n} of the indices on an axis of the shape, from one on. */
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

    /** Cuts the margin off on one axis after the other, and goes through the parts in what is left. */
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

    /** The number of the first index that is not in front of one, in the direction of the step. */
    private static long firstFrom(long index, long first, long step) {
        long distance = step > 0 ? index - first : first - index;
        long width = Math.abs(step);
        return distance <= 0 ? 0 : (distance + width - 1) / width;
    }

    /** Fills {@code n} of the indices on an axis of the shape, from one on. */
    private static void margin(Walk box, int d, long from, long n, Copy each) {
        if (n > 0) {
            Layout target = box.part(d, from, n).target();
            each.copy(-1, new Layout(0, target.sizes(), new long[target.rank()]), target);
        }
    }

    /** What a box, which begins at an index on the axis of the parts, has of one. */
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
