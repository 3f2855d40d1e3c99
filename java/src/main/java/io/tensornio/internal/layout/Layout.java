package io.tensornio.internal.layout;

import java.util.Arrays;

/**
 * The positions of the elements of an n-dimensional selection in linear memory, counted in elements: {@code offset} plus for each axis
 * {@code index * stride}, or the distance that a list or {@link Runs} give for the index. Immutable.
 *
 * <p>Invariants:
 * <ol>
 * <li>sizes, strides and, if there are any, lists and runs are of one length, the rank; no size is negative;
 * <li>the product of all sizes other than 0 fits a {@code long} (checked by {@link Shapes#check});
 * <li>every position lies in the memory that the layout was made for: slicing only selects positions of its source;
 * <li>a list is as long as its axis; equidistant positions, also all equal, are a stride instead;
 * <li>an axis has a list, or at least two runs, or neither.
 * </ol>
 *
 * <p>A layout is read-only if several indices share an element, as in a broadcast, and so are all views of it.
 */
public final class Layout {
    /** The origin of linear memory for elements of which strides do not determine addresses. */
    public static final long NOWHERE = Long.MIN_VALUE;

    private final long offset;
    private final long[] sizes;
    private final long[] strides;
    /** For each axis the distances of its positions from the offset, or null if the axis is strided; null if no axis has a list. */
    private final long[][] lists;
    /** For each axis its runs, or null; null if no axis has any. */
    private final Runs[] runs;
    private final boolean readOnly;

    /** Keeps both arrays, without a copy. The caller ensures the invariants. */
    public Layout(long offset, long[] sizes, long[] strides) {
        this(offset, sizes, strides, null);
    }

    /** Keeps the arrays, without copies. The caller ensures the invariants; any of the lists may be null. */
    public Layout(long offset, long[] sizes, long[] strides, long[][] lists) {
        this(offset, sizes, strides, lists, null);
    }

    /** Keeps the arrays, without copies. The caller ensures the invariants; any of the lists and runs may be null. */
    Layout(long offset, long[] sizes, long[] strides, long[][] lists, Runs[] runs) {
        this(offset, sizes, strides, lists, runs, false);
    }

    /** Keeps the arrays, without copies. The caller ensures the invariants; any of the lists and runs may be null. */
    Layout(long offset, long[] sizes, long[] strides, long[][] lists, Runs[] runs, boolean readOnly) {
        this.readOnly = readOnly;
        this.offset = offset;
        this.sizes = sizes;
        this.strides = strides;
        this.lists = hasAny((Object[]) lists) ? lists : null;
        this.runs = hasAny((Object[]) runs) ? runs : null;
    }

    private static boolean hasAny(Object... of) {
        boolean any = false;
        for (int d = 0; of != null && d < of.length; d++) {
            any |= of[d] != null;
        }
        return any;
    }

    /** The contiguous row-major layout of a checked shape, from offset 0. */
    public static Layout rowMajor(long[] shape) {
        return new Layout(0, shape, rowMajorStrides(shape));
    }

    /** The strides of contiguous elements in row-major order. */
    public static long[] rowMajorStrides(long[] shape) {
        long[] strides = new long[shape.length];
        long stride = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= Math.max(shape[d], 1);        // invariant 2
        }
        return strides;
    }

    /** The number of axes. */
    public int rank() {
        return sizes.length;
    }

    /** The position of the first element, without the distances that lists add. */
    public long offset() {
        return offset;
    }

    /** The size of an axis. */
    public long size(int d) {
        return sizes[d];
    }

    /** The stride of an axis; meaningless if it has a list or runs. */
    public long stride(int d) {
        return strides[d];
    }

    /** The list of an axis: the distance from the offset for each index, not to be changed; null if it has none. */
    public long[] list(int d) {
        return lists == null ? null : lists[d];
    }

    /** All lists, not to be changed, or null. */
    public long[][] lists() {
        return lists;
    }

    /** The runs of an axis that has them, or null. */
    public Runs runs(int d) {
        return runs == null ? null : runs[d];
    }

    /** Whether any axis has runs. */
    public boolean hasRuns() {
        return runs != null;
    }

    /** The sizes themselves: not to be changed or handed out. */
    public long[] sizes() {
        return sizes;
    }

    /** The strides themselves: not to be changed or handed out. */
    public long[] strides() {
        return strides;
    }

    /** Whether the elements cannot be written through a view of this layout. */
    public boolean isReadOnly() {
        return readOnly;
    }

    /** The same layout, read-only. */
    public Layout asReadOnly() {
        return readOnly ? this : new Layout(offset, sizes, strides, lists, runs, true);
    }

    /** Whether an axis has neither a list nor runs. */
    public boolean isStrided(int d) {
        return list(d) == null && runs(d) == null;
    }

    /** The runs of all axes, not to be changed, or null. */
    Runs[] runs() {
        return runs;
    }

    /** The same layout with positions that count from another one. */
    public Layout from(long position) {
        return new Layout(offset - position, sizes, strides, lists, runs, readOnly);
    }

    /** Whether no axis has a list or runs. */
    public boolean isStrided() {
        return lists == null && runs == null;
    }

    /** The number of elements. */
    public long totalSize() {
        return Shapes.product(sizes);
    }

    /** Whether this has all elements of a shape, in row-major order from position 0 on. */
    public boolean isWhole(long... shape) {
        return offset == 0 && Arrays.equals(sizes, shape) && isContiguous();
    }

    /** Whether the elements are contiguous in row-major order. */
    public boolean isContiguous() {
        long expected = 1;
        for (int d = sizes.length - 1; d >= 0; d--) {
            if (sizes[d] == 0) {
                return true;
            }
            if (sizes[d] != 1) {
                if (strides[d] != expected || list(d) != null || runs(d) != null) {
                    return totalSize() == 0;
                }
                expected *= sizes[d];
            }
        }
        return true;
    }

    /** Whether the ranges from the lowest to the highest position overlap; both layouts have elements. */
    public boolean overlaps(Layout other) {
        return lowest() <= other.highest() && other.lowest() <= highest();
    }

    /** The lowest position; there are elements. */
    public long lowest() {
        long at = offset;
        for (int d = 0; d < sizes.length; d++) {
            at += lowest(d);
        }
        return at;
    }

    /** The highest position; there are elements. */
    public long highest() {
        long at = offset;
        for (int d = 0; d < sizes.length; d++) {
            at += highest(d);
        }
        return at;
    }

    /** The lowest distance of an axis that has positions. */
    public long lowest(int d) {
        return list(d) == null ? Math.min(distance(d, 0), distance(d, sizes[d] - 1)) : Arrays.stream(lists[d]).min().orElse(0);
    }

    /** The highest distance of an axis that has positions. */
    public long highest(int d) {
        return list(d) == null ? Math.max(distance(d, 0), distance(d, sizes[d] - 1)) : Arrays.stream(lists[d]).max().orElse(0);
    }

    /** The distance from the offset for a valid index of an axis. */
    public long distance(int d, long i) {
        Runs own = runs(d);
        return own == null ? distanceWithoutRuns(d, i) : own.distance(i);
    }

    /** As {@link #distance} of an axis without runs: gets of dense data need no more. */
    public long distanceWithoutRuns(int d, long i) {
        long[] list = list(d);
        return list == null ? i * strides[d] : list[(int) i];
    }

    /**
     * The layout that leading indices select.
     *
     * @throws IndexOutOfBoundsException if an index is outside of its axis, or there are more indices than axes
     */
    public Layout at(int... indices) {
        int n = indices.length;
        return new Layout(offsetOf(indices), after(sizes, n), after(strides, n), lists == null ? null : Arrays.copyOfRange(lists, n, lists.length),
            runs == null ? null : Arrays.copyOfRange(runs, n, runs.length), readOnly);
    }

    /**
     * Some of the axes, in some order.
     *
     * @param axes for each axis of the result its source axis, or -1 for a new axis of size 1; omitted axes have size 1
     */
    Layout take(int... axes) {
        int n = axes.length;
        long[] newSizes = new long[n];
        long[] newStrides = new long[n];
        long[][] newLists = lists == null ? null : new long[n][];
        Runs[] newRuns = runs == null ? null : new Runs[n];
        for (int k = 0; k < n; k++) {
            int d = axes[k];
            newSizes[k] = d < 0 ? 1 : sizes[d];
            newStrides[k] = d < 0 ? 1 : strides[d];
            if (lists != null && d >= 0) {
                newLists[k] = lists[d];
            }
            if (runs != null && d >= 0) {
                newRuns[k] = runs[d];
            }
        }
        return new Layout(offset, newSizes, newStrides, newLists, newRuns, readOnly);
    }

    private static long[] after(long[] array, int n) {
        return Arrays.copyOfRange(array, n, array.length);
    }

    /**
     * The offset of the first element that leading indices select.
     *
     * @throws IndexOutOfBoundsException if an index is outside of its axis, or there are more indices than axes
     */
    public long offsetOf(int... indices) {
        if (indices.length > sizes.length) {
            throw new TensorIndexOutOfBoundsException(sizes, indices);
        }
        long at = offset;
        for (int d = 0; d < indices.length; d++) {
            int i = indices[d];         // read once: the caller may change the array concurrently
            if (i < 0 || i >= sizes[d]) {
                throw new TensorIndexOutOfBoundsException(sizes, indices);
            }
            at += distance(d, i);
        }
        return at;
    }

    /** The part of the layout at {@code n} positions of the first axis, starting at {@code from}; not checked. */
    public Layout part(long from, long n) {
        if (n == sizes[0]) {
            return this;
        }
        long[] some = sizes.clone();
        some[0] = n;
        if (runs(0) != null) {
            Runs[] shorter = runs.clone();
            shorter[0] = runs[0].pick(1, new long[] {from}, n);
            if (shorter[0].count() > 1) {
                return new Layout(offset, some, strides, lists, shorter, readOnly);
            }
            long[] strided = strides.clone();
            strided[0] = shorter[0].stride();
            long first = n > 0 ? shorter[0].base(0) : 0;
            shorter[0] = null;
            return new Layout(offset + first, some, strided, lists, shorter, readOnly);
        }
        if (list(0) == null) {
            return new Layout(offset + from * strides[0], some, strides, lists, runs, readOnly);
        }
        long[][] shorter = lists.clone();
        shorter[0] = Arrays.copyOfRange(lists[0], (int) from, (int) (from + n));
        return new Layout(offset, some, strides, shorter, runs, readOnly);
    }
}
