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
     * The exception for a value that is no unsigned byte. What else is wrong with the call goes first: a closed tensor, data
     * that cannot be written, coordinates.
     *
     * @param data the data that was to be written
     * @param value the value
     * @param indices where it was to be written
     * @return the exception to throw
     */
    public static RuntimeException refused(UnsignedBytes data, int value, int... indices) {
        Objects.requireNonNull(indices, "indices");
        if (data instanceof ByteTensorData) {           // which all data is: nothing else implements the other interface
            ByteTensorData bytes = (ByteTensorData) data;
            if (indices.length < bytes.rank()) {
                bytes.slice();                  // throws if it is closed
                if (!bytes.isReadOnly()) {
                    return new TensorIndexOutOfBoundsException(bytes.shape(), indices);
                }
            }
            // Checks all but that there are enough indices. With as many as axes it neither reads nor writes; with fewer it could set a row.
            bytes.put(NONE, indices);
            return new OutsideException(value, bytes.shape(), indices.clone());
        }
        return new OutsideException(value, "");
    }

    /**
     * The exception for a value, of a stream, that is no unsigned byte, if that is all that is wrong.
     *
     * @param value the value
     * @param before how many values the stream gave before it
     * @param name what the values were for
     * @return the exception to throw
     */
    public static IllegalArgumentException outside(int value, long before, String name) {
        return new OutsideException(value, ", after " + before + (before == 1 ? " other" : " others") + ", for " + name + ",");
    }

    /** The message is built when it is asked for, as that of {@link TensorIndexOutOfBoundsException}: no loop has the code for it. */
    private static final class OutsideException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private final int value;
        /** Where it was to be written, as long as {@link #where} is null. */
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
