package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.NonUtf8String;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.FourIndices;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedTree;
import io.tensornio.internal.ragged.RowPosition;
import io.tensornio.internal.ragged.RowTable;
import io.tensornio.internal.string.StagedStrings;
import java.util.Objects;

/** The data of a {@code String} ragged tensor under construction, or its part at given leading indices: ragged axes grow as elements are put. */
public final class StringRaggedBuilder extends StringData {
    private final StringRowArena arena;
    private final GrowingPart<StringTensorData, String[]> part;
    private final RaggedTree tree;
    private final RowTable rows;
    /** The number of leading indices, and the node that they select. */
    private final int depth;
    private final int node;

    StringRaggedBuilder(StringRowArena arena) {
        this(arena, 0, 0);
    }

    StringRaggedBuilder(StringRowArena arena, int depth, int node) {
        this.arena = arena;
        tree = arena.tree;
        rows = arena.rows;
        this.depth = depth;
        this.node = node;
        part = new GrowingPart<>(carrier(), arena, depth, node);
    }

    @Override
    GrowingPart<StringTensorData, String[]> growing() {
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
    StringSource source() {
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
    public StringTensorData slice(int... indices) {
        return part.slice(indices);
    }

    @Override
    public StringTensorData slice(TensorIndex... indices) {
        return part.slice(indices);
    }

    @Override
    public StringTensorIterator scalars() {
        checkOpen();
        return view().scalars();
    }

    /** A view of the same elements in their current shape. */
    private StringData view() {
        return (StringData) part.view();
    }


    // ---- One element -----------------------------------------------------------------------------------------------

    @Override
    String getBy(int n, int i, int j, int k, int l) {
        int row = arena.finder.row(depth, node, n, i, j, k, l);
        if (row < 0 || FourIndices.get(tree.last - depth, i, j, k, l) == rows.length(row)) {
            return arena.read(part.position(FourIndices.array(n, i, j, k, l)));
        }
        return arena.read(RowPosition.of(row, arena.finder.offset(depth, i, j, k, l)));
    }

    @Override
    public String get(int... indices) {
        int n = Objects.requireNonNull(indices, "indices").length;
        return n > FourIndices.MOST ? arena.read(part.position(indices.clone()))
            : getBy(n, FourIndices.of(indices, 0), FourIndices.of(indices, 1), FourIndices.of(indices, 2), FourIndices.of(indices, 3));
    }

    /** Writes a {@code String}, or a {@link NonUtf8String}; rows and axes grow as needed. */
    private void putOwn(Object value, int... own) {
        Objects.requireNonNull(value, "value");
        int row = part.findRow(own);
        int offset = part.offset(own);
        int positions = own[tree.last - depth] + 1;
        arena.checkCapacity(positions & 0xffffffffL);
        byte[] bytes = value instanceof NonUtf8String ? ((NonUtf8String) value).bytes : StringElement.encode((String) value);
        if (bytes == null) {
            throw StringElement.unpaired((String) value, tree.where(depth, node, 0, own));
        }
        long start = arena.append(bytes);            // there may be no heap for them, and then no row is to have grown
        row = part.grown(row, positions, own);
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
        return arena.readBytes(part.position(Objects.requireNonNull(indices, "indices").clone()));
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
    void putData(StringTensorData tensor, int... indices) {
        Objects.requireNonNull(tensor, "tensor");
        int[] own = Objects.requireNonNull(indices, "indices").clone();
        int positions = part.checkPut(tensor, this, own);
        Object[] array = StringCopies.values(tensor);
        set(array, array.length, positions, own);
    }

    /**
     * Implements {@link StringStreams#put} for growing data: all values are read before the first write.
     *
     * @param values the values; the array may be longer
     */
    void putAll(String[] values, int n, int... own) {
        set(values, (int) Math.min(n, part.room(own)), 0, own);
        if (n > part.room(own)) {
            throw part.tooMany(this, own);
        }
    }

    /**
     * Writes the first strings or {@link NonUtf8String}s of an array to the selection at indices: sets a whole row, or its rest from a position on.
     *
     * @param empty the new length of the row if an inner size is 0, so that positions have no elements
     */
    void set(Object[] values, int n, int empty, int... own) {
        part.checkPut(own);
        int row = part.rowAt(own);
        if (part.isRow(own)) {
            int positions = part.positions(n, empty);
            StagedStrings from = arena.append(n, values, i -> tree.where(depth, node, i, own));
            row = part.grown(row, positions, own);
            arena.set(row, from, positions);
            return;
        }
        int offset = part.offset(own);
        long positions = part.positionsBehind(this, n, own);
        if (n == 0) {
            return;
        }
        arena.checkCapacity(positions);
        StagedStrings from = arena.append(n, values, i -> tree.where(depth, node, i, own));
        row = part.grown(row, (int) positions, own);
        arena.extend(row, (int) positions);
        arena.put(row, offset, from, n);
    }

    @Override
    void checkCapacity(long count) {
        view().checkCapacity(count);
    }

    @Override
    void readAll(String[] to, int at) {
        view().readAll(to, at);
    }

    @Override
    void writeFirst(int n, String[] from, int at) {
        view().writeFirst(n, from, at);
    }
}
