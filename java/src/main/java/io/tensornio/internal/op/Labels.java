package io.tensornio.internal.op;

import io.tensornio.Tensor;
import java.util.Arrays;

/** Operands that are positions: what a comprehension would broadcast or convert, and they must not be. */
public final class Labels {
    private Labels() {
    }

    /**
     * Of classes, one for each example.
     *
     * @param logits what they are classes of, on its last axis
     * @param labels one position for each of the other axes' elements
     * @return a form without words
     * @throws IllegalArgumentException if the labels are no integers, or there is not one for each example
     */
    public static Form of(Tensor<?> logits, Tensor<?> labels) {
        checkIntegers("labels", labels);
        if (logits.rank() == 0) {
            throw new IllegalArgumentException("logits has rank 0: its last axis is the classes");
        }
        long[] examples = Arrays.copyOf(logits.shape(), logits.rank() - 1);
        if (!Arrays.equals(examples, labels.shape())) {
            throw new IllegalArgumentException("labels has shape " + Arrays.toString(labels.shape()) + " and must have " + Arrays.toString(examples)
                + ", that of logits without its last axis: there is one label for each example");
        }
        return Form.NONE;
    }

    /**
     * Of the places of ones.
     *
     * @param indices integers
     * @param depth how many places there are
     * @return the form of that size
     * @throws IllegalArgumentException if the indices are no integers, or the depth is none that a tensor can have
     */
    public static Form oneHot(Tensor<?> indices, long depth) {
        checkIntegers("indices", indices);
        if (depth > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("depth is " + depth + ": it must be 0 to " + Integer.MAX_VALUE
                + ", since that is how many bytes a tensor can have");
        }
        return Form.size(depth, "depth");
    }

    /**
     * Sees to it that an operand can be positions.
     *
     * @param name what it is called
     * @param x the operand
     * @throws IllegalArgumentException if it is neither INT32 nor INT64 nor UINT8
     */
    static void checkIntegers(String name, Tensor<?> x) {
        switch (x.dataType()) {
            case INT32:
            case INT64:
            case UINT8:
                return;
            default:
                throw new IllegalArgumentException(name + " is " + x.dataType()
                    + ", and must be INT32, INT64 or UINT8: cast(x, DataType.INT64) makes it so");
        }
    }
}
