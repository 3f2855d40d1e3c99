package io.tensornio;

/**
 * Access to strings as bytes, which {@link StringTensorData} has in addition to the methods of its siblings. In memory a string is its UTF-8 bytes.
 * Bytes that are not valid UTF-8 can be stored, too; only {@code getBytes} can read them: {@code get}, iterators and streams refuse them.
 */
public interface StringBytes {
    /**
     * Reads the bytes of one element: its string in UTF-8, or the bytes written by {@link #putBytes}.
     *
     * @param indices one index for each axis
     * @return a new array
     * @throws IndexOutOfBoundsException if there are not exactly as many indices as axes, or one is out of bounds
     * @throws IllegalArgumentException if a string of a wrapped array or of user-defined data has an unpaired surrogate and cannot be encoded
     * @throws NullPointerException if a wrapped array or user-defined data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    byte[] getBytes(int... indices);

    /**
     * Writes one element as bytes, valid UTF-8 or not.
     *
     * @param bytes its new value; they are copied
     * @param indices one index for each axis
     * @throws IndexOutOfBoundsException if there are not exactly as many indices as axes, or one is out of bounds
     * @throws IllegalArgumentException if the elements have a fixed length and there are too many bytes, or they end with the padding
     * @throws java.io.UncheckedIOException if the bytes are not valid UTF-8, and the data (a wrapped array of strings, or user-defined data) can only
     *     hold strings
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void putBytes(byte[] bytes, int... indices);
}
