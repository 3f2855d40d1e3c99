package io.tensornio.internal.data;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.LayoutWalk;
import io.tensornio.internal.sparse.SparseBuilder;

/** {@link SparseEntries} of a few elements of a tensor under construction, by look-ups. */
final class FewEntries extends SparseEntries {
    private final SparseBuilder filling;
    private final LayoutWalk elements;
    private long number = -1;

    FewEntries(Carrier<?, ?> carrier, SparseBuilder filling, Layout layout) {
        super(carrier, layout);
        filling.checkOpen();
        this.filling = filling;
        elements = new LayoutWalk(layout);
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
