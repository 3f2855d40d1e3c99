package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.internal.element.NonUtf8String;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.string.StagedStrings;
import java.util.Objects;

/** The data of a {@code String} ragged tensor under construction, or its part at given leading indices: ragged axes grow as elements are put. */
public final class StringRaggedBuilder extends StringRaggedPuts {
    StringRaggedBuilder(StringRowArena arena) {
        this(arena, 0, 0);
    }

    StringRaggedBuilder(StringRowArena arena, int depth, int node) {
        super(arena, depth, node);
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    /** Writes a {@code String}, or a {@link NonUtf8String}; rows and axes grow as needed. */
    private void putOwn(Object value, int... own) {
        Objects.requireNonNull(value, "value");
        int row = findRow(own);
        int offset = offset(own);
        int positions = own[tree.last - depth] + 1;
        arena.checkCapacity(positions & 0xffffffffL);
        byte[] bytes = value instanceof NonUtf8String ? ((NonUtf8String) value).bytes : StringElement.encode((String) value);
        if (bytes == null) {
            throw StringElement.unpaired((String) value, tree.where(depth, node, 0, own));
        }
        long start = arena.append(bytes);            // there may be no heap for them, and then no row is to have grown
        row = grown(row, positions, own);
        arena.extend(row, positions);
        arena.put(row, offset, start, bytes.length);
    }

    @Override
    public void put(String value, int i, int j) {
        Objects.requireNonNull(value, "value");
        if (tree.flat && tree.shape.length == 2 && depth == 0 && i >= 0 && i < rows.numbers() && arena.putQuickly(i, j, value)) {
            return;
        }
        putBy(value, 2, i, j, 0, 0);
    }

    @Override
    public void put(String value, int... indices) {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(indices, "indices");
        putOwn(value, indices.clone());
    }

    @Override
    public byte[] getBytes(int... indices) {
        return arena.readBytes(position(Objects.requireNonNull(indices, "indices").clone()));
    }

    @Override
    public void putBytes(byte[] bytes, int... indices) {
        Objects.requireNonNull(bytes, "bytes");
        putOwn(new NonUtf8String(bytes), Objects.requireNonNull(indices, "indices").clone());
    }

    // ---- In bulk: rows are set -------------------------------------------------------------------------------------

    @Override
    public void put(String[] array, int... indices) {
        Objects.requireNonNull(array, "array");
        Objects.requireNonNull(indices, "indices");
        set(array, array.length, 0, indices.clone());
    }

    @Override
    void set(StringTensorData from, int empty, int... own) {
        Object[] array = StringCopies.values(from);
        set(array, array.length, empty, own);
    }

    @Override
    void set(String[] from, int n, int empty, int... own) {
        set((Object[]) from, n, empty, own);
    }

    /** As above, of strings or {@link NonUtf8String}s. */
    private void set(Object[] values, int n, int empty, int... own) {
        checkPut(own);
        int before = tree.last - depth;
        int row = tree.find(depth, node, before, true, own);
        if (own.length == before) {
            int positions = positions(n, empty);
            StagedStrings from = arena.append(n, values, i -> tree.where(depth, node, i, own));
            row = grown(row, positions, own);
            arena.set(row, from, positions);
            return;
        }
        int offset = offset(own);
        long positions = positionsBehind(n, own);
        if (n == 0) {
            return;
        }
        arena.checkCapacity(positions);
        StagedStrings from = arena.append(n, values, i -> tree.where(depth, node, i, own));
        row = grown(row, (int) positions, own);
        arena.extend(row, (int) positions);
        arena.put(row, offset, from, n);
    }
}
