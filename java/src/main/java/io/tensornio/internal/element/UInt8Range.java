package io.tensornio.internal.element;

import io.tensornio.ByteTensorData;
import io.tensornio.UnsignedBytes;
import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import java.util.Arrays;
import java.util.Objects;

/** The range of an unsigned byte. */
public final class UInt8Range {
    private static final byte[] NONE = {};

    private UInt8Range() {
    }

    /**
     * The exception for a value outside of the range. Other errors of the call take precedence: a closed tensor, read-only data, coordinates.
     *
     * @param data the data that was to be written
     * @param value the value
     * @param indices the indices of the element
     * @return the exception to throw
     */
    public static RuntimeException refused(UnsignedBytes data, int value, int... indices) {
        Objects.requireNonNull(indices, "indices");
        if (data instanceof ByteTensorData) {           // always true: nothing else implements the other interface
            ByteTensorData bytes = (ByteTensorData) data;
            if (indices.length < bytes.rank()) {
                bytes.slice();                  // throws if the tensor is closed
                if (!bytes.isReadOnly()) {
                    return new TensorIndexOutOfBoundsException(bytes.shape(), indices);
                }
            }
            // Checks everything but a lack of indices. With an index for each axis it writes nothing; with fewer it could set a row.
            bytes.put(NONE, indices);
            return new OutsideException(value, bytes.shape(), indices.clone());
        }
        return new OutsideException(value, "");
    }

    /**
     * The exception for a value of a stream that is outside of the range, if there is no other error.
     *
     * @param value the value
     * @param before the number of values before it in the stream
     * @param name the name of the target
     * @return the exception to throw
     */
    public static IllegalArgumentException outside(int value, long before, String name) {
        return new OutsideException(value, ", after " + before + (before == 1 ? " other" : " others") + ", for " + name + ",");
    }

    /**
     * The byte of a number.
     *
     * @param value the number
     * @param call the name of the method that it was an argument of
     * @return its bits
     * @throws IllegalArgumentException if it is not in 0 to 255
     */
    public static byte checked(int value, String call) {
        if ((value & ~0xff) != 0) {
            throw new IllegalArgumentException(call + ": " + value + " is no UINT8, which is 0 to 255");
        }
        return (byte) value;
    }

    /** The message is built lazily, as in {@link TensorIndexOutOfBoundsException}, which keeps the code out of loops. */
    private static final class OutsideException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private final int value;
        /** The shape and the indices of the element, if {@link #where} is null. */
        private final long[] shape;
        private final int[] indices;
        private final String where;

        OutsideException(int value, long[] shape, int[] indices) {
            this.value = value;
            this.shape = shape;
            this.indices = indices;
            where = null;
        }

        OutsideException(int value, String where) {
            this.value = value;
            shape = null;
            indices = null;
            this.where = where;
        }

        @Override
        public String getMessage() {
            String place = where != null ? where : " for the element " + Arrays.toString(indices) + " of the shape " + Arrays.toString(shape);
            return "the value " + value + place + " is not in 0 to 255, the range of UINT8";
        }
    }
}
