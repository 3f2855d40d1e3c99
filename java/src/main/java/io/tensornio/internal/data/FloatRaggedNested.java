package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatBlock;
//#if buffer
import io.tensornio.internal.element.FloatBulk;
//#end
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.ragged.RaggedParts;
import java.util.Objects;

/** Makes ragged {@code float} tensors from nested arrays. */
public final class FloatRaggedNested extends NestedRows {
    private FloatBlock values;

    private FloatRaggedNested(int rank) {
        super(rank, FloatElement.TYPE, FloatElement.BYTES);
    }

    /**
     * A ragged tensor from nested arrays.
     *
     * @param nested arrays at least two deep
     * @return the parts, published
     * @throws NullPointerException if a row is null
     * @throws IllegalArgumentException if the length of a row changed meanwhile
     */
    public static RaggedParts of(Object nested) {
        Objects.requireNonNull(nested, "nested");
        FloatRaggedNested walk = new FloatRaggedNested(FloatFromNested.rank(nested));
        walk.values = FloatBlock.uncleared(walk.count(nested));
        try {
            walk.copy(nested);
            return FloatRaggedTensors.parts(walk.shape(nested), walk.values, walk.splits);
        } catch (Throwable e) {
            walk.values.close();
            throw e;
        }
    }

    @Override
    void copy(Object nested, int at) {
        float[] row = (float[]) nested;
        //#if buffer
        FloatBulk.put(values.wr, at, row, 0, row.length);
        //#end
        //~boolean for (int i = 0; i < row.length; i++) {
        //~boolean     FloatElement.write(values.wr, at + i, row[i]);
        //~boolean }
    }
}
