package io.tensornio;

/**
 * What tensors of every kind have in common. A tensor owns native memory, which {@link #close()} gives back at once; a tensor
 * that nobody closes gives it back some time after it became unreachable. The elements of a tensor never change.
 *
 * <p>Only classes of this library implement this interface. Tensors are compared by identity.
 *
 * @param <T> the element type: {@code Float}, {@code Double}, {@code Integer}, {@code Long}, {@code Boolean}, {@link UInt8} or
 *     {@code String}
 */
public interface AnyTensor<T> extends AutoCloseable {
    /**
     * The type of the elements.
     *
     * @return the element type
     */
    DataType dataType();

    /**
     * The sizes of all dimensions.
     *
     * @return a new array, one size per dimension, -1 of ragged ones
     */
    long[] shape();

    /**
     * The number of dimensions.
     *
     * @return the rank; 0 for a scalar
     */
    int rank();

    /**
     * The number of elements along one dimension.
     *
     * @param dimension which dimension, 0 to {@code rank() - 1}
     * @return its size; -1 if it is ragged, that is, if rows have sizes of their own
     * @throws IllegalArgumentException if there is no such dimension
     */
    long size(int dimension);

    /**
     * The number of elements.
     *
     * @return the product of all sizes, 1 at rank 0; of a ragged tensor the number of values that there are
     */
    long numElements();

    /**
     * The bytes of native memory that the elements take. For strings of any length these are the bytes of the texts and the offsets, 8 bytes for each
     * string and 8 more; for those of a fixed length, padding is included. A sparse tensor counts the elements that are stored and their
     * coordinates, a ragged one its values and its row splits.
     *
     * @return the number of bytes
     */
    long numBytes();

    /**
     * Whether the tensor was closed.
     *
     * @return true once {@link #close()} was called
     */
    boolean isClosed();

    /**
     * Gives the memory back. Reading the tensor, its data, slices or iterators afterwards throws
     * {@link TensorClosedException}; type, shape and sizes stay readable. It is safe at any time and from any thread, even while others
     * read. Closing again does nothing.
     */
    @Override
    void close();

    //#each
    /**
     * The elements of a FLOAT tensor.
     *
     * @return read-only data
     * @throws IllegalStateException if the elements are of another type
     * @throws TensorClosedException if the tensor is closed
     */
    FloatTensorData floatData();
    //#end each

    /**
     * All elements as nested Java arrays, see {@link TensorData#toNested()}.
     *
     * @return new arrays as deep as the rank; at rank 0 the element
     * @throws IllegalArgumentException if the rank is more than 255
     * @throws java.io.UncheckedIOException if the elements are strings, and one of them is not valid UTF-8, see {@link StringTensorData}
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if a size is more than an array can have, or the arrays do not fit the heap
     */
    Object toNested();

    /**
     * The same as {@link #toNested()}, of a class known beforehand: {@code tensor.toNested(float[][].class)}.
     *
     * @param <A> the class of the arrays
     * @param type what the arrays should be; {@code Float.class} or {@code float.class} and their like at rank 0
     * @return new arrays
     * @throws IllegalArgumentException if they are of another class, or as {@link #toNested()} does
     * @throws java.io.UncheckedIOException as {@link #toNested()} does
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError as {@link #toNested()} does
     */
    <A> A toNested(Class<A> type);

    /**
     * The type, the shape and the elements, laid out as NumPy does. {@code toString()} is the same in {@link TensorFormat#DEFAULT}.
     *
     * @param format how many elements to show, with how many digits, in lines of which width
     * @return the text; of a closed tensor it says that it is closed
     */
    String toString(TensorFormat format);
}
