package io.tensornio.op;

import io.tensornio.TensorData;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.DataIndex;
import io.tensornio.internal.op.Made;

/**
 * A given operand, which was not computed. One of INT32 or INT64, of rank 0 or 1, is also an index, as its data is: {@code slice(tf.constant(1))}.
 *
 * @param <T> the element type
 */
public final class Constant<T> extends Operand<T> implements DataIndex {
    Constant(Made<T> made) {
        super(made);
    }

    /**
     * The positions for a slice by this index.
     *
     * @return the elements
     * @throws IllegalArgumentException if they are not INT32 or INT64
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    @Override
    public TensorData<?> positions() {
        switch (AnyData.carrierType(dataType())) {
            case INT32:
                return asTensor().intData();
            case INT64:
                return asTensor().longData();
            default:
                throw new IllegalArgumentException("a constant of " + dataType() + " as an index: it must be INT32 or INT64");
        }
    }
}
