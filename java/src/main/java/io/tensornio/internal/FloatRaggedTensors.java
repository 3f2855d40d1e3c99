package io.tensornio.internal;

import io.tensornio.FloatTensorData;
import java.util.function.Consumer;

/** Makes the parts of {@code float} ragged tensors. */
public final class FloatRaggedTensors {
    private FloatRaggedTensors() {
    }

    /**
     * Fills a ragged tensor.
     *
     * @param shape the sizes, -1 of ragged dimensions
     * @param init puts the elements
     * @return the parts, published
     */
    public static RaggedParts fill(long[] shape, Consumer<? super FloatTensorData> init) {
        FloatGrowth growth = new FloatGrowth(RaggedShapes.check(shape, FloatElement.BYTES));
        try {
            init.accept(new FloatGrowing(growth));
            return parts(growth.rows.shape, growth.publish(), growth.rows.splits());
        } catch (Throwable e) {
            growth.close();
            throw e;
        }
    }

    /** Puts the parts together; takes over the values, which it closes if it fails. */
    static RaggedParts parts(long[] shape, FloatBlock values, long[]... splits) {
        values.name(shape);
        RaggedParts parts = new RaggedParts(shape, values, FloatStrided.of(values));
        try {
            parts.addSplits(splits);
            parts.whole = FloatRagged.of(values, RaggedLayout.whole(shape, parts.rowSplits()));
            values.publish();
            return parts;
        } catch (Throwable e) {
            parts.close();
            throw e;
        }
    }
}
