package io.tensornio.internal;

import io.tensornio.UnsignedBytes;

/** The range of an unsigned byte. */
public final class UInt8Range {
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
    public static IllegalArgumentException refused(UnsignedBytes data, int value, int... indices) {
        if (data.isReadOnly()) {
            data.put((byte) 0, indices);        // throws
        }
        data.get(indices);
        return outside(value);
    }

    /**
     * The exception for a value that is no unsigned byte, if that is all that is wrong.
     *
     * @param value the value
     * @return the exception to throw
     */
    static IllegalArgumentException outside(int value) {
        return new IllegalArgumentException("the value " + value + " is not in 0 to 255, the range of UINT8");
    }
}
