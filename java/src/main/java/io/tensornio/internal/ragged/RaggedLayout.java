package io.tensornio.internal.ragged;

import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.layout.FourIndices;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import java.util.Arrays;

/**
 * The layout of a selection with rows of different lengths: a tree of nodes, whose leaves are rows. The nodes at depth d are the indices on the d
 * leading axes, numbered in row-major order; the children of node {@code p} are the nodes {@code p * n + i} on a uniform axis of size {@code n}, and
 * {@code splits[p] + i} on a ragged axis. Each node at depth {@code depth} has a start in memory, from which the remaining axes are addressed as in a
 * {@link Layout}; the first of them may be ragged. Immutable.
 *
 * <p>A range of the first axis, or the selection by leading indices, shares the tree, with another root. All other
 * slices build a new tree. At {@code depth} 0 there is no tree: it is a plain layout.
 */
public final class RaggedLayout {
    /** The size of each axis, -1 for a ragged one. */
    private final long[] shape;
    /** For each ragged axis its row splits; else null. The first axis is never ragged. */
    private final RowSplits[] splits;
    private final int depth;
    /** The number of the node at position 0 of the first axis. */
    private final long first;
    /** The start of each node at the depth; null if it is the row split of the next axis times its stride. */
    private final long[] starts;
    /** The axes after the depth, with offset 0. If the first of them is ragged, its size here is meaningless. */
    private final Layout inner;
    private final boolean raggedRows;
    private final long total;

    RaggedLayout(long[] shape, RowSplits[] splits, int depth, long first, long[] starts, Layout inner) {
        this.shape = shape;
        this.splits = splits;
        this.depth = depth;
        this.first = first;
        this.starts = starts;
        this.inner = inner;
        raggedRows = depth > 0 && depth < shape.length && splits[depth] != null;
        total = count();
    }

    /** A layout without a tree. */
    static RaggedLayout plain(Layout layout) {
        return new RaggedLayout(layout.sizes(), new RowSplits[layout.rank()], 0, 0, null, layout);
    }

    /**
     * The layout of a whole tensor, whose values are contiguous.
     *
     * @param shape a checked ragged shape, which this object keeps
     * @param splits for each ragged axis its row splits
     */
    public static RaggedLayout whole(long[] shape, RowSplits... splits) {
        int last = RaggedShapes.last(shape);
        long[] sizes = Arrays.copyOfRange(shape, last, shape.length);
        sizes[0] = 0;
        long[] strides = Layout.rowMajorStrides(sizes);
        return new RaggedLayout(shape, splits, last, 0, null, new Layout(0, sizes, strides));
    }

    /** The layout if it has no tree, else null. */
    public Layout plain() {
        return depth == 0 ? inner : null;
    }

    /** The number of axes. */
    public int rank() {
        return shape.length;
    }

    /** The number of axes of the tree. */
    public int depth() {
        return depth;
    }

    /** The shape itself: not to be changed or handed out. */
    public long[] shape() {
        return shape;
    }

    /** The row splits of an axis, or null. */
    RowSplits splits(int d) {
        return splits[d];
    }

    /** The row splits of a ragged axis, if those of a tensor's block are all of them; else null. */
    public LongBlock wholeSplits(int d) {
        return begin(d) == 0 ? splits[d].block(end(d)) : null;
    }

    /** The starts of the nodes at the depth, or null, see {@link #starts}. */
    long[] starts() {
        return starts;
    }

    /** Whether the first axis after the depth is ragged. */
    boolean hasRaggedRows() {
        return raggedRows;
    }

    boolean isRagged(int d) {
        return splits[d] != null;
    }

    /** Whether any axis is ragged. */
    boolean isRagged() {
        for (RowSplits s : splits) {
            if (s != null) {
                return true;
            }
        }
        return false;
    }

    /** Whether the elements are contiguous in row-major order. */
    public boolean isContiguous() {
        return starts == null && depth > 0;
    }

    /** The axes from the depth on, see {@link #inner}. */
    Layout inner() {
        return inner;
    }

    /** The number of elements. */
    public long totalSize() {
        return total;
    }

    private long count() {
        if (depth == 0) {
            return inner.totalSize();
        }
        long count = 1;
        for (int d = depth + (raggedRows ? 1 : 0); d < shape.length; d++) {
            count *= shape[d];
        }
        long items = raggedRows ? splits[depth].get(end(depth)) - splits[depth].get(begin(depth)) : end(depth) - begin(depth);
        if (items < 0) {
            splits[depth].length(begin(depth));
        }
        try {
            return Math.multiplyExact(count, Math.max(items, 0));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(items + " times the shape " + Arrays.toString(shape) + " has more elements than a long can count");
        }
    }

    /** The first node at a depth of at least 1. */
    public long begin(int at) {
        return descend(first, at);
    }

    /** The end of the nodes at a depth of at least 1. */
    public long end(int at) {
        return descend(first + shape[0], at);
    }

    private long descend(long from, int to) {
        long node = from;
        for (int d = 1; d < to; d++) {
            node = below(d, node);
        }
        return node;
    }

    /** The first child of a node on an axis. */
    public long below(int d, long node) {
        return splits[d] == null ? node * shape[d] : splits[d].get(node);
    }

    /** The size of axis {@code d} below a node at depth {@code d}. */
    public long size(int d, long node) {
        return d == 0 || splits[d] == null ? shape[d] : splits[d].length(node);
    }

    /** The start of a node at the depth. */
    long start(long node) {
        return starts == null ? splits[depth].get(node) * inner.stride(0) : starts[(int) node];
    }

    /** The first node at depth 1, if there is any. */
    public long firstNode() {
        return first;
    }

    /** The indices of a node at depth {@code d}, for messages. */
    String name(int d, long node) {
        long[] indices = new long[d];
        long at = 0;
        for (int k = 0; k < d; k++) {
            long base = k == 0 ? first : below(k, at);
            long low = 0;
            long high = size(k, at) - 1;
            while (low < high) {                // the last index whose first descendant is not after the node
                long middle = (low + high + 1) >>> 1;
                if (reaches(k + 1, base + middle, d, node)) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            indices[k] = low;
            at = base + low;
        }
        return Arrays.toString(indices);
    }

    private boolean reaches(int from, long start, int to, long node) {
        long at = start;
        for (int k = from; k < to; k++) {
            at = below(k, at);
        }
        return at <= node;
    }

    // ---- Leading indices -------------------------------------------------------------------------------------------

    /** The node at the first {@code n} indices, {@code n} being 1 to the depth. */
    private long node(int n, int... indices) {
        long node = 0;
        for (int d = 0; d < n; d++) {
            int i = indices[d];
            long size = size(d, node);
            if (i < 0 || i >= size) {
                throw outside(d, size, indices);
            }
            node = (d == 0 ? first : below(d, node)) + i;
        }
        return node;
    }

    private IndexOutOfBoundsException outside(int d, long size, int... indices) {
        return new TensorIndexOutOfBoundsException(shape, d, "index " + indices[d] + " of " + Arrays.toString(indices), size);
    }

    /** The position of an element. Each index is read once: the caller may change the array concurrently. */
    public long position(int... indices) {
        int n = indices.length;
        if (n != shape.length) {
            throw new TensorIndexOutOfBoundsException(shape, indices.clone());
        }
        long at = 0;
        for (int d = 0; d < n; d++) {
            int i = indices[d];
            long size = size(d, at);
            if (i < 0 || i >= size) {
                throw outside(d, size, indices.clone());
            }
            at = next(d, at, i);
        }
        return n == depth ? start(at) : at;
    }

    /** The position of an element at the first {@code n} of four indices, without an array. */
    public long position(int n, int i, int j, int k, int l) {
        if (n != shape.length) {
            throw new TensorIndexOutOfBoundsException(shape, FourIndices.array(n, i, j, k, l));
        }
        long at = 0;
        for (int d = 0; d < n; d++) {
            int index = FourIndices.get(d, i, j, k, l);
            long size = size(d, at);
            if (index < 0 || index >= size) {
                throw outside(d, size, FourIndices.array(n, i, j, k, l));
            }
            at = next(d, at, index);
        }
        return n == depth ? start(at) : at;
    }

    /** The child at a valid index: a node before the depth, a position from there on. */
    private long next(int d, long at, int i) {
        if (d < depth) {
            return (d == 0 ? first : below(d, at)) + i;
        }
        return (d == depth ? start(at) : at) + inner.distanceWithoutRuns(d - depth, i);
    }

    /** The position of an element at rank 2 and depth 1. */
    public long position(int i, int j) {
        if (shape.length != 2 || depth != 1 || i < 0 || i >= shape[0]) {
            return position(2, i, j, 0, 0);
        }
        long node = first + i;
        long size = raggedRows ? splits[1].length(node) : shape[1];
        if (j < 0 || j >= size) {
            return position(2, i, j, 0, 0);
        }
        return start(node) + (raggedRows ? j * inner.stride(0) : inner.distanceWithoutRuns(0, j));
    }

    /** The row split at which the row of a node at the depth starts. */
    public long split(long node) {
        return splits[depth].get(node);
    }

    /** The length of the row of a node, given its start. Each split is read once: a concurrent close could change it to 0. */
    public long length(long start, long node) {
        long end = splits[depth].get(node + 1);
        return end >= start ? end - start : splits[depth].length(node);
    }

    /**
     * The first node at the depth, from {@code from} on, whose row may have elements. Runs of empty rows are skipped by
     * galloping search over the splits.
     *
     * @param end the end of the nodes; the result if there is no such row
     */
    public long nextRow(long from, long end) {
        if (!raggedRows || from >= end) {
            return from;
        }
        long node = from;
        long split = split(from);
        long step = 1;
        while (step > 0) {
            if (step <= end - node && split(node + step) == split) {
                node += step;
                step *= 2;
            } else {
                step /= 2;
            }
        }
        return node;
    }

    /** The layout of a node at the depth. */
    public Layout row(long node) {
        if (!raggedRows) {
            return access(new Layout(start(node), inner.sizes(), inner.strides(), inner.lists()));
        }
        long[] sizes = inner.sizes().clone();
        long split = split(node);
        sizes[0] = length(split, node);
        return access(new Layout(starts == null ? split * inner.stride(0) : starts[(int) node], sizes, inner.strides(), inner.lists()));
    }

    /** Makes a layout of some of the elements read-only if this is. */
    Layout access(Layout layout) {
        return isReadOnly() ? layout.asReadOnly() : layout;
    }

    /** Whether the elements cannot be written through a view of this layout. */
    public boolean isReadOnly() {
        return inner.isReadOnly();
    }

    /** The selection by leading indices, with a tree if there are fewer than its depth. */
    public RaggedLayout at(int... indices) {
        int n = indices.length;
        if (n > shape.length) {
            throw new TensorIndexOutOfBoundsException(shape, indices);
        }
        if (n == 0) {
            return this;
        }
        long node = node(Math.min(n, depth), indices);
        if (n < depth) {
            long[] sizes = Arrays.copyOfRange(shape, n, shape.length);
            sizes[0] = size(n, node);
            RowSplits[] after = Arrays.copyOfRange(splits, n, splits.length);
            after[0] = null;
            return new RaggedLayout(sizes, after, depth - n, below(n, node), starts, inner);
        }
        Layout row = row(node);
        for (int d = depth; d < n; d++) {
            if (indices[d] < 0 || indices[d] >= row.size(d - depth)) {
                throw outside(d, row.size(d - depth), indices);
            }
        }
        return plain(row.at(Arrays.copyOfRange(indices, depth, n)));
    }

    /** The part at {@code n} positions of the first axis, starting at {@code from}; not checked. */
    public RaggedLayout part(long from, long n) {
        long[] some = shape.clone();
        some[0] = n;
        return new RaggedLayout(some, splits, depth, first + from, starts, inner);
    }

    // ---- Lengths of rows -------------------------------------------------------------------------------------------

    /** Whether all rows are as long as those of another layout of the same shape. */
    public boolean hasSameRows(RaggedLayout other) {
        return this == other || firstDifference(other) == null;
    }

    /** Describes the first row whose length differs from that in a layout of the same shape; null if there is none. */
    public String firstDifference(RaggedLayout other) {
        for (int d = 1; d < shape.length; d++) {
            if (splits[d] == null) {
                continue;
            }
            long that = other.begin(d);
            for (long node = begin(d), end = end(d); node < end; node++, that++) {
                if (size(d, node) != other.size(d, that)) {
                    return "row " + name(d, node) + " has " + size(d, node) + " positions on one side and " + other.size(d, that) + " on the other";
                }
            }
        }
        return null;
    }

    /** A hash combined with the lengths of all rows, ragged axis by ragged axis. */
    public int hashRows(int hash) {
        int result = hash;
        for (int d = 1; d < shape.length; d++) {
            if (splits[d] != null) {
                for (long node = begin(d), end = end(d); node < end; node++) {
                    result = 31 * result + Long.hashCode(size(d, node));
                }
            }
        }
        return result;
    }

    /** The shape with each ragged axis as long as its longest row. */
    public long[] denseShape() {
        long[] dense = shape.clone();
        for (int d = 1; d < shape.length; d++) {
            if (splits[d] != null) {
                long most = 0;
                for (long node = begin(d), end = end(d); node < end; node++) {
                    most = Math.max(most, size(d, node));
                }
                dense[d] = most;
            }
        }
        return dense;
    }

    /** Checks that all rows have the same length. */
    public void checkFull() {
        for (int d = 1; d < shape.length; d++) {
            if (splits[d] == null) {
                continue;
            }
            long begin = begin(d);
            for (long node = begin, end = end(d); node < end; node++) {
                if (size(d, node) != size(d, begin)) {
                    throw new IllegalArgumentException("row " + name(d, node) + " of the shape " + Arrays.toString(shape) + " has " + size(d, node)
                        + " positions, row " + name(d, begin) + " has " + size(d, begin) + ": a dense tensor needs rows of one length");
                }
            }
        }
    }

    /** The range of memory that contains all elements, as a layout of rank 1. */
    public Layout stretch() {
        if (total == 0) {
            return access(new Layout(0, new long[] {0}, new long[] {1}));
        }
        if (starts == null) {
            long from = splits[depth].get(begin(depth)) * inner.stride(0);
            return access(new Layout(from, new long[] {total}, new long[] {1}));
        }
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        long end = end(depth);
        for (long node = nextRow(begin(depth), end); node < end; node = nextRow(node + 1, end)) {
            Layout row = row(node);
            low = Math.min(low, row.lowest());
            high = Math.max(high, row.highest());
        }
        return access(new Layout(low, new long[] {high - low + 1}, new long[] {1}));
    }
}
