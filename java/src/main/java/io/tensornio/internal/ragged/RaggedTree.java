package io.tensornio.internal.ragged;

import io.tensornio.internal.layout.ArrayLength;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import java.util.Arrays;

/**
 * The rows of a ragged tensor under construction: a tree, whose nodes at a depth are the indices on all axes before
 * that depth. Nodes have permanent numbers, in order of creation. A row is the last ragged axis at given indices on the
 * axes before it, so its number is that of a node; {@link #rows} has its location.
 */
public final class RaggedTree {
    private static final int[] NONE = {};

    /** The shape, with -1 for ragged axes; not to be written. */
    public final long[] shape;
    /** The last ragged axis. */
    public final int last;
    /** The rows. */
    public final RowTable rows;
    /** The published rows; null before. */
    private RowsSnapshot measured;
    /** For each ragged axis but the last, the children of each node, and their number. */
    private final int[][][] children;
    private final int[][] sizes;
    /** The number of nodes at each depth. */
    private final int[] counts;
    /** Whether only the first axis is before the rows: the common case, in which a row's number is its index. */
    public final boolean flat;

    RaggedTree(long... shape) {
        this.shape = shape;
        last = RaggedShapes.last(shape);
        long items = 1;
        for (int d = last + 1; d < shape.length; d++) {
            items *= shape[d];
        }
        if (items > Integer.MAX_VALUE) {
            throw tooMany(items, "elements in one position");
        }
        flat = last == 1;
        children = new int[last][][];
        sizes = new int[last][];
        counts = new int[last + 1];
        counts[0] = 1;
        long nodes = 1;
        for (int d = 0; d < last; d++) {
            if (shape[d] < 0) {
                children[d] = new int[(int) nodes][];
                sizes[d] = new int[(int) nodes];
                nodes = 0;
            } else {
                nodes = Math.multiplyExact(nodes, shape[d]);
            }
            if (nodes > ArrayLength.MOST) {
                throw tooMany(nodes, "rows");
            }
            counts[d + 1] = (int) nodes;
        }
        try {
            rows = new RowTable((int) items, (int) nodes);
        } catch (OutOfMemoryError e) {
            throw noHeap(nodes, e);
        }
    }

    private OutOfMemoryError noHeap(long nodes, OutOfMemoryError cause) {
        OutOfMemoryError e = new OutOfMemoryError("the " + nodes + " rows of a ragged tensor of shape " + Arrays.toString(shape) + " need "
            + 3 * Integer.BYTES * nodes + " bytes of heap while it is filled");
        e.initCause(cause);
        return e;
    }

    private OutOfMemoryError tooMany(Object n, String what) {
        return new OutOfMemoryError(n + " " + what + " of a ragged tensor of shape " + Arrays.toString(shape) + "; there can be "
            + ArrayLength.MOST);
    }

    /** The number of rows. */
    int rowCount() {
        return counts[last];
    }

    /** The size of axis {@code d}, up to the last ragged one, below a node at depth {@code d}. */
    public long size(int d, int node) {
        return d == last ? rows.length(node) : shape[d] < 0 ? sizes[d][node] : shape[d];
    }

    /** The child of a node at a valid index on axis {@code d}, before the last ragged one. */
    public int below(int d, int node, int i) {
        return shape[d] < 0 ? children[d][node][i] : node * (int) shape[d] + i;
    }

    /**
     * The descendant of a node at depth {@code d} at {@code n} more indices, none of them on the last ragged axis.
     *
     * @param grow whether indices beyond the end of ragged axes are allowed; then the result is -1
     * @throws IndexOutOfBoundsException if an index does not fit
     */
    public int find(int d, int node, int n, boolean grow, int... indices) {
        int at = node;
        for (int k = 0; k < n; k++) {
            check(d, node, k, at, grow, indices);
            at = at < 0 || indices[k] >= size(d + k, at) ? -1 : below(d + k, at, indices[k]);
        }
        return at;
    }

    /**
     * Checks index {@code k} of those below a node at depth {@code top}.
     *
     * @param from that node; messages count axes from there
     * @param node the node at the preceding indices, -1 if it does not exist yet
     * @throws IndexOutOfBoundsException if the index does not fit
     */
    public void check(int top, int from, int k, int node, boolean grow, int... indices) {
        int d = top + k;
        boolean ragged = shape[d] < 0;
        long size = node < 0 && ragged ? 0 : d > last ? shape[d] : size(d, node < 0 ? 0 : node);
        if (indices[k] < 0 || indices[k] >= size && !(ragged && grow)) {
            throw new TensorIndexOutOfBoundsException(shape(top, from), k, "index " + indices[k] + " of " + Arrays.toString(indices), size);
        }
    }

    /** The shape below a node at depth {@code d}. */
    public long[] shape(int d, int node) {
        long[] after = Arrays.copyOfRange(shape, d, shape.length);
        after[0] = size(d, node);
        return after;
    }

    /** Like {@link #find}, after its checks, but creates missing nodes. */
    public int grow(int d, int node, int n, int... indices) {
        int at = node;
        int[] changed = null;
        int old = 0;
        try {
            for (int k = 0; k < n; k++) {
                if (shape[d + k] < 0 && indices[k] >= sizes[d + k][at]) {
                    int before = sizes[d + k][at];
                    extend(d + k, at, indices[k] + 1L);
                    if (changed == null) {
                        changed = new int[] {d + k, at};
                        old = before;
                    }
                }
                at = below(d + k, at, indices[k]);
            }
            return at;
        } catch (Throwable e) {
            if (changed != null) {              // undo: shortening the outermost changed axis makes all new nodes unreachable
                sizes[changed[0]][changed[1]] = old;
            }
            throw e;
        }
    }

    /** Extends a ragged axis before the last one to at least this size. */
    private void extend(int d, int node, long size) {
        int old = sizes[d][node];
        if (size <= old) {
            return;
        }
        long[] needed = new long[last + 1];
        long more = size - old;
        for (int k = d + 1; ; k++) {
            needed[k] = counts[k] + more;
            if (needed[k] > ArrayLength.MOST) {
                throw tooMany(needed[k], "rows");
            }
            if (k == last || shape[k] < 0) {
                break;
            }
            if (more > Long.MAX_VALUE / Math.max(shape[k], 1)) {
                throw tooMany("more than " + Long.MAX_VALUE, "rows");
            }
            more *= shape[k];
        }
        int[] of = children[d][node] == null ? NONE : children[d][node];
        if (size > of.length) {
            try {
                of = Arrays.copyOf(of, ArrayLength.doubled(of.length, (int) size));
            } catch (OutOfMemoryError e) {
                throw noHeap(needed[d + 1], e);
            }
        }
        for (int k = d + 1; k <= last && needed[k] > 0; k++) {
            reserve(k, (int) needed[k]);
        }
        for (int i = old; i < size; i++) {
            of[i] = counts[d + 1] + i - old;
        }
        children[d][node] = of;
        sizes[d][node] = (int) size;
        for (int k = d + 1; k <= last && needed[k] > 0; k++) {
            counts[k] = (int) needed[k];
        }
    }

    /** Reserves capacity for the nodes at a depth; changes nothing if it fails. */
    private void reserve(int depth, int n) {
        try {
            if (depth == last) {
                rows.enlarge(n);
            } else if (shape[depth] < 0 && n > sizes[depth].length) {
                int more = ArrayLength.doubled(n, n);
                int[][] numbers = Arrays.copyOf(children[depth], more);
                sizes[depth] = Arrays.copyOf(sizes[depth], more);
                children[depth] = numbers;
            }
        } catch (OutOfMemoryError e) {
            throw noHeap(n, e);
        }
    }

    /** Replaces the rows by a snapshot and their new starts. */
    public void publish(RowsSnapshot snapshot, int... moved) {
        rows.publish(last, snapshot, moved);
        measured = snapshot;
    }

    /** The row splits of all axes, after publication. */
    public long[][] splits() {
        return measured.splits;
    }

    // ---- The current tree ------------------------------------------------------------------------------------------

    /** The rows below a node at depth {@code d}. Each size is read once, so that rows and splits are consistent whatever other threads do. */
    public RowsSnapshot snapshot(int d, int node) {
        long[][] splits = new long[shape.length][];
        int[] nodes = {node};
        for (int k = d; ; k++) {
            long n = nodes.length * Math.max(shape[k], 0);
            if (shape[k] < 0) {
                long[] own = new long[nodes.length + 1];
                for (int i = 0; i < nodes.length; i++) {
                    own[i + 1] = own[i] + size(k, nodes[i]);
                }
                splits[k] = own;
                n = own[nodes.length];
            }
            if (k == last) {
                return new RowsSnapshot(nodes, splits);
            }
            int[] below = new int[(int) n];
            int count = 0;
            for (int at = 0; at < nodes.length; at++) {
                int size = (int) (splits[k] == null ? shape[k] : splits[k][at + 1] - splits[k][at]);
                for (int i = 0; i < size; i++) {
                    below[count++] = below(k, nodes[at], i);
                }
            }
            nodes = below;
        }
    }

    /** The indices of a node at depth {@code d}; for messages only, since it searches all nodes. */
    private int[] path(int d, int node) {
        int[] path = new int[d];
        int at = node;
        for (int k = d - 1; k >= 0; k--) {
            if (shape[k] >= 0) {
                path[k] = at % (int) shape[k];
                at /= (int) shape[k];
            } else {
                int parent = 0;
                while ((path[k] = indexOf(at, children[k][parent], sizes[k][parent])) < 0) {
                    parent++;
                }
                at = parent;
            }
        }
        return path;
    }

    private static int indexOf(int node, int[] children, int n) {
        for (int i = 0; i < n; i++) {
            if (children[i] == node) {
                return i;
            }
        }
        return -1;
    }

    /** The name, for messages, of the element {@code more} elements after the one at indices below a node at depth {@code d}. */
    public String where(int d, int node, long more, int... indices) {
        int[] full = Arrays.copyOf(path(d, node), shape.length);
        System.arraycopy(indices, 0, full, d, indices.length);
        int rest = (int) more;
        int given = Math.min(d + indices.length, shape.length - 1);
        for (int k = shape.length - 1; k > Math.max(given, last); k--) {
            full[k] = rest % (int) shape[k];
            rest /= (int) shape[k];
        }
        full[Math.max(given, last)] += rest;
        return "the element " + Arrays.toString(full) + " of the shape " + Arrays.toString(shape);
    }

    /** The current layout below a node at depth {@code d}; the positions of its elements are {@link RowPosition}s. */
    public RaggedLayout layout(int d, int node) {
        long[] strides = Layout.rowMajorStrides(innerSizes(0));
        if (d == last) {
            return RaggedLayout.plain(new Layout(RowPosition.of(node, 0), innerSizes(size(last, node)), strides));
        }
        RowsSnapshot now = snapshot(d, node);
        long[] sizes = Arrays.copyOfRange(shape, d, shape.length);
        sizes[0] = now.splits[d] == null ? shape[d] : now.splits[d][1];
        RowSplits[] splits = new RowSplits[sizes.length];
        for (int k = 1; k < splits.length; k++) {
            splits[k] = now.splits[d + k] == null ? null : new RowSplits(now.splits[d + k]);
        }
        long[] starts = new long[now.rows.length];
        for (int n = 0; n < starts.length; n++) {
            starts[n] = RowPosition.of(now.rows[n], 0);
        }
        return new RaggedLayout(sizes, splits, last - d, 0, starts, new Layout(0, innerSizes(0), strides));
    }

    private long[] innerSizes(long size) {
        long[] sizes = Arrays.copyOfRange(shape, last, shape.length);
        sizes[0] = size;
        return sizes;
    }
}
