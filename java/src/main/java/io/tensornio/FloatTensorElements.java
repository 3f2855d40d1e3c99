package io.tensornio;

//#if buffer
import java.nio.FloatBuffer;
//#end

/**
 * The sub-tensors of {@link FloatTensorData} along its first axis: an {@link Iterable} over all of them, and a cursor
 * that reads or writes them one after the other. Each element returned is a separate view, so collecting them is safe.
 *
 * <pre>{@code
 //#if numeric
 * matrix.elements().put(new float[] {1, 2}).put(new float[] {3, 4});
 //#end
 //~boolean * matrix.elements().put(new boolean[] {true, false}).put(new boolean[] {false, true});
 * long total = 0;
 * for (FloatTensorData row : matrix.elements()) {
 *     total += row.totalSize();
 * }
 * }</pre>
 *
 * <p>Iterating does not move the cursor: {@link #iterator()} and {@link #forEach} always start at element 0. After a
 * call that failed, the cursor stays where it was. A cursor must be used by a single thread.
 *
 * <p>While a ragged tensor is under construction, an element that is a growing row takes the length of the values put to it. Values that do not fill
 * a whole number of its positions are an {@link IllegalArgumentException}, and so is a put to an element that has several growing rows.
 */
public interface FloatTensorElements extends Iterable<FloatTensorData> {
    /**
     * Whether there is a current element.
     *
     * @return false once the cursor is past the last element
     */
    boolean hasMoreElements();

    /**
     * Returns the current element and advances.
     *
     * @return a view of the element
     * @throws java.util.NoSuchElementException past the last element
     * @throws TensorClosedException if the tensor is closed
     */
    FloatTensorData get();

    /**
     * Returns an iterator over the scalars of the current element and advances.
     *
     * @return an iterator over the element
     * @throws java.util.NoSuchElementException past the last element
     * @throws TensorClosedException if the tensor is closed
     */
    FloatTensorIterator scalars();

    /**
     * Writes an array to the start of the current element, as {@link FloatTensorData#put(float[], int...)} does, and advances.
     *
     * @param array the values in row-major order; a shorter one leaves the rest of the element unchanged, unless the element is a growing row
     * @return this cursor
     * @throws java.util.NoSuchElementException past the last element
     * @throws IndexOutOfBoundsException if there are more values than the element holds, and it is not a growing row
     * @throws IllegalArgumentException if the element is a growing row, and the values do not fill a whole number of its positions; or if it
     *     has several growing rows
     * @throws IllegalStateException if this is sparse data under construction and would then have more than {@code numValues} distinct elements
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    FloatTensorElements put(float[] array);

    //#if buffer
    /**
     * Writes the remaining values of a buffer to the start of the current element and advances.
     *
     * @param buffer the values in row-major order, from its position to its limit; its position advances. Fewer values leave the rest of the element
     *     unchanged, unless the element is a growing row
     * @return this cursor
     * @throws java.util.NoSuchElementException past the last element
     * @throws IndexOutOfBoundsException if there are more values than the element holds, and it is not a growing row
     * @throws IllegalArgumentException if the element is a growing row, and the values do not fill a whole number of its positions; or if it
     *     has several growing rows
     * @throws IllegalStateException if this is sparse data under construction and would then have more than {@code numValues} distinct elements
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError as {@link FloatTensorData#put(FloatBuffer, int...)} does
     */
    FloatTensorElements put(FloatBuffer buffer);
    //#end

    /**
     * Copies data of the same shape to the current element, as {@link FloatTensorData#put(FloatTensorData, int...)} does, and advances. A growing
     * row takes the length of the data.
     *
     * @param tensor the data
     * @return this cursor
     * @throws java.util.NoSuchElementException past the last element
     * @throws IllegalArgumentException if the shapes or the row lengths of ragged data differ; or if the element has several growing rows
     * @throws IllegalStateException if this is sparse data under construction and would then have more than {@code numValues} distinct elements
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if a tensor is closed
     * @throws OutOfMemoryError as {@link FloatTensorData#put(FloatTensorData, int...)} does
     */
    FloatTensorElements put(FloatTensorData tensor);
}
