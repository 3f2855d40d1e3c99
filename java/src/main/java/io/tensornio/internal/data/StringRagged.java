package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.string.StringBlock;
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

    // ---- As a whole ------------------------------------------------------------------------------------------------

    /** Copies all elements to the same indices of dense data that is at least as large. */
    static void copyDense(StringTensorData from, StringData to) {
        StringSource source = ((StringData) from).source();
        RaggedRows.each(from, to.shape(), (row, place) ->
            StringCopies.copy(StringView.data(source, row), StringView.data(to.source(), place)));
    }
}
