package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import java.util.Arrays;

/** A cursor over the non-zero entries of sparse data. It pins their memory until it is closed. */
abstract class StringSparseEntries implements AutoCloseable {
    /** The cost of looking up an element, relative to that of sorting one. */
    private static final int SORTED = 8;

    private final long total;

    private byte[] value;

    StringSparseEntries(Layout layout) {
        total = layout.totalSize();
    }

    /** Whether data is a view of sparse elements, published or not. */
    static boolean has(StringTensorData data) {
        StringSource source = data instanceof StringData ? ((StringData) data).source() : null;
        return source instanceof StringSparse || source instanceof StringSparseBuilder;
    }

    /** The entries of a view of sparse elements. In a tensor under construction, a few elements are looked up; for more, all are sorted. */
    static StringSparseEntries of(StringTensorData data) {
        Layout layout = ((StringData) data).layout();
        StringSparse published = StringSparse.of(data);
        if (published != null) {
            return new StringSortedEntries(published, false, layout);
        }
        StringSparseBuilder filling = (StringSparseBuilder) ((StringData) data).source();
        return layout.totalSize() <= filling.entries() / SORTED ? new StringFewEntries(filling, layout)
            : new StringSortedEntries(filling.sorted(), true, layout);
    }

    @Override
    public abstract void close();

    /** Advances to the next element other than 0, if there is one. */
    abstract boolean next();

    /** The linear index of the element in the selection. */
    abstract long number();

    /** Not to be changed. */
    byte[] value() {
        return value;
    }

    /** Reads the value at a position of a source, and returns whether it is not empty. */
    final boolean found(StringSource source, long at) {
        value = source.readBytes(at);
        return value.length > 0;
    }

    /** Whether two selections of the same shape, both cursors being at their start, have equal elements. */
    static boolean equal(StringSparseEntries a, StringSparseEntries b) {
        while (a.next()) {
            if (!b.next() || a.number() != b.number() || !Arrays.equals(a.value, b.value)) {
                return false;
            }
        }
        return !b.next();
    }

    /** Combines a hash with all elements; the cursor must be at its start. */
    int hash(int before) {
        int hash = before;
        long at = 0;
        while (next()) {
            hash = 31 * zeros(hash, number() - at) + StringElement.hash(StringElement.any(value));
            at = number() + 1;
        }
        return zeros(hash, total - at);
    }

    private static int zeros(int hash, long count) {
        return Hashes.repeated(hash, StringElement.hash(StringElement.ZERO), count);
    }
}
