package io.tensornio;

import io.tensornio.internal.TensorPrinter;
import java.util.Objects;

/**
 * What n-dimensional data of every element type has in common: a shape, and slices.
 *
 * <p>Data is a view: it owns no memory, and slices of it read and write the same elements. Its shape, rank, sizes and
 * type stay readable after the tensor behind it was closed; everything else then throws {@link TensorClosedException}.
 *
 * @param <D> the interface of the element type, so that slices have it too: {@link FloatTensorData} and its siblings
 */
public interface TensorData<D extends TensorData<D>> {
    /**
     * The type of the elements.
     *
     * @return the element type
     */
    DataType dataType();

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
     * The number of elements in all dimensions together.
     *
     * @return the product of all sizes, 1 at rank 0; of ragged data the number of values that there are
     */
    long totalSize();

    /**
     * The same as {@link #totalSize()}.
     *
     * @return the number of elements
     */
    default long numElements() {
        return totalSize();
    }

    /**
     * The sizes of all dimensions.
     *
     * @return a new array, one size per dimension, -1 of ragged ones
     */
    long[] shape();

    /**
     * Whether this data refuses to be written.
     *
     * @return true for the data of a published or closed tensor
     */
    boolean isReadOnly();

    /**
     * A view of the whole.
     *
     * @return data of the same shape over the same elements
     * @throws TensorClosedException if the tensor is closed
     */
    D slice();

    /**
     * The sub-tensor at an index of the first dimension.
     *
     * @param i index on dimension 0, not negative
     * @return a view of rank {@code rank() - 1}
     * @throws IndexOutOfBoundsException if the index is outside of the shape, or the rank is 0
     * @throws TensorClosedException if the tensor is closed
     */
    D slice(int i);

    /**
     * The sub-tensor at two leading indices.
     *
     * @param i index on dimension 0, not negative
     * @param j index on dimension 1, not negative
     * @return a view of rank {@code rank() - 2}
     * @throws IndexOutOfBoundsException if an index is outside of the shape, or there are more indices than dimensions
     * @throws TensorClosedException if the tensor is closed
     */
    D slice(int i, int j);

    /**
     * The sub-tensor at three leading indices.
     *
     * @param i index on dimension 0, not negative
     * @param j index on dimension 1, not negative
     * @param k index on dimension 2, not negative
     * @return a view of rank {@code rank() - 3}
     * @throws IndexOutOfBoundsException if an index is outside of the shape, or there are more indices than dimensions
     * @throws TensorClosedException if the tensor is closed
     */
    D slice(int i, int j, int k);

    /**
     * The sub-tensor at four leading indices.
     *
     * @param i index on dimension 0, not negative
     * @param j index on dimension 1, not negative
     * @param k index on dimension 2, not negative
     * @param l index on dimension 3, not negative
     * @return a view of rank {@code rank() - 4}
     * @throws IndexOutOfBoundsException if an index is outside of the shape, or there are more indices than dimensions
     * @throws TensorClosedException if the tensor is closed
     */
    D slice(int i, int j, int k, int l);

    /**
     * The sub-tensor at any number of leading indices.
     *
     * @param indices one index for each leading dimension, none negative
     * @return a view of rank {@code rank() - indices.length}
     * @throws IndexOutOfBoundsException if an index is outside of the shape, or there are more indices than dimensions
     * @throws TensorClosedException if the tensor is closed
     */
    D slice(int... indices);

    /**
     * A view that each index narrows or reorders on its dimension; dimensions without an index are kept whole. Nothing
     * is copied: writing through the view writes these elements. All indices are checked here, none at the accesses.
     *
     * <pre>{@code
     * matrix.slice(all(), at(0));              // the first column
     * image.slice(range(10, 20), step(2));     // rows 10 to 19, every second column
     * }</pre>
     *
     * @param indices one index for each leading dimension, see {@link TensorIndex}
     * @return the view
     * @throws IndexOutOfBoundsException if an index is outside of its dimension, or there are more indices than dimensions
     * @throws TensorClosedException if the tensor is closed
     */
    D slice(TensorIndex... indices);

    /**
     * Walks through the sub-tensors along the first dimension. Each one handed out is a view of its own.
     *
     * @return the elements of dimension 0
     * @throws IllegalArgumentException if the rank is 0
     * @throws TensorClosedException if the tensor is closed
     */
    Iterable<D> elements();

    /**
     * The type, the shape and the elements, laid out as NumPy does. {@code toString()} of this library's data is the same in
     * {@link TensorFormat#DEFAULT}.
     *
     * @param format how many elements to show, with how many digits, in lines of which width
     * @return a text that says so if the tensor is closed
     */
    default String toString(TensorFormat format) {
        return TensorPrinter.print(this, Objects.requireNonNull(format, "format"));
    }
}
