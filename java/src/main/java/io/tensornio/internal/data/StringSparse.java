package io.tensornio.internal.data;

import io.tensornio.internal.element.EncodedSource;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.sparse.SparseSliceIterator;
import io.tensornio.internal.string.StringBlock;
import java.nio.LongBuffer;
import java.util.Arrays;

/** The elements of a published sparse {@code String} tensor, of which those that are not stored are empty. */
public final class StringSparse extends Sparse implements EncodedSource {
    private final StringBlock stored;

    /** Keeps the checked shape, and both blocks: distinct coordinates in row-major order, and their values. */
    StringSparse(long[] shape, LongBlock indices, StringBlock values) {
        super(shape, indices, values);
        stored = values;
    }

    /**
     * The stored elements.
     *
     * @return the block, (n)
     */
    public StringBlock stored() {
        return stored;
    }

    @Override
    public byte[] readBytes(long at) {
        return value(find(open(), at));
    }

    /** The bytes of an entry; none for -1, where there is none. */
    byte[] value(int entry) {
        if (entry < 0) {
            return new byte[0];
        }
        byte[] bytes = stored.readBytes(entry);
        checkRead();
        return bytes;
    }

    @Override
    public String where(long at) {
        return StringElement.where(shape, at);
    }

    @Override
    public StringSource cursor(Layout layout) {
        return new StringSparseCursor(this, layout);
    }

    // ---- Many elements ---------------------------------------------------------------------------------------------

    @Override
    public boolean readAll(Layout layout, String[] to, int at) {
        LongBuffer coordinates = open();
        Arrays.fill(to, at, at + (int) layout.totalSize(), StringElement.ZERO);
        SparseSliceIterator walk = SparseSliceIterator.inAnyOrder(this, layout);
        for (int entry = walk.next(coordinates); entry >= 0; entry = walk.next(coordinates)) {
            to[at + (int) walk.number()] = StringElement.decode(stored.readBytes(entry), this, key(coordinates, entry));
        }
        checkRead();
        return true;
    }

    @Override
    public void write(String value, long at) {
        checkWritable();
    }
}
