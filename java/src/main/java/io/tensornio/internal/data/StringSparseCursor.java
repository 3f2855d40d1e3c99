package io.tensornio.internal.data;

import io.tensornio.internal.element.EncodedSource;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.sparse.SparseLookup;

/** A cursor that reads the elements of {@link StringSparse} that a layout selects, in order, for one thread. */
final class StringSparseCursor extends SparseLookup implements EncodedSource {
    private final StringSparse sparse;

    StringSparseCursor(StringSparse sparse, Layout layout) {
        super(sparse, layout);
        this.sparse = sparse;
    }

    @Override
    public String read(long at) {
        String value = StringElement.decode(sparse.value(entry(at)), this, at);
        advance();              // only now: what is no text is read again
        return value;
    }

    @Override
    public byte[] readBytes(long at) {
        byte[] bytes = sparse.value(entry(at));
        advance();
        return bytes;
    }

    @Override
    public String where(long at) {
        return sparse.where(at);
    }

    @Override
    public void write(String value, long at) {
        sparse.write(value, at);
    }
}
