package io.tensornio;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Iterates once over the elements of {@link StringTensorData} in row-major order, reading or writing each in turn.
 *
 * <pre>{@code
 * data.scalars().put("ten").put("twenty").put("thirty");
 * }</pre>
 *
 * <p>An iterator must be used by a single thread.
 */
public interface StringTensorIterator {
    /**
     * Whether there is a next element.
     *
     * @return false once the last element has been read or written
     */
    boolean hasMoreElements();

    /**
     * Reads the next element and advances.
     *
     * @return its value
     * @throws java.util.NoSuchElementException past the last element
     * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}; the
     *     iterator stays where it is
     * @throws NullPointerException if a wrapped array or user-defined data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    String get();

    /**
     * Writes the next element and advances.
     *
     * @param value its new value
     * @return this iterator
     * @throws java.util.NoSuchElementException past the last element
     * @throws NullPointerException if the value is null
     * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws IllegalStateException if the data is sparse, under construction, and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    StringTensorIterator put(String value);

    /**
     * Reads all remaining elements. The consumer must not use the iterator. If the consumer throws, the iterator is past the element
     * that the consumer received. Whether the tensor is closed is checked when the call begins, not for each element: if the consumer, or
     * another thread, closes it, the call may go on, with old values or zeros.
     *
     * @param consumer receives each value
     * @throws java.io.UncheckedIOException if an element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     * @throws NullPointerException if a wrapped array or user-defined data has null for an element
     * @throws TensorClosedException if the tensor is closed
     */
    void forEach(Consumer<? super String> consumer);

    /**
     * Writes all remaining elements. The supplier must not use the iterator. If the supplier throws, the elements written before remain.
     *
     * @param supplier supplies each value
     * @throws NullPointerException if the supplier returns null
     * @throws IllegalArgumentException if a value has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws IllegalStateException if the data is sparse, under construction, and {@code numValues} other elements are already stored; the elements
     *     written before remain
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void onEach(Supplier<String> supplier);
}
