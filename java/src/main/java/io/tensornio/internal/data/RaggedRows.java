package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.ragged.RaggedLayout;
import java.util.Arrays;
import java.util.function.BiConsumer;

/** The rows of ragged data of any type, where data is copied or compared as a whole. */
final class RaggedRows {
    private RaggedRows() {
    }

    /**
     * The tree of ragged data.
     *
     * @return null for any other data
     */
    static RaggedLayout of(TensorData<?> data) {
        return data instanceof OwnData ? ((OwnData<?, ?>) data).tree() : null;
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

    /** What is done with a row; returns whether to go on. */
    interface Use<D extends TensorData<D>, A> {
        boolean take(OwnData<D, A> row);
    }

    /** Uses the rows of a tree that have elements, in order, until one is enough. */
    static <D extends TensorData<D>, A> void rows(OwnData<D, A> data, RaggedLayout tree, Use<D, A> use) {
        long end = tree.end(tree.depth());
        long node = tree.nextRow(tree.begin(tree.depth()), end);
        while (node < end && use.take(data.carrier().view(data.source(), tree.row(node)))) {
            node = tree.nextRow(node + 1, end);
        }
    }

    /** Reads all elements into an array: at once if they are contiguous, else row by row. */
    static <D extends TensorData<D>, A> void readAll(OwnData<D, A> data, RaggedLayout tree, A to, int at) {
        if (tree.isContiguous()) {
            data.carrier().view(data.source(), tree.stretch()).readAll(to, at);
            return;
        }
        int[] place = {at};
        rows(data, tree, row -> {
            row.readAll(to, place[0]);
            place[0] += (int) row.totalSize();
            return true;
        });
    }

    /** Writes the first {@code n} elements from an array. */
    static <D extends TensorData<D>, A> void writeFirst(OwnData<D, A> data, RaggedLayout tree, int n, A from, int at) {
        int[] done = {0};
        rows(data, tree, row -> {
            int some = (int) Math.min(n - done[0], row.totalSize());
            if (some > 0) {
                row.writeFirst(some, from, at + done[0]);
                done[0] += some;
            }
            return done[0] < n;
        });
    }

    /** Checks that each row can hold what it gets of the first {@code count} elements. */
    static <D extends TensorData<D>, A> void checkCapacity(OwnData<D, A> data, RaggedLayout tree, long count) {
        long[] rest = {count};
        rows(data, tree, row -> {
            long some = Math.min(rest[0], row.totalSize());
            row.checkCapacity(some);
            rest[0] -= some;
            return rest[0] > 0;
        });
    }

    /** Copies all elements to the same indices of dense data that is at least as large. */
    static <D extends TensorData<D>, A> void copyDense(D from, OwnData<D, A> to) {
        Carrier<D, A> carrier = to.carrier();
        Source source = ((OwnData<?, ?>) (TensorData<?>) from).source();
        each(from, to.shape(), (row, place) -> carrier.copyDisjoint(carrier.view(source, row).self(), carrier.view(to.source(), place).self()));
    }
}
