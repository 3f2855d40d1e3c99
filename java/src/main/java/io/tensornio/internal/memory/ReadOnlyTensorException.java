package io.tensornio.internal.memory;

import io.tensornio.DataType;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;

/** A write to immutable data; adds the message, which its superclass cannot have. */
public final class ReadOnlyTensorException extends ReadOnlyBufferException {
    private static final long serialVersionUID = 1L;

    private final DataType dataType;
    private final long[] shape;
    private final String reason;

    /**
     * Makes the exception.
     *
     * @param dataType the element type
     * @param shape the shape of the whole tensor
     * @param reason why it is immutable, as a predicate: {@code is published}
     */
    public ReadOnlyTensorException(DataType dataType, long[] shape, String reason) {
        this.dataType = dataType;
        this.shape = shape;
        this.reason = reason;
    }

    @Override
    public String getMessage() {
        return "the " + dataType + " tensor of shape " + Arrays.toString(shape) + " " + reason + ": its elements can be read, not written";
    }
}
