package io.tensornio;

import io.tensornio.internal.element.UInt8Range;

/**
 * Unsigned access to bytes, which {@link ByteTensorData} has in addition to the methods of its siblings, since Java's {@code byte} is signed. Bytes
 * are read as 0 to 255 by {@code getUnsigned}, and written from an {@code int} in that range; {@code get} and the {@code put}
 * of a {@code byte} use the raw bits.
 */
public interface UnsignedBytes {
    /**
     * Whether the data cannot be written.
     *
     * @return true for the data of a published or closed tensor, for data over a read-only buffer, and for user-defined data without {@code putAt}
     */
    boolean isReadOnly();

    /**
     * Reads one element of data of rank 0 as raw bits.
     *
     * @return its value
     * @throws IndexOutOfBoundsException if the rank is not 0
     * @throws TensorClosedException if the tensor is closed
     */
    byte get();

    /**
     * Reads one element of data of rank 1 as raw bits.
     *
     * @param i index on axis 0
     * @return its value
     * @throws IndexOutOfBoundsException if the rank is not 1, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    byte get(int i);

    /**
     * Reads one element of data of rank 2 as raw bits.
     *
     * @param i index on axis 0
     * @param j index on axis 1
     * @return its value
     * @throws IndexOutOfBoundsException if the rank is not 2, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    byte get(int i, int j);

    /**
     * Reads one element of data of rank 3 as raw bits.
     *
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @return its value
     * @throws IndexOutOfBoundsException if the rank is not 3, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    byte get(int i, int j, int k);

    /**
     * Reads one element of data of rank 4 as raw bits.
     *
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @param l index on axis 3
     * @return its value
     * @throws IndexOutOfBoundsException if the rank is not 4, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    byte get(int i, int j, int k, int l);

    /**
     * Reads one element as raw bits.
     *
     * @param indices one index for each axis
     * @return its value
     * @throws IndexOutOfBoundsException if there are not exactly as many indices as axes, or one is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    byte get(int... indices);

    /**
     * Writes one element as raw bits.
     *
     * @param value its new value
     * @param indices one index for each axis
     * @throws IndexOutOfBoundsException if there are not exactly as many indices as axes, or one is out of bounds
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(byte value, int... indices);

    /**
     * Reads one element of data of rank 0 as an unsigned number.
     *
     * @return its value, 0 to 255
     * @throws IndexOutOfBoundsException if the rank is not 0
     * @throws TensorClosedException if the tensor is closed
     */
    default int getUnsigned() {
        return get() & 0xff;
    }

    /**
     * Reads one element of data of rank 1 as an unsigned number.
     *
     * @param i index on axis 0
     * @return its value, 0 to 255
     * @throws IndexOutOfBoundsException if the rank is not 1, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    default int getUnsigned(int i) {
        return get(i) & 0xff;
    }

    /**
     * Reads one element of data of rank 2 as an unsigned number.
     *
     * @param i index on axis 0
     * @param j index on axis 1
     * @return its value, 0 to 255
     * @throws IndexOutOfBoundsException if the rank is not 2, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    default int getUnsigned(int i, int j) {
        return get(i, j) & 0xff;
    }

    /**
     * Reads one element of data of rank 3 as an unsigned number.
     *
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @return its value, 0 to 255
     * @throws IndexOutOfBoundsException if the rank is not 3, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    default int getUnsigned(int i, int j, int k) {
        return get(i, j, k) & 0xff;
    }

    /**
     * Reads one element of data of rank 4 as an unsigned number.
     *
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @param l index on axis 3
     * @return its value, 0 to 255
     * @throws IndexOutOfBoundsException if the rank is not 4, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    default int getUnsigned(int i, int j, int k, int l) {
        return get(i, j, k, l) & 0xff;
    }

    /**
     * Reads one element as an unsigned number.
     *
     * @param indices one index for each axis
     * @return its value, 0 to 255
     * @throws IndexOutOfBoundsException if there are not exactly as many indices as axes, or one is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    default int getUnsigned(int... indices) {
        return get(indices) & 0xff;
    }

    /**
     * Writes one element of data of rank 0 as raw bits.
     *
     * @param value its new value
     * @throws IndexOutOfBoundsException if the rank is not 0
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(byte value);

    /**
     * Writes one element of data of rank 1 as raw bits.
     *
     * @param value its new value
     * @param i index on axis 0
     * @throws IndexOutOfBoundsException if the rank is not 1, or an index is out of bounds
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(byte value, int i);

    /**
     * Writes one element of data of rank 2 as raw bits.
     *
     * @param value its new value
     * @param i index on axis 0
     * @param j index on axis 1
     * @throws IndexOutOfBoundsException if the rank is not 2, or an index is out of bounds
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(byte value, int i, int j);

    /**
     * Writes one element of data of rank 3 as raw bits.
     *
     * @param value its new value
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @throws IndexOutOfBoundsException if the rank is not 3, or an index is out of bounds
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(byte value, int i, int j, int k);

    /**
     * Writes one element of data of rank 4 as raw bits.
     *
     * @param value its new value
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @param l index on axis 3
     * @throws IndexOutOfBoundsException if the rank is not 4, or an index is out of bounds
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(byte value, int i, int j, int k, int l);

    /**
     * Writes one element of data of rank 0 as an unsigned number.
     *
     * @param value its new value, 0 to 255
     * @throws IllegalArgumentException if the value is not in 0 to 255
     * @throws IndexOutOfBoundsException if the rank is not 0
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    default void put(int value) {
        if ((value & ~0xff) != 0) {
            throw UInt8Range.refused(this, value);
        }
        put((byte) value);
    }

    /**
     * Writes one element of data of rank 1 as an unsigned number.
     *
     * @param value its new value, 0 to 255
     * @param i index on axis 0
     * @throws IllegalArgumentException if the value is not in 0 to 255
     * @throws IndexOutOfBoundsException if the rank is not 1, or an index is out of bounds
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    default void put(int value, int i) {
        if ((value & ~0xff) != 0) {
            throw UInt8Range.refused(this, value, i);
        }
        put((byte) value, i);
    }

    /**
     * Writes one element of data of rank 2 as an unsigned number.
     *
     * @param value its new value, 0 to 255
     * @param i index on axis 0
     * @param j index on axis 1
     * @throws IllegalArgumentException if the value is not in 0 to 255
     * @throws IndexOutOfBoundsException if the rank is not 2, or an index is out of bounds
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    default void put(int value, int i, int j) {
        if ((value & ~0xff) != 0) {
            throw UInt8Range.refused(this, value, i, j);
        }
        put((byte) value, i, j);
    }

    /**
     * Writes one element of data of rank 3 as an unsigned number.
     *
     * @param value its new value, 0 to 255
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @throws IllegalArgumentException if the value is not in 0 to 255
     * @throws IndexOutOfBoundsException if the rank is not 3, or an index is out of bounds
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    default void put(int value, int i, int j, int k) {
        if ((value & ~0xff) != 0) {
            throw UInt8Range.refused(this, value, i, j, k);
        }
        put((byte) value, i, j, k);
    }

    /**
     * Writes one element of data of rank 4 as an unsigned number.
     *
     * @param value its new value, 0 to 255
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @param l index on axis 3
     * @throws IllegalArgumentException if the value is not in 0 to 255
     * @throws IndexOutOfBoundsException if the rank is not 4, or an index is out of bounds
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    default void put(int value, int i, int j, int k, int l) {
        if ((value & ~0xff) != 0) {
            throw UInt8Range.refused(this, value, i, j, k, l);
        }
        put((byte) value, i, j, k, l);
    }

    /**
     * Writes one element as an unsigned number.
     *
     * @param value its new value, 0 to 255
     * @param indices one index for each axis
     * @throws IllegalArgumentException if the value is not in 0 to 255
     * @throws IndexOutOfBoundsException if there are not exactly as many indices as axes, or one is out of bounds
     * @throws IllegalStateException if the data is sparse and under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    default void put(int value, int... indices) {
        if ((value & ~0xff) != 0) {
            throw UInt8Range.refused(this, value, indices);
        }
        put((byte) value, indices);
    }
}
