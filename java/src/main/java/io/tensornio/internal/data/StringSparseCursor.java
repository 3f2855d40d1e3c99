package io.tensornio.internal.data;

import io.tensornio.internal.element.EncodedSource;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.sparse.SparseLookup;

/** A cursor that reads the elements of {@link StringSparse} that a layout selects, in order, for one thread. */
final class StringSparseCursor implements EncodedSource {
    private final StringSparse sparse;
    private final SparseLookup entries;

    StringSparseCursor(StringSparse sparse, Layout layout) {
        this.sparse = sparse;
        entries = new SparseLookup(sparse, layout);
    }

    @Override
    public String read(long at) {
        String value = StringElement.decode(sparse.value(entries.entry(at)), this, at);
        entries.advance();              // only now: what is no text is read again
        return value;
    }

    @Override
    public byte[] readBytes(long at) {
        byte[] bytes = sparse.value(entries.entry(at));
        entries.advance();
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

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public void checkOpen() {
        sparse.checkOpen();
    }

    @Override
    public void checkWritable() {
        sparse.checkWritable();
    }

    @Override
    public Object memory() {
        return sparse;
    }
}
