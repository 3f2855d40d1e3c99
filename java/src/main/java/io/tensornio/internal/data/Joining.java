package io.tensornio.internal.data;

import io.tensornio.AnyTensor;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import java.util.Arrays;
import java.util.List;

/** Joins the tensors of a sequence. */
public final class Joining {
    private Joining() {
    }

    /**
     * Concatenates tensors along an existing axis, or stacks them along a new one.
     *
     * @param items dense or sparse tensors of one type
     * @param axis the axis of the result; -1 is its last
     * @param newAxis whether the axis is new, which requires equal shapes; else the sizes of all other axes must be equal
     * @return a dense tensor, which the caller closes
     * @throws IllegalArgumentException if there are no tensors, one is ragged, there is no such axis, or shapes differ
     */
    public static Tensor<?> join(List<? extends AnyTensor<?>> items, int axis, boolean newAxis) {
        if (items.isEmpty()) {
            throw new IllegalArgumentException("concat of an empty list: its shape is unknown");
        }
        long[] first = items.get(0).shape();
        int on = axis(axis, first.length + (newAxis ? 1 : 0), (newAxis ? "a new axis of " : "") + "tensors of rank " + first.length);
        for (int n = 0; n < items.size(); n++) {
            check(items.get(n), n, first, newAxis ? -1 : on);
        }
        return AnyData.joined(on, newAxis, items);
    }

    /** Checks that an item has the sizes of the first one, other than on axis {@code but}. */
    private static void check(AnyTensor<?> item, int n, long[] first, int but) {
        long[] shape = item.shape();
        if (item instanceof RaggedTensor) {
            throw new IllegalArgumentException("item " + n + " is a ragged tensor of shape " + Arrays.toString(shape)
                + "; toDense(padding) makes it dense");
        }
        boolean fits = shape.length == first.length;
        for (int d = 0; fits && d < shape.length; d++) {
            fits = d == but || shape[d] == first[d];
        }
        if (!fits) {
            throw new IllegalArgumentException("item " + n + " has shape " + Arrays.toString(shape) + ", item 0 " + Arrays.toString(first)
                + (but < 0 ? ": all must be equal" : ": only axis " + but + " may differ"));
        }
    }

    /**
     * Resolves the number of an axis.
     *
     * @param axis its number; -1 is the last
     * @param rank the number of axes
     * @param of the owner of the axes, for messages
     * @throws IllegalArgumentException if there is no such axis
     */
    public static int axis(int axis, int rank, String of) {
        int on = axis < 0 ? axis + rank : axis;
        if (on < 0 || on >= rank) {
            throw new IllegalArgumentException("axis " + axis + " of " + of + (rank == 0 ? ", which has none"
                : ": it can be " + -rank + " to " + (rank - 1)));
        }
        return on;
    }
}
