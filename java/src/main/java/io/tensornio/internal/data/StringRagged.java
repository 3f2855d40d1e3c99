package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedSlicer;
import io.tensornio.internal.ragged.RaggedViews;
import io.tensornio.internal.string.StringBlock;
import java.util.Arrays;
import java.util.Objects;

/**
 * {@code String} data with rows of different lengths, or at irregular starts. All other data is a {@link StringView}.
 */
final class StringRagged extends StringData {
    private final StringSource source;
    /** The source if it is a block, else null. */
    private final StringBlock block;
    private final RaggedLayout layout;

    private StringRagged(StringSource source, RaggedLayout layout) {
        this.source = source;
        this.layout = layout;
        block = source instanceof StringBlock ? (StringBlock) source : null;
    }

    /** Data over a selection of a source, in the most specific class. */
    static StringData of(StringSource source, RaggedLayout layout) {
        Layout plain = layout.plain();
        return plain != null ? StringView.data(source, plain) : new StringRagged(source, layout);
    }

    RaggedLayout ragged() {
        return layout;
    }

    /** A layout that covers all elements, though not in their order. */
    @Override
    public Layout layout() {
        return layout.stretch();
    }

    @Override
    StringSource source() {
        return source;
    }

    @Override
    public void checkOpen() {
        source.checkOpen();
    }

    @Override
    void checkWritable() {
        if (layout.isReadOnly()) {
            throw StringView.notWritable(source, layout.shape());
        }
        source.checkWritable();
    }

    // ---- Properties ------------------------------------------------------------------------------------------------

    @Override
    public int rank() {
        return layout.rank();
    }

    @Override
    public long size(int axis) {
        return Shapes.size(layout.shape(), axis);
    }

    @Override
    public long totalSize() {
        return layout.totalSize();
    }

    @Override
    public long[] shape() {
        return layout.shape().clone();
    }

    @Override
    public boolean isReadOnly() {
        return layout.isReadOnly() || source.isReadOnly();
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    private String read(long at) {
        return block != null ? block.read(at) : source.read(at);
    }

    private long at(boolean toWrite, int... indices) {
        Objects.requireNonNull(indices, "indices");
        if (toWrite) {
            checkWritable();
        } else {
            source.checkOpen();
        }
        return layout.position(indices);
    }

    @Override
    public String get(int i, int j) {
        source.checkOpen();
        return read(layout.position(i, j));
    }

    @Override
    String getBy(int n, int i, int j, int k, int l) {
        source.checkOpen();
        return read(layout.position(n, i, j, k, l));
    }

    @Override
    public String get(int... indices) {
        return read(at(false, indices));
    }

    @Override
    public byte[] getBytes(int... indices) {
        return source.readBytes(at(false, indices));
    }

    @Override
    public void putBytes(byte[] bytes, int... indices) {
        Objects.requireNonNull(bytes, "bytes");
        source.writeBytes(bytes, at(true, indices));
    }

    @Override
    void putBy(String value, int n, int i, int j, int k, int l) {
        Objects.requireNonNull(value, "value");
        checkWritable();
        source.write(value, layout.position(n, i, j, k, l));
    }

    @Override
    public void put(String value, int... indices) {
        Objects.requireNonNull(value, "value");
        source.write(value, at(true, indices));
    }

    // ---- Slices ----------------------------------------------------------------------------------------------------

    @Override
    public StringTensorData slice(int i) {
        return slice(new int[] {i});
    }

    @Override
    public StringTensorData slice(int... indices) {
        int[] own = Objects.requireNonNull(indices, "indices").clone();
        checkOpen();
        return of(source, layout.at(own));
    }

    @Override
    public StringTensorData slice(TensorIndex... indices) {
        TensorIndex[] own = DataIndices.checked(indices);
        checkOpen();
        return of(source, RaggedSlicer.slice(layout, own));
    }

    @Override
    public StringTensorData transpose() {
        checkOpen();
        return of(source, RaggedViews.transpose(layout));
    }

    @Override
    public StringTensorData permute(int... axes) {
        Objects.requireNonNull(axes, "axes");
        checkOpen();
        return of(source, RaggedViews.permute(layout, axes));
    }

    @Override
    public StringTensorData broadcastTo(long... shape) {
        Objects.requireNonNull(shape, "shape");
        checkOpen();
        return of(source, RaggedViews.broadcastTo(layout, shape));
    }

    @Override
    public StringTensorData reshape(long... shape) {
        Objects.requireNonNull(shape, "shape");
        checkOpen();
        return of(source, RaggedViews.reshape(layout, shape));
    }

    @Override
    public StringTensorData flatten() {
        checkOpen();
        return of(source, RaggedViews.flatten(layout, 0, -1));
    }

    @Override
    public StringTensorData flatten(int first, int last) {
        checkOpen();
        return of(source, RaggedViews.flatten(layout, first, last));
    }

    @Override
    public StringTensorData unflatten(int axis, long... sizes) {
        Objects.requireNonNull(sizes, "sizes");
        checkOpen();
        return of(source, RaggedViews.unflatten(layout, axis, sizes));
    }

    @Override
    public StringTensorData expandDims(int axis) {
        checkOpen();
        return of(source, RaggedViews.expandDims(layout, axis));
    }

    @Override
    public StringTensorData squeeze(int... axes) {
        Objects.requireNonNull(axes, "axes");
        checkOpen();
        return of(source, RaggedViews.squeeze(layout, axes));
    }

    @Override
    public StringTensorData diagonal(int axis1, int axis2) {
        checkOpen();
        return of(source, RaggedViews.diagonal(layout, axis1, axis2));
    }

    @Override
    public StringTensorData flip(int... axes) {
        Objects.requireNonNull(axes, "axes");
        checkOpen();
        return of(source, RaggedViews.flip(layout, axes));
    }

    @Override
    public StringTensorData slidingWindow(int axis, long size, long step) {
        checkOpen();
        throw RaggedViews.refused("slidingWindow", layout.shape());
    }

    @Override
    public boolean isContiguous() {
        checkOpen();
        return layout.isContiguous();
    }

    @Override
    StringData part(long from, long n) {
        return of(source, layout.part(from, n));
    }

    // ---- In bulk and iteration -------------------------------------------------------------------------------------

    /** All elements as dense data of rank 1 if they are contiguous, else null. */
    private StringData flat() {
        return layout.isContiguous() ? StringView.data(source, layout.stretch()) : null;
    }

    /** The end of the rows of the tree. */
    private long end() {
        return layout.end(layout.depth());
    }

    private long firstRow(long end) {
        return layout.nextRow(layout.begin(layout.depth()), end);
    }

    /** The elements of one row of the tree. */
    StringData row(long node) {
        return StringView.data(source, layout.row(node));
    }

    @Override
    public StringTensorIterator scalars() {
        checkOpen();
        StringData flat = flat();
        return flat != null ? flat.scalars() : new StringRaggedScalars(this);
    }

    @Override
    void readAll(String[] to, int at) {
        StringCopies.read(this, to, at);
    }

    @Override
    void writeFirst(int n, String[] from, int at) {
        StringCopies.write(this, n, from, at);
    }

    // ---- As a whole ------------------------------------------------------------------------------------------------

    /**
     * The tree of ragged data.
     *
     * @return null for any other data
     */
    static RaggedLayout treeOf(StringTensorData data) {
        if (data instanceof StringRaggedBuilder) {
            return treeOf(((StringRaggedBuilder) data).view());
        }
        return data instanceof StringRagged ? ((StringRagged) data).layout : null;
    }

    /**
     * The tree of ragged data that is to be copied.
     *
     * @throws IllegalArgumentException if it is user-defined, and so has none
     */
    static RaggedLayout rowsOf(StringTensorData data) {
        RaggedLayout tree = treeOf(data);
        if (tree == null) {
            throw new IllegalArgumentException("the data of the shape " + Arrays.toString(data.shape()) + " is of " + data.getClass()
                + ": of ragged data only that of a RaggedTensor can be copied as a whole, of other data its rows one by one");
        }
        return tree;
    }

    /** Checks that data of one ragged shape have the same row lengths, so that they can be copied. */
    static void checkSameRows(StringTensorData from, StringTensorData to) {
        String difference = rowsOf(from).firstDifference(rowsOf(to));
        if (difference != null) {
            throw new IllegalArgumentException("cannot copy between rows of different lengths: " + difference);
        }
    }

    /** Copies all elements to the same indices of dense data that is at least as large. */
    static void copyDense(StringTensorData from, StringData to) {
        RaggedLayout tree = rowsOf(from);
        StringSource source = ((StringData) from).source();
        long[] strides = Layout.rowMajorStrides(to.shape());
        int depth = tree.depth();
        long[] inner = Arrays.copyOfRange(strides, depth, strides.length);
        // A loop, since recursion over many axes could overflow the stack. For each axis: its current node, the node's offset, and the next index.
        long[] nodes = new long[depth];
        long[] places = new long[depth];
        long[] next = new long[depth];
        for (int d = 0; d >= 0;) {
            long i = next[d]++;
            if (i >= tree.size(d, nodes[d])) {
                d--;
                continue;
            }
            long node = (d == 0 ? tree.firstNode() : tree.below(d, nodes[d])) + i;
            long place = places[d] + i * strides[d];
            if (d == depth - 1) {
                copyRow(source, tree.row(node), to.source(), place, inner);
            } else {
                d++;
                nodes[d] = node;
                places[d] = place;
                next[d] = 0;
            }
        }
    }

    private static void copyRow(StringSource source, Layout row, StringSource to, long at, long... strides) {
        if (row.totalSize() > 0) {
            Layout place = new Layout(at, row.sizes(), strides);
            StringCopies.copy(StringView.data(source, row), StringView.data(to, place));
        }
    }
}
