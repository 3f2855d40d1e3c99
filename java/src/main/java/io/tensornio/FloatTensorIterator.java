package io.tensornio;

//~double import java.util.function.DoubleConsumer;
//~double import java.util.function.DoubleSupplier;
//~int import java.util.function.IntConsumer;
//~int import java.util.function.IntSupplier;
//~long import java.util.function.LongConsumer;
//~long import java.util.function.LongSupplier;
//~boolean import java.util.function.BooleanSupplier;

/**
 * Iterates once over the elements of {@link FloatTensorData} in row-major order, reading or writing each in turn.
 *
 * <pre>{@code
 //#if float double int long
 * data.scalars().put(10).put(20).put(30);
 //#end
 //~boolean * data.scalars().put(true).put(false).put(true);
 //~byte * data.scalars().put((byte) 10).put((byte) 20).put((byte) 30);
 * for (FloatTensorIterator all = data.scalars(); all.hasMoreElements();) {
 *     float value = all.get();          // row by row
 * }
 * }</pre>
 *
 //~byte * <p>The bytes are raw, that is, signed: -128 to 127, also in {@link #forEach} and {@link #onEach}. {@link ByteTensorData#stream(int...)} and
 //~byte * {@link UnsignedBytes#getUnsigned()} return them as 0 to 255.
 //~byte *
 * <p>An iterator must be used by a single thread.
 */
public interface FloatTensorIterator {
    /**
     * Whether there is a next element.
     *
     * @return false once the last element has been read or written
     */
    boolean hasMoreElements();

    /**
     * Reads the next element, as {@link FloatTensorData#get(int...)} does, and advances. What cannot be read is not passed.
     *
     * @return its value
     * @throws java.util.NoSuchElementException past the last element
     * @throws TensorClosedException if the tensor is closed
     */
    float get();

    /**
     * Writes the next element, as {@link FloatTensorData#put(float, int...)} does, and advances.
     *
     * @param value its new value
     * @return this iterator
     * @throws java.util.NoSuchElementException past the last element
     * @throws IllegalStateException if the data is sparse, under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    FloatTensorIterator put(float value);

    /**
     * Reads all remaining elements, as {@link #get()} does. The consumer must not use the iterator. If the consumer throws, the iterator is past the
     * element that the consumer received. Whether the tensor is closed is checked when the call begins, not for each element: if the consumer, or
     * another thread, closes it, the call may go on, with old values or zeros.
     *
     * @param consumer receives each value
     * @throws TensorClosedException if the tensor is closed
     */
    void forEach(FloatConsumer consumer);

    /**
     * Writes all remaining elements, as {@link #put} does. The supplier must not use the iterator. If it throws, the elements written before remain.
     *
     * @param supplier supplies each value
     * @throws IllegalStateException if the data is sparse, under construction, and {@code numValues} other elements are already stored; the elements
     *     written before remain
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void onEach(FloatSupplier supplier);
}
