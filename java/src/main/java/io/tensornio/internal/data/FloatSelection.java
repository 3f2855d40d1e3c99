package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.Positions;
import java.util.Arrays;
import java.util.Objects;

/** The selection at the indices of a bulk call, for data of any implementation. */
final class FloatSelection {
    private FloatSelection() {
    }

    /**
     * The selection: a sub-tensor if there are fewer indices than axes, else the rest of the last axis from a position on.
     *
     * @throws IndexOutOfBoundsException if an index is outside of the shape, or there are more indices than axes
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    static FloatTensorData of(FloatTensorData data, int... indices) {
        int[] own = Objects.requireNonNull(indices, "indices").clone();
        int rank = data.rank();
        if (own.length < rank || rank <= 0) {           // user-defined data with a negative rank throws its own exception
            return Objects.requireNonNull(data.slice(own), "slice() gave null");
        }
        data.slice(own);                // checks all indices, so that the message names all; reads no element
        FloatTensorData row = Objects.requireNonNull(data.slice(Arrays.copyOf(own, rank - 1)), "slice() gave null");
        return Objects.requireNonNull(row.slice(TensorIndex.range(own[rank - 1], row.size(0))), "slice() gave null");
    }

    /** The name of the selection at the indices of a bulk call, for messages. */
    static String name(FloatTensorData data, int... indices) {
        long[] shape = data.shape();
        String named = "the shape " + Arrays.toString(shape);
        return indices.length == 0 ? "the whole of " + named : "the selection at " + Positions.coordinates(shape, indices) + " of " + named;
    }

    /**
     * The exception for a copy between shapes that differ.
     *
     * @param data the data that the indices select from
     * @param isRead whether the selection is the source of the copy, and not the target
     */
    static IllegalArgumentException otherShape(FloatTensorData data, boolean isRead, long[] from, long[] to, int... indices) {
        String source = "the shape " + Arrays.toString(from);
        String target = "the shape " + Arrays.toString(to);
        if (indices.length > 0) {
            String name = name(data, indices) + ", which has ";
            source = isRead ? name + source + "," : source;
            target = isRead ? target : name + target;
        }
        return new IllegalArgumentException("cannot copy " + source + " to " + target);
    }

    /**
     * Drops leading axes of size 1. If every axis has more than one position, each level at least halves the elements,
     * which bounds the depth of a recursion over the axes.
     */
    static FloatTensorData withoutOnes(FloatTensorData data) {
        FloatTensorData rest = data;
        // Terminates whatever user-defined data returns.
        for (int left = data.rank(); left > 0 && rest.rank() > 0 && rest.size(0) == 1; left--) {
            rest = rest instanceof FloatData ? rest.slice(new int[leadingOnes(rest)]) : rest.slice(TensorIndex.at(0));
        }
        return rest;
    }

    /** For the library's own data only: rows of user-defined data may differ in size, so that only its first axis has a known size. */
    private static int leadingOnes(FloatTensorData data) {
        int ones = 0;
        while (ones < data.rank() && data.size(ones) == 1) {
            ones++;
        }
        return ones;
    }
}
