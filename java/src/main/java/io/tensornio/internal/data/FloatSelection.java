package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.Positions;
import java.util.Arrays;
import java.util.Objects;

/** What the indices of a bulk call name, for data of any implementation. */
final class FloatSelection {
    private FloatSelection() {
    }

    /**
     * The selection: with fewer indices than axes a sub-tensor, else the last axis from a position on.
     *
     * @throws IndexOutOfBoundsException if an index is outside of the shape, or there are more indices than axes
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    static FloatTensorData of(FloatTensorData data, int... indices) {
        int[] own = Objects.requireNonNull(indices, "indices").clone();
        int rank = data.rank();
        if (own.length < rank || rank <= 0) {           // less than none is for such data to explain
            return Objects.requireNonNull(data.slice(own), "slice() gave null");
        }
        data.slice(own);                // all of them, so that the message names all; it computes no element
        FloatTensorData row = Objects.requireNonNull(data.slice(Arrays.copyOf(own, rank - 1)), "slice() gave null");
        return Objects.requireNonNull(row.slice(TensorIndex.range(own[rank - 1], row.size(0))), "slice() gave null");
    }

    /** What the indices of a bulk call name, for messages: where it is, since a shape alone reads like indices. */
    static String name(FloatTensorData data, int... indices) {
        long[] shape = data.shape();
        String named = "the shape " + Arrays.toString(shape);
        return indices.length == 0 ? "the whole of " + named : "the selection at " + Positions.coordinates(shape, indices) + " of " + named;
    }

    /**
     * The exception for a copy between shapes that differ.
     *
     * @param data what the indices name a part of
     * @param isRead whether that part is what should be copied, and not what should be copied to
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
     * The same elements without the leading axes of size 1. Where every axis has more than one position, the elements are at least halved from
     * each to the next, so that a recursion over the axes is never deep.
     */
    static FloatTensorData withoutOnes(FloatTensorData data) {
        FloatTensorData rest = data;
        // The user's own data may answer anything: this ends, too.
        for (int left = data.rank(); left > 0 && rest.rank() > 0 && rest.size(0) == 1; left--) {
            rest = rest instanceof FloatData ? rest.slice(new int[leadingOnes(rest)]) : rest.slice(TensorIndex.at(0));
        }
        return rest;
    }

    /** For the library's own data alone: rows of other data need not be of one size, so that only its first axis is sure to have one. */
    private static int leadingOnes(FloatTensorData data) {
        int ones = 0;
        while (ones < data.rank() && data.size(ones) == 1) {
            ones++;
        }
        return ones;
    }
}
