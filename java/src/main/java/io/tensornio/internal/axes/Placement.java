package io.tensornio.internal.axes;

import io.tensornio.TensorData;

/** The result of a step as a view of existing data. */
interface Placement {
    /**
     * Makes the view.
     *
     * @param operands the operands' elements
     * @return the view, or null if it would need a copy
     */
    TensorData<?> of(TensorData<?>... operands);
}
