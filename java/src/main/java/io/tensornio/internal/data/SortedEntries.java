package io.tensornio.internal.data;

import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Storage;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.sparse.SparseSliceIterator;
import java.nio.LongBuffer;

/** {@link SparseEntries} of sorted elements, whose memory is pinned. */
final class SortedEntries extends SparseEntries {
    private final Sparse sparse;
    /** Whether the elements were sorted for this cursor, which then owns them. */
    private final boolean owned;
    private final SparseSliceIterator walk;
    private final LongBuffer coordinates;
    private final Storage pinnedIndices;
    private final Storage pinnedValues;

    SortedEntries(Carrier<?, ?> carrier, Sparse sparse, boolean owned, Layout layout) {
        super(carrier, layout);
        this.sparse = sparse;
        this.owned = owned;
        walk = new SparseSliceIterator(sparse, layout);
        coordinates = sparse.open();
        pinnedIndices = sparse.pin(sparse.indices);
        try {
            pinnedValues = sparse.pin(sparse.values);
        } catch (Throwable e) {
            pinnedIndices.unpin();
            throw e;
        }
    }

    @Override
    public void close() {
        pinnedValues.unpin();
        pinnedIndices.unpin();
        if (owned) {
            sparse.close();
        }
    }

    @Override
    boolean next() {
        for (int entry = walk.next(coordinates); entry >= 0; entry = walk.next(coordinates)) {
            if (found((Source) sparse.values, entry)) {
                return true;
            }
        }
        return false;
    }

    @Override
    long number() {
        return walk.number();
    }
}
