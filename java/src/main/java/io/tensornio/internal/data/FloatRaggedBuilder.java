package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.AtIndex;
import io.tensornio.internal.layout.EllipsisIndex;
import io.tensornio.internal.layout.MaskIndex;
import io.tensornio.internal.layout.NewAxisIndex;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Slicer;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;

/**
 * The data of a {@code float} ragged tensor under construction, or its part at given leading indices: ragged axes grow
 * as elements are put. All other operations delegate to a {@link #view}.
 */
public final class FloatRaggedBuilder extends AbstractFloatRaggedBuilder {
    FloatRaggedBuilder(FloatRowArena arena) {
        this(arena, 0, 0);
    }

    private FloatRaggedBuilder(FloatRowArena arena, int depth, int node) {
        super(arena, depth, node);
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

    private IllegalArgumentException noSingleRow(int... own) {
        int before = tree.last - depth;
        return new IllegalArgumentException("the indices " + Arrays.toString(own) + " do not select a single row of the shape "
            + Arrays.toString(shape()) + ": put growing rows one at a time, each at " + before + (before == 1 ? " index" : " indices"));
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
    void checkReadable() {
        // A view of the current shape needs no other check.
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
