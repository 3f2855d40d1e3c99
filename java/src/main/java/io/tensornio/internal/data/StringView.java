package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.FourIndices;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.string.StringBlock;
import io.tensornio.internal.string.StringPacked;
import java.util.Objects;

/** {@code String} data of any layout over any source. */
public final class StringView extends StringData {
    private static final Layout NONE = Layout.rowMajor(new long[] {0});

    private final StringSource source;

    /** The source, if it is one of these: a branch costs less than a call that many classes may answer. */
    private final StringCollector collector;
    private final StringPacked packed;
    private final StringPadded padded;
    private final Layout layout;
    /** The elements cannot be written through this, whatever the source says. */
    private final boolean readOnly;
    /** The same, or one without elements if it has runs: the checks of indices find out both. */
    private final Layout plain;
    private final int rank;
    /** The first two axes out of the layout, which costs loads and checks of its own. */
    private final long offset;
    /** The size at rank 1 and the sizes at rank 2, cut to what an index can be; 0 at another rank, and if there are runs. */
    private final int n;
    private final int n0;
    private final int n1;
    private final long s0;
    private final long s1;
    private final long[] l0;
    private final long[] l1;

    private StringView(StringSource source, Layout layout) {
        this.source = source;
        this.layout = layout;
        readOnly = layout.isReadOnly();
        plain = layout.hasRuns() ? NONE : layout;
        rank = layout.rank();
        offset = layout.offset();
        n = rank == 1 ? limit(0) : 0;
        n0 = rank == 2 ? limit(0) : 0;
        n1 = rank == 2 && !layout.hasRuns() ? limit(1) : 0;
        s0 = rank > 0 ? layout.stride(0) : 0;
        s1 = rank > 1 ? layout.stride(1) : 0;
        l0 = rank > 0 ? layout.list(0) : null;
        l1 = rank > 1 ? layout.list(1) : null;
        collector = source instanceof StringCollector ? (StringCollector) source : null;
        packed = source instanceof StringPacked ? (StringPacked) source : null;
        padded = source instanceof StringPadded ? (StringPadded) source : null;
    }

    private int limit(int d) {
        return (int) Math.min(plain.size(d), Integer.MAX_VALUE);
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
     * Data over some elements of a source, of the best class for it.
     *
     * @param source the elements
     * @param layout which ones
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
        Object source = view == null ? null : view.source;
        StringBlock block = source instanceof StringCollector ? ((StringCollector) source).block()
            : source instanceof StringBlock ? (StringBlock) source : null;
        boolean isWhole = block != null && block.isReadOnly() && view.layout.isContiguous()
            && view.totalSize() == Shapes.product(block.shape());
        return isWhole ? block : null;
    }

    @Override
    public Layout layout() {
        return layout;
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
        checkWritable(source, layout);
    }

    /** Throws if what is closed or read-only is the source, or it is the layout that allows no write. */
    static void checkWritable(StringSource source, Layout layout) {
        if (layout.isReadOnly()) {
            throw notWritable(source, layout.sizes());
        }
        source.checkWritable();
    }

    /** The exception for a write through a layout that allows none. */
    static ReadOnlyTensorException notWritable(StringSource source, long[] shape) {
        source.checkOpen();
        return new ReadOnlyTensorException(StringElement.TYPE, shape, "is a view that may have one element at many indices");
    }

    // ---- What it is ------------------------------------------------------------------------------------------------

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public long size(int axis) {
        return Shapes.size(layout.sizes(), axis);
    }

    @Override
    public long totalSize() {
        return layout.totalSize();
    }

    @Override
    public long[] shape() {
        return layout.sizes().clone();
    }

    @Override
    public boolean isReadOnly() {
        return readOnly || source.isReadOnly();
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    /**
     * Reads a buffer itself where it can: the call of a source that had not been called when this was compiled may stay a call. A block that has no
     * buffer any more is asked like other sources, and throws.
     */
    private String read(long at) {
        return packed != null ? packed.read(at) : padded != null ? padded.read(at) : source.read(at);
    }

    private void write(String value, long at) {
        if (readOnly) {
            throw notWritable(source, layout.sizes());
        }
        if (collector != null) {
            collector.write(value, at);
        } else if (padded != null) {
            padded.write(value, at);
        } else {
            source.write(value, at);
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

    private static boolean isInside(Layout l, int d, int i) {
        return i >= 0 && i < l.size(d);
    }

    /** Where the element at the first {@code n} of four indices is, whatever the layout: what is faster has been tried. */
    private long anyAt(boolean toWrite, int n, int i, int j, int k, int l) {
        Layout all = layout;
        boolean isInside = n == rank;
        long at = offset;
        for (int d = 0; d < n && isInside; d++) {
            int index = FourIndices.get(d, i, j, k, l);
            isInside = isInside(all, d, index);
            at += isInside ? all.distance(d, index) : 0;
        }
        if (!isInside) {
            throw bad(toWrite, FourIndices.array(n, i, j, k, l));
        }
        return at;
    }

    private long at(boolean toWrite) {
        if (rank != 0) {
            throw bad(toWrite);
        }
        return offset;
    }

    private long at(boolean toWrite, int i) {
        if (i < 0 || i >= n) {
            return anyAt(toWrite, 1, i, 0, 0, 0);
        }
        return offset + (l0 == null ? i * s0 : l0[i]);
    }

    private long at(boolean toWrite, int i, int j) {
        if (i < 0 || i >= n0 || j < 0 || j >= n1) {
            return anyAt(toWrite, 2, i, j, 0, 0);
        }
        return offset + (l0 == null ? i * s0 : l0[i]) + (l1 == null ? j * s1 : l1[j]);
    }

    private long at(boolean toWrite, int i, int j, int k) {
        Layout l = plain;
        if (l.rank() != 3 || !isInside(l, 0, i) || !isInside(l, 1, j) || !isInside(l, 2, k)) {
            return anyAt(toWrite, 3, i, j, k, 0);
        }
        return l.offset() + l.distanceWithoutRuns(0, i) + l.distanceWithoutRuns(1, j) + l.distanceWithoutRuns(2, k);
    }

    private long at(boolean toWrite, int... indices) {
        Layout all = layout;
        boolean isInside = Objects.requireNonNull(indices, "indices").length == rank;
        long at = offset;
        for (int d = 0; d < indices.length && isInside; d++) {
            int index = indices[d];         // once: the caller's array may change meanwhile
            isInside = isInside(all, d, index);
            at += isInside ? all.distance(d, index) : 0;
        }
        if (!isInside) {
            throw bad(toWrite, indices.clone());
        }
        return at;
    }

    @Override
    public String get() {
        return read(at(false));
    }

    @Override
    public String get(int i) {
        return read(at(false, i));
    }

    @Override
    public String get(int i, int j) {
        return read(at(false, i, j));
    }

    @Override
    public String get(int i, int j, int k) {
        return read(at(false, i, j, k));
    }

    @Override
    public String get(int i, int j, int k, int l) {
        return read(anyAt(false, 4, i, j, k, l));
    }

    @Override
    public String get(int... indices) {
        return read(at(false, indices));
    }

    @Override
    public void put(String value) {
        Objects.requireNonNull(value, "value");
        write(value, at(true));
    }

    @Override
    public void put(String value, int i) {
        Objects.requireNonNull(value, "value");
        write(value, at(true, i));
    }

    @Override
    public void put(String value, int i, int j) {
        Objects.requireNonNull(value, "value");
        write(value, at(true, i, j));
    }

    @Override
    public void put(String value, int i, int j, int k) {
        Objects.requireNonNull(value, "value");
        write(value, at(true, i, j, k));
    }

    @Override
    public void put(String value, int i, int j, int k, int l) {
        Objects.requireNonNull(value, "value");
        write(value, anyAt(true, 4, i, j, k, l));
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
        if (readOnly) {
            throw notWritable(source, layout.sizes());
        }
        source.writeBytes(bytes, at);
    }

    // ---- Slices ----------------------------------------------------------------------------------------------------

    @Override
    public StringTensorData slice(int... indices) {
        Objects.requireNonNull(indices, "indices");
        checkOpen();
        return of(source, layout.at(indices));
    }

    @Override
    public StringTensorData slice(TensorIndex... indices) {
        TensorIndex[] own = DataIndices.checked(indices);
        checkOpen();
        return of(source, Slicer.slice(layout, source.longestList(), own));
    }

    @Override
    StringData part(long from, long n) {
        return data(source, layout.part(from, n));
    }

    // ---- In bulk and one after the other -----------------------------------------------------------------------------

    @Override
    public StringTensorIterator scalars() {
        checkOpen();
        return new StringViewScalars(source, layout);
    }

    @Override
    void readAll(String[] to, int at) {
        StringCopies.read(this, to, at);
    }

    @Override
    void writeFirst(int n, String[] from, int at) {
        StringCopies.write(this, n, from, at);
    }
}
