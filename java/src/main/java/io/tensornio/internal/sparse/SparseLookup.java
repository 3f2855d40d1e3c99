package io.tensornio.internal.sparse;

import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import java.nio.LongBuffer;

/**
 * Finds the entries of {@link Sparse} elements that a layout selects, in order, for one thread: one near the last needs no search. Where lists of
 * positions select them, as many are searched as preparing the lists would cost; after that a {@link SparseSliceIterator} finds the entries.
 */
public abstract class SparseLookup implements Source {
    private final Sparse sparse;
    private final Layout layout;
    private final GallopingSearch place;
    /** The number of elements that are searched. */
    private final long few;
    /** The number of the next element. */
    private long number;
    /** Null while elements are searched. */
    private SparseSliceIterator walk;
    private int found = -1;

    /** A look-up before the first element of a layout. */
    protected SparseLookup(Sparse sparse, Layout layout) {
        this.sparse = sparse;
        this.layout = layout;
        place = new GallopingSearch(sparse);
        long positions = 0;
        for (int d = 0; d < layout.rank(); d++) {
            positions += layout.list(d) == null ? 0 : layout.size(d);
        }
        few = positions == 0 ? Long.MAX_VALUE : positions;
    }

    /** The entry of the next element, which is at this position; -1 if there is none. */
    protected final int entry(long at) {
        LongBuffer coordinates = sparse.open();
        if (number >= few) {
            return walked(coordinates);
        }
        place.moveTo(coordinates, at);
        return at == place.key ? place.entry : -1;
    }

    private int walked(LongBuffer coordinates) {
        if (walk == null) {
            walk = new SparseSliceIterator(sparse, layout);
        }
        while (walk.number() < number) {
            found = walk.next(coordinates, number);
        }
        sparse.checkRead();
        return walk.number() == number ? found : -1;
    }

    /** Moves past an element. */
    protected final void advance() {
        number++;
    }

    // ---- As a source -----------------------------------------------------------------------------------------------

    @Override
    public final boolean isReadOnly() {
        return true;
    }

    @Override
    public final void checkOpen() {
        sparse.checkOpen();
    }

    @Override
    public final void checkWritable() {
        sparse.checkWritable();
    }

    @Override
    public final Object memory() {
        return sparse;
    }
}
