package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Storage;
import io.tensornio.internal.sparse.SparseSliceIterator;
import java.nio.LongBuffer;
//~string import java.util.Arrays;

/** The stored elements that are not 0 among those of sparse data, one after the other. They are kept in place until this is closed. */
final class FloatSparseEntries implements AutoCloseable {
    private final FloatSparse sparse;
    /** Whether the elements were sorted for this alone. */
    private final boolean owned;
    private final SparseSliceIterator walk;
    private final long total;
    private final LongBuffer coordinates;
    private final Storage pinnedIndices;
    private final Storage pinnedValues;
    //#if primitive
    private float value;
    //#end
    //~string private byte[] value;

    private FloatSparseEntries(FloatSparse sparse, boolean owned, Layout layout) {
        this.sparse = sparse;
        this.owned = owned;
        walk = new SparseSliceIterator(sparse, layout);
        total = layout.totalSize();
        coordinates = sparse.open();
        pinnedIndices = sparse.pin(sparse.indices);
        try {
            pinnedValues = sparse.pin(sparse.values);
        } catch (Throwable e) {
            pinnedIndices.unpin();
            throw e;
        }
    }

    /** Whether data is a view of sparse elements, published or not. */
    static boolean has(FloatTensorData data) {
        FloatSource source = data instanceof FloatData ? ((FloatData) data).source() : null;
        return source instanceof FloatSparse || source instanceof FloatSparseBuilder;
    }

    /** The entries of a view of sparse elements; those of a tensor that is being filled are sorted first. */
    static FloatSparseEntries of(FloatTensorData data) {
        FloatSparse published = FloatSparse.of(data);
        FloatSparse sparse = published != null ? published : ((FloatSparseBuilder) ((FloatData) data).source()).sorted();
        return new FloatSparseEntries(sparse, published == null, ((FloatData) data).layout());
    }

    @Override
    public void close() {
        pinnedValues.unpin();
        pinnedIndices.unpin();
        if (owned) {
            sparse.close();
        }
    }

    /** Moves on to the next element other than 0, if there is one. */
    boolean next() {
        for (int entry = walk.next(coordinates); entry >= 0; entry = walk.next(coordinates)) {
            //#if primitive
            value = sparse.stored().read(entry);
            if (!FloatElement.equal(value, FloatElement.ZERO)) {
            //#end
            //~string value = sparse.stored().readBytes(entry);
            //~string if (value.length > 0) {
                return true;
            }
        }
        return false;
    }

    /** The number of the element in the selection. */
    long number() {
        return walk.number();
    }

    //#if primitive
    float value() {
        return value;
    }
    //#end
    //~string /** Not to be changed. */
    //~string byte[] value() {
    //~string     return value;
    //~string }

    /** Whether two selections of the same shape, neither of which has moved, have equal elements. */
    static boolean equal(FloatSparseEntries a, FloatSparseEntries b) {
        while (a.next()) {
            //#if primitive
            if (!b.next() || a.number() != b.number() || !FloatElement.equal(a.value, b.value)) {
            //#end
            //~string if (!b.next() || a.number() != b.number() || !Arrays.equals(a.value, b.value)) {
                return false;
            }
        }
        return !b.next();
    }

    /** The hash that grows out of another one by all elements, if this has not moved. */
    int hash(int before) {
        int hash = before;
        long at = 0;
        while (next()) {
            //#if primitive
            hash = 31 * zeros(hash, number() - at) + FloatElement.hash(value);
            //#end
            //~string hash = 31 * zeros(hash, number() - at) + StringElement.any(value).hashCode();
            at = number() + 1;
        }
        return zeros(hash, total - at);
    }

    /** The hash after {@code count} more zeros: the function that adds one is squared for each bit of their number. */
    private static int zeros(int before, long count) {
        int hash = before;
        int factor = 31;
        //#if primitive
        int term = FloatElement.hash(FloatElement.ZERO);
        //#end
        //~string int term = StringElement.ZERO.hashCode();
        for (long rest = count; rest > 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                hash = factor * hash + term;
            }
            term = factor * term + term;
            factor *= factor;
        }
        return hash;
    }
}
