package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.FourIndices;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import io.tensornio.internal.ragged.RaggedTree;
import io.tensornio.internal.ragged.RowPosition;
import io.tensornio.internal.ragged.RowTable;
import java.util.Objects;

/**
 * The part of a {@code float} ragged tensor under construction at given leading indices: its shape, and access element by element.
 * {@link FloatRaggedBuilder}, the only subclass, handles whole rows.
 */
abstract class AbstractFloatRaggedBuilder extends FloatData {
    final FloatRowArena arena;
    final RaggedTree tree;
    final RowTable rows;
    /** The number of leading indices, and the node that they select. */
    final int depth;
    final int node;

    AbstractFloatRaggedBuilder(FloatRowArena arena, int depth, int node) {
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
    private long position(int... own) {
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

    @Override
    final void putBy(float value, int n, int i, int j, int k, int l) {
        int row = arena.isReadOnly() ? -1 : arena.finder.row(depth, node, n, i, j, k, l);
        int position = FourIndices.get(tree.last - depth, i, j, k, l);
        if (row < 0 || position >= rows.capacity(row)) {
            putOwn(value, FourIndices.array(n, i, j, k, l));
            return;
        }
        arena.extend(row, position + 1);
        arena.write(value, RowPosition.of(row, arena.finder.offset(depth, i, j, k, l)));
    }

    /** Writes an element; rows and axes grow as needed. */
    final void putOwn(float value, int... own) {

        arena.checkWritable();
        if (own.length != rank()) {
            throw wrongCount(own);
        }
        int before = tree.last - depth;
        int row = tree.find(depth, node, before, true, own);
        tree.check(depth, node, before, row, true, own);
        int offset = arena.finder.offset(depth, node, before, own);
        int positions = own[before] + 1;
        arena.checkCapacity(positions & 0xffffffffL);
        if (row < 0) {
            arena.prepare(positions);
            row = tree.grow(depth, node, before, own);
        }
        arena.extend(row, positions);
        arena.write(value, RowPosition.of(row, offset));
    }

    @Override
    public final void put(float value, int i, int j) {
        if (tree.flat && tree.shape.length == 2 && depth == 0 && i >= 0 && i < rows.numbers() && arena.putQuickly(i, j, value)) {
            return;
        }
        putBy(value, 2, i, j, 0, 0);
    }

    @Override
    public final void put(float value, int... indices) {
        Objects.requireNonNull(indices, "indices");
        int n = indices.length;
        if (n <= FourIndices.MOST) {
            putBy(value, n, FourIndices.of(indices, 0), FourIndices.of(indices, 1), FourIndices.of(indices, 2), FourIndices.of(indices, 3));
            return;
        }
        putOwn(value, indices.clone());
    }

}
