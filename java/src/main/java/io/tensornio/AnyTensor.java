package io.tensornio;

/**
 * The common interface of all kinds of tensors. A tensor owns native memory, which {@link #close()} releases at once; the memory of a tensor
 * that is never closed is released some time after the tensor has become unreachable. The elements of a tensor never change.
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
     * The sizes of all axes.
     *
     * @return a new array with one size per axis, -1 for ragged ones
     */
    long[] shape();

    /**
     * The number of axes.
     *
     * @return the rank; 0 for a scalar
     */
    int rank();

    /**
     * The number of elements along one axis.
     *
     * @param axis which axis, 0 to {@code rank() - 1}
     * @return its size; -1 if it is ragged, that is, if its rows have individual sizes
     * @throws IllegalArgumentException if there is no such axis
     */
    long size(int axis);

    /**
     * The number of elements.
     *
     * @return the product of all sizes, 1 at rank 0; for a ragged tensor, the number of values present
     */
    long numElements();

    /**
     * The number of bytes of native memory that the elements occupy. Variable-length strings count their UTF-8 bytes and the offsets, 8 bytes for
     * each string and 8 more; fixed-length strings include the padding. A sparse tensor counts its stored elements and their coordinates, a ragged
     * tensor its values and its row splits.
     *
     * @return the number of bytes
     */
    long numBytes();

    /**
     * Whether the tensor has been closed.
     *
     * @return true once {@link #close()} was called
     */
    boolean isClosed();

    /**
     * Releases the memory. Reading the tensor, its data, slices or iterators afterwards throws
     * {@link TensorClosedException}; type, shape and sizes stay readable. Closing is safe at any time and from any thread, even while other
     * threads read. Closing again does nothing.
     */
    @Override
    void close();

    /**
     * The elements of a tensor of any type, for code that serves all: {@code dataType()} tells of which interface they are, see {@link DataType}.
     *
     * @return read-only data
     * @throws TensorClosedException if the tensor is closed
     */
    TensorData<?> data();

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
     * @throws OutOfMemoryError if a size is larger than an array can have, or the arrays do not fit on the heap
     */
    Object toNested();

    /**
     * The same as {@link #toNested()}, with the class of the result given: {@code tensor.toNested(float[][].class)}.
     *
     * @param <A> the class of the arrays
     * @param type the class of the arrays; at rank 0 {@code Float.class}, {@code float.class} and the like
     * @return new arrays
     * @throws IllegalArgumentException if the result is of another class, or as {@link #toNested()} does
     * @throws java.io.UncheckedIOException as {@link #toNested()} does
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError as {@link #toNested()} does
     */
    <A> A toNested(Class<A> type);

    /**
     * The type, the shape and the elements, laid out as NumPy does. {@code toString()} is the same in {@link TensorFormat#DEFAULT}.
     *
     * @param format how many elements to show, with how many digits, and how wide a line may be
     * @return the string; for a closed tensor it says that the tensor is closed
     */
    String toString(TensorFormat format);
}
