package io.tensornio.internal.ragged;

import io.tensornio.internal.layout.ArrayLength;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import java.util.Arrays;

/**
 * Which rows a ragged tensor has while it is filled: a tree, whose nodes of one depth are the positions of all axes before that depth. They have
 * numbers that never change, handed out as they come. A row is what the last ragged axis has after all indices before it, so its number is that of
 * a node; {@link #rows} has what is known of it.
 */
public final class RaggedTree {
    private static final int[] NONE = {};

    /** As the caller gave it, with -1 where rows grow; not to be written. */
    public final long[] shape;
    /** The last ragged axis. */
    public final int last;
    /** The rows. */
    public final RowTable rows;
    /** What was published. */
    private RowsSnapshot measured;
    /** For each ragged axis but the last the numbers of the positions below each node, and how many there are. */
    private final int[][][] children;
    private final int[][] sizes;
    /** How many nodes of each depth there are. */
    private final int[] counts;
    /** Whether only the first axis lies before the rows: the usual case, in which a row's number is its index. */
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

    /** How many rows there are. */
    int rowCount() {
        return counts[last];
    }

    /** The size of an axis, up to the last ragged one, after a node of as many axes. */
    public long size(int d, int node) {
        return d == last ? rows.length(node) : shape[d] < 0 ? sizes[d][node] : shape[d];
    }

    /** The node at a position, which there is, of an axis before the last ragged one. */
    public int below(int d, int node, int i) {
        return shape[d] < 0 ? children[d][node][i] : node * (int) shape[d] + i;
    }

    /**
     * The node after a node of {@code d} axes, at {@code n} more indices, none of them on the last ragged axis.
     *
     * @param grow whether ragged axes may be longer than they are; then -1 is the answer where they would have to
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
     * Checks the index {@code k} of those after a node of {@code top} axes.
     *
     * @param from that node; axes in messages are counted from there
     * @param node the one that the indices before lead to, -1 where there is none yet
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

    /** The shape of what comes after a node of {@code d} axes. */
    public long[] shape(int d, int node) {
        long[] after = Arrays.copyOfRange(shape, d, shape.length);
        after[0] = size(d, node);
        return after;
    }

    /** As {@link #find}, whose checks were made, and makes what there is not. */
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
            if (changed != null) {              // the outermost: nothing that it had not before is reached any more
                sizes[changed[0]][changed[1]] = old;
            }
            throw e;
        }
    }

    /** Makes a ragged axis before the last one at least as long as this. */
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

    /** Reserves capacity for the nodes of a depth, or changes nothing. */
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

    /** Leaves the rows, and where they are now, as they were measured. */
    public void publish(RowsSnapshot snapshot, int... moved) {
        rows.publish(last, snapshot, moved);
        measured = snapshot;
    }

    /** The row splits of all axes, once they are published. */
    public long[][] splits() {
        return measured.splits;
    }

    // ---- The tree as it is -----------------------------------------------------------------------------------------

    /** What is below a node of {@code d} axes. Each size is read once, so that rows and splits fit each other whatever other threads do meanwhile. */
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

    /** The indices that lead to a node of {@code d} axes; for messages, since it looks at all nodes. */
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

    /** What the element at indices after a node of {@code d} axes, and {@code more} elements on, is called in messages. */
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

    /** What is below a node of {@code d} axes, as it is now; its elements are at a {@link RowPosition} each. */
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
