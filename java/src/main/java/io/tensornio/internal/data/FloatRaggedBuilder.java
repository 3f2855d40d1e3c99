package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.layout.FourIndices;
import io.tensornio.internal.ragged.RowPosition;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.Objects;

/** The data of a {@code float} ragged tensor under construction, or its part at given leading indices: ragged axes grow as elements are put. */
public final class FloatRaggedBuilder extends FloatRaggedPuts {
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
        int row = findRow(own);
        int offset = offset(own);
        int positions = own[tree.last - depth] + 1;
        arena.checkCapacity(positions & 0xffffffffL);
        row = grown(row, positions, own);
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
    void set(FloatTensorData from, int empty, int... own) {
        float[] array = new float[own.length < tree.last - depth ? 0 : (int) from.totalSize()];
        if (array.length > 0) {
            from.get(array, new int[0]);
        }
        set(array, array.length, empty, own);
    }

    @Override
    void set(float[] from, int n, int empty, int... own) {
        checkPut(own);
        int before = tree.last - depth;
        int row = tree.find(depth, node, before, true, own);
        if (own.length == before) {
            int positions = positions(n, empty);
            row = grown(row, positions, own);
            arena.set(row, from, 0, positions);
            return;
        }
        int offset = offset(own);
        long positions = positionsBehind(n, own);
        if (n == 0) {
            return;
        }
        arena.checkCapacity(positions);
        row = grown(row, (int) positions, own);
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
