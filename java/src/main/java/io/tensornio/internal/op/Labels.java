package io.tensornio.internal.op;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import java.util.Arrays;

/** Checks of operands that are positions, which a comprehension would broadcast or convert. */
public final class Labels {
    private Labels() {
    }

    /**
     * The form of class labels, one for each example.
     *
     * @param logits the scores of the classes, on the last axis
     * @param labels a position on that axis for each element of the other axes
     * @return a form without words
     * @throws IllegalArgumentException if the labels are not integers, or there is not exactly one for each example
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
     * The form of one-hot encoding.
     *
     * @param indices integers
     * @param depth the size of the new axis
     * @return the form of that size
     * @throws IllegalArgumentException if the indices are not integers, or the depth is not a valid size
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
     * Checks that the type of an operand is valid for positions.
     *
     * @param name its name
     * @param x the operand
     * @throws IllegalArgumentException if it is not of integers, or UINT64
     */
    static void checkIntegers(String name, Tensor<?> x) {
        if (!x.dataType().isInteger() || x.dataType() == DataType.UINT64) {
            throw new IllegalArgumentException(name + " is " + x.dataType()
                + ", and must be of integers, and not UINT64: cast(x, DataType.INT64) makes it so");
        }
    }
}
