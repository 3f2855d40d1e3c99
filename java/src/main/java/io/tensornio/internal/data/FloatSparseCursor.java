package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.sparse.SparseLookup;

/** A cursor that reads the elements of {@link FloatSparse} that a layout selects, in order, for one thread. */
final class FloatSparseCursor implements FloatSource {
    private final FloatSparse sparse;
    private final SparseLookup entries;

    FloatSparseCursor(FloatSparse sparse, Layout layout) {
        this.sparse = sparse;
        entries = new SparseLookup(sparse, layout);
    }

    @Override
    public float read(long at) {
        float value = sparse.value(entries.entry(at));
        entries.advance();
        return value;
    }

    @Override
    public void write(float value, long at) {
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
