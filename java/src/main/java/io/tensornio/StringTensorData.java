package io.tensornio;

import io.tensornio.internal.data.Complex;
import io.tensornio.internal.data.FromNested;
import io.tensornio.internal.data.StringByteArrays;
import io.tensornio.internal.data.StringCarrier;
import io.tensornio.internal.data.StringGenerated;
import io.tensornio.internal.data.StringStreams;
import io.tensornio.internal.data.ToNested;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Typed, n-dimensional access to {@code String} elements.
 *
 * <pre>{@code
 * data.put("five", 0, 1);                                 // one element
 * data.put(new String[] {"one", "two", "three"}, 0);      // row 0
 * String v = data.get(0, 1);
 * StringTensorData row = data.slice(1);     // a view
 * }</pre>
 *
 * <p>{@link TensorData} has the rules for every type: coordinates, calls in bulk, threads, sparse and ragged data, memory, and the order of checks.
 *
 * <p><b>Data of other origin.</b> {@link #of(String[], long...)} and its overloads wrap
 * arrays without a copy;
 * user-defined data extends {@link AbstractStringTensorData}. No other class may implement this interface.
 *
 * <p><b>Strings.</b> A string is stored as its UTF-8 bytes. A value that cannot be encoded, because of an unpaired surrogate, is an
 * {@link IllegalArgumentException}, and so is one that does not fit the fixed length; null is a {@link NullPointerException}. Bytes that
 * are not valid UTF-8, which {@link #putBytes} accepts, can be read by {@link #getBytes} only; reading them as a string is an
 * {@link java.io.UncheckedIOException} with a {@link java.nio.charset.CharacterCodingException}. A wrapped array or user-defined data may
 * have null for an element: reading it, also by {@link #stream}, {@link #toNested()}, {@link #read}, {@link #equals} or {@link #hashCode},
 * is a {@link NullPointerException}; {@code toString} shows {@code null}.
 */
public interface StringTensorData extends TensorData<StringTensorData>, StringBytes {
    /**
     * Makes a vector over an array. Nothing is copied: a write to either is seen in both.
     *
     * @param values the elements
     * @return data of shape {@code [values.length]}
     */
    static StringTensorData of(String[] values) {
        return StringCarrier.STRING.of(values);
    }

    /**
     * Makes data over an array, in row-major order. Nothing is copied: a write to either is seen in both.
     *
     * @param values the elements
     * @param shape the size of each axis; an empty array for a scalar
     * @return data of that shape
     * @throws IllegalArgumentException if the array's length is not the number of elements of the shape, a size is negative, or the product of the
     *     non-zero sizes is too large
     */
    static StringTensorData of(String[] values, long... shape) {
        return StringCarrier.STRING.of(values, shape);
    }

    /**
     * Makes a vector over strings that are given as bytes, valid UTF-8 or not. Only elements that are read or written are copied: writing
     * an element replaces its array by a new one.
     *
     * @param values the bytes of each element
     * @return data of shape {@code [values.length]}
     */
    static StringTensorData ofBytes(byte[][] values) {
        return StringByteArrays.of(values);
    }

    /**
     * Makes data over strings that are given as bytes, valid UTF-8 or not, in row-major order. Only elements that are read or written are
     * copied: writing an element replaces its array by a new one.
     *
     * @param values the bytes of each element
     * @param shape the size of each axis; an empty array for a scalar
     * @return data of that shape
     * @throws IllegalArgumentException if the number of values is not that of the shape's elements, a size is negative, or the product of
     *     the non-zero sizes is too large
     */
    static StringTensorData ofBytes(byte[][] values, long... shape) {
        return StringByteArrays.of(values, shape);
    }

    // What TensorData declares, for the element type.

    @Override
    StringTensorElements elements();

    /**
     * Iterates over all elements in row-major order, at any rank.
     *
     * @return an iterator, positioned at the first element
     * @throws TensorClosedException if the tensor is closed
     */
    StringTensorIterator scalars();

    /**
     * Reads the one element of data of rank 0.
     *
     * @return its value
     * @throws IndexOutOfBoundsException if the rank is not 0
     * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     * @throws NullPointerException if a wrapped array or user-defined data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    String get();

    /**
     * Reads one element of data of rank 1.
     *
     * @param i index on axis 0
     * @return its value
     * @throws IndexOutOfBoundsException if the rank is not 1, or an index is out of bounds
     * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     * @throws NullPointerException if a wrapped array or user-defined data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    String get(int i);

    /**
     * Reads one element of data of rank 2.
     *
     * @param i index on axis 0
     * @param j index on axis 1
     * @return its value
     * @throws IndexOutOfBoundsException if the rank is not 2, or an index is out of bounds
     * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     * @throws NullPointerException if a wrapped array or user-defined data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    String get(int i, int j);

    /**
     * Reads one element of data of rank 3.
     *
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @return its value
     * @throws IndexOutOfBoundsException if the rank is not 3, or an index is out of bounds
     * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     * @throws NullPointerException if a wrapped array or user-defined data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    String get(int i, int j, int k);

    /**
     * Reads one element of data of rank 4.
     *
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @param l index on axis 3
     * @return its value
     * @throws IndexOutOfBoundsException if the rank is not 4, or an index is out of bounds
     * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     * @throws NullPointerException if a wrapped array or user-defined data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    String get(int i, int j, int k, int l);

    /**
     * Reads one element.
     *
     * @param indices one index for each axis
     * @return its value
     * @throws IndexOutOfBoundsException if there are not exactly {@code rank()} indices, or one is out of bounds
     * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     * @throws NullPointerException if a wrapped array or user-defined data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    String get(int... indices);

    /**
     * Writes the one element of data of rank 0.
     *
     * @param value its new value
     * @throws IndexOutOfBoundsException if the rank is not 0
     * @throws NullPointerException if the value is null
     * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(String value);

    /**
     * Writes one element of data of rank 1.
     *
     * @param value its new value
     * @param i index on axis 0
     * @throws IndexOutOfBoundsException if the rank is not 1, or an index is out of bounds
     * @throws NullPointerException if the value is null
     * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(String value, int i);

    /**
     * Writes one element of data of rank 2.
     *
     * @param value its new value
     * @param i index on axis 0
     * @param j index on axis 1
     * @throws IndexOutOfBoundsException if the rank is not 2, or an index is out of bounds
     * @throws NullPointerException if the value is null
     * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(String value, int i, int j);

    /**
     * Writes one element of data of rank 3.
     *
     * @param value its new value
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @throws IndexOutOfBoundsException if the rank is not 3, or an index is out of bounds
     * @throws NullPointerException if the value is null
     * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(String value, int i, int j, int k);

    /**
     * Writes one element of data of rank 4.
     *
     * @param value its new value
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @param l index on axis 3
     * @throws IndexOutOfBoundsException if the rank is not 4, or an index is out of bounds
     * @throws NullPointerException if the value is null
     * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(String value, int i, int j, int k, int l);

    /**
     * Writes one element.
     *
     * @param value its new value
     * @param indices one index for each axis
     * @throws IndexOutOfBoundsException if there are not exactly {@code rank()} indices, or one is out of bounds
     * @throws NullPointerException if the value is null
     * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(String value, int... indices);

    /**
     * Copies a selection into an array.
     *
     * @param array receives the elements from its start; the rest of it is unchanged
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices the last axis from that position on
     * @throws IndexOutOfBoundsException if the array is shorter than the selection, or an index is out of bounds
     * @throws java.io.UncheckedIOException if an element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     * @throws NullPointerException if a wrapped array or user-defined data has null for an element
     * @throws TensorClosedException if the tensor is closed
     */
    void get(String[] array, int... indices);

    /**
     * Copies an array to the start of a selection.
     *
     * @param array the elements; if there are fewer than the selection holds, the rest of the selection is unchanged
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices the last axis from that position on
     * @throws IndexOutOfBoundsException if the array is longer than the selection, or an index is out of bounds
     * @throws IllegalArgumentException if the selection is several growing rows of a ragged tensor; or is one such row, and the elements do not fill
     *     a whole number of its positions
     * @throws NullPointerException if an element is null
     * @throws IllegalArgumentException if an element has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws IllegalStateException if this is sparse data under construction and would then have more than {@code numValues} distinct elements
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(String[] array, int... indices);

    /**
     * Copies a selection to other data of the same shape. The two may overlap.
     * When the target is a ragged row under construction, it takes the length of this selection.
     *
     * @param tensor the data to write
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices one element, of rank 0
     * @throws IllegalArgumentException if the shapes or the row lengths of ragged data differ; or if the target is several growing rows of a ragged
     *     tensor
     * @throws java.io.UncheckedIOException if a string is not valid UTF-8, and the target cannot hold it: a wrapped array of strings, or
     *     user-defined data
     * @throws IllegalArgumentException if a string has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws NullPointerException if a wrapped array or user-defined data has null for an element
     * @throws IndexOutOfBoundsException if an index is out of bounds
     * @throws IllegalStateException if the other data is sparse and under construction, and would then have more than {@code numValues} distinct
     *     elements
     * @throws java.nio.ReadOnlyBufferException if the other data cannot be written
     * @throws TensorClosedException if a tensor is closed
     * @throws OutOfMemoryError if a temporary copy does not fit on the heap; or if other data under construction would exceed the memory
     *     budget, see {@link TensorData}
     */
    void get(StringTensorData tensor, int... indices);

    /**
     * Copies other data to a selection of the same shape. The two may overlap.
     *
     * @param tensor the data to read
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices one element, of rank 0
     * @throws IllegalArgumentException if the shapes or the row lengths of ragged data differ; or if the selection is several growing rows of a
     *     ragged tensor
     * @throws java.io.UncheckedIOException if a string is not valid UTF-8, and the target cannot hold it: a wrapped array of strings, or
     *     user-defined data
     * @throws IllegalArgumentException if a string has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws NullPointerException if a wrapped array or user-defined data has null for an element
     * @throws IndexOutOfBoundsException if an index is out of bounds
     * @throws IllegalStateException if this data is sparse and under construction, and would then have more than {@code numValues} distinct elements
     * @throws java.nio.ReadOnlyBufferException if this data cannot be written
     * @throws TensorClosedException if a tensor is closed
     * @throws OutOfMemoryError if a temporary copy does not fit on the heap; or if data under construction would exceed the memory budget,
     *     see {@link TensorData}
     */
    void put(StringTensorData tensor, int... indices);

    /**
     * Copies all elements into an array, in row-major order: an alias of the bulk call {@code get(array)} whose name states the direction.
     *
     * @param array receives the elements from its start
     * @throws IndexOutOfBoundsException if the array is shorter than the data
     * @throws java.io.UncheckedIOException if an element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     * @throws NullPointerException if a wrapped array or user-defined data has null for an element
     * @throws TensorClosedException if the tensor is closed
     */
    default void copyTo(String[] array) {
        get(array, new int[0]);
    }

    /**
     * Copies an array to the start of this data, in row-major order: an alias of {@code put(array)} whose name states the direction.
     *
     * @param array the elements; if there are fewer than the data holds, the rest of the data is unchanged
     * @throws IndexOutOfBoundsException if the array is longer than the data
     * @throws IllegalArgumentException if the selection is several growing rows of a ragged tensor; or is one such row, and the elements do not fill
     *     a whole number of its positions
     * @throws NullPointerException if an element is null
     * @throws IllegalArgumentException if an element has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws IllegalStateException if this is sparse data under construction and would then have more than {@code numValues} distinct elements
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    default void copyFrom(String[] array) {
        put(array, new int[0]);
    }

    /**
     * Copies nested arrays to the sub-tensor that the indices name: a {@code String[][]} to one of rank 2, and so on; a {@code String} where there
     * are {@code rank()} indices. Rows are gathered first. If anything is wrong, nothing is written, unless another thread
     * changes the arrays during the call: then any of the values they held may be written. A ragged row under construction takes the length of the
     * arrays, as with {@link #put(String[], int...)}.
     *
     * @param nested arrays of exactly the shape of the sub-tensor
     * @param indices one index for each leading axis, none negative
     * @throws NullPointerException if the arrays, a row or a string is null
     * @throws IllegalArgumentException if a row is longer or shorter than the sub-tensor's, or the object is of another class; or if the sub-tensor
     *     has several rows of a ragged tensor, which have individual lengths
     * @throws IllegalArgumentException if a string has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws IndexOutOfBoundsException if an index is out of bounds, or there are more indices than axes
     * @throws IllegalStateException if this is sparse data under construction and would then have more than {@code numValues} distinct elements
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    @Override
    default void putNested(Object nested, int... indices) {
        FromNested.put(StringCarrier.STRING, this, nested, indices);
    }

    @Override
    default Object toNested() {
        return ToNested.of(StringCarrier.STRING, this);
    }

    /**
     * Returns a stream of a selection, in row-major order. It is sized and splits evenly, so it runs well in parallel. It reads
     * the elements when its terminal operation runs, which must be before the tensor is closed.
     *
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices the last axis from that position on
     * @return a new stream; nothing has to be closed
     * @throws IndexOutOfBoundsException if an index is out of bounds
     * @throws java.io.UncheckedIOException when the stream is used, if an element is not valid UTF-8
     * @throws NullPointerException when the stream is used, if a wrapped array or user-defined data has null for an element
     * @throws TensorClosedException if the tensor is closed, now or when the stream is used
     */
    default Stream<String> stream(int... indices) {
        return StringStreams.stream(this, indices);
    }

    /**
     * Writes the values of a stream to the start of a selection, in the order of the stream, in the calling thread. They are written
     * one by one as they arrive: values written before an exception remain. A growing row of a ragged tensor receives nothing before the stream
     * has ended. The stream is not closed.
     *
     * @param values the elements; if there are fewer than the selection holds, the rest of the selection is unchanged
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices the last axis from that position on
     * @throws IllegalArgumentException if a value has an unpaired surrogate, is too long for the fixed length, or ends with the padding
     * @throws IllegalArgumentException if the selection is several growing rows of a ragged tensor; or is one such row, and the values do not fill
     *     a whole number of its positions
     * @throws NullPointerException if a value is null
     * @throws IndexOutOfBoundsException if an index is out of bounds; or, after the whole selection has been written, if the stream has more values
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    default void put(Stream<String> values, int... indices) {
        StringStreams.put(this, values, indices);
    }

    /**
     * Reads all elements, in row-major order, and writes them to a stream of bytes in the encoding of {@link java.io.DataOutput}.
     * A string is encoded as by {@link java.io.DataOutput#writeUTF}: the number of its bytes, in two bytes, and then its modified UTF-8.
     * If a string cannot be written, the stream has received those before it. That includes a string of a wrapped array or of user-defined
     * data with an unpaired surrogate: modified UTF-8 could hold it, but {@link #write} would refuse it.
     *
     * @param out receives {@code totalSize()} elements; it is neither flushed nor closed
     * @throws java.io.UncheckedIOException if the stream throws an {@code IOException}
     *     or a string has more than 65,535 bytes in modified UTF-8, or an unpaired surrogate, as a {@link java.io.UTFDataFormatException};
     *     or if it is not valid UTF-8
     * @throws NullPointerException if a wrapped array or user-defined data has null for an element
     * @throws TensorClosedException if the tensor is closed
     */
    default void read(OutputStream out) {
        StringCarrier.STRING.read(this, out);
    }

    /**
     * Writes all elements, in row-major order, from a stream of bytes in the encoding of {@link java.io.DataOutput}.
     * Complete elements that arrived before an exception remain. A ragged row under construction keeps its length: for a row without elements nothing
     * is read.
     *
     * <p>An unpaired surrogate, which modified UTF-8 can hold, is refused by data of every kind; {@link #read} never writes one.
     *
     * <p>For the shape {@code [-1]}, the data passed to {@code init} reads all strings to the end of the stream, or to an exception, and
     * their number becomes its length. Before that call it has no elements; afterwards they can be put like any others, and a second call
     * reads one string per element. Only the very object passed to {@code init} grows and reads the input: a {@code slice()} or
     * {@code scalars()} taken before the call stays empty.
     *
     * @param in supplies {@code totalSize()} elements; nothing after them is read, and it is not closed
     *     (for the shape {@code [-1]} it supplies all strings to its end)
     * @throws java.io.UncheckedIOException if the stream ends early, with an {@link java.io.EOFException} that says how many
     *     elements arrived; or if it throws an {@code IOException}, or reports that it read more bytes than requested
     *     or has a string that is not modified UTF-8 or has an unpaired surrogate, as a {@link java.io.UTFDataFormatException}
     * @throws IllegalArgumentException if a string is too long for the fixed length, or ends with the padding
     * @throws IllegalArgumentException if this is several growing rows of a ragged tensor; a slice that keeps its shape, see {@link TensorData}, can
     *     be written
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws IllegalStateException if this has the shape {@code [-1]}, and {@code in} makes this call while its strings are being read
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    default void write(InputStream in) {
        StringCarrier.STRING.write(this, in);
    }

    /**
     * Writes all elements to a stream of bytes: an alias of {@link #read read(out)} whose name states the direction.
     *
     * @param out receives {@code totalSize()} elements; it is neither flushed nor closed
     * @throws java.io.UncheckedIOException if the stream throws an {@code IOException}
     *     or a string cannot be written, see {@link #read}
     * @throws NullPointerException if a wrapped array or user-defined data has null for an element
     * @throws TensorClosedException if the tensor is closed
     */
    @Override
    default void writeTo(OutputStream out) {
        read(out);
    }

    /**
     * Reads all elements from a stream of bytes: an alias of {@link #write write(in)} whose name states the direction.
     *
     * @param in supplies {@code totalSize()} elements; nothing after them is read, and it is not closed
     *     (for the shape {@code [-1]} see {@link #write})
     * @throws java.io.UncheckedIOException if the stream ends early, with an {@link java.io.EOFException} that says how many
     *     elements arrived; or if it throws an {@code IOException}
     *     or has a string that {@link #write} refuses
     * @throws IllegalArgumentException if a string is too long for the fixed length, or ends with the padding
     * @throws IllegalArgumentException if this is several growing rows of a ragged tensor; a slice that keeps its shape, see {@link TensorData}, can
     *     be written
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws IllegalStateException if this has the shape {@code [-1]}, and is being filled from a stream
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    @Override
    default void readFrom(InputStream in) {
        write(in);
    }

    @Override
    default StringTensorData tile(long... repeats) {
        return Complex.tile(StringCarrier.STRING, this, repeats);
    }

    @Override
    default StringTensorData repeat(int axis, long times) {
        return Complex.repeat(StringCarrier.STRING, this, axis, times);
    }

    /**
     * A read-only view, padded with
     * empty strings.
     *
     * @param before the width of the padding before each axis
     * @param after the width of the padding after each axis
     * @return the view
     * @throws IllegalArgumentException unless there is a number of 0 or more for each axis, or if the data is ragged
     * @throws TensorClosedException if the tensor is closed
     */
    default StringTensorData pad(long[] before, long[] after) {
        return Complex.pad(StringCarrier.STRING, this, before, after);
    }

    /**
     * A read-only view, padded with a value.
     *
     * @param before the width of the padding before each axis
     * @param after the width of the padding after each axis
     * @param value the padding value
     * @return the view
     * @throws IllegalArgumentException unless there is a number of 0 or more for each axis, or if the data is ragged
     * @throws TensorClosedException if the tensor is closed
     */
    default StringTensorData pad(long[] before, long[] after, String value) {
        return Complex.pad(StringCarrier.STRING, this, before, after, Objects.requireNonNull(value, "value"));
    }

    /**
     * A read-only view of data concatenated along an axis.
     *
     * @param axis which one; -1 is the last
     * @param parts data, at least one, of equal sizes on all other axes
     * @return the view
     * @throws IllegalArgumentException if there is no part or no such axis, the shapes do not fit, or data is ragged
     * @throws TensorClosedException if the tensor of a part is closed
     */
    static StringTensorData concat(int axis, StringTensorData... parts) {
        return Complex.concat(StringCarrier.STRING, axis, parts);
    }

    /**
     * A read-only view of data of one shape, stacked along a new axis.
     *
     * @param axis its number in the view; -1 appends it
     * @param parts data, at least one, of one shape
     * @return the view
     * @throws IllegalArgumentException if there is no part, the axis is out of range, the shapes differ, or data is ragged
     * @throws TensorClosedException if the tensor of a part is closed
     */
    static StringTensorData stack(int axis, StringTensorData... parts) {
        return Complex.stack(StringCarrier.STRING, axis, parts);
    }

    /**
     * A read-only view of the elements of one data where a condition is true, and of another where it is false. All three are broadcast.
     *
     * @param condition the condition
     * @param x the elements where it is true
     * @param y the elements where it is false
     * @return the view
     * @throws IllegalArgumentException if the shapes do not fit, or data is ragged
     * @throws TensorClosedException if the tensor of any is closed
     */
    static StringTensorData where(BooleanTensorData condition, StringTensorData x, StringTensorData y) {
        return Complex.where(StringCarrier.STRING, condition, x, y);
    }

    /**
     * Read-only data with one value at all indices, which needs no memory for elements.
     *
     * @param value the value
     * @param shape the size of each axis; none for a scalar
     * @return the data
     * @throws IllegalArgumentException if a size is negative, or there are more elements than a {@code long} can count
     */
    static StringTensorData constant(String value, long... shape) {
        return Complex.constant(StringCarrier.STRING, Objects.requireNonNull(value, "value"), shape);
    }

    /**
     * Read-only data whose elements a function computes at each read.
     *
     * @param f gets the indices, in an array that it must not keep; calls may be concurrent
     * @param shape the size of each axis; none for a scalar
     * @return the data
     * @throws IllegalArgumentException if a size is negative, or there are more elements than a {@code long} can count
     */
    static StringTensorData generate(Function<? super long[], String> f, long... shape) {
        return StringGenerated.of(f, shape);
    }

    @Override
    default Tensor<String> copy() {
        return Tensors.create(this);
    }

    /**
     * Whether an object is data of the same type and shape with equal elements, by the rules of {@link String#equals}. The kind of data and the
     * memory of its elements do not matter. The rows of ragged data must also have equal lengths; ragged data never equals dense data.
     *
     * @param other any object, or null
     * @return true if the object is equal to this data
     * @throws NullPointerException if a wrapped array or user-defined data has null for an element that is compared
     * @throws TensorClosedException if either tensor is closed, unless {@code other} is this object or is not data of the same type
     */
    @Override
    boolean equals(Object other);

    /**
     * A hash of type, shape and elements. It starts as {@code hash = 31 * dataType().name().hashCode() + Arrays.hashCode(shape())}. Each
     * element, in row-major order, makes it {@code 31 * hash + element.hashCode()}; for one that is not valid UTF-8,
     * {@code Arrays.hashCode(bytes)} is used instead.
     * For ragged data, before the elements, the length of each row makes it {@code 31 * hash + Long.hashCode(length)}: the rows of the first ragged
     * axis in row-major order, then those of the next.
     *
     * @return the hash, which changes when an element does
     * @throws NullPointerException if a wrapped array or user-defined data has null for an element
     * @throws TensorClosedException if the tensor is closed
     */
    @Override
    int hashCode();
}
