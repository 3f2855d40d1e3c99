package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.FourIndices;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import io.tensornio.internal.string.StringBlock;
import java.util.Objects;

/** {@code String} data of any layout over any source. */
public final class StringView extends StringData {
    private final StringSource source;
    private final Layout layout;
    private final int rank;
    /** The source, if it is one of these: a branch costs less than a call that many classes may answer. */
    private final StringCollector collector;
    private final StringBlock block;
    /** Where the elements of a strided vector are, out of the layout, which costs loads and checks of its own; else no elements. */
    private final int n;
    private final long offset;
    private final long stride;

    private StringView(StringSource source, Layout layout) {
        this.source = source;
        this.layout = layout;
        rank = layout.rank();
        boolean isVector = rank == 1 && layout.isStrided();
        n = isVector ? (int) Math.min(layout.size(0), Integer.MAX_VALUE) : 0;
        offset = layout.offset();
        stride = isVector ? layout.stride(0) : 0;
        collector = source instanceof StringCollector ? (StringCollector) source : null;
        block = source instanceof StringBlock ? (StringBlock) source : null;
    }

    /**
     * Data over all elements of a source.
     *
     * @param source the elements, in row-major order from position 0
     * @param shape a checked shape, which this object keeps
     * @return the data
     */
    public static StringView of(StringSource source, long... shape) {
        return new StringView(source, Layout.rowMajor(shape));
    }

    /**
     * Data over a selection of a source, in the most specific class.
     *
     * @param source the elements
     * @param layout their layout
     * @return the data
     */
    public static StringTensorData of(StringSource source, Layout layout) {
        return data(source, layout);
    }

    /** The same, for this package. */
    static StringData data(StringSource source, Layout layout) {
        return new StringView(source, layout);
    }

    /** The block that data has all elements of, in their order, and that is published; else null. */
    static StringBlock whole(StringTensorData data) {
        StringView view = data instanceof StringView ? (StringView) data : null;
        StringBlock all = view == null ? null : view.collector != null ? view.collector.block() : view.block;
        boolean isWhole = all != null && all.isReadOnly() && view.layout.isContiguous() && view.totalSize() == Shapes.product(all.shape());
        return isWhole ? all : null;
    }

    @Override
    StringSource source() {
        return source;
    }

    @Override
    public Layout layout() {
        return layout;
    }

    @Override
    public int rank() {
        return rank;
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    private String read(long at) {
        return block != null ? block.read(at) : source.read(at);
    }

    private void write(String value, long at) {
        checkLayout();
        if (collector != null) {
            collector.write(value, at);
        } else {
            source.write(value, at);
        }
    }

    private void checkLayout() {
        if (layout.isReadOnly()) {
            throw notWritable(dataType(), source, layout.sizes());
        }
    }

    /** The exception for coordinates; that there is no access at all comes first. */
    private IndexOutOfBoundsException bad(boolean toWrite, int... indices) {
        if (toWrite) {
            checkWritable();
        } else {
            source.checkOpen();
        }
        return new TensorIndexOutOfBoundsException(layout.sizes(), indices);
    }

    private boolean isInside(int d, int i) {
        return i >= 0 && i < layout.size(d);
    }

    private long at(boolean toWrite, int i) {
        return i >= 0 && i < n ? offset + i * stride : at(toWrite, 1, i, 0, 0, 0);
    }

    private long at(boolean toWrite, int n, int i, int j, int k, int l) {
        boolean isInside = n == rank;
        long at = offset;
        for (int d = 0; d < n && isInside; d++) {
            int index = FourIndices.get(d, i, j, k, l);
            isInside = isInside(d, index);
            at += isInside ? layout.distance(d, index) : 0;
        }
        if (!isInside) {
            throw bad(toWrite, FourIndices.array(n, i, j, k, l));
        }
        return at;
    }

    private long at(boolean toWrite, int... indices) {
        boolean isInside = Objects.requireNonNull(indices, "indices").length == rank;
        long at = offset;
        for (int d = 0; d < indices.length && isInside; d++) {
            int index = indices[d];         // read once: the caller may change the array concurrently
            isInside = isInside(d, index);
            at += isInside ? layout.distance(d, index) : 0;
        }
        if (!isInside) {
            throw bad(toWrite, indices.clone());
        }
        return at;
    }

    @Override
    public String get(int i) {
        return read(at(false, i));
    }

    @Override
    String getBy(int n, int i, int j, int k, int l) {
        return read(at(false, n, i, j, k, l));
    }

    @Override
    public String get(int... indices) {
        return read(at(false, indices));
    }

    @Override
    public void put(String value, int i) {
        Objects.requireNonNull(value, "value");
        write(value, at(true, i));
    }

    @Override
    void putBy(String value, int n, int i, int j, int k, int l) {
        Objects.requireNonNull(value, "value");
        write(value, at(true, n, i, j, k, l));
    }

    @Override
    public void put(String value, int... indices) {
        Objects.requireNonNull(value, "value");
        write(value, at(true, indices));
    }

    @Override
    public byte[] getBytes(int... indices) {
        return source.readBytes(at(false, indices));
    }

    @Override
    public void putBytes(byte[] bytes, int... indices) {
        Objects.requireNonNull(bytes, "bytes");
        long at = at(true, indices);
        checkLayout();
        source.writeBytes(bytes, at);
    }

    // ---- One by one ------------------------------------------------------------------------------------------------

    @Override
    public StringTensorIterator scalars() {
        checkOpen();
        return new StringViewCursor(source, layout);
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
