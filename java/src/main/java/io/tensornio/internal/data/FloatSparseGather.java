package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.sparse.SparseSliceIterator;

/**
 * Reads those elements of {@link FloatSparse} that lists pick, one after the other. They need not be near to each other; once there were as many
 * reads as it takes to look at the lists, a {@link SparseSliceIterator} says which elements are stored.
 */
final class FloatSparseGather extends FloatSparseCursor {
    private final Layout layout;
    /** How many elements are looked for one by one. */
    private final long few;
    /** How many elements were read: the number of the next. */
    private long number;
    /** Null before it is worth it. */
    private SparseSliceIterator walk;
    private int found = -1;

    private FloatSparseGather(FloatSparse sparse, Layout layout, long few) {
        super(sparse);
        this.layout = layout;
        this.few = few;
    }

    /** A cursor for all elements of a layout, one after the other. */
    static FloatSparseCursor of(FloatSparse sparse, Layout layout) {
        long positions = 0;
        for (int d = 0; d < layout.rank(); d++) {
            positions += layout.list(d) == null ? 0 : layout.size(d);
        }
        return positions == 0 ? new FloatSparseCursor(sparse) : new FloatSparseGather(sparse, layout, positions);
    }

    /** The entry of the next element, or -1 if it is not stored. */
    private int walked() {
        if (walk == null) {
            walk = new SparseSliceIterator(sparse, layout);
        }
        while (walk.number() < number) {
            found = walk.next(sparse.open(), number);
        }
        return walk.number() == number ? found : -1;
    }

    @Override
    public float read(long at) {
        float value;
        if (number < few) {
            value = super.read(at);
        } else {
            sparse.checkOpen();
            int entry = walked();
            value = entry < 0 ? FloatElement.ZERO : sparse.stored().read(entry);
            sparse.checkRead();
        }
        number++;
        return value;
    }

}
