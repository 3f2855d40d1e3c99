package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.internal.element.NonUtf8String;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.string.StagedStrings;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;

/** The data of a {@code String} ragged tensor under construction, or its part at given leading indices: ragged axes grow as elements are put. */
public final class StringRaggedBuilder extends StringRaggedPart {
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
    public void put(StringTensorData tensor, int... indices) {
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
                throw StringSelection.otherShape(this, false, given, expected, own);
            }
            positions = isRow ? given[0] : 0;
        }
        arena.checkCapacity(Math.max(positions, tensor.totalSize() / Math.max(rows.unit, 1)));
        // Through a copy: it may be a part of the row that it is put to.
        Object[] array = StringCopies.values(tensor);
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
            String[] all = StringFromNested.flat(nested, shape);
            set(all, all.length, own.length == before ? Array.getLength(nested) : 0, own);
            return;
        }
        putOwn(StringFromNested.single(nested), own);
    }

    private static long[] after(boolean isRow, long... shape) {
        return isRow && shape.length > 0 ? Arrays.copyOfRange(shape, 1, shape.length) : shape;
    }

    /**
     * Implements {@link StringStreams#put} for growing data: all values are read before the first write.
     *
     * @param values the values; the array may be longer
     */
    void putAll(String[] values, int n, int... own) {
        long size = own.length == tree.last - depth || tree.last == tree.shape.length - 1 ? Long.MAX_VALUE : innerSize(own);
        set(values, (int) Math.min(n, size), 0, own);
        if (n > size) {
            throw new IndexOutOfBoundsException("more than " + size + " values for " + StringSelection.name(this, own) + ", which has "
                + Shapes.elements(size) + ": these are written");
        }
    }

    /**
     * Writes the start of an array to the selection at indices: sets a whole row, or its rest from a position on.
     *
     * @param empty the new length of the row if an inner size is 0, so that positions have no elements
     */
    private void set(Object[] values, int n, int empty, int... own) {
        checkPut(own);
        int before = tree.last - depth;
        int row = tree.find(depth, node, before, true, own);
        if (own.length == before) {
            if (rows.unit == 0 ? n > 0 : n % rows.unit != 0) {
                throw new IllegalArgumentException(Shapes.elements(n) + ": no whole number of positions of " + rows.unit + " for a row of the shape "
                    + Arrays.toString(tree.shape));
            }
            int positions = rows.unit == 0 ? empty : n / rows.unit;
            StagedStrings from = arena.append(n, values, i -> tree.where(depth, node, i, own));
            if (row < 0) {
                arena.prepare(positions);
                row = tree.grow(depth, node, before, own);
            }
            arena.set(row, from, positions);
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
                throw new IndexOutOfBoundsException(Shapes.elements(n) + " for " + StringSelection.name(this, own) + ", which has " + size);
            }
        }
        if (n == 0) {
            return;
        }
        arena.checkCapacity(positions);
        StagedStrings from = arena.append(n, values, i -> tree.where(depth, node, i, own));
        if (row < 0) {
            arena.prepare((int) positions);
            row = tree.grow(depth, node, before, own);
        }
        arena.extend(row, (int) positions);
        arena.put(row, offset, from, n);
    }
}
