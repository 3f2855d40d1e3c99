package io.tensornio.internal.data;

import io.tensornio.internal.element.NonUtf8String;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.FourIndices;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import io.tensornio.internal.ragged.RaggedTree;
import io.tensornio.internal.ragged.RowPosition;
import io.tensornio.internal.ragged.RowTable;
import java.util.Objects;

/**
 * The part of a {@code String} ragged tensor under construction at given leading indices: its shape, and access element by element.
 * {@link StringRaggedBuilder}, the only subclass, handles whole rows.
 */
abstract class AbstractStringRaggedBuilder extends StringData {
    final StringRowArena arena;
    final RaggedTree tree;
    final RowTable rows;
    /** The number of leading indices, and the node that they select. */
    final int depth;
    final int node;

    AbstractStringRaggedBuilder(StringRowArena arena, int depth, int node) {
        this.arena = arena;
        tree = arena.tree;
        rows = arena.rows;
        this.depth = depth;
        this.node = node;
    }

    /** A view of the same elements in their current shape. */
    final StringData view() {
        return StringRagged.of(arena, tree.layout(depth, node));
    }

    @Override
    public final Layout layout() {
        return view().layout();
    }

    @Override
    final StringSource source() {
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
        return new TensorIndexOutOfBoundsException(shape(), indices);
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
    final String getBy(int n, int i, int j, int k, int l) {
        int row = arena.finder.row(depth, node, n, i, j, k, l);
        if (row < 0 || FourIndices.get(tree.last - depth, i, j, k, l) == rows.length(row)) {
            return arena.read(position(FourIndices.array(n, i, j, k, l)));
        }
        return arena.read(RowPosition.of(row, arena.finder.offset(depth, i, j, k, l)));
    }

    @Override
    public final String get(int... indices) {
        int n = Objects.requireNonNull(indices, "indices").length;
        return n > FourIndices.MOST ? arena.read(position(indices.clone()))
            : getBy(n, FourIndices.of(indices, 0), FourIndices.of(indices, 1), FourIndices.of(indices, 2), FourIndices.of(indices, 3));
    }

    /** Writes an element, whatever has to grow for it. */
    final void putOwn(String value, int... own) {
        write(value, own);
    }

    /** Writes a {@code String}, or a {@link NonUtf8String}. */
    private void write(Object value, int... own) {
        Objects.requireNonNull(value, "value");
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
        byte[] bytes = value instanceof NonUtf8String ? ((NonUtf8String) value).bytes : StringElement.encode((String) value);
        if (bytes == null) {
            throw StringElement.unpaired((String) value, tree.where(depth, node, 0, own));
        }
        long start = arena.append(bytes);            // there may be no heap for them, and then no row is to have grown
        if (row < 0) {
            arena.prepare(positions);
            row = tree.grow(depth, node, before, own);
        }
        arena.extend(row, positions);
        arena.put(row, offset, start, bytes.length);
    }

    @Override
    public final void put(String value, int i, int j) {
        Objects.requireNonNull(value, "value");
        if (tree.flat && tree.shape.length == 2 && depth == 0 && i >= 0 && i < rows.numbers() && arena.putQuickly(i, j, value)) {
            return;
        }
        putBy(value, 2, i, j, 0, 0);
    }

    @Override
    public final void put(String value, int... indices) {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(indices, "indices");
        putOwn(value, indices.clone());
    }

    @Override
    public final byte[] getBytes(int... indices) {
        return arena.readBytes(position(Objects.requireNonNull(indices, "indices").clone()));
    }

    @Override
    public final void putBytes(byte[] bytes, int... indices) {
        Objects.requireNonNull(bytes, "bytes");
        write(new NonUtf8String(bytes), Objects.requireNonNull(indices, "indices").clone());
    }
}
