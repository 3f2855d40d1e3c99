package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.FloatSource;
//~int,long import io.tensornio.internal.element.Encodings;
import io.tensornio.internal.layout.FourIndices;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedTree;
import io.tensornio.internal.ragged.RowPosition;
import io.tensornio.internal.ragged.RowTable;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.Objects;

/** The data of a {@code float} ragged tensor under construction, or its part at given leading indices: ragged axes grow as elements are put. */
public final class FloatRaggedBuilder extends FloatData {
    private final FloatRowArena arena;
    private final GrowingPart<FloatTensorData, float[]> part;
    private final RaggedTree tree;
    private final RowTable rows;
    /** The number of leading indices, and the node that they select. */
    private final int depth;
    private final int node;

    FloatRaggedBuilder(FloatRowArena arena) {
        this(arena, 0, 0);
    }

    FloatRaggedBuilder(FloatRowArena arena, int depth, int node) {
        this.arena = arena;
        tree = arena.tree;
        rows = arena.rows;
        this.depth = depth;
        this.node = node;
        part = new GrowingPart<>(carrier(), arena, depth, node);
    }

    @Override
    Carrier<FloatTensorData, float[]> carrier() {
        return FloatCarrier.FLOAT.of(arena.type());
    }

    @Override
    GrowingPart<FloatTensorData, float[]> growing() {
        return part;
    }

    @Override
    RaggedLayout tree() {
        return part.view().tree();
    }

    @Override
    public Layout layout() {
        return part.view().layout();
    }

    @Override
    FloatSource source() {
        return arena;
    }

    @Override
    void checkWritable() {
        arena.checkWritable();
    }

    @Override
    public boolean isReadOnly() {
        return arena.isReadOnly();
    }

    @Override
    public int rank() {
        return part.rank();
    }

    @Override
    public long size(int axis) {
        return Shapes.size(shape(), axis);
    }

    @Override
    public long totalSize() {
        return part.totalSize();
    }

    @Override
    public long[] shape() {
        return part.shape();
    }

    @Override
    public FloatTensorData slice(int... indices) {
        return part.slice(indices);
    }

    @Override
    public FloatTensorData slice(TensorIndex... indices) {
        return part.slice(indices);
    }

    @Override
    public FloatTensorIterator scalars() {
        checkOpen();
        return view().scalars();
    }

    /** A view of the same elements in their current shape. */
    private FloatData view() {
        return (FloatData) part.view();
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    @Override
    float getBy(int n, int i, int j, int k, int l) {
        int row = arena.finder.row(depth, node, n, i, j, k, l);
        if (row < 0 || FourIndices.get(tree.last - depth, i, j, k, l) == rows.length(row)) {
            return arena.read(part.position(FourIndices.array(n, i, j, k, l)));
        }
        return arena.read(RowPosition.of(row, arena.finder.offset(depth, i, j, k, l)));
    }

    @Override
    public float get(int... indices) {
        int n = Objects.requireNonNull(indices, "indices").length;
        return n > FourIndices.MOST ? arena.read(part.position(indices.clone()))
            : getBy(n, FourIndices.of(indices, 0), FourIndices.of(indices, 1), FourIndices.of(indices, 2), FourIndices.of(indices, 3));
    }

    @Override
    void putBy(float value, int n, int i, int j, int k, int l) {
        int row = arena.isReadOnly() ? -1 : arena.finder.row(depth, node, n, i, j, k, l);
        int position = FourIndices.get(tree.last - depth, i, j, k, l);
        if (row < 0 || position >= rows.capacity(row)) {
            putOwn(value, FourIndices.array(n, i, j, k, l));
            return;
        }
        //~int,long Encodings.check(arena.type(), value);
        arena.extend(row, position + 1);
        arena.write(value, RowPosition.of(row, arena.finder.offset(depth, i, j, k, l)));
    }

    /** Writes an element; rows and axes grow as needed. */
    private void putOwn(float value, int... own) {
        //~int,long Encodings.check(arena.type(), value);
        int row = part.findRow(own);
        int offset = part.offset(own);
        int positions = own[tree.last - depth] + 1;
        arena.checkCapacity(positions & 0xffffffffL);
        row = part.grown(row, positions, own);
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
    void putData(FloatTensorData tensor, int... indices) {
        Objects.requireNonNull(tensor, "tensor");
        int[] own = Objects.requireNonNull(indices, "indices").clone();
        int positions = part.checkPut(tensor, this, own);
        float[] array = new float[own.length < tree.last - depth ? 0 : (int) tensor.totalSize()];       // it may be a part of the same row
        if (array.length > 0) {
            tensor.get(array, new int[0]);
        }
        set(array, array.length, positions, own);
    }

    /**
     * Implements {@link FloatStreams#put} for growing data: all values are read before the first write.
     *
     * @param values the values; the array may be longer
     */
    void putAll(float[] values, int n, int... own) {
        set(values, (int) Math.min(n, part.room(own)), 0, own);
        if (n > part.room(own)) {
            throw part.tooMany(this, own);
        }
    }

    /**
     * Writes the start of an array to the selection at indices: sets a whole row, or its rest from a position on.
     *
     * @param empty the new length of the row if an inner size is 0, so that positions have no elements
     */
    void set(float[] from, int n, int empty, int... own) {
        part.checkPut(own);
        int row = part.rowAt(own);
        if (part.isRow(own)) {
            int positions = part.positions(n, empty);
            arena.carrier.checkRange(from, 0, n);
            row = part.grown(row, positions, own);
            arena.set(row, from, 0, positions);
            return;
        }
        int offset = part.offset(own);
        long positions = part.positionsBehind(this, n, own);
        if (n == 0) {
            return;
        }
        arena.carrier.checkRange(from, 0, n);
        arena.checkCapacity(positions);
        row = part.grown(row, (int) positions, own);
        arena.extend(row, (int) positions);
        arena.put(row, offset, from, 0, n);
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
