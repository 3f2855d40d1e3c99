package io.tensornio;

import java.util.Arrays;

/**
 * Thrown when a tensor, its data or anything derived from it is accessed after the tensor was closed. The message names
 * the tensor's type and shape.
 */
public class TensorClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** The element type of the closed tensor. */
    private final DataType dataType;
    /** The shape of the closed tensor. */
    private final long[] shape;

    /**
     * Makes the exception for a closed tensor.
     *
     * @param dataType the element type of the closed tensor
     * @param shape the shape of the closed tensor
     */
    public TensorClosedException(DataType dataType, long... shape) {
        this.dataType = dataType;
        this.shape = shape.clone();
    }

    @Override
    public String getMessage() {
        return "the " + dataType + " tensor of shape " + Arrays.toString(shape) + " is closed";
    }
}
