package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.TensorIndex;

/** An index that stands for data, which is read when the slice is made. */
public interface DataIndex extends TensorIndex {
    /**
     * The data.
     *
     * @return data of INT32 or INT64
     * @throws IllegalArgumentException if it is of another type
     */
    TensorData<?> positions();
}
