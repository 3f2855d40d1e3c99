package io.tensornio;

/**
 * Strings as bytes: what {@link StringTensorData} has beyond its siblings. In memory a string is the bytes of its UTF-8 text; bytes that are not
 * valid UTF-8 can be kept, too, and are read by {@code getBytes} alone: {@code get}, iterators and streams refuse them.
 */
public interface StringBytes {
    /**
     * Reads the bytes of one element: its text in UTF-8, or what {@link #putBytes} has written.
     *
     * @param indices one index for each dimension
     * @return a new array
     * @throws IndexOutOfBoundsException if there are not exactly as many indices as dimensions, or one is outside of the shape
     * @throws IllegalArgumentException if a string of the user's own has an unpaired surrogate, and so no bytes
     * @throws NullPointerException if the user's own array or data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    byte[] getBytes(int... indices);

    /**
     * Writes one element as bytes, which need only fit.
     *
     * @param bytes its new value; they are copied
     * @param indices one index for each dimension
     * @throws IndexOutOfBoundsException if there are not exactly as many indices as dimensions, or one is outside of the shape
     * @throws IllegalArgumentException if the elements have a fixed length and the bytes are too many, or end in the padding
     * @throws java.io.UncheckedIOException if the data can only be written as text (an array of strings, the user's own), and the bytes are not
     *     valid UTF-8
     * @throws IllegalStateException if the data is sparse, is being filled, and has no room for the element
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    void putBytes(byte[] bytes, int... indices);
}
