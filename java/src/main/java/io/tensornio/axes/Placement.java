package io.tensornio.axes;

import io.tensornio.TensorData;

/** What a step is of data that is there: the same elements, as other data. */
interface Placement {
    /**
     * Places data.
     *
     * @param operands the operands' elements
     * @return the elements of the step, or null if they cannot be had without a copy
     */
    TensorData<?> of(TensorData<?>... operands);
}
