package io.tensornio.internal.layout;

import java.util.Arrays;
import java.util.Objects;

/**
 * Reshapes without a copy: the same elements in row-major order. NumPy's rule says when that is possible: the axes of both shapes are split into the
 * smallest groups of equal products, and within each group the source's axes must merge into one stride.
 */
public final class Reshape {
    private Reshape() {
    }

    /**
     * The layout in another shape.
     *
     * @param asked the sizes, of which one may be -1
     * @throws IllegalArgumentException if the number of elements differs, or there is no such view
     */
    public static Layout reshape(Layout source, long... asked) {
        return to("reshape", source, shape(source.sizes(), asked));
    }

    /**
     * The requested shape, in a new array, with -1 resolved.
     *
     * @throws IllegalArgumentException if a size is wrong, or the number of elements is not that of the source
     */
    public static long[] shape(long[] from, long... asked) {
        return inferred("reshape", from, Shapes.product(from), asked);
    }

    private static long[] inferred(String call, long[] from, long total, long... asked) {
        long[] shape = Objects.requireNonNull(asked, "shape").clone();
        int open = -1;
        for (int d = 0; d < shape.length; d++) {
            if (shape[d] < -1 || shape[d] == -1 && open >= 0) {
                throw new IllegalArgumentException(call + ": the sizes " + Arrays.toString(asked) + ": each must be 0 or more, one may be -1");
            }
            open = shape[d] == -1 ? d : open;
        }
        if (open >= 0) {
            shape[open] = 1;
        }
        long product = Shapes.product(Shapes.checkSparse(shape));
        if (open >= 0 && product > 0 && total % product == 0) {
            shape[open] = total / product;
            product = total;
        } else if (open >= 0) {
            product = -1;               // ambiguous: 0 times any size is 0
        }
        if (product != total) {
            throw new IllegalArgumentException(call + ": the sizes " + Arrays.toString(asked) + " for " + Shapes.elements(total)
                + " of the shape " + Arrays.toString(from));
        }
        return shape;
    }

    /** Merges the axes {@code first} to {@code last}, both included, into one. */
    public static Layout flatten(Layout source, int first, int last) {
        return to("flatten", source, flattened(source.sizes(), first, last));
    }

    /** The shape that {@link #flatten(Layout, int, int)} makes. */
    public static long[] flattened(long[] from, int first, int last) {
        int begin = Axes.check("flatten", from, first);
        int end = Axes.check("flatten", from, last);
        if (begin > end) {
            throw new IllegalArgumentException("flatten: axis " + first + " to " + last + " of the shape " + Arrays.toString(from)
                + ": the first must not be behind the last");
        }
        long[] shape = new long[from.length - (end - begin)];
        System.arraycopy(from, 0, shape, 0, begin);
        shape[begin] = Shapes.product(Arrays.copyOfRange(from, begin, end + 1));
        System.arraycopy(from, end + 1, shape, begin + 1, from.length - end - 1);
        return shape;
    }

    /** Merges all axes into one; adds one at rank 0. */
    public static Layout flatten(Layout source) {
        return to("flatten", source, source.totalSize());
    }

    /** Splits an axis into several. */
    public static Layout unflatten(Layout source, int axis, long... sizes) {
        return to("unflatten", source, unflattened(source.sizes(), axis, sizes));
    }

    /** The shape that {@link #unflatten} makes. */
    public static long[] unflattened(long[] from, int axis, long... sizes) {
        int d = Axes.check("unflatten", from, axis);
        long[] split = inferred("unflatten", new long[] {from[d]}, from[d], sizes);
        long[] shape = new long[from.length - 1 + split.length];
        System.arraycopy(from, 0, shape, 0, d);
        System.arraycopy(split, 0, shape, d, split.length);
        System.arraycopy(from, d + 1, shape, d + split.length, from.length - d - 1);
        return Shapes.checkSparse(shape);
    }

    private static Layout to(String call, Layout source, long... shape) {
        Layout view = attempt(source, shape);
        if (view == null) {
            throw new IllegalArgumentException(call + ": there is no view of the shape " + Arrays.toString(source.sizes()) + " as "
                + Arrays.toString(shape) + ", " + why(source) + ": copy() it first, and reshape the copy");
        }
        return view;
    }

    private static String why(Layout source) {
        for (int d = 0; d < source.rank(); d++) {
            if (!source.isStrided(d)) {
                return "since axis " + d + " is a list of positions, which is kept as it is";
            }
        }
        return "since the strides are " + Arrays.toString(source.strides());
    }

    /**
     * The layout in another shape, if that needs no copy.
     *
     * @param shape a shape with as many elements; the result keeps the array
     * @return null if there is no such view
     */
    public static Layout attempt(Layout source, long... shape) {
        int rank = shape.length;
        if (source.totalSize() == 0) {
            return new Layout(source.offset(), shape, Layout.rowMajorStrides(shape), null, null, source.isReadOnly());
        }
        long[] strides = new long[rank];
        Arrays.fill(strides, 1);
        long[][] lists = source.lists() == null ? null : new long[rank][];
        Runs[] runs = source.runs() == null ? null : new Runs[rank];
        long offset = source.offset();
        int from = 0;                   // axes of size 1 belong to no group
        int to = 0;
        while (true) {
            for (; from < source.rank() && source.size(from) == 1; from++) {
                offset += source.distance(from, 0);
            }
            for (; to < rank && shape[to] == 1; to++) {
                strides[to] = 1;
            }
            if (from == source.rank()) {
                return new Layout(offset, shape, strides, lists, runs, source.isReadOnly());
            }
            int fromEnd = from + 1;
            int toEnd = to + 1;
            long product = source.size(from);
            long wanted = shape[to];
            while (product != wanted) {
                if (product < wanted) {
                    product *= source.size(fromEnd++);
                } else {
                    wanted *= shape[toEnd++];
                }
            }
            if (fromEnd == from + 1 && toEnd == to + 1) {
                strides[to] = source.stride(from);
                if (lists != null) {
                    lists[to] = source.list(from);
                }
                if (runs != null) {
                    runs[to] = source.runs(from);
                }
            } else {
                long stride = strideOf(source, from, fromEnd);
                if (stride == NONE) {
                    return null;
                }
                offset += onesOf(source, from, fromEnd);
                for (int k = toEnd - 1; k >= to; k--) {
                    strides[k] = stride;
                    stride *= shape[k];
                }
            }
            from = fromEnd;
            to = toEnd;
        }
    }

    /** Marks axes that have no common stride. */
    private static final long NONE = Long.MIN_VALUE;

    /** The stride of a group of axes merged into one; {@link #NONE} if they do not merge. */
    private static long strideOf(Layout source, int from, int end) {
        long stride = NONE;
        long next = 0;
        for (int d = end - 1; d >= from; d--) {
            long n = source.size(d);
            if (n == 1) {
                continue;
            }
            if (!source.isStrided(d) || stride != NONE && source.stride(d) != next) {
                return NONE;
            }
            stride = stride == NONE ? source.stride(d) : stride;
            next = source.stride(d) * n;
        }
        return stride;
    }

    /** The distances that lists of one position add to the offset. */
    private static long onesOf(Layout source, int from, int end) {
        long sum = 0;
        for (int d = from; d < end; d++) {
            sum += source.size(d) == 1 ? source.distance(d, 0) : 0;
        }
        return sum;
    }
}
