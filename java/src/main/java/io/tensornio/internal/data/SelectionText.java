package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.layout.Positions;
import java.util.Arrays;

/** What messages call the selection at the indices of a bulk call, for data of any type. */
final class SelectionText {
    private SelectionText() {
    }

    /** The name of the selection. */
    static String name(TensorData<?> data, int... indices) {
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
    static IllegalArgumentException otherShape(TensorData<?> data, boolean isRead, long[] from, long[] to, int... indices) {
        String source = "the shape " + Arrays.toString(from);
        String target = "the shape " + Arrays.toString(to);
        if (indices.length > 0) {
            String name = name(data, indices) + ", which has ";
            source = isRead ? name + source + "," : source;
            target = isRead ? target : name + target;
        }
        return new IllegalArgumentException("cannot copy " + source + " to " + target);
    }
}
