package io.tensornio.internal.layout;

import java.util.Arrays;
import java.util.Objects;

/**
 * Views other than slices, see {@link Slicer}, and reshapes, see {@link Reshape}: each method derives one layout from
 * another, independently of memory, so that it serves data and specs alike.
 *
 * <p>Every method throws {@link IllegalArgumentException} for axes, sizes and counts that do not fit; the message names what was asked and what is
 * possible.
 */
public final class Views {
    private Views() {
    }

    /** The layout with its axes reversed. */
    public static Layout transpose(Layout source) {
        return source.take(reversed(source.rank()));
    }

    /** The axes of a shape in reverse. */
    public static int[] reversed(int rank) {
        int[] axes = new int[rank];
        for (int k = 0; k < rank; k++) {
            axes[k] = rank - 1 - k;
        }
        return axes;
    }

    /** The axes in another order: axis {@code k} of the result is axis {@code axes[k]} of the source. */
    public static Layout permute(Layout source, int... axes) {
        return source.take(Axes.checkPermutation(source.sizes(), axes));
    }

    /** Inserts an axis of size 1; {@code axis} is its number in the result. */
    public static Layout expandDims(Layout source, int axis) {
        int place = Axes.checkNew("expandDims", source.sizes(), axis);
        int[] axes = new int[source.rank() + 1];
        for (int k = 0; k < axes.length; k++) {
            axes[k] = k < place ? k : k == place ? -1 : k - 1;
        }
        return source.take(axes);
    }

    /** Drops axes of size 1: those that are named, or all if none is. */
    public static Layout squeeze(Layout source, int... axes) {
        boolean[] dropped = squeezed(source.sizes(), axes);
        Layout at = source;
        int[] kept = new int[source.rank()];
        int n = 0;
        for (int d = 0; d < dropped.length; d++) {
            if (dropped[d]) {
                at = atFirst(at, d);
            } else {
                kept[n++] = d;
            }
        }
        return at.take(Arrays.copyOf(kept, n));
    }

    /** The axes of a shape that {@link #squeeze} drops. */
    public static boolean[] squeezed(long[] shape, int... axes) {
        boolean[] dropped = new boolean[shape.length];
        for (int axis : Axes.checkDistinct("squeeze", shape, axes)) {
            if (shape[axis] != 1) {
                throw new IllegalArgumentException("squeeze: axis " + axis + " of the shape " + Arrays.toString(shape) + " has the size "
                    + shape[axis] + "; only axes of size 1 can be left out");
            }
            dropped[axis] = true;
        }
        for (int d = 0; d < shape.length && axes.length == 0; d++) {
            dropped[d] = shape[d] == 1;
        }
        return dropped;
    }

    /** Moves the distance of an axis of size 1 into the offset, so that its stride is irrelevant. */
    private static Layout atFirst(Layout source, int d) {
        if (source.isStrided(d)) {
            return source;
        }
        return with(source, source.offset() + source.distance(d, 0), d, 1, 1, null, null);
    }

    /** The layout with another offset and another axis {@code d}. */
    private static Layout with(Layout source, long offset, int d, long size, long stride, long[] list, Runs runs) {
        long[] sizes = source.sizes().clone();
        long[] strides = source.strides().clone();
        sizes[d] = size;
        strides[d] = stride;
        long[][] lists = source.lists() == null ? list == null ? null : new long[sizes.length][] : source.lists().clone();
        Runs[] all = source.runs() == null ? runs == null ? null : new Runs[sizes.length] : source.runs().clone();
        if (lists != null) {
            lists[d] = list;
        }
        if (all != null) {
            all[d] = runs;
        }
        return new Layout(offset, sizes, strides, lists, all, source.isReadOnly());
    }

    /** The layout with a list for the axis {@code d}, replaced by a stride if possible. */
    private static Layout withList(Layout source, int d, long... list) {
        if (!Slicer.isArithmetic(list)) {
            return with(source, source.offset(), d, list.length, 0, list, null);
        }
        return with(source, source.offset() + (list.length > 0 ? list[0] : 0), d, list.length, Slicer.step(list), null, null);
    }

    /** Reverses axes: those that are named, or all if none is. */
    public static Layout flip(Layout source, int... axes) {
        int[] flipped = flipped(source.sizes(), axes);
        if (source.isStrided()) {
            long[] strides = source.strides().clone();
            long offset = source.offset();
            for (int axis : flipped) {
                if (source.size(axis) > 1) {
                    offset += (source.size(axis) - 1) * strides[axis];
                    strides[axis] = -strides[axis];
                }
            }
            return new Layout(offset, source.sizes(), strides, null, null, source.isReadOnly());
        }
        Layout result = source;
        for (int axis : flipped) {
            result = flipOne(result, axis);
        }
        return result;
    }

    /** The axes of a shape that {@link #flip} reverses. */
    public static int[] flipped(long[] shape, int... axes) {
        return Objects.requireNonNull(axes, "axes").length == 0 ? reversed(shape.length) : Axes.checkDistinct("flip", shape, axes);
    }

    private static Layout flipOne(Layout source, int d) {
        long n = source.size(d);
        long[] list = source.list(d);
        Runs runs = source.runs(d);
        if (n < 2) {
            return source;
        }
        if (runs != null) {
            return with(source, source.offset(), d, n, 0, null, runs.pick(-1, new long[] {n - 1}, n));
        }
        if (list == null) {
            return with(source, source.offset() + (n - 1) * source.stride(d), d, n, -source.stride(d), null, null);
        }
        long[] reversed = new long[list.length];
        for (int i = 0; i < list.length; i++) {
            reversed[i] = list[list.length - 1 - i];
        }
        return with(source, source.offset(), d, n, 0, reversed, null);
    }

    /** Replaces two axes by a new last axis of the elements with equal indices on both. */
    public static Layout diagonal(Layout source, int axis1, int axis2) {
        int[] two = Axes.checkDistinct("diagonal", source.sizes(), axis1, axis2);
        int first = two[0];
        int second = two[1];
        long n = Math.min(source.size(first), source.size(second));
        int[] kept = new int[source.rank() - 1];
        int axes = 0;
        for (int d = 0; d < source.rank(); d++) {
            if (d != first && d != second) {
                kept[axes++] = d;
            }
        }
        kept[axes] = first;
        Layout rest = source.take(kept);
        if (source.isStrided(first) && source.isStrided(second)) {
            long stride = n > 1 ? source.stride(first) + source.stride(second) : 1;
            return with(rest, rest.offset(), axes, n, stride, null, null);
        }
        long[] list = new long[Positions.count(n)];
        for (int i = 0; i < list.length; i++) {
            list[i] = source.distance(first, i) + source.distance(second, i);
        }
        return withList(rest, axes, list);
    }

    /** Broadcasts to a shape by NumPy's rule: axes of size 1 are expanded, and missing axes are added in front. Read-only. */
    public static Layout broadcastTo(Layout source, long... shape) {
        long[] to = broadcastShape(source.sizes(), shape);
        int added = to.length - source.rank();
        if (source.isStrided()) {
            long[] strides = new long[to.length];
            for (int k = added; k < to.length; k++) {
                strides[k] = source.size(k - added) == to[k] ? source.stride(k - added) : 0;
            }
            for (int k = 0; k < added; k++) {
                strides[k] = to[k] == 1 ? 1 : 0;
            }
            return new Layout(source.offset(), to, strides, null, null, true);
        }
        int[] axes = new int[to.length];
        for (int k = 0; k < axes.length; k++) {
            axes[k] = k < added ? -1 : k - added;
        }
        Layout result = source.take(axes);
        for (int k = 0; k < axes.length; k++) {
            if (result.size(k) != to[k]) {
                result = atFirst(result, k);
                result = with(result, result.offset(), k, to[k], 0, null, null);
            }
        }
        return result.asReadOnly();
    }

    /** Checks the shape that {@link #broadcastTo} makes, and copies it. */
    public static long[] broadcastShape(long[] from, long... shape) {
        long[] to = Shapes.checkSparse(shape);
        int added = to.length - from.length;
        boolean fits = added >= 0;
        for (int d = 0; d < from.length && fits; d++) {
            fits = from[d] == 1 || from[d] == to[d + added];
        }
        if (!fits) {
            throw new IllegalArgumentException("broadcastTo: the shape " + Arrays.toString(from) + " cannot become " + Arrays.toString(to)
                + ": seen from the last axis, each of its sizes must be 1 or the new one" + (added < 0 ? ", and no axis goes" : ""));
        }
        return to;
    }

    /** The checked shape to which several are broadcast together by NumPy's rule. */
    public static long[] commonShape(long[]... shapes) {
        int rank = 0;
        for (long[] shape : shapes) {
            rank = Math.max(rank, shape.length);
        }
        long[] common = new long[rank];
        Arrays.fill(common, 1);
        for (long[] shape : shapes) {
            for (int d = 0; d < shape.length; d++) {
                int to = d + rank - shape.length;
                if (shape[d] != 1 && common[to] != 1 && shape[d] != common[to]) {
                    throw new IllegalArgumentException("the shapes " + Arrays.deepToString(shapes)
                        + " have no common one: seen from the last axis, sizes must be equal or 1");
                }
                common[to] = shape[d] == 1 ? common[to] : shape[d];
            }
        }
        return Shapes.checkSparse(common);
    }

    /** Windows of {@code size} positions, {@code step} apart, along an axis; their elements are a new last axis. Read-only. */
    public static Layout slidingWindow(Layout source, int axis, long size, long step) {
        int d = Axes.check("slidingWindow", source.sizes(), axis);
        long n = source.size(d);
        if (size < 1 || size > n || step < 1) {
            throw new IllegalArgumentException("slidingWindow: windows of size " + size + " at each step of " + step + " on axis " + d
                + " of size " + n + " in the shape " + Arrays.toString(source.sizes()) + ": the size can be 1 to " + n + ", the step 1 or more");
        }
        if (!source.isStrided(d)) {
            throw new IllegalArgumentException("slidingWindow: axis " + d + " of the shape " + Arrays.toString(source.sizes())
                + " is a list of positions, which has no windows: copy() it first");
        }
        int rank = source.rank();
        long windows = (n - size) / step + 1;
        long stride = source.stride(d);
        long[] sizes = Arrays.copyOf(source.sizes(), rank + 1);
        long[] strides = Arrays.copyOf(source.strides(), rank + 1);
        sizes[d] = windows;
        strides[d] = windows > 1 ? stride * step : stride;
        sizes[rank] = size;
        strides[rank] = stride;
        Shapes.checkSparse(sizes);
        long[][] lists = source.lists() == null ? null : Arrays.copyOf(source.lists(), rank + 1);
        Runs[] runs = source.runs() == null ? null : Arrays.copyOf(source.runs(), rank + 1);
        return new Layout(source.offset(), sizes, strides, lists, runs, true);
    }
}
