package io.tensornio.internal.layout;

import java.util.Arrays;

/**
 * Parts in a shape: side by side along one axis, repeated until it is full, inside of a box with a margin around it. Elements are numbered in
 * row-major order of the shape. Immutable.
 */
public final class Pieces {
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
     * @return false if the view does not go along axes of the shape, and nothing was done
     */
    public boolean copy(Layout view, Layout to, Copy each) {
        int rank = shape.length;
        if (view.totalSize() == 0) {
            return true;
        }
        if (!view.isStrided() || !to.isStrided()) {
            return false;
        }
        Walk walk = new Walk(rank, to.offset());
        long[] first = Shapes.coordinates(shape, view.offset());
        System.arraycopy(first, 0, walk.first, 0, rank);
        boolean[] taken = new boolean[rank];
        for (int k = 0; k < view.rank(); k++) {
            long n = view.size(k);
            if (n == 1) {
                continue;
            }
            int d = axisOf(view.stride(k));
            if (d < 0 || taken[d]) {
                return copyWhole(view, to, each);
            }
            long step = view.stride(k) / weights[d];
            long last = first[d] + step * (n - 1);
            if (last < 0 || last >= shape[d]) {
                return copyWhole(view, to, each);
            }
            taken[d] = true;
            walk.step[d] = step;
            walk.count[d] = n;
            walk.stride[d] = to.stride(k);
        }
        split(walk, each);
        return true;
    }

    /** The axis along which a distance goes. */
    private int axisOf(long stride) {
        for (int d = 0; d < shape.length; d++) {
            if (shape[d] > 1 && stride != 0 && Math.abs(stride) >= weights[d]) {
                return stride % weights[d] == 0 ? d : -1;
            }
        }
        return -1;
    }

    /** The same where the view is the whole in another shape, to which the target can be reshaped. */
    private boolean copyWhole(Layout view, Layout to, Copy each) {
        if (!view.isContiguous() || view.totalSize() != Shapes.product(shape) || Arrays.equals(view.sizes(), shape)) {
            return false;
        }
        Layout target = Reshape.attempt(to, shape.clone());
        return target != null && copy(Layout.rowMajor(shape), target, each);
    }

    /** A box of elements: on each axis some indices, and what the target's stride is there. */
    private static final class Walk {
        final long[] first;
        final long[] step;
        final long[] count;
        final long[] stride;
        long offset;

        Walk(int rank, long offset) {
            first = new long[rank];
            step = new long[rank];
            count = new long[rank];
            stride = new long[rank];
            Arrays.fill(step, 1);
            Arrays.fill(count, 1);
            this.offset = offset;
        }

        private Walk(Walk other) {
            first = other.first.clone();
            step = other.step.clone();
            count = other.count.clone();
            stride = other.stride.clone();
            offset = other.offset;
        }

        /** The same with {@code n} of the indices of an axis, from one on. */
        Walk part(int d, long from, long n) {
            Walk part = new Walk(this);
            part.first[d] += from * step[d];
            part.offset += from * stride[d];
            part.count[d] = n;
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
            long n = box.count[d];
            long step = box.step[d];
            long low = Math.min(n, firstFrom(step > 0 ? before[d] : before[d] + inner[d] - 1, box.first[d], step));
            long high = Math.min(n, firstFrom(step > 0 ? before[d] + inner[d] : before[d] - 1, box.first[d], step));
            margin(box.part(d, 0, low), each);
            margin(box.part(d, high, n - high), each);
            if (low >= high) {
                return;
            }
            box = box.part(d, low, high - low);
        }
        if (shape.length == 0) {
            each.copy(0, layouts[0], box.target());
            return;
        }
        long total = cuts[layouts.length];
        long step = box.step[axis];
        for (long done = 0, n = box.count[axis]; done < n;) {
            long at = (box.first[axis] + done * step - before[axis]) % total;
            int part = partAt(at);
            long local = at - cuts[part];
            long more = step > 0 ? (cuts[part + 1] - 1 - at) / step + 1 : local / -step + 1;
            long some = Math.min(more, n - done);
            Walk piece = box.part(axis, done, some);
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

    private void margin(Walk box, Copy each) {
        Layout target = box.target();
        if (target.totalSize() > 0) {
            each.copy(-1, new Layout(0, target.sizes(), new long[shape.length]), target);
        }
    }

    /** What a box, which begins at an index on the axis of the parts, has of one. */
    private Layout source(Layout part, Walk box, long local) {
        Layout result = part;
        for (int d = 0; d < shape.length; d++) {
            long first = d == axis ? local : box.first[d] - before[d];
            result = Views.range(result, d, first, box.step[d], box.count[d]);
        }
        return result;
    }
}
