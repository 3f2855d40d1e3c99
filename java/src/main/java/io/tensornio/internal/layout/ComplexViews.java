package io.tensornio.internal.layout;

import java.util.Arrays;
import java.util.Objects;

/**
 * The shapes of complex views, for data and for specs. Every method throws
 * {@link IllegalArgumentException} for what does not fit, and returns a new array.
 */
public final class ComplexViews {
    private ComplexViews() {
    }

    /** A shape with padding around it. */
    public static long[] padded(long[] inner, long[] before, long[] after) {
        long[] shape = inner.clone();
        if (before.length != inner.length || after.length != inner.length) {
            throw new IllegalArgumentException("pad: " + Arrays.toString(before) + " before and " + Arrays.toString(after) + " after for the shape "
                + Arrays.toString(inner) + ": each of its " + inner.length + " axes needs one of both");
        }
        for (int d = 0; d < shape.length; d++) {
            if (before[d] < 0 || after[d] < 0 || before[d] > Long.MAX_VALUE - after[d] || before[d] + after[d] > Long.MAX_VALUE - shape[d]) {
                throw new IllegalArgumentException("pad: " + before[d] + " before and " + after[d] + " after axis " + d + " of the shape "
                    + Arrays.toString(inner) + ": both must be 0 or more, and a long must count them all");
            }
            shape[d] += before[d] + after[d];
        }
        return Shapes.checkSparse(shape);
    }

    /** A copy of the parts; checks that there is at least one, and that none is null. */
    public static <P> P[] parts(String call, P[] parts) {
        P[] own = Objects.requireNonNull(parts, "parts").clone();
        if (own.length == 0) {
            throw new IllegalArgumentException(call + " needs at least one part");
        }
        for (int n = 0; n < own.length; n++) {
            int which = n;
            Objects.requireNonNull(own[n], () -> "part " + which);
        }
        return own;
    }

    /** The shape of the concatenation along an existing axis. */
    public static long[] concatenated(String call, int axis, long[]... shapes) {
        long[] shape = shapes[0].clone();
        int d = Axes.check(call, shape, axis);
        for (int n = 1; n < shapes.length; n++) {
            long[] other = shapes[n].clone();
            long size = other.length == shape.length ? other[d] : -1;
            if (size >= 0) {
                other[d] = shape[d];
            }
            if (!Arrays.equals(other, shape)) {
                throw new IllegalArgumentException(call + ": the shape " + Arrays.toString(shapes[n]) + " of part " + n
                    + " differs from " + Arrays.toString(shapes[0]) + " of part 0 on other axes than " + d);
            }
            if (size > Long.MAX_VALUE - shape[d]) {
                throw new IllegalArgumentException(call + ": axis " + d + " has more positions than a long can count");
            }
            shape[d] += size;
        }
        return Shapes.checkSparse(shape);
    }

    /** The shape of equal shapes stacked along a new axis. */
    public static long[] stacked(int axis, long[]... shapes) {
        int d = Axes.checkNew("stack", shapes[0], axis);
        for (int n = 1; n < shapes.length; n++) {
            if (!Arrays.equals(shapes[n], shapes[0])) {
                throw new IllegalArgumentException("stack: the shape " + Arrays.toString(shapes[n]) + " of part " + n + " is not "
                    + Arrays.toString(shapes[0]) + ", that of part 0");
            }
        }
        long[] shape = new long[shapes[0].length + 1];
        System.arraycopy(shapes[0], 0, shape, 0, d);
        shape[d] = shapes.length;
        System.arraycopy(shapes[0], d, shape, d + 1, shapes[0].length - d);
        return Shapes.checkSparse(shape);
    }

    /** A shape repeated along each axis. */
    public static long[] tiled(long[] shape, long... repeats) {
        if (repeats.length != shape.length) {
            throw new IllegalArgumentException("tile: " + repeats.length + " repeats " + Arrays.toString(repeats) + " for the shape "
                + Arrays.toString(shape) + " of rank " + shape.length + ": there must be one for each axis");
        }
        long[] tiled = shape;
        for (int d = 0; d < repeats.length; d++) {
            tiled = times("tile", tiled, d, repeats[d]);
        }
        return tiled;
    }

    /** A shape with each position of an axis repeated. */
    public static long[] repeated(long[] shape, int axis, long times) {
        return times("repeat", shape, Axes.check("repeat", shape, axis), times);
    }

    private static long[] times(String call, long[] shape, int d, long times) {
        if (times < 0 || times > 0 && shape[d] > Long.MAX_VALUE / times) {
            throw new IllegalArgumentException(call + ": axis " + d + " of the shape " + Arrays.toString(shape) + " repeated " + times
                + " times: that must be 0 or more, and a long must count the positions");
        }
        long[] more = shape.clone();
        more[d] *= times;
        return Shapes.checkSparse(more);
    }
}
