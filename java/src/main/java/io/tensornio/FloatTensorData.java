package io.tensornio;

import io.tensornio.internal.data.FloatEncoding;
import io.tensornio.internal.data.FloatFromNested;
import io.tensornio.internal.data.FloatToNested;
import io.tensornio.internal.data.FloatStreams;
import io.tensornio.internal.data.FloatWrapping;
//~string import io.tensornio.internal.data.StringByteArrays;
import java.io.InputStream;
import java.io.OutputStream;
//#if buffer
import java.nio.FloatBuffer;
//#end
//#if floating
import java.util.stream.DoubleStream;
//#end
//~int,byte import java.util.stream.IntStream;
//~long import java.util.stream.LongStream;
//~boolean,string import java.util.stream.Stream;

/**
 * Typed, n-dimensional access to {@code float} elements.
 *
 * <pre>{@code
 //#if numeric
 * data.put(5, 0, 1);                       // one element
 * data.put(new float[] {1, 2, 3}, 0);      // row 0
 //#end
 //~boolean * data.put(true, 0, 1);                                  // one element
 //~boolean * data.put(new boolean[] {true, false, true}, 0);        // row 0
 //~string * data.put("five", 0, 1);                                 // one element
 //~string * data.put(new String[] {"one", "two", "three"}, 0);      // row 0
 * float v = data.get(0, 1);
 * FloatTensorData row = data.slice(1);     // a view
 * }</pre>
 *
 * <p>{@link TensorData} says what holds for every type: coordinates, calls in bulk, threads, sparse and ragged data, room, and the order of checks.
 *
 //~byte * <p><b>Unsigned.</b> The elements are UINT8, 0 to 255. {@code get}, arrays, buffers and iterators have the raw bits, -128 to 127;
 //~byte * {@link #getUnsigned()}, {@code put(int, ...)} and the streams of {@link #stream} and {@link #put(IntStream, int...)} have 0 to 255.
 //~byte *
 * <p><b>The user's own data.</b> {@link #of(float[], long...)} and its kin wrap
 //#if buffer
 * arrays and buffers without a copy;
 //#end
 //~boolean,string * arrays without a copy;
 * data of any other kind extends {@link AbstractFloatTensorData}. Nothing else implements this interface.
 //~string *
 //~string * <p><b>Texts.</b> A string is kept as the bytes of its UTF-8. A value that has none, because of an unpaired surrogate, is an
 //~string * {@link IllegalArgumentException}, and so is one that does not fit a fixed length; null is a {@link NullPointerException}. Bytes that are
 //~string * not valid UTF-8, which {@link #putBytes} takes, are read by {@link #getBytes} alone; reading them as a text is an
 //~string * {@link java.io.UncheckedIOException} with a {@link java.nio.charset.CharacterCodingException}.
 */
//#if float double boolean
public interface FloatTensorData extends TensorData<FloatTensorData> {
//#end
//~int,long public interface FloatTensorData extends TensorData<FloatTensorData>, TensorIndex {
//~byte public interface ByteTensorData extends TensorData<ByteTensorData>, UnsignedBytes {
//~string public interface StringTensorData extends TensorData<StringTensorData>, StringBytes {
    /**
     * A vector over an array. Nothing is copied: a write to either is seen in both.
     *
     * @param values the elements
     * @return data of shape {@code [values.length]}
     */
    static FloatTensorData of(float[] values) {
        return FloatWrapping.of(values);
    }

    /**
     * Data over an array, in row-major order. Nothing is copied: a write to either is seen in both.
     *
     * @param values the elements
     * @param shape the size of each dimension; an empty array for a scalar
     * @return data of that shape
     * @throws IllegalArgumentException if the array has not as many elements as the shape, a size is negative, or the sizes other than 0 have too
     *     large a product
     */
    static FloatTensorData of(float[] values, long... shape) {
        return FloatWrapping.of(values, shape);
    }

    //#if buffer
    /**
     * Data over what remains of a buffer, in row-major order. Nothing is copied: a write to either is seen in both. The buffer may be of any
     * kind and byte order; direct ones in native order and those over arrays are the fastest. Data over a read-only one cannot be written.
     * The buffer's position and limit are those of now; later changes of them do not count.
     *
     * @param buffer the elements, from its position to its limit
     * @param shape the size of each dimension; none for a scalar
     * @return data of that shape
     * @throws IllegalArgumentException if not as many elements remain in the buffer as the shape has, a size is negative, or the sizes other than 0
     *     have too large a product
     */
    static FloatTensorData of(FloatBuffer buffer, long... shape) {
        return FloatWrapping.of(buffer, shape);
    }
    //#end

    //~string /**
    //~string  * A vector over strings that are given as bytes, valid UTF-8 or not. Nothing is copied but what is read and written: writing an element
    //~string  * puts a new array in the place of the old one.
    //~string  *
    //~string  * @param values the bytes of each element
    //~string  * @return data of shape {@code [values.length]}
    //~string  */
    //~string static StringTensorData ofBytes(byte[][] values) {
    //~string     return StringByteArrays.of(values);
    //~string }

    //~string /**
    //~string  * Data over strings that are given as bytes, valid UTF-8 or not, in row-major order. Nothing is copied but what is read and written:
    //~string  * writing an element puts a new array in the place of the old one.
    //~string  *
    //~string  * @param values the bytes of each element
    //~string  * @param shape the size of each dimension; an empty array for a scalar
    //~string  * @return data of that shape
    //~string  * @throws IllegalArgumentException if there are not as many values as the shape has elements, a size is negative, or the sizes
    //~string  *     other than 0 have too large a product
    //~string  */
    //~string static StringTensorData ofBytes(byte[][] values, long... shape) {
    //~string     return StringByteArrays.of(values, shape);
    //~string }

    // What TensorData declares, for the element type.

    @Override
    FloatTensorElements elements();

    /**
     * Walks through all elements in row-major order, at any rank.
     *
     * @return an iterator at the first element
     * @throws TensorClosedException if the tensor is closed
     */
    FloatTensorIterator scalars();

    /**
     * Reads the one element of data of rank 0.
     *
     * @return its value
     //~byte *     as raw bits, -128 to 127
     * @throws IndexOutOfBoundsException if the rank is not 0
     //~string * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     //~string * @throws NullPointerException if the user's own array or data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    float get();

    /**
     * Reads one element of data of rank 1.
     *
     * @param i index on dimension 0
     * @return its value
     //~byte *     as raw bits, -128 to 127
     * @throws IndexOutOfBoundsException if the rank is not 1, or an index is outside of the shape
     //~string * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     //~string * @throws NullPointerException if the user's own array or data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    float get(int i);

    /**
     * Reads one element of data of rank 2.
     *
     * @param i index on dimension 0
     * @param j index on dimension 1
     * @return its value
     //~byte *     as raw bits, -128 to 127
     * @throws IndexOutOfBoundsException if the rank is not 2, or an index is outside of the shape
     //~string * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     //~string * @throws NullPointerException if the user's own array or data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    float get(int i, int j);

    /**
     * Reads one element of data of rank 3.
     *
     * @param i index on dimension 0
     * @param j index on dimension 1
     * @param k index on dimension 2
     * @return its value
     //~byte *     as raw bits, -128 to 127
     * @throws IndexOutOfBoundsException if the rank is not 3, or an index is outside of the shape
     //~string * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     //~string * @throws NullPointerException if the user's own array or data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    float get(int i, int j, int k);

    /**
     * Reads one element of data of rank 4.
     *
     * @param i index on dimension 0
     * @param j index on dimension 1
     * @param k index on dimension 2
     * @param l index on dimension 3
     * @return its value
     //~byte *     as raw bits, -128 to 127
     * @throws IndexOutOfBoundsException if the rank is not 4, or an index is outside of the shape
     //~string * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     //~string * @throws NullPointerException if the user's own array or data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    float get(int i, int j, int k, int l);

    /**
     * Reads one element.
     //~int *
     //~int * <p>In Java {@code get(array)} is this call: it takes coordinates from the array. To copy to an array there is {@link #copyTo}.
     *
     * @param indices one index for each dimension
     * @return its value
     //~byte *     as raw bits, -128 to 127
     * @throws IndexOutOfBoundsException if there are not exactly {@code rank()} indices, or one is outside of the shape
     //~string * @throws java.io.UncheckedIOException if the element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     //~string * @throws NullPointerException if the user's own array or data has null for it
     * @throws TensorClosedException if the tensor is closed
     */
    float get(int... indices);

    /**
     * Writes the one element of data of rank 0.
     *
     * @param value its new value
     * @throws IndexOutOfBoundsException if the rank is not 0
     //~string * @throws NullPointerException if the value is null
     //~string * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     * @throws IllegalStateException if sparse data that is being filled has no room for one more element
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    void put(float value);

    /**
     * Writes one element of data of rank 1.
     *
     * @param value its new value
     * @param i index on dimension 0
     * @throws IndexOutOfBoundsException if the rank is not 1, or an index is outside of the shape
     //~string * @throws NullPointerException if the value is null
     //~string * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     * @throws IllegalStateException if sparse data that is being filled has no room for one more element
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    void put(float value, int i);

    /**
     * Writes one element of data of rank 2.
     *
     * @param value its new value
     * @param i index on dimension 0
     * @param j index on dimension 1
     * @throws IndexOutOfBoundsException if the rank is not 2, or an index is outside of the shape
     //~string * @throws NullPointerException if the value is null
     //~string * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     * @throws IllegalStateException if sparse data that is being filled has no room for one more element
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    void put(float value, int i, int j);

    /**
     * Writes one element of data of rank 3.
     *
     * @param value its new value
     * @param i index on dimension 0
     * @param j index on dimension 1
     * @param k index on dimension 2
     * @throws IndexOutOfBoundsException if the rank is not 3, or an index is outside of the shape
     //~string * @throws NullPointerException if the value is null
     //~string * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     * @throws IllegalStateException if sparse data that is being filled has no room for one more element
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    void put(float value, int i, int j, int k);

    /**
     * Writes one element of data of rank 4.
     *
     * @param value its new value
     * @param i index on dimension 0
     * @param j index on dimension 1
     * @param k index on dimension 2
     * @param l index on dimension 3
     * @throws IndexOutOfBoundsException if the rank is not 4, or an index is outside of the shape
     //~string * @throws NullPointerException if the value is null
     //~string * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     * @throws IllegalStateException if sparse data that is being filled has no room for one more element
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    void put(float value, int i, int j, int k, int l);

    /**
     * Writes one element.
     *
     * @param value its new value
     * @param indices one index for each dimension
     * @throws IndexOutOfBoundsException if there are not exactly {@code rank()} indices, or one is outside of the shape
     //~string * @throws NullPointerException if the value is null
     //~string * @throws IllegalArgumentException if the value has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     * @throws IllegalStateException if sparse data that is being filled has no room for one more element
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    void put(float value, int... indices);

    /**
     * Copies a selection into an array.
     //~int *
     //~int * <p>With an array alone Java calls {@link #get(int...)} instead, which reads one element; {@link #copyTo} copies all. (In Kotlin
     //~int * and Scala {@code get(array)} is this call.)
     *
     * @param array takes the elements from its start; the rest is left unchanged
     * @param indices names the selection: a sub-tensor, or with {@code rank()} indices the last dimension from there on
     * @throws IndexOutOfBoundsException if the array is shorter than the selection, or an index is outside of the shape
     //~string * @throws java.io.UncheckedIOException if an element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     //~string * @throws NullPointerException if the user's own array or data has null for an element
     * @throws TensorClosedException if the tensor is closed
     */
    void get(float[] array, int... indices);

    /**
     * Copies an array to the start of a selection.
     *
     * @param array the elements; fewer than the selection has leave the rest of it unchanged
     * @param indices names the selection: a sub-tensor, or with {@code rank()} indices the last dimension from there on
     * @throws IndexOutOfBoundsException if the array is longer than the selection, or an index is outside of the shape
     * @throws IllegalArgumentException if the selection is several rows of a ragged tensor that grow; or one, and the elements do not fill a whole
     *     number of its positions
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     * @throws IllegalStateException if sparse data that is being filled has no room for all of them
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    void put(float[] array, int... indices);

    //#if buffer
    /**
     * Copies a selection into a buffer, whose position advances. Buffers of any kind and byte order will do; direct ones
     * in native order and those of arrays are the fastest.
     *
     * @param buffer takes the elements from its position
     * @param indices names the selection: a sub-tensor, or with {@code rank()} indices the last dimension from there on
     * @throws java.nio.BufferOverflowException if less remains in the buffer than the selection has
     * @throws IndexOutOfBoundsException if an index is outside of the shape
     * @throws java.nio.ReadOnlyBufferException if the buffer cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if the data is the user's own, so that the buffer may overlap it, and a temporary copy does not fit the memory budget
     *     or one direct buffer
     */
    void get(FloatBuffer buffer, int... indices);

    /**
     * Copies what remains of a buffer to the start of a selection; the buffer's position advances to its limit.
     *
     * @param buffer the elements; fewer than the selection has leave the rest of it unchanged
     * @param indices names the selection: a sub-tensor, or with {@code rank()} indices the last dimension from there on
     * @throws IndexOutOfBoundsException if more remains in the buffer than the selection has, or an index is outside of the
     *     shape
     * @throws IllegalArgumentException if the selection is several rows of a ragged tensor that grow; or one, and the elements do not fill a whole
     *     number of its positions
     * @throws IllegalStateException if sparse data that is being filled has no room for all of them
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError as {@link #get(FloatBuffer, int...)} does; or if data that is being filled needs memory that is not available
     */
    void put(FloatBuffer buffer, int... indices);
    //#end

    /**
     * Copies a selection to other data of the same shape. The two may overlap.
     * A row that grows has the length that it has: the other data's {@code put} sets it.
     //#if primitive
     * If they do, or may do, as the user's own data may, the copy can go through a temporary one, within the memory budget; for a ragged tensor that
     * is being filled that one is on the heap.
     //#end
     *
     * @param tensor the data to write
     * @param indices names the selection: a sub-tensor, or with {@code rank()} indices one element, of rank 0
     * @throws IllegalArgumentException if the shapes differ, or the lengths of rows of ragged data
     //~string * @throws java.io.UncheckedIOException if a string is not valid UTF-8, and the target can hold only text: an array of strings, or
     //~string *     the user's own
     //~string * @throws IllegalArgumentException if a string has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     //~string * @throws NullPointerException if the user's own array or data has null for an element
     * @throws IndexOutOfBoundsException if an index is outside of the shape
     * @throws IllegalStateException if the other data is sparse, is being filled, and has no room for all of them
     * @throws java.nio.ReadOnlyBufferException if the other data cannot be written
     * @throws TensorClosedException if a tensor is closed
     //#if primitive
     * @throws OutOfMemoryError if a temporary copy does not fit the memory budget or one direct buffer
     //#end
     //~string * @throws OutOfMemoryError if the heap has no room for a temporary copy
     */
    void get(FloatTensorData tensor, int... indices);

    /**
     * Copies other data to a selection of the same shape. The two may overlap.
     //#if primitive
     * If they do, or may do, as the user's own data may, the copy can go through a temporary one, within the memory budget; for a ragged tensor that
     * is being filled that one is on the heap.
     //#end
     *
     * @param tensor the data to read
     * @param indices names the selection: a sub-tensor, or with {@code rank()} indices one element, of rank 0
     * @throws IllegalArgumentException if the shapes differ, or the lengths of rows of ragged data; or if the selection is several rows of a ragged
     *     tensor that grow
     //~string * @throws java.io.UncheckedIOException if a string is not valid UTF-8, and the target can hold only text: an array of strings, or
     //~string *     the user's own
     //~string * @throws IllegalArgumentException if a string has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     //~string * @throws NullPointerException if the user's own array or data has null for an element
     * @throws IndexOutOfBoundsException if an index is outside of the shape
     * @throws IllegalStateException if this data is sparse, is being filled, and has no room for all of them
     * @throws java.nio.ReadOnlyBufferException if this data cannot be written
     * @throws TensorClosedException if a tensor is closed
     //#if primitive
     * @throws OutOfMemoryError if a temporary copy does not fit the memory budget or one direct buffer; or if data that is being filled needs memory
     *     that is not available
     //#end
     //~string * @throws OutOfMemoryError if the heap has no room for a temporary copy; or if data that is being filled needs memory that is not
     //~string *     available
     */
    void put(FloatTensorData tensor, int... indices);

    /**
     * Copies all elements into an array, in row-major order: {@code get(array)} under a name that says the direction.
     //~int * In Java, {@code get(array)} on {@code int} data is something else: it takes coordinates from the array and
     //~int * reads the one element there. (In Kotlin and Scala {@code get(array)} is the bulk call.)
     *
     * @param array takes the elements from its start
     * @throws IndexOutOfBoundsException if the array is shorter than the data
     //~string * @throws java.io.UncheckedIOException if an element is not valid UTF-8, with a {@link java.nio.charset.CharacterCodingException}
     //~string * @throws NullPointerException if the user's own array or data has null for an element
     * @throws TensorClosedException if the tensor is closed
     */
    default void copyTo(float[] array) {
        get(array, new int[0]);
    }

    /**
     * Copies an array to the start of this data, in row-major order: {@code put(array)} under a name that says the direction.
     *
     * @param array the elements; fewer than the data has leave the rest of it unchanged
     * @throws IndexOutOfBoundsException if the array is longer than the data
     * @throws IllegalArgumentException if the selection is several rows of a ragged tensor that grow; or one, and the elements do not fill a whole
     *     number of its positions
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     * @throws IllegalStateException if sparse data that is being filled has no room for all of them
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    default void copyFrom(float[] array) {
        put(array, new int[0]);
    }

    /**
     * Copies nested arrays to the sub-tensor that the indices name: a {@code float[][]} to one of rank 2, and so on; a {@code Float} where there are
     * {@code rank()} indices. Rows are copied straight to their places, with the help of the JVM's common pool where there are very many; for
     * strings, rows that grow and the user's own data they are gathered first. If anything is wrong, nothing is written, unless another thread
     * changes the arrays meanwhile: then some of what they held at any time may be written. A row of a ragged tensor that is being filled becomes as
     * long as the arrays are, as by {@link #put(float[], int...)}.
     *
     * @param nested arrays of exactly the shape of the sub-tensor
     * @param indices one index for each leading dimension, none negative
     //#if primitive
     * @throws NullPointerException if the arrays or a row is null
     //#end
     //~string * @throws NullPointerException if the arrays, a row or a string is null
     * @throws IllegalArgumentException if a row is longer or shorter than the sub-tensor's, or the object is of another class; or if the sub-tensor
     *     has several rows of a ragged tensor, which have lengths of their own
     //~string * @throws IllegalArgumentException if a string has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     * @throws IndexOutOfBoundsException if an index is outside of the shape, or there are more indices than dimensions
     * @throws IllegalStateException if sparse data that is being filled has no room for all of them
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    default void putNested(Object nested, int... indices) {
        FloatFromNested.put(this, nested, indices);
    }

    @Override
    default Object toNested() {
        return FloatToNested.of(this);
    }

    /**
     * A stream of a selection, in row-major order. It knows its size and splits evenly, so that it can run in parallel; it reads
     * the elements when its terminal operation runs, which must be before the tensor is closed.
     //~byte *
     //~byte * <p>The bytes are unsigned: 0 to 255.
     *
     * @param indices names the selection: a sub-tensor, or with {@code rank()} indices the last dimension from there on
     * @return a new stream; nothing has to be closed
     * @throws IndexOutOfBoundsException if an index is outside of the shape
     //~string * @throws java.io.UncheckedIOException when the stream is used, if an element is not valid UTF-8
     * @throws TensorClosedException if the tensor is closed, here or when the stream is used
     */
    //#if floating
    default DoubleStream stream(int... indices) {
    //#end
    //~int,byte default IntStream stream(int... indices) {
    //~long default LongStream stream(int... indices) {
    //~boolean,string default Stream<Float> stream(int... indices) {
        return FloatStreams.stream(this, indices);
    }

    /**
     * Writes the values of a stream to the start of a selection, in the order of the stream, in this thread. They are written
     * one by one, as they come: what came before an exception stays written. A row of a ragged tensor that grows gets nothing before the stream
     * has ended. The stream is not closed.
     //#if float
     * Each value is cast to {@code float}.
     //#end
     *
     * @param values the elements; fewer than the selection has leave the rest of it unchanged
     * @param indices names the selection: a sub-tensor, or with {@code rank()} indices the last dimension from there on
     //~byte * @throws IllegalArgumentException if a value is not in 0 to 255
     //~string * @throws IllegalArgumentException if a value has an unpaired surrogate, is too long for a fixed length, or ends in its padding
     * @throws IllegalArgumentException if the selection is several rows of a ragged tensor that grow; or one, and the values do not fill a whole
     *     number of its positions
     //~boolean,string * @throws NullPointerException if a value is null
     * @throws IndexOutOfBoundsException if an index is outside of the shape; or if there are more values than the selection
     *     has elements, once all of these are written
     * @throws IllegalStateException if sparse data that is being filled has no room for one more element
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    //#if floating
    default void put(DoubleStream values, int... indices) {
    //#end
    //~int,byte default void put(IntStream values, int... indices) {
    //~long default void put(LongStream values, int... indices) {
    //~boolean,string default void put(Stream<Float> values, int... indices) {
        FloatStreams.put(this, values, indices);
    }

    /**
     * Reads all elements, in row-major order, and writes them to a stream of bytes in the encoding of {@link java.io.DataOutput}.
     //#if floating
     * Numbers are big-endian; all bits of a NaN are kept.
     //#end
     //~int,long * Numbers are big-endian.
     //~boolean * An element is a byte, 1 for true and 0 for false.
     //~byte * An element is a byte.
     //~string * A string is the number of its bytes, as two bytes, and these in modified UTF-8, as {@link java.io.DataOutput#writeUTF} has it.
     //~string * Where one cannot be written, the stream has those before it. That is so, too, for one of the user's own that has an unpaired
     //~string * surrogate: modified UTF-8 could hold it, but {@link #write} would refuse it.
     *
     * @param out takes {@code totalSize()} elements; it is neither flushed nor closed
     * @throws java.io.UncheckedIOException if the stream throws an {@code IOException}
     //~string *     or a string has more than 65,535 bytes in modified UTF-8, or an unpaired surrogate, as a {@link java.io.UTFDataFormatException};
     //~string *     or if it is not valid UTF-8
     * @throws TensorClosedException if the tensor is closed
     */
    default void read(OutputStream out) {
        FloatEncoding.read(this, out);
    }

    /**
     * Writes all elements, in row-major order, with what a stream of bytes gives, in the encoding of {@link java.io.DataOutput}.
     //#if float double int long
     * Numbers are big-endian.
     //#end
     //~boolean * An element is a byte, true if it is not 0.
     * What arrived before an exception stays written, but for an element that is cut. A row of a ragged tensor that is being filled keeps its length:
     * nothing is read for one that has no elements yet.
     //~string *
     //~string * <p>An unpaired surrogate, which modified UTF-8 can hold, is refused, whatever data it is for; {@link #read} writes none.
     //~string *
     //~string * <p>What {@code init} is given for the shape {@code [-1]} takes all strings to the end of the stream, and its length from them, even
     //~string * where an exception ends them. Before that it has no elements; afterwards they can be put like any others, and a second call takes
     //~string * as many strings as there are elements.
     *
     * @param in gives {@code totalSize()} elements; nothing behind them is read, and it is not closed
     //~string *     (for the shape {@code [-1]} it gives all strings to its end)
     * @throws java.io.UncheckedIOException if the stream ends early, with an {@link java.io.EOFException} that says how many
     *     elements arrived; or if it throws an {@code IOException}, or says that it read more than it was asked for
     //~string *     or has a string that is no modified UTF-8 or with an unpaired surrogate, as a {@link java.io.UTFDataFormatException}
     //~string * @throws IllegalArgumentException if a string is too long for a fixed length, or ends in its padding
     * @throws IllegalArgumentException if this is a ragged tensor that is being filled, and not one row of it
     * @throws IllegalStateException if sparse data that is being filled has no room for one more element
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    default void write(InputStream in) {
        FloatEncoding.write(this, in);
    }

    /**
     * Writes all elements to a stream of bytes: {@link #read} under a name that says the direction.
     *
     * @param out takes {@code totalSize()} elements; it is neither flushed nor closed
     * @throws java.io.UncheckedIOException if the stream throws an {@code IOException}
     //~string *     or a string cannot be written, see {@link #read}
     * @throws TensorClosedException if the tensor is closed
     */
    default void writeTo(OutputStream out) {
        read(out);
    }

    /**
     * Reads all elements from a stream of bytes: {@link #write} under a name that says the direction.
     *
     * @param in gives {@code totalSize()} elements; nothing behind them is read, and it is not closed
     //~string *     (for the shape {@code [-1]} see {@link #write})
     * @throws java.io.UncheckedIOException if the stream ends early, with an {@link java.io.EOFException} that says how many
     *     elements arrived; or if it throws an {@code IOException}
     //~string *     or has a string that {@link #write} refuses
     //~string * @throws IllegalArgumentException if a string is too long for a fixed length, or ends in its padding
     * @throws IllegalArgumentException if this is a ragged tensor that is being filled, and not one row of it
     * @throws IllegalStateException if sparse data that is being filled has no room for one more element
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data that is being filled needs memory that is not available, see {@link TensorData}
     */
    default void readFrom(InputStream in) {
        write(in);
    }

    /**
     * Whether something is data of the same type and shape with equal elements, by the rules of {@link Float#equals}, whatever kind of data
     * it is, and wherever it lies. Rows of ragged data must have equal lengths, too; it equals no dense data.
     *
     * @param other anything
     * @return true if it is equal to this data
     * @throws TensorClosedException if a tensor is closed; but even then data equals itself, and never what is not data of its type
     */
    @Override
    boolean equals(Object other);

    /**
     * A hash of type, shape and elements. With {@code hash = 31 * dataType().name().hashCode() + Arrays.hashCode(shape())} at first, each
     //#if primitive
     * element in row-major order makes it {@code 31 * hash + Float.hashCode(element)}.
     //#end
     //~string * element in row-major order makes it {@code 31 * hash + element.hashCode()}; for one that is not valid UTF-8,
     //~string * {@code Arrays.hashCode(bytes)} counts instead.
     * Of ragged data the length of each row makes it {@code 31 * hash + Long.hashCode(length)} before that: those of the first ragged dimension in
     * row-major order, then those of the next.
     *
     * @return the hash, which changes when an element does
     * @throws TensorClosedException if the tensor is closed
     */
    @Override
    int hashCode();
}
