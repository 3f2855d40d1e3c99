package io.tensornio.internal;

import io.tensornio.DataType;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;

/** A write to an immutable tensor, with the message that its superclass cannot carry. */
final class ReadOnlyTensorException extends ReadOnlyBufferException {
    private static final long serialVersionUID = 1L;

    private final DataType dataType;
    private final long[] shape;

    ReadOnlyTensorException(DataType dataType, long[] shape) {
        this.dataType = dataType;
        this.shape = shape;
    }

    @Override
    public String getMessage() {
        return "the " + dataType + " tensor of shape " + Arrays.toString(shape) + " is published: its elements can be read, not written";
    }
}
