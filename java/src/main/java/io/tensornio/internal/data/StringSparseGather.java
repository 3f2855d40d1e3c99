package io.tensornio.internal.data;

import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.sparse.SparseSliceIterator;

/**
 * A cursor over elements of {@link StringSparse} that lists of positions select, in order. The first ones are looked up;
 * after as many reads as preparing the lists would cost, a {@link SparseSliceIterator} finds the entries.
 */
final class StringSparseGather extends StringSparseCursor {
    private final Layout layout;
    /** The number of elements that are looked up. */
    private final long few;
    /** The number of the next element. */
    private long number;
    /** Null while elements are looked up. */
    private SparseSliceIterator walk;
    private int found = -1;

    private StringSparseGather(StringSparse sparse, Layout layout, long few) {
        super(sparse);
        this.layout = layout;
        this.few = few;
    }

    /** A cursor for all elements of a layout in order. */
    static StringSparseCursor of(StringSparse sparse, Layout layout) {
        long positions = 0;
        for (int d = 0; d < layout.rank(); d++) {
            positions += layout.list(d) == null ? 0 : layout.size(d);
        }
        return positions == 0 ? new StringSparseCursor(sparse) : new StringSparseGather(sparse, layout, positions);
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

    private byte[] bytes(long at) {
        if (number < few) {
            return super.readBytes(at);
        }
        sparse.checkOpen();
        int entry = walked();
        byte[] bytes = entry < 0 ? new byte[0] : sparse.stored().readBytes(entry);
        sparse.checkRead();
        return bytes;
    }

    @Override
    public String read(long at) {
        String value = StringElement.decode(bytes(at), this, at);
        number++;            // only now: what is no text is read again
        return value;
    }

    @Override
    public byte[] readBytes(long at) {
        byte[] bytes = bytes(at);
        number++;
        return bytes;
    }
}
