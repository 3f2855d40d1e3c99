package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.sparse.SparseBuilder;

/** A sparse {@code float} tensor under construction, with any storage of values. Once published, it reads the published tensor. */
abstract class AbstractFloatSparseBuilder extends SparseBuilder implements FloatSource {
    AbstractFloatSparseBuilder(long[] shape, int numValues) {
        super(FloatElement.TYPE, shape, numValues);
    }

    /**
     * The argument of {@code init}.
     *
     * @return the data of all elements
     */
    public final FloatTensorData data() {
        return FloatView.of(this, shape);
    }

    /** The published elements; null before. */
    final FloatSparse published() {
        return (FloatSparse) result();
    }

    @Override
    public final FloatSource cursor(Layout layout) {
        FloatSparse sparse = published();
        return sparse == null ? this : sparse.cursor(layout);
    }

    @Override
    public final boolean readAll(Layout layout, float[] to, int at) {
        FloatSparse sparse = published();
        return sparse != null && sparse.readAll(layout, to, at);
    }

    @Override
    public final void checkCapacity(Layout layout, long count) {
        if (!canHold(count)) {
            checkCapacity(new FloatViewScalars(this, layout)::skip, count);
        }
    }

    @Override
    public final long longestList() {
        return 0;
    }
}
