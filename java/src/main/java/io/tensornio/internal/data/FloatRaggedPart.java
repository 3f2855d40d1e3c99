package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.AtIndex;
import io.tensornio.internal.layout.EllipsisIndex;
import io.tensornio.internal.layout.FourIndices;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.MaskIndex;
import io.tensornio.internal.layout.NewAxisIndex;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedTree;
import io.tensornio.internal.ragged.RowPosition;
import io.tensornio.internal.ragged.RowTable;
import java.util.Arrays;
import java.util.Objects;

/**
 * The part of a {@code float} ragged tensor under construction at given leading indices: its shape, its elements and its views, which are those of
 * the current shape. {@link FloatRaggedPuts} and its only subclass, {@link FloatRaggedBuilder}, write.
 */
abstract class FloatRaggedPart extends FloatData implements RaggedRows.Tree {
    final FloatRowArena arena;
    final RaggedTree tree;
    final RowTable rows;
    /** The number of leading indices, and the node that they select. */
    final int depth;
    final int node;

    FloatRaggedPart(FloatRowArena arena, int depth, int node) {
        this.arena = arena;
        tree = arena.tree;
        rows = arena.rows;
        this.depth = depth;
        this.node = node;
    }

    /** A view of the same elements in their current shape. */
    final FloatData view() {
        return FloatRagged.of(arena, tree.layout(depth, node));
    }

    @Override
    public final RaggedLayout tree() {
        return RaggedRows.of(view());
    }

    @Override
    public final Layout layout() {
        return view().layout();
    }

    @Override
    final FloatSource source() {
        return arena;
    }

    @Override
    public final void checkOpen() {
        arena.checkOpen();
    }

    @Override
    final void checkWritable() {
        arena.checkWritable();
    }

    // ---- Properties ------------------------------------------------------------------------------------------------

    @Override
    public final int rank() {
        return tree.shape.length - depth;
    }

    @Override
    public final long size(int axis) {
        return Shapes.size(shape(), axis);
    }

    @Override
    public final long totalSize() {
        if (depth == tree.last) {
            return (long) rows.length(node) * rows.unit;
        }
        return depth == 0 ? rows.elements() : view().totalSize();
    }

    @Override
    public final long[] shape() {
        return tree.shape(depth, node);
    }

    @Override
    public final boolean isReadOnly() {
        return arena.isReadOnly();
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    final TensorIndexOutOfBoundsException wrongCount(int... indices) {
        //#if !int
        return new TensorIndexOutOfBoundsException(shape(), indices);
        //#end
        //~int return new TensorIndexOutOfBoundsException(shape(), indices).orElements();
    }

    /** The position in the source of the element at indices. */
    final long position(int... own) {
        arena.checkOpen();
        if (own.length != rank()) {
            throw wrongCount(own);
        }
        return arena.finder.position(depth, node, own);
    }

    @Override
    final float getBy(int n, int i, int j, int k, int l) {
        int row = arena.finder.row(depth, node, n, i, j, k, l);
        if (row < 0 || FourIndices.get(tree.last - depth, i, j, k, l) == rows.length(row)) {
            return arena.read(position(FourIndices.array(n, i, j, k, l)));
        }
        return arena.read(RowPosition.of(row, arena.finder.offset(depth, i, j, k, l)));
    }

    @Override
    public final float get(int... indices) {
        int n = Objects.requireNonNull(indices, "indices").length;
        return n > FourIndices.MOST ? arena.read(position(indices.clone()))
            : getBy(n, FourIndices.of(indices, 0), FourIndices.of(indices, 1), FourIndices.of(indices, 2), FourIndices.of(indices, 3));
    }

    /** Does the checks of {@link #put(float[], int...)} that do not depend on the values. */
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
    FloatData target() {
        checkWritable();
        if (depth < tree.last) {
            throw noSingleRow();
        }
        return view();
    }

    final IllegalArgumentException noSingleRow(int... own) {
        int before = tree.last - depth;
        return new IllegalArgumentException("the indices " + Arrays.toString(own) + " do not select a single row of the shape "
            + Arrays.toString(shape()) + ": put growing rows one at a time, each at " + before + (before == 1 ? " index" : " indices"));
    }

    /** The elements of the selection after the last ragged axis. */
    final long innerSize(int... own) {
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

    // ---- Slices ----------------------------------------------------------------------------------------------------

    @Override
    public FloatTensorData slice(int... indices) {
        int[] own = Objects.requireNonNull(indices, "indices").clone();
        checkOpen();
        if (own.length > rank()) {
            throw wrongCount(own);
        }
        int n = Math.min(own.length, tree.last - depth);
        int at = tree.find(depth, node, n, false, own);
        FloatRaggedBuilder window = new FloatRaggedBuilder(arena, depth + n, at);
        if (n == own.length) {
            return window;
        }
        for (int k = n; k < own.length; k++) {
            tree.check(depth, node, k, at, false, own);
        }
        return window.view().slice(Arrays.copyOfRange(own, n, own.length));
    }

    @Override
    public FloatTensorData slice(TensorIndex... indices) {
        TensorIndex[] given = DataIndices.checked(indices);
        checkOpen();
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
        FloatRaggedBuilder window = new FloatRaggedBuilder(arena, depth + n, at);
        if (n == own.length) {
            return window;
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

    @Override
    FloatData part(long from, long n) {
        return view().part(from, n);
    }

    // ---- Everything else, by a view of the current shape ---------------------------------------------------------------

    @Override
    public FloatTensorData transpose() {
        checkOpen();
        return view().transpose();
    }

    @Override
    public FloatTensorData permute(int... axes) {
        checkOpen();
        return view().permute(axes);
    }

    @Override
    public FloatTensorData broadcastTo(long... shape) {
        checkOpen();
        return view().broadcastTo(shape);
    }

    @Override
    public FloatTensorData reshape(long... shape) {
        checkOpen();
        return view().reshape(shape);
    }

    @Override
    public FloatTensorData flatten() {
        checkOpen();
        return view().flatten();
    }

    @Override
    public FloatTensorData flatten(int first, int last) {
        checkOpen();
        return view().flatten(first, last);
    }

    @Override
    public FloatTensorData unflatten(int axis, long... sizes) {
        checkOpen();
        return view().unflatten(axis, sizes);
    }

    @Override
    public FloatTensorData expandDims(int axis) {
        checkOpen();
        return view().expandDims(axis);
    }

    @Override
    public FloatTensorData squeeze(int... axes) {
        checkOpen();
        return view().squeeze(axes);
    }

    @Override
    public FloatTensorData diagonal(int axis1, int axis2) {
        checkOpen();
        return view().diagonal(axis1, axis2);
    }

    @Override
    public FloatTensorData flip(int... axes) {
        checkOpen();
        return view().flip(axes);
    }

    @Override
    public FloatTensorData slidingWindow(int axis, long size, long step) {
        checkOpen();
        return view().slidingWindow(axis, size, step);
    }

    @Override
    public boolean isContiguous() {
        checkOpen();
        return view().isContiguous();
    }

    @Override
    public FloatTensorIterator scalars() {
        checkOpen();
        return view().scalars();
    }

    @Override
    void checkCapacity(long count) {
        view().checkCapacity(count);
    }

    @Override
    void readAll(float[] to, int at) {
        view().readAll(to, at);
    }

    @Override
    void writeFirst(int n, float[] from, int at) {
        view().writeFirst(n, from, at);
    }
}
