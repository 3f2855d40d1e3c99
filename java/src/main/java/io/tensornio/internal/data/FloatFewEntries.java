package io.tensornio.internal.data;

import io.tensornio.internal.layout.Layout;

/** {@link FloatSparseEntries} of few elements of a tensor that is being filled, each of which is looked up. */
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
        // Nothing is held.
    }

    @Override
    boolean next() {
        while (elements.hasMoreElements()) {
            number++;
            if (found(filling.read(elements.skip()))) {
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
