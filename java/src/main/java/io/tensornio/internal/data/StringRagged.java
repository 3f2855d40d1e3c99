package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.string.StringBlock;
import java.util.Objects;

/**
 * {@code String} data with rows of different lengths, or at irregular starts. All other data is a {@link StringView}.
 */
final class StringRagged extends StringData {
    private final StringSource source;
    private final RaggedLayout layout;
    /** The source if it is a block, else null. */
    private final StringBlock block;

    StringRagged(StringSource source, RaggedLayout layout) {
        this.source = source;
        this.layout = layout;
        block = source instanceof StringBlock ? (StringBlock) source : null;
    }

    @Override
    RaggedLayout tree() {
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

    /** The elements of one row of the tree. */
    StringData row(long node) {
        return StringView.data(source, layout.row(node));
    }

    /** All elements as dense data of rank 1 if they are contiguous, else null. */
    private StringData flat() {
        return layout.isContiguous() ? StringView.data(source, layout.stretch()) : null;
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

    // ---- One by one ------------------------------------------------------------------------------------------------

    @Override
    public StringTensorIterator scalars() {
        checkOpen();
        StringData flat = flat();
        return flat != null ? flat.scalars() : new StringRaggedCursor(this);
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
}
