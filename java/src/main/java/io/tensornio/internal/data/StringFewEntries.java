package io.tensornio.internal.data;

import io.tensornio.internal.layout.Layout;

/** {@link StringSparseEntries} of a few elements of a tensor under construction, by look-ups. */
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
        // Holds no memory.
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
