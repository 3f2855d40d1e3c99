package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.sparse.SparseBuilder;

/** A cursor over the entries of sparse data that are not what fresh memory holds. It pins their memory until it is closed. */
abstract class SparseEntries implements AutoCloseable {
    /** The cost of looking up an element, relative to that of sorting one. */
    private static final int SORTED = 8;

    private final Carrier<?, ?> carrier;
    private final long total;
    /** Where the value of the current entry is. */
    private Source source;
    private long at;

    SparseEntries(Carrier<?, ?> carrier, Layout layout) {
        this.carrier = carrier;
        total = layout.totalSize();
    }

    /** The entries of a view of sparse elements. In a tensor under construction, a few elements are looked up; for more, all are sorted. */
    static SparseEntries of(TensorData<?> data) {
        OwnData<?, ?> own = (OwnData<?, ?>) data;
        Carrier<?, ?> carrier = own.carrier();
        Layout layout = own.layout();
        Sparse published = own.published();
        if (published != null) {
            return new SortedEntries(carrier, published, false, layout);
        }
        SparseBuilder filling = (SparseBuilder) own.source();
        return layout.totalSize() <= filling.entries() / SORTED ? new FewEntries(carrier, filling, layout)
            : new SortedEntries(carrier, filling.sorted(), true, layout);
    }

    @Override
    public abstract void close();

    /** Advances to the next entry, if there is one. */
    abstract boolean next();

    /** The linear index of the entry in the selection. */
    abstract long number();

    /** The source of the entry's value. */
    final Source source() {
        return source;
    }

    /** The position of the entry's value in its source. */
    final long at() {
        return at;
    }

    /** Whether a position of a source has a value that is not what fresh memory holds, which is the current entry's then. */
    final boolean found(Source of, long position) {
        source = of;
        at = position;
        return carrier.isStored(of, position);
    }

    /** Whether two selections of the same shape, both cursors being at their start, have equal elements. */
    static boolean equal(SparseEntries a, SparseEntries b) {
        while (a.next()) {
            if (!b.next() || a.number() != b.number() || !a.carrier.equalAt(a.source, a.at, b.source, b.at)) {
                return false;
            }
        }
        return !b.next();
    }

    /** Combines a hash with all elements; the cursor must be at its start. */
    final int hash(int before) {
        int hash = before;
        long place = 0;
        while (next()) {
            hash = 31 * zeros(hash, number() - place) + carrier.hashAt(source, at);
            place = number() + 1;
        }
        return zeros(hash, total - place);
    }

    private int zeros(int hash, long count) {
        return Hashes.repeated(hash, carrier.hashOfZero(), count);
    }
}
