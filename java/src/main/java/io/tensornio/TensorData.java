package io.tensornio;

import io.tensornio.internal.data.Nested;
import io.tensornio.internal.print.TensorPrinter;
import java.util.Objects;

/**
 * What n-dimensional data of every element type has in common: a shape, slices, and the rules below.
 *
 * <p>Data is a view: it owns no memory, and slices of it read and write the same elements. After the tensor behind it was closed, its type, rank,
 * sizes and shape stay readable, {@link #isReadOnly()} is true, {@code toString} says that it is closed, and {@code equals} still knows that data
 * equals itself, and never what is not data of its type. All other calls throw {@link TensorClosedException}.
 *
 * <p><b>Coordinates.</b> {@code get} and {@code put} of one element take exactly {@code rank()} indices, each at least 0 and less than the size of
 * its dimension; {@link TensorIndex} alone counts from the end.
 *
 * <p><b>In bulk.</b> The calls with an array, a buffer (of numbers) or other data work on the sub-tensor that fewer than {@code rank()} indices
 * name, in row-major order. Exactly {@code rank()} indices name a start position: the selection is the rest of the last dimension (with other data:
 * the one element). Reading copies the whole selection; writing writes all that is given to the start of the selection. If anything is wrong,
 * nothing is written and no buffer's position moves. Streams work on the same selections; what a stream gave before something went wrong stays
 * written. (A row of a ragged tensor that grows gets nothing before the stream has ended.)
 *
 * <p><b>Threads.</b> Published data is immutable and safe to read by any thread. While a dense tensor is being filled, several threads may write to
 * disjoint elements, unless these are strings of any length or a vector of strings of the shape {@code [-1]}. Those, and sparse and ragged tensors,
 * are filled by one thread alone.
 *
 * <p><b>Sparse data</b> that is being filled has room for as many distinct elements as {@code numValues} says. One more is an
 * {@link IllegalStateException}: a put of one element or in bulk then changes nothing; what a stream, {@link FloatTensorData#write} or
 * {@link FloatTensorIterator#onEach} gave before stays written.
 *
 * <p><b>Ragged data</b> has size -1 on dimensions whose rows have lengths of their own; a slice that has no such dimension left is like any
 * other. While a ragged tensor is being filled its rows grow: {@code put(v, i, j)} past the end of a row extends it, with 0, false or "" between.
 * Values put to a row in bulk replace the row; values put at a position of it continue from there, and what is behind them stays. Values that do not
 * fill a whole number of a row's positions are an {@link IllegalArgumentException}, and so is a put to several such rows at once. A slice by leading
 * indices grows with its rows, {@link TensorIndex#at} and data as indices included; one by any other {@link TensorIndex} has the shape that it was
 * made with, and access to an element that its row has lost since is an {@link IndexOutOfBoundsException}.
 *
 * <p><b>Room.</b> Rows that grow and strings of any length take memory as they come, and so does the index over sparse data that is being filled,
 * which it needs once it is read or has no room left. If there is none within the memory budget, in one direct buffer or, for strings, on the heap,
 * that is an {@link OutOfMemoryError}.
 *
 * <p>Checks come in this order: null, closed, read-only, coordinates, capacity.
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
     * @return true for the data of a published or closed tensor, over a read-only buffer, and for the user's own that has no {@code putAt}
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
     * @throws IllegalArgumentException if a mask has not rank 1 and the length of its dimension, or the dimension is ragged; if data that is an index
     *     has a rank above 1; if there are two ellipses, or an index is neither made by {@link TensorIndex} nor data; or if the view would have
     *     more elements than a {@code long} can count
     * @throws TensorClosedException if the tensor is closed, or that of data that is an index
     * @throws OutOfMemoryError if an index is a list of more positions than an array can have, or than fit the heap
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
     * All elements as nested Java arrays: FLOAT data of shape (2, 3) gives {@code float[2][3]}, two rows of three elements. The arrays are as deep as
     * the rank; at rank 0 it is no array but the element, a {@code Float}.
     *
     * <p>Sizes behind one of 0 are lost: shape (0, 3) gives the same {@code float[0][]} as (0, 5).
     *
     * @return new arrays, of the element type that the data has: {@code float}, {@code double}, {@code int}, {@code long}, {@code boolean},
     *     {@code byte} for UINT8, or {@code String}
     * @throws IllegalArgumentException if the rank is more than 255
     * @throws java.io.UncheckedIOException if the elements are strings, and one of them is not valid UTF-8, see {@link StringTensorData}
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if a size is more than an array can have, or the arrays do not fit the heap
     */
    Object toNested();

    /**
     * The same as {@link #toNested()}, of a class known beforehand.
     *
     * <pre>{@code
     * float[][] rows = data.toNested(float[][].class);
     * }</pre>
     *
     * @param <A> the class of the arrays
     * @param type what the arrays should be; {@code Float.class} or {@code float.class} and their like at rank 0
     * @return new arrays
     * @throws IllegalArgumentException if they are of another class, or as {@link #toNested()} does
     * @throws java.io.UncheckedIOException as {@link #toNested()} does
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError as {@link #toNested()} does
     */
    default <A> A toNested(Class<A> type) {
        return Nested.cast(type, this);
    }

    /**
     * The type, the shape and the elements, laid out as NumPy does. {@code toString()} of this library's data is the same in
     * {@link TensorFormat#DEFAULT}. A null in the user's own array of strings is shown as {@code null}.
     *
     * @param format how many elements to show, with how many digits, in lines of which width
     * @return the text; of a closed tensor it says that it is closed
     */
    default String toString(TensorFormat format) {
        return TensorPrinter.print(this, Objects.requireNonNull(format, "format"));
    }
}
