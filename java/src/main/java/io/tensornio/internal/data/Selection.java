package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import java.util.Arrays;
import java.util.Objects;

/** The selection at the indices of a bulk call, for data of any implementation. */
final class Selection {
    private Selection() {
    }

    /**
     * The selection: a sub-tensor if there are fewer indices than axes, else the rest of the last axis from a position on.
     *
     * @throws IndexOutOfBoundsException if an index is outside of the shape, or there are more indices than axes
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    static <D extends TensorData<D>> D of(D data, int... indices) {
        int[] own = Objects.requireNonNull(indices, "indices").clone();
        int rank = data.rank();
        if (own.length < rank || rank <= 0) {           // user-defined data with a negative rank throws its own exception
            return Objects.requireNonNull(data.slice(own), "slice() gave null");
        }
        data.slice(own);                // checks all indices, so that the message names all; reads no element
        D row = Objects.requireNonNull(data.slice(Arrays.copyOf(own, rank - 1)), "slice() gave null");
        return Objects.requireNonNull(row.slice(TensorIndex.range(own[rank - 1], row.size(0))), "slice() gave null");
    }
}
