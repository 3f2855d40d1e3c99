package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.string.StringBlock;
import java.util.Arrays;
import java.util.Objects;

/**
 * {@code String} data with rows of different lengths, or at irregular starts. All other data is a {@link StringView}.
 */
final class StringRagged extends StringRaggedViewed {
    /** The source if it is a block, else null. */
    private final StringBlock block;

    private StringRagged(StringSource source, RaggedLayout layout) {
        super(source, layout);
        block = source instanceof StringBlock ? (StringBlock) source : null;
    }

    /** Data over a selection of a source, in the most specific class. */
    static StringData of(StringSource source, RaggedLayout layout) {
        Layout plain = layout.plain();
        return plain != null ? StringView.data(source, plain) : new StringRagged(source, layout);
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

    // ---- In bulk ---------------------------------------------------------------------------------------------------

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
