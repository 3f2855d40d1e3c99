package io.tensornio;

//#if buffer
import java.nio.FloatBuffer;
//#end

/**
 * The sub-tensors of {@link FloatTensorData} along its first dimension: an {@link Iterable} over all of them, and a cursor
 * that reads or writes one after the other. Each element handed out is a view of its own, so that collecting them is safe.
 *
 * <pre>{@code
 //#if numeric
 * matrix.elements().put(new float[] {1, 2}).put(new float[] {3, 4});
 //#end
 //~boolean * matrix.elements().put(new boolean[] {true, false}).put(new boolean[] {false, true});
 //~string * matrix.elements().put(new String[] {"a", "b"}).put(new String[] {"c", "d"});
 * long total = 0;
 * for (FloatTensorData row : matrix.elements()) {
 *     total += row.totalSize();
 * }
 * }</pre>
 *
 * <p>Iterating does not move the cursor: {@link #iterator()} and {@link #forEach} start at element 0 at any time. After a
 * call that failed, the cursor stays where it was. It is for one thread.
 *
 * <p>While a ragged tensor is being filled, an element that is a row that grows becomes as long as what is put to it. Values that do not fill a whole
 * number of its positions are an {@link IllegalArgumentException}, and so is a put to an element that has several such rows.
 */
public interface FloatTensorElements extends Iterable<FloatTensorData> {
    /**
     * Whether there is a current element.
     *
     * @return false once the cursor is past the last
     */
    boolean hasMoreElements();

    /**
     * The current element; moves on.
     *
     * @return a view of it
     * @throws java.util.NoSuchElementException past the last element
     * @throws TensorClosedException if the tensor is closed
     */
    FloatTensorData get();

    /**
     * Walks through the scalars of the current element; moves on.
     *
     * @return an iterator over it
     * @throws java.util.NoSuchElementException past the last element
     * @throws TensorClosedException if the tensor is closed
     */
    FloatTensorIterator scalars();

    /**
     * Writes an array to the start of the current element; moves on.
     *
     * @param array the values in row-major order; a shorter one leaves the rest of the element unchanged, unless that is a row that grows
     * @return this cursor
     * @throws java.util.NoSuchElementException past the last element
     * @throws IndexOutOfBoundsException if there are more values than the element has, and it is not a row that grows
     * @throws IllegalArgumentException if the element is a row that grows, and the values do not fill a whole number of its positions, or if it
     *     has several such rows
     //~string * @throws NullPointerException if a value is null
     //~string * @throws IllegalArgumentException if a value has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     * @throws IllegalStateException if sparse data that is being filled has no room for all of them
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    FloatTensorElements put(float[] array);

    //#if buffer
    /**
     * Writes what remains of a buffer to the start of the current element; moves on.
     *
     * @param buffer the values in row-major order, from its position to its limit; its position advances. Fewer leave the rest of the element
     *     unchanged, unless that is a row that grows
     * @return this cursor
     * @throws java.util.NoSuchElementException past the last element
     * @throws IndexOutOfBoundsException if there are more values than the element has, and it is not a row that grows
     * @throws IllegalArgumentException if the element is a row that grows, and the values do not fill a whole number of its positions, or if it
     *     has several such rows
     * @throws IllegalStateException if sparse data that is being filled has no room for all of them
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError as {@link FloatTensorData#put(FloatBuffer, int...)} does
     */
    FloatTensorElements put(FloatBuffer buffer);
    //#end

    /**
     * Copies data of the same shape to the current element; moves on. If that is a row that grows, it gets the length of the data.
     *
     * @param tensor the data
     * @return this cursor
     * @throws java.util.NoSuchElementException past the last element
     * @throws IllegalArgumentException if the shapes differ, or the lengths of rows of ragged data; or if the element has several rows that grow
     //~string * @throws java.io.UncheckedIOException if a string is not valid UTF-8, and the target can hold only text: an array of strings, or
     //~string *     the user's own
     //~string * @throws IllegalArgumentException if a string has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     //~string * @throws NullPointerException if the user's own array or data has null for an element
     * @throws IllegalStateException if sparse data that is being filled has no room for all of them
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if a tensor is closed
     * @throws OutOfMemoryError as {@link FloatTensorData#put(FloatTensorData, int...)} does
     */
    FloatTensorElements put(FloatTensorData tensor);
}
