package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.layout.FourIndices;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RowPosition;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;

/** The data of a {@code float} ragged tensor under construction, or its part at given leading indices: ragged axes grow as elements are put. */
public final class FloatRaggedBuilder extends FloatRaggedPart {
    FloatRaggedBuilder(FloatRowArena arena) {
        this(arena, 0, 0);
    }

    FloatRaggedBuilder(FloatRowArena arena, int depth, int node) {
        super(arena, depth, node);
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    @Override
    void putBy(float value, int n, int i, int j, int k, int l) {
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
    private void putOwn(float value, int... own) {
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
    public void put(float value, int i, int j) {
        if (tree.flat && tree.shape.length == 2 && depth == 0 && i >= 0 && i < rows.numbers() && arena.putQuickly(i, j, value)) {
            return;
        }
        putBy(value, 2, i, j, 0, 0);
    }

    @Override
    public void put(float value, int... indices) {
        Objects.requireNonNull(indices, "indices");
        int n = indices.length;
        if (n <= FourIndices.MOST) {
            putBy(value, n, FourIndices.of(indices, 0), FourIndices.of(indices, 1), FourIndices.of(indices, 2), FourIndices.of(indices, 3));
            return;
        }
        putOwn(value, indices.clone());
    }

    // ---- In bulk: rows are set -------------------------------------------------------------------------------------

    @Override
    public void put(float[] array, int... indices) {
        Objects.requireNonNull(array, "array");
        Objects.requireNonNull(indices, "indices");
        if (tree.flat && depth + indices.length == 1 && rows.unit == 1) {
            // A fast path for the common case, which determines the speed of filling by rows.
            int row = depth == 1 ? node : indices[0];
            if (row >= 0 && row < rows.numbers() && !arena.isReadOnly()) {
                arena.set(row, array, 0, array.length);
                return;
            }
        }
        set(array, array.length, 0, indices.clone());
    }

    //#if buffer
    @Override
    public void put(FloatBuffer buffer, int... indices) {
        Objects.requireNonNull(buffer, "buffer");
        int[] own = Objects.requireNonNull(indices, "indices").clone();
        checkWritable();
        FloatBuffer from = buffer.duplicate();          // no other thread can change its position and limit
        float[] array = new float[from.remaining()];
        from.get(array);
        set(array, array.length, 0, own);
        buffer.position(from.position());
    }
    //#end

    @Override
    public void put(FloatTensorData tensor, int... indices) {
        Objects.requireNonNull(tensor, "tensor");
        int[] own = Objects.requireNonNull(indices, "indices").clone();
        checkOpen();
        OpenCheck.check(tensor);
        checkWritable();
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
                throw FloatSelection.otherShape(this, false, given, expected, own);
            }
            positions = isRow ? given[0] : 0;
        }
        arena.checkCapacity(Math.max(positions, tensor.totalSize() / Math.max(rows.unit, 1)));
        // Through a copy: it may overlap the row.
        float[] array = new float[own.length < before ? 0 : (int) tensor.totalSize()];
        if (array.length > 0) {
            tensor.get(array, new int[0]);
        }
        set(array, array.length, (int) positions, own);
    }

    /**
     * Sets a row to nested arrays, or writes the sub-tensor at one position of it.
     *
     * @throws IllegalArgumentException if the indices select several rows, or the object is of another class
     */
    void setNested(Object nested, int... own) {
        int before = tree.last - depth;
        checkPut(own);
        long[] shape = Arrays.copyOfRange(tree.shape, depth + own.length, tree.shape.length);
        if (shape.length > 0) {
            float[] all = FloatFromNested.flat(nested, shape);
            set(all, all.length, own.length == before ? Array.getLength(nested) : 0, own);
            return;
        }
        putOwn(FloatFromNested.single(nested), own);
    }

    private static long[] after(boolean isRow, long... shape) {
        return isRow && shape.length > 0 ? Arrays.copyOfRange(shape, 1, shape.length) : shape;
    }

    /**
     * Implements {@link FloatStreams#put} for growing data: all values are read before the first write.
     *
     * @param values the values; the array may be longer
     */
    void putAll(float[] values, int n, int... own) {
        long size = own.length == tree.last - depth || tree.last == tree.shape.length - 1 ? Long.MAX_VALUE : innerSize(own);
        set(values, (int) Math.min(n, size), 0, own);
        if (n > size) {
            throw new IndexOutOfBoundsException("more than " + size + " values for " + FloatSelection.name(this, own) + ", which has "
                + Shapes.elements(size) + ": these are written");
        }
    }

    /**
     * Writes the start of an array to the selection at indices: sets a whole row, or its rest from a position on.
     *
     * @param empty the new length of the row if an inner size is 0, so that positions have no elements
     */
    private void set(float[] from, int n, int empty, int... own) {
        checkPut(own);
        int before = tree.last - depth;
        int row = tree.find(depth, node, before, true, own);
        if (own.length == before) {
            if (rows.unit == 0 ? n > 0 : n % rows.unit != 0) {
                throw new IllegalArgumentException(Shapes.elements(n) + ": no whole number of positions of " + rows.unit + " for a row of the shape "
                    + Arrays.toString(tree.shape));
            }
            int positions = rows.unit == 0 ? empty : n / rows.unit;
            if (row < 0) {
                arena.prepare(positions);
                row = tree.grow(depth, node, before, own);
            }
            arena.set(row, from, 0, positions);
            return;
        }
        int offset = arena.finder.offset(depth, node, before, own);
        long positions = own[before] + 1L;
        boolean isLast = tree.last == tree.shape.length - 1;
        if (isLast) {
            positions = own[before] + (long) n;         // putting 0 elements at a position extends the row up to there only
        } else {
            long size = innerSize(own);
            if (n > size) {
                throw new IndexOutOfBoundsException(Shapes.elements(n) + " for " + FloatSelection.name(this, own) + ", which has " + size);
            }
        }
        if (n == 0) {
            return;
        }
        arena.checkCapacity(positions);
        if (row < 0) {
            arena.prepare((int) positions);
            row = tree.grow(depth, node, before, own);
        }
        arena.extend(row, (int) positions);
        arena.put(row, offset, from, 0, n);
    }

    @Override
    void checkReadable() {
        // A view of the current shape needs no other check.
    }

    //#if buffer
    @Override
    void readAll(FloatBuffer to) {
        view().readAll(to);
    }

    @Override
    void writeFirst(FloatBuffer from) {
        view().writeFirst(from);
    }
    //#end
}
