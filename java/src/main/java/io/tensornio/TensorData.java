package io.tensornio;

import io.tensornio.internal.compute.Conversion;
import io.tensornio.internal.data.Nested;
import io.tensornio.internal.print.TensorPrinter;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;

/**
 * The part of n-dimensional data that does not depend on the element type: a shape, slices, and the rules below.
 *
 * <p>Data is a view: it owns no memory, and slices of it read and write the same elements. After its tensor is closed, type, rank, sizes and shape
 * stay readable, {@link #isReadOnly()} is true, {@code toString} says that the tensor is closed, {@code equals} still answers for this object itself
 * and for anything that is not data of the same type, and every other call throws {@link TensorClosedException}.
 *
 * <p><b>Coordinates.</b> {@code get} and {@code put} of one element take exactly {@code rank()} indices, each at least 0 and less than the size of
 * its axis; {@link TensorIndex} alone counts from the end.
 *
 * <p><b>In bulk.</b> The calls that take an array, a buffer (of numbers) or other data work on a selection, in row-major order. Fewer than
 * {@code rank()} indices select a sub-tensor. Exactly {@code rank()} indices give a start position: the selection is the rest of the last axis from
 * there on (where the argument is other data: the one element). A read copies the whole selection; a write stores all the given elements at the
 * start of the selection. If anything is wrong, nothing is written and no buffer's position moves. Streams work on the same selections; elements
 * written before a failure remain. (A growing row of a ragged tensor receives nothing before the stream has ended.)
 *
 * <p><b>Construction.</b> Data is under construction from the time that a factory's {@code init} receives it until {@code init} returns; then
 * the tensor is published.
 *
 * <p><b>Threads.</b> Published data is immutable and safe to read by any thread. While a dense tensor is under construction, several threads may
 * write to disjoint elements, unless the elements are variable-length strings or the tensor is a vector of strings of shape {@code [-1]}. Such
 * tensors, and sparse and ragged ones, must be filled by a single thread.
 *
 * <p><b>Sparse data</b> under construction stores up to {@code numValues} distinct elements. One more is an {@link IllegalStateException}: a put of
 * one element or in bulk then changes nothing; elements already written by a stream, {@link FloatTensorData#write} or
 * {@link FloatTensorIterator#onEach} remain.
 *
 * <p><b>Ragged data</b> has size -1 on axes whose rows have individual lengths; a slice without such an axis is ordinary data. While a ragged tensor
 * is under construction its rows grow: {@code put(v, i, j)} past the end of a row extends it, and the positions skipped become 0, false or "".
 * A bulk put to a row replaces the row; a bulk put at a position of a row continues from there, and later elements are unchanged. Values that do
 * not fill a whole number of a row's positions are an {@link IllegalArgumentException}, and so is a put to several growing rows at once. A slice by
 * leading indices, including {@link TensorIndex#at} and data used as indices, grows with its rows if it still has a growing axis. Any other slice
 * keeps the shape it was made with; access to an element that its row has since lost is an {@link IndexOutOfBoundsException}.
 *
 * <p><b>Memory.</b> Growing rows and variable-length strings take memory as elements are put. So does the index over sparse data under construction,
 * which is built when the data is read or its capacity is used up. If that memory is not available, within the memory budget, in one direct buffer
 * or, for strings, on the heap, the call throws {@link OutOfMemoryError}.
 *
 * <p>Checks come in this order: null, closed, read-only, coordinates, capacity.
 *
 * @param <D> the interface for the element type, {@link FloatTensorData} or a sibling; slices have the same type
 */
public interface TensorData<D extends TensorData<D>> {
    /**
     * The type of the elements.
     *
     * @return the element type
     */
    DataType dataType();

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
     * The number of elements in all axes together.
     *
     * @return the product of all sizes, 1 at rank 0; for ragged data, the number of values present
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
     * The sizes of all axes.
     *
     * @return a new array with one size per axis, -1 for ragged ones
     */
    long[] shape();

    /**
     * Whether this data cannot be written.
     *
     * @return true for the data of a published or closed tensor, for data over a read-only buffer, and for user-defined data without {@code putAt}
     */
    boolean isReadOnly();

    /**
     * Converts all elements and writes them to other data, as {@link Tensors#convert(TensorData, DataType)} does. The target may share memory with
     * this.
     *
     * @param target writable data of the same shape and any type but STRING
     * @throws IllegalArgumentException if the shapes differ, this or the target is ragged or of strings
     * @throws java.nio.ReadOnlyBufferException if the target cannot be written
     * @throws TensorClosedException if the tensor of either is closed
     * @throws OutOfMemoryError if a temporary that is needed exceeds the memory budget
     */
    default void convertTo(TensorData<?> target) {
        Conversion.into(this, target);
    }

    /**
     * Multiplies all elements, adds to them, converts them and writes them to other data, as
     * {@link Tensors#convert(TensorData, DataType, double, double)} does. The target may share memory with this.
     *
     * @param target writable data of the same shape and any type but STRING
     * @param scale what each element is multiplied by
     * @param offset what is then added
     * @throws IllegalArgumentException if the shapes differ, this or the target is ragged or of strings
     * @throws java.nio.ReadOnlyBufferException if the target cannot be written
     * @throws TensorClosedException if the tensor of either is closed
     * @throws OutOfMemoryError if a temporary that is needed exceeds the memory budget
     */
    default void convertTo(TensorData<?> target, double scale, double offset) {
        Conversion.into(this, target, scale, offset);
    }

    /**
     * A view of all the data.
     *
     * @return data of the same shape over the same elements
     * @throws TensorClosedException if the tensor is closed
     */
    D slice();

    /**
     * The sub-tensor at an index of the first axis.
     *
     * @param i index on axis 0, not negative
     * @return a view of rank {@code rank() - 1}
     * @throws IndexOutOfBoundsException if the index is out of bounds, or the rank is 0
     * @throws TensorClosedException if the tensor is closed
     */
    D slice(int i);

    /**
     * The sub-tensor at two leading indices.
     *
     * @param i index on axis 0, not negative
     * @param j index on axis 1, not negative
     * @return a view of rank {@code rank() - 2}
     * @throws IndexOutOfBoundsException if an index is out of bounds, or there are more indices than axes
     * @throws TensorClosedException if the tensor is closed
     */
    D slice(int i, int j);

    /**
     * The sub-tensor at three leading indices.
     *
     * @param i index on axis 0, not negative
     * @param j index on axis 1, not negative
     * @param k index on axis 2, not negative
     * @return a view of rank {@code rank() - 3}
     * @throws IndexOutOfBoundsException if an index is out of bounds, or there are more indices than axes
     * @throws TensorClosedException if the tensor is closed
     */
    D slice(int i, int j, int k);

    /**
     * The sub-tensor at four leading indices.
     *
     * @param i index on axis 0, not negative
     * @param j index on axis 1, not negative
     * @param k index on axis 2, not negative
     * @param l index on axis 3, not negative
     * @return a view of rank {@code rank() - 4}
     * @throws IndexOutOfBoundsException if an index is out of bounds, or there are more indices than axes
     * @throws TensorClosedException if the tensor is closed
     */
    D slice(int i, int j, int k, int l);

    /**
     * The sub-tensor at any number of leading indices.
     *
     * @param indices one index for each leading axis, none negative
     * @return a view of rank {@code rank() - indices.length}
     * @throws IndexOutOfBoundsException if an index is out of bounds, or there are more indices than axes
     * @throws TensorClosedException if the tensor is closed
     */
    D slice(int... indices);

    /**
     * A view in which each index narrows or reorders its axis; axes without an index are kept whole. Nothing
     * is copied: writing through the view writes these elements. All indices are checked by this call, not on later access.
     *
     * <pre>{@code
     * matrix.slice(all(), at(0));              // the first column
     * image.slice(range(10, 20), step(2));     // rows 10 to 19, every second column
     * }</pre>
     *
     * @param indices one index for each leading axis, see {@link TensorIndex}
     * @return the view
     * @throws IndexOutOfBoundsException if an index is out of bounds for its axis, or there are more indices than axes
     * @throws IllegalArgumentException if a mask does not have rank 1 and the length of its axis, or that axis is ragged; if data used as an index
     *     has a rank above 1; if there are two ellipses; if an index is neither made by {@link TensorIndex} nor data; or if the view would have
     *     more elements than a {@code long} can count
     * @throws TensorClosedException if this data's tensor, or the tensor of data used as an index, is closed
     * @throws OutOfMemoryError if an index is a list of more positions than an array can hold, or than fit on the heap
     */
    D slice(TensorIndex... indices);

    /**
     * A view with the axes reversed.
     *
     * @return a matrix transposed; at rank 0 and 1 the same elements
     * @throws IllegalArgumentException if the data is ragged
     * @throws TensorClosedException if the tensor is closed
     */
    D transpose();

    /**
     * A view with the axes permuted: axis {@code k} of the result is axis {@code axes[k]} of this. (1, 2, 0) of the shape (2, 3, 5) gives
     * (3, 5, 2).
     *
     * @param axes each axis once; -1 is the last
     * @return the view
     * @throws IllegalArgumentException if an axis is missing, named twice or does not exist, or the order of ragged axes would change
     * @throws TensorClosedException if the tensor is closed
     */
    D permute(int... axes);

    /**
     * A read-only view, broadcast to a shape by NumPy's rule: from the last axis on, sizes are equal, or 1 here and
     * expanded; missing axes are added in front.
     *
     * @param shape the shape of the view; for ragged data, each -1 stands for a ragged axis
     * @return the view, in which an expanded axis has the same element at each index
     * @throws IllegalArgumentException if the shapes do not fit, or the view would have more elements than a {@code long} can count
     * @throws TensorClosedException if the tensor is closed
     */
    D broadcastTo(long... shape);

    /**
     * A view of the same elements, in row-major order, in another shape. It exists exactly where NumPy needs no copy:
     * the merged axes must have a common stride. An axis that is a list of positions is kept as it is.
     *
     * @param shape the shape of the view, of which one size may be -1 and is computed; for ragged data, each -1 stands for a ragged axis
     * @return the view
     * @throws IllegalArgumentException if the number of elements differs, or there is no such view: reshape a {@link #copy()} then
     * @throws TensorClosedException if the tensor is closed
     */
    D reshape(long... shape);

    /**
     * A view of rank 1 of all elements in row-major order, also at rank 0.
     *
     * @return the view
     * @throws IllegalArgumentException as {@link #reshape} does
     * @throws TensorClosedException if the tensor is closed
     */
    D flatten();

    /**
     * A view in which adjacent axes are merged into one. For ragged data the values present are merged, in order.
     *
     * @param first the first axis; -1 is the last of all
     * @param last the last one, which is included
     * @return the view
     * @throws IllegalArgumentException if there is no such axis, {@code first} is after {@code last}, or there is no such view, see {@link #reshape}
     * @throws TensorClosedException if the tensor is closed
     */
    D flatten(int first, int last);

    /**
     * A view in which one axis is split into several.
     *
     * @param axis which one; -1 is the last
     * @param sizes the sizes in its place, of which one may be -1 and is computed
     * @return the view
     * @throws IllegalArgumentException if there is no such axis, the sizes have another product, the axis is a list of positions, or it is ragged
     * @throws TensorClosedException if the tensor is closed
     */
    D unflatten(int axis, long... sizes);

    /**
     * A view with an additional axis of size 1.
     *
     * @param axis its number in the view; -1 appends it
     * @return the view
     * @throws IllegalArgumentException if the number is out of range
     * @throws TensorClosedException if the tensor is closed
     */
    D expandDims(int axis);

    /**
     * A view without some axes of size 1.
     *
     * @param axes which ones; none for all of them
     * @return the view
     * @throws IllegalArgumentException if there is no such axis, it is named twice, or its size is not 1
     * @throws TensorClosedException if the tensor is closed
     */
    D squeeze(int... axes);

    /**
     * A view of the elements whose indices on two axes are equal. Both axes are dropped, and the diagonal is the new
     * last one, as long as the shorter of them.
     *
     * @param axis1 one axis; -1 is the last
     * @param axis2 the other
     * @return the view
     * @throws IllegalArgumentException if there is no such axis, both are the same, or one is ragged or before a ragged one
     * @throws TensorClosedException if the tensor is closed
     */
    D diagonal(int axis1, int axis2);

    /**
     * A view with axes reversed.
     *
     * @param axes which ones; -1 is the last; none for all of them
     * @return the view
     * @throws IllegalArgumentException if there is no such axis, or it is named twice
     * @throws TensorClosedException if the tensor is closed
     */
    D flip(int... axes);

    /**
     * A read-only view of all windows along an axis, which may overlap. The axis numbers the windows, and a new last axis has the elements of each.
     *
     * @param axis which one; -1 is the last
     * @param size the length of a window, 1 to the size of the axis
     * @param step the distance between the starts of consecutive windows, at least 1
     * @return the view
     * @throws IllegalArgumentException if there is no such axis, size or step, the axis is a list of positions, or the data is ragged
     * @throws TensorClosedException if the tensor is closed
     */
    D slidingWindow(int axis, long size, long step);

    /**
     * A read-only view that repeats this data along each axis, like NumPy's {@code tile}.
     *
     * @param repeats the number of repetitions for each axis, 0 or more
     * @return the view
     * @throws IllegalArgumentException if there are more or fewer numbers than axes, one is negative, the view would have more elements than a
     *     {@code long} can count, or the data is ragged
     * @throws TensorClosedException if the tensor is closed
     */
    D tile(long... repeats);

    /**
     * A read-only view that repeats each position of an axis, like NumPy's {@code repeat}.
     *
     * @param axis which one; -1 is the last
     * @param times the number of repetitions, 0 or more
     * @return the view
     * @throws IllegalArgumentException if there is no such axis, the number is negative, the view would have more elements than a {@code long} can
     *     count, or the data is ragged
     * @throws TensorClosedException if the tensor is closed
     */
    D repeat(int axis, long times);

    /**
     * Whether the elements are contiguous in memory, in row-major order.
     *
     * @return true if they are; data that has no strides, such as sparse and user-defined data, counts as row-major over its own shape
     * @throws TensorClosedException if the tensor is closed
     */
    boolean isContiguous();

    /**
     * Whether an element of this data could be an element of other data. The ranges of memory are compared, so that even and odd columns of a matrix
     * count as sharing; for user-defined data, and data over a caller's direct or read-only buffer, it is unknown.
     *
     * @param other data of any type
     * @return false if they certainly share no element, for instance if either is empty
     * @throws TensorClosedException if the tensor of either is closed
     */
    boolean sharesMemoryWith(TensorData<?> other);

    /**
     * The type, the shape and, if the elements are strided, the layout of this data, without its elements. Complex
     * views are described as such, with their parts.
     *
     * @return the description, which keeps no memory alive
     * @throws IllegalArgumentException if the data is ragged
     * @throws TensorClosedException if the tensor is closed
     */
    default TensorDescription description() {
        return DescribedData.describe(this);
    }

    /**
     * A dense, row-major tensor of the same values; the only method of data that copies.
     *
     * @return a published tensor, as {@link Tensors} makes it with {@code create}
     * @throws IllegalArgumentException if rows of ragged data have different lengths
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    Tensor<?> copy();

    /**
     * Iterates over the sub-tensors along the first axis. Each one returned is a separate view.
     *
     * @return the elements of axis 0
     * @throws IllegalArgumentException if the rank is 0
     * @throws TensorClosedException if the tensor is closed
     */
    Iterable<D> elements();

    /**
     * All elements as nested Java arrays: FLOAT data of shape (2, 3) gives {@code float[2][3]}, two rows of three elements. The depth of the arrays
     * is the rank; at rank 0 the result is not an array but the element, a {@code Float}.
     *
     * <p>Sizes after a size of 0 cannot be recovered: shape (0, 3) gives the same {@code float[0][]} as (0, 5).
     *
     * @return new arrays of the data's element type: {@code float}, {@code double}, {@code int}, {@code long}, {@code boolean}, {@code byte} for
     *     UINT8, or {@code String}
     * @throws IllegalArgumentException if the rank is more than 255
     * @throws java.io.UncheckedIOException if the elements are strings, and one of them is not valid UTF-8, see {@link StringTensorData}
     * @throws NullPointerException if the elements are strings, and a wrapped array or user-defined data has null for one of them
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if a size is larger than an array can have, or the arrays do not fit on the heap
     */
    Object toNested();

    /**
     * Copies nested arrays to the sub-tensor at the indices, see {@link FloatTensorData#putNested} and its siblings: they are of the primitive by
     * which elements are read.
     *
     * @param nested arrays of exactly the shape of the sub-tensor
     * @param indices one index for each leading axis, none negative
     * @throws IllegalArgumentException if the object does not fit, or an element does not hold a value
     * @throws IndexOutOfBoundsException if an index is out of bounds, or there are more indices than axes
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     */
    void putNested(Object nested, int... indices);

    /**
     * Reads all elements, in row-major order, and writes them to a stream of bytes, see {@link FloatTensorData#writeTo} and its siblings: big-endian
     * words of the width of the type.
     *
     * @param out receives them; it is neither flushed nor closed
     * @throws java.io.UncheckedIOException if the stream throws an {@code IOException}
     * @throws TensorClosedException if the tensor is closed
     */
    void writeTo(OutputStream out);

    /**
     * Writes all elements, in row-major order, from a stream of bytes as {@link #writeTo} makes it, see {@link FloatTensorData#readFrom} and its
     * siblings.
     *
     * @param in supplies the elements; nothing after them is read, and it is not closed
     * @throws java.io.UncheckedIOException if the stream ends early, or throws an {@code IOException}
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     */
    void readFrom(InputStream in);

    /**
     * The same as {@link #toNested()}, with the class of the result given.
     *
     * <pre>{@code
     * float[][] rows = data.toNested(float[][].class);
     * }</pre>
     *
     * @param <A> the class of the arrays
     * @param type the class of the arrays; at rank 0 {@code Float.class}, {@code float.class} and the like
     * @return new arrays
     * @throws IllegalArgumentException if the result is of another class, or as {@link #toNested()} does
     * @throws java.io.UncheckedIOException as {@link #toNested()} does
     * @throws NullPointerException if the type is null, or as {@link #toNested()} does
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError as {@link #toNested()} does
     */
    default <A> A toNested(Class<A> type) {
        return Nested.cast(type, this);
    }

    /**
     * The type, the shape and the elements, laid out as NumPy does. {@code toString()} of this library's data is the same in
     * {@link TensorFormat#DEFAULT}. A null in a wrapped array of strings is shown as {@code null}.
     *
     * @param format how many elements to show, with how many digits, and how wide a line may be
     * @return the string; for a closed tensor it says that the tensor is closed, and for a view of elements that a growing row has since lost, that a
     *     row has become shorter
     */
    default String toString(TensorFormat format) {
        return TensorPrinter.print(this, Objects.requireNonNull(format, "format"));
    }
}
