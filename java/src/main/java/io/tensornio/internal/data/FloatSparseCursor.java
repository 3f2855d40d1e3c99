package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.sparse.SparseLookup;

/** A cursor that reads the elements of {@link FloatSparse} that a layout selects, in order, for one thread. */
final class FloatSparseCursor extends SparseLookup implements FloatSource {
    private final FloatSparse sparse;

    FloatSparseCursor(FloatSparse sparse, Layout layout) {
        super(sparse, layout);
        this.sparse = sparse;
    }

    @Override
    public float read(long at) {
        float value = sparse.value(entry(at));
        advance();
        return value;
    }

    @Override
    public void write(float value, long at) {
        sparse.write(value, at);
    }
}
