package io.tensornio.internal.data;

import io.tensornio.internal.layout.Layout;

/** {@link FloatSparseEntries} of a few elements of a tensor under construction, by look-ups. */
final class FloatFewEntries extends FloatSparseEntries {
    private final FloatSparseBuilder filling;
    private final FloatViewScalars elements;
    private long number = -1;

    FloatFewEntries(FloatSparseBuilder filling, Layout layout) {
        super(layout);
        filling.checkOpen();
        this.filling = filling;
        elements = new FloatViewScalars(filling, layout);
    }

    @Override
    public void close() {
        // Holds no memory.
    }

    @Override
    boolean next() {
        while (elements.hasMoreElements()) {
            number++;
            if (found(filling, elements.skip())) {
                return true;
            }
        }
        return false;
    }

    @Override
    long number() {
        return number;
    }
}
