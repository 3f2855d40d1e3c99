package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.AtIndex;
import io.tensornio.internal.layout.EllipsisIndex;
import io.tensornio.internal.layout.MaskIndex;
import io.tensornio.internal.layout.NewAxisIndex;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.internal.ragged.RaggedTree;
import io.tensornio.internal.ragged.RowArena;
import io.tensornio.internal.ragged.RowTable;
import java.util.Arrays;
import java.util.Objects;

/**
 * The part of a ragged tensor under construction at given leading indices: its shape, its views, which are those of the current shape, and where its
 * rows are. {@code FloatRaggedBuilder} and its siblings are the data, which write.
 *
 * @param <D> the data of the carrier
 * @param <A> its arrays
 */
final class GrowingPart<D extends TensorData<D>, A> {
    private final Carrier<D, A> carrier;
    private final RowArena arena;
    private final RaggedTree tree;
    private final RowTable rows;
    /** The number of leading indices, and the node that they select. */
    private final int depth;
    private final int node;

    GrowingPart(Carrier<D, A> carrier, RowArena arena, int depth, int node) {
        this.carrier = carrier;
        this.arena = arena;
        tree = arena.tree;
        rows = arena.rows;
        this.depth = depth;
        this.node = node;
    }

    /** A view of the same elements in their current shape. */
    OwnData<D, A> view() {
        return carrier.view(arena, tree.layout(depth, node));
    }

    int rank() {
        return tree.shape.length - depth;
    }

    long totalSize() {
        if (depth == tree.last) {
            return (long) rows.length(node) * rows.unit;
        }
        return depth == 0 ? rows.elements() : view().totalSize();
    }

    long[] shape() {
        return tree.shape(depth, node);
    }

    private IndexOutOfBoundsException wrongCount(int... indices) {
        return carrier.outside(shape(), indices);
    }

    /** The position in the source of the element at indices. */
    long position(int... own) {
        arena.checkOpen();
        if (own.length != rank()) {
            throw wrongCount(own);
        }
        return arena.finder.position(depth, node, own);
    }

    /** Does the checks of a bulk put that do not depend on the values. */
    void checkPut(int... own) {
        arena.checkWritable();
        if (own.length > rank()) {
            throw wrongCount(own);
        }
        int before = tree.last - depth;
        int row = tree.find(depth, node, Math.min(before, own.length), true, own);
        if (own.length < before) {
            throw noSingleRow(own);
        }
        if (own.length > before) {
            tree.check(depth, node, before, row, true, own);
            arena.finder.offset(depth, node, before, own);
        }
    }

    /** The target, in its current shape. */
    OwnData<D, A> target() {
        arena.checkWritable();
        if (depth < tree.last) {
            throw noSingleRow();
        }
        return view();
    }

    private IllegalArgumentException noSingleRow(int... own) {
        int before = tree.last - depth;
        return new IllegalArgumentException("the indices " + Arrays.toString(own) + " do not select a single row of the shape "
            + Arrays.toString(shape()) + ": put growing rows one at a time, each at " + before + (before == 1 ? " index" : " indices"));
    }

    /** The elements of the selection after the last ragged axis. */
    private long innerSize(int... own) {
        int d = depth + own.length;
        if (d == tree.shape.length) {
            return tree.shape[d - 1] - own[own.length - 1];
        }
        long size = 1;
        for (; d < tree.shape.length; d++) {
            size *= tree.shape[d];
        }
        return size;
    }

    // ---- Slices ------------------------------------------------------------------------------------------------------

    /** The slice, which for leading coordinates grows, too. */
    D slice(int... indices) {
        int[] own = Objects.requireNonNull(indices, "indices").clone();
        arena.checkOpen();
        if (own.length > rank()) {
            throw wrongCount(own);
        }
        int n = Math.min(own.length, tree.last - depth);
        int at = tree.find(depth, node, n, false, own);
        GrowingPart<D, A> window = new GrowingPart<>(carrier, arena, depth + n, at);
        if (n == own.length) {
            return carrier.growing(arena, depth + n, at).self();
        }
        for (int k = n; k < own.length; k++) {
            tree.check(depth, node, k, at, false, own);
        }
        return window.view().slice(Arrays.copyOfRange(own, n, own.length));
    }

    /** The slice, which for leading coordinates grows, too. */
    D slice(TensorIndex... indices) {
        TensorIndex[] given = DataIndices.checked(indices);
        arena.checkOpen();
        TensorIndex[] own = Slicer.steps(shape(), given);
        // Coordinates select a growing row, as slice(i) does, independently of other rows.
        int n = 0;
        int at = node;
        while (n < own.length && depth + n < tree.last && own[n] instanceof AtIndex) {
            long i = ((AtIndex) own[n]).position(tree.size(depth + n, at));
            if (i < 0) {
                return view().slice(own);           // throws the exception
            }
            at = tree.below(depth + n, at, (int) i);
            n++;
        }
        if (n == 0 && own.length > 0 || masksRaggedAxis(depth + n, own, n)) {
            return view().slice(own);
        }
        GrowingPart<D, A> window = new GrowingPart<>(carrier, arena, depth + n, at);
        if (n == own.length) {
            return carrier.growing(arena, depth + n, at).self();
        }
        try {
            return window.view().slice(Arrays.copyOfRange(own, n, own.length));
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            return view().slice(own);               // throws the exception with all indices and the whole shape
        }
    }

    /** Whether a mask for a ragged axis follows coordinates: it must be refused here, since on the selected row it would be valid. */
    private boolean masksRaggedAxis(int axis, TensorIndex[] steps, int from) {
        for (int n = from; n < steps.length && tree.shape[axis] < 0; n++) {
            if (steps[n] instanceof MaskIndex) {
                return true;
            }
            if (!(steps[n] instanceof NewAxisIndex || steps[n] instanceof EllipsisIndex)) {         // an ellipsis may match no axis
                return false;
            }
        }
        return false;
    }

    // ---- Puts --------------------------------------------------------------------------------------------------------

    /** Checks that data can be put to the selection at indices; returns the new length of the row if this is one. */
    int checkPut(D tensor, D named, int... own) {
        arena.checkOpen();
        OpenCheck.check(tensor);
        arena.checkWritable();
        if (own.length > rank()) {
            throw wrongCount(own);
        }
        int before = tree.last - depth;
        checkPut(own);
        long positions = 0;
        if (own.length >= before) {
            // Other data, unlike an array, has a shape, which the target takes.
            tree.find(depth, node, before, true, own);
            long[] expected = Arrays.copyOfRange(tree.shape, depth + own.length, tree.shape.length);
            long[] given = tensor.shape().clone();
            boolean isRow = own.length == before;
            if (!Arrays.equals(after(isRow, expected), after(isRow, given)) || expected.length != given.length || isRow && given[0] < 0) {
                throw SelectionText.otherShape(named, false, given, expected, own);
            }
            positions = isRow ? given[0] : 0;
        }
        arena.checkCapacity(Math.max(positions, tensor.totalSize() / Math.max(rows.unit, 1)));
        return (int) positions;
    }

    /** Whether indices select a row, and not elements of one. */
    boolean isRow(int... own) {
        return own.length == tree.last - depth;
    }

    /** The sizes of the selection at indices, of which one may grow. */
    long[] sizes(int... own) {
        return Arrays.copyOfRange(tree.shape, depth + own.length, tree.shape.length);
    }

    /** How many elements a stream can put to the selection at indices. */
    long room(int... own) {
        return own.length == tree.last - depth || tree.last == tree.shape.length - 1 ? Long.MAX_VALUE : innerSize(own);
    }

    /** The exception for more values of a stream than {@link #room}. */
    IndexOutOfBoundsException tooMany(D named, int... own) {
        long size = room(own);
        return new IndexOutOfBoundsException("more than " + size + " values for " + SelectionText.name(named, own) + ", which has "
            + Shapes.elements(size) + ": these are written");
    }

    private static long[] after(boolean isRow, long... shape) {
        return isRow && shape.length > 0 ? Arrays.copyOfRange(shape, 1, shape.length) : shape;
    }

    /** Finds the row of an element that is to be put: -1 if it has not grown so far. */
    int findRow(int... own) {
        arena.checkWritable();
        if (own.length != rank()) {
            throw wrongCount(own);
        }
        int before = tree.last - depth;
        int row = tree.find(depth, node, before, true, own);
        tree.check(depth, node, before, row, true, own);
        return row;
    }

    /** Where an element is in its position of a row. */
    int offset(int... own) {
        return arena.finder.offset(depth, node, tree.last - depth, own);
    }

    /** The row of the selection at indices: -1 if it has not grown so far. */
    int rowAt(int... own) {
        return tree.find(depth, node, tree.last - depth, true, own);
    }

    /** The row that was found, or a new one, with memory for some positions. */
    int grown(int row, int positions, int... own) {
        if (row >= 0) {
            return row;
        }
        arena.prepare(positions);
        return tree.grow(depth, node, tree.last - depth, own);
    }

    /**
     * How many positions a row has of {@code n} values.
     *
     * @param empty the number if an inner size is 0, so that positions have no elements
     * @throws IllegalArgumentException if they do not fill a whole number of positions
     */
    int positions(int n, int empty) {
        if (rows.unit == 0 ? n > 0 : n % rows.unit != 0) {
            throw new IllegalArgumentException(Shapes.elements(n) + ": no whole number of positions of " + rows.unit + " for a row of the shape "
                + Arrays.toString(tree.shape));
        }
        return rows.unit == 0 ? empty : n / rows.unit;
    }

    /**
     * How many positions a row needs for {@code n} values from indices in it on.
     *
     * @throws IndexOutOfBoundsException if these select one position of inner axes, which has fewer
     */
    long positionsBehind(D named, int n, int... own) {
        int before = tree.last - depth;
        if (tree.last == tree.shape.length - 1) {
            return own[before] + (long) n;         // putting 0 elements at a position extends the row up to there only
        }
        long size = innerSize(own);
        if (n > size) {
            throw new IndexOutOfBoundsException(Shapes.elements(n) + " for " + SelectionText.name(named, own) + ", which has " + size);
        }
        return own[before] + 1L;
    }
}
