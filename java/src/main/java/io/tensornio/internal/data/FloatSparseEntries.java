package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;

/** A cursor over the non-zero entries of sparse data. It pins their memory until it is closed. */
abstract class FloatSparseEntries implements AutoCloseable {
    /** The cost of looking up an element, relative to that of sorting one. */
    private static final int SORTED = 8;

    private final long total;
    private float value;

    FloatSparseEntries(Layout layout) {
        total = layout.totalSize();
    }

    /** Whether data is a view of sparse elements, published or not. */
    static boolean has(FloatTensorData data) {
        FloatSource source = data instanceof FloatData ? ((FloatData) data).source() : null;
        return source instanceof FloatSparse || source instanceof FloatSparseBuilder;
    }

    /** The entries of a view of sparse elements. In a tensor under construction, a few elements are looked up; for more, all are sorted. */
    static FloatSparseEntries of(FloatTensorData data) {
        Layout layout = ((FloatData) data).layout();
        FloatSparse published = FloatSparse.of(data);
        if (published != null) {
            return new FloatSortedEntries(published, false, layout);
        }
        FloatSparseBuilder filling = (FloatSparseBuilder) ((FloatData) data).source();
        return layout.totalSize() <= filling.entries() / SORTED ? new FloatFewEntries(filling, layout)
            : new FloatSortedEntries(filling.sorted(), true, layout);
    }

    @Override
    public abstract void close();

    /** Advances to the next element other than 0, if there is one. */
    abstract boolean next();

    /** The linear index of the element in the selection. */
    abstract long number();

    float value() {
        return value;
    }

    /** Reads the value at a position of a source, and returns whether it is other than 0. */
    final boolean found(FloatSource source, long at) {
        value = source.read(at);
        return !FloatElement.equal(value, FloatElement.ZERO);
    }

    /** Whether two selections of the same shape, both cursors being at their start, have equal elements. */
    static boolean equal(FloatSparseEntries a, FloatSparseEntries b) {
        while (a.next()) {
            if (!b.next() || a.number() != b.number() || !FloatElement.equal(a.value, b.value)) {
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
            hash = 31 * zeros(hash, number() - at) + FloatElement.hash(value);
            at = number() + 1;
        }
        return zeros(hash, total - at);
    }

    private static int zeros(int hash, long count) {
        return Hashes.repeated(hash, FloatElement.hash(FloatElement.ZERO), count);
    }
}
