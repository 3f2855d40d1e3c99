package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.sparse.SparseSliceIterator;

/**
 * A cursor over elements of {@link FloatSparse} that lists of positions select, in order. The first ones are looked up;
 * after as many reads as preparing the lists would cost, a {@link SparseSliceIterator} finds the entries.
 */
final class FloatSparseGather extends FloatSparseCursor {
    private final Layout layout;
    /** The number of elements that are looked up. */
    private final long few;
    /** The number of the next element. */
    private long number;
    /** Null while elements are looked up. */
    private SparseSliceIterator walk;
    private int found = -1;

    private FloatSparseGather(FloatSparse sparse, Layout layout, long few) {
        super(sparse);
        this.layout = layout;
        this.few = few;
    }

    /** A cursor for all elements of a layout in order. */
    static FloatSparseCursor of(FloatSparse sparse, Layout layout) {
        long positions = 0;
        for (int d = 0; d < layout.rank(); d++) {
            positions += layout.list(d) == null ? 0 : layout.size(d);
        }
        return positions == 0 ? new FloatSparseCursor(sparse) : new FloatSparseGather(sparse, layout, positions);
    }

    /** The entry of the next element, or -1 if there is none. */
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
