package io.tensornio.internal.data;

import io.tensornio.internal.layout.Layout;

/** {@link StringSparseEntries} of few elements of a tensor that is being filled, each of which is looked up. */
final class StringFewEntries extends StringSparseEntries {
    private final StringSparseBuilder filling;
    private final StringViewScalars elements;
    private long number = -1;

    StringFewEntries(StringSparseBuilder filling, Layout layout) {
        super(layout);
        filling.checkOpen();
        this.filling = filling;
        elements = new StringViewScalars(filling, layout);
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    @Override
    boolean next() {
        while (elements.hasMoreElements()) {
            number++;
            if (found(filling.readBytes(elements.skip()))) {
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
