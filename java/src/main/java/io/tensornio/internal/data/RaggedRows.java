package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.ragged.RaggedLayout;
import java.util.Arrays;
import java.util.function.BiConsumer;

/** The rows of ragged data of any type, where data is copied or compared as a whole. */
final class RaggedRows {
    private RaggedRows() {
    }

    /** Data that may be ragged. */
    interface Tree {
        /** The current tree; null if the data is a rectangle. */
        RaggedLayout tree();
    }

    /**
     * The tree of ragged data.
     *
     * @return null for any other data
     */
    static RaggedLayout of(TensorData<?> data) {
        return data instanceof Tree ? ((Tree) data).tree() : null;
    }

    /**
     * The tree of ragged data that is to be copied.
     *
     * @throws IllegalArgumentException if it is user-defined, and so has none
     */
    static RaggedLayout present(TensorData<?> data) {
        RaggedLayout tree = of(data);
        if (tree == null) {
            throw new IllegalArgumentException("the data of the shape " + Arrays.toString(data.shape()) + " is of " + data.getClass()
                + ": of ragged data only that of a RaggedTensor can be copied as a whole, of other data its rows one by one");
        }
        return tree;
    }

    /** Checks that data of one ragged shape have the same row lengths, so that they can be copied. */
    static void checkSame(TensorData<?> from, TensorData<?> to) {
        String difference = present(from).firstDifference(present(to));
        if (difference != null) {
            throw new IllegalArgumentException("cannot copy between rows of different lengths: " + difference);
        }
    }

    /** Calls a function for the layout of each row that has elements, and that of the same indices of dense data, which is at least as large. */
    static void each(TensorData<?> data, long[] dense, BiConsumer<Layout, Layout> use) {
        RaggedLayout tree = present(data);
        long[] strides = Layout.rowMajorStrides(dense);
        int depth = tree.depth();
        long[] inner = Arrays.copyOfRange(strides, depth, strides.length);
        // A loop, since recursion over many axes could overflow the stack. For each axis: its current node, the node's offset, and the next index.
        long[] nodes = new long[depth];
        long[] places = new long[depth];
        long[] next = new long[depth];
        for (int d = 0; d >= 0;) {
            long i = next[d]++;
            if (i >= tree.size(d, nodes[d])) {
                d--;
                continue;
            }
            long node = (d == 0 ? tree.firstNode() : tree.below(d, nodes[d])) + i;
            long place = places[d] + i * strides[d];
            if (d == depth - 1) {
                Layout row = tree.row(node);
                if (row.totalSize() > 0) {
                    use.accept(row, new Layout(place, row.sizes(), inner));
                }
            } else {
                d++;
                nodes[d] = node;
                places[d] = place;
                next[d] = 0;
            }
        }
    }
}
