package io.tensornio.internal.layout;

/**
 * Iterates over a strided layout in row-major order, one plane at a time: the last two axes after adjacent axes are merged ({@link #merge}). Copies
 * loop over the rows and columns of each plane. For one thread.
 */
public final class Planes {
    /** How many rows each plane has. */
    public final int rows;
    /** How many elements each row has. */
    public final int columns;
    /** The stride of rows. */
    public final int rowStride;
    /** The stride of elements in a row. */
    public final int stride;
    /** The position of the first element of the plane. */
    public int start;
    private final long[] sizes;
    private final long[] strides;
    /** The axes before the plane, and the current index of each. */
    private final int[] indices;
    private long left;
    private boolean isFirst = true;

    /** The planes of a layout with neither lists nor runs, whose positions fit an {@code int}. */
    public Planes(Layout layout) {
        left = layout.totalSize();
        sizes = layout.sizes().clone();
        strides = layout.strides().clone();
        int rank = left == 0 ? 0 : merge(sizes, strides);
        columns = rank > 0 ? (int) sizes[rank - 1] : 1;
        stride = rank > 0 ? (int) strides[rank - 1] : 1;
        rows = rank > 1 ? (int) sizes[rank - 2] : 1;
        rowStride = rank > 1 ? (int) strides[rank - 2] : 0;
        indices = new int[Math.max(rank - 2, 0)];
        start = (int) layout.offset();
    }

    /** Advances to the next plane, initially to the first one; false if there is none. */
    public boolean next() {
        if (left == 0) {
            return false;
        }
        left -= (long) rows * columns;
        if (isFirst) {
            isFirst = false;
            return true;
        }
        for (int d = indices.length - 1; ; d--) {
            start += (int) strides[d];
            if (++indices[d] < sizes[d]) {
                return true;
            }
            start -= (int) (sizes[d] * strides[d]);
            indices[d] = 0;
        }
    }

    /**
     * Merges adjacent axes, outermost first, that every operand can address as one: the outer stride is the inner
     * stride times the inner size. Axes of size 1 are dropped.
     *
     * @param sizes the sizes, none of them 0; receives the merged sizes at the front
     * @param strides for each operand its strides, merged likewise
     * @return the number of axes after merging
     */
    public static int merge(long[] sizes, long[]... strides) {
        int kept = 0;
        for (int d = 0; d < sizes.length; d++) {
            long size = sizes[d];
            if (size == 1) {
                continue;
            }
            boolean joins = kept > 0;
            for (int k = 0; k < strides.length && joins; k++) {
                joins = strides[k][kept - 1] == strides[k][d] * size;
            }
            int to = joins ? kept - 1 : kept++;
            sizes[to] = joins ? sizes[to] * size : size;
            for (long[] own : strides) {
                own[to] = own[d];
            }
        }
        return kept;
    }
}
