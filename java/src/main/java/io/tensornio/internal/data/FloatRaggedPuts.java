package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;

/** What sets rows of a {@code float} ragged tensor under construction from data, nested arrays and streams, however rows keep their elements. */
abstract class FloatRaggedPuts extends FloatRaggedPart {
    FloatRaggedPuts(FloatRowArena arena, int depth, int node) {
        super(arena, depth, node);
    }

    /**
     * Writes the start of an array to the selection at indices: sets a whole row, or its rest from a position on.
     *
     * @param empty the new length of the row if an inner size is 0, so that positions have no elements
     */
    abstract void set(float[] from, int n, int empty, int... own);

    /** As above, all elements of data, which may be a part of the same row. */
    abstract void set(FloatTensorData from, int empty, int... own);

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
                throw SelectionText.otherShape(this, false, given, expected, own);
            }
            positions = isRow ? given[0] : 0;
        }
        arena.checkCapacity(Math.max(positions, tensor.totalSize() / Math.max(rows.unit, 1)));
        set(tensor, (int) positions, own);
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
        put(FloatFromNested.single(nested), own);
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

    /** Finds the row of an element that is to be put: -1 if it has not grown so far. */
    final int findRow(int... own) {
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
    final int offset(int... own) {
        return arena.finder.offset(depth, node, tree.last - depth, own);
    }

    /** The row that was found, or a new one, with memory for some positions. */
    final int grown(int row, int positions, int... own) {
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
    final int positions(int n, int empty) {
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
    final long positionsBehind(int n, int... own) {
        int before = tree.last - depth;
        if (tree.last == tree.shape.length - 1) {
            return own[before] + (long) n;         // putting 0 elements at a position extends the row up to there only
        }
        long size = innerSize(own);
        if (n > size) {
            throw new IndexOutOfBoundsException(Shapes.elements(n) + " for " + FloatSelection.name(this, own) + ", which has " + size);
        }
        return own[before] + 1L;
    }
}
