package io.tensornio;

import io.tensornio.internal.data.Complex;
import io.tensornio.internal.data.FloatCarrier;
import io.tensornio.internal.data.FloatGenerated;
import io.tensornio.internal.data.FloatStreams;
import io.tensornio.internal.data.FromNested;
import io.tensornio.internal.data.ToNested;
//~byte import io.tensornio.internal.element.UInt8Range;
import java.io.InputStream;
import java.io.OutputStream;
//~int,boolean import java.nio.ByteBuffer;
//#if buffer
import java.nio.FloatBuffer;
//#end
//~long import java.nio.IntBuffer;
//#if float int
import java.nio.ShortBuffer;
//#end
//#if float int long
import java.util.Objects;
//#end
//~boolean import java.util.function.Predicate;
//#if floating
import java.util.function.ToDoubleFunction;
//#end
//~int,byte import java.util.function.ToIntFunction;
//~long import java.util.function.ToLongFunction;
//#if floating
import java.util.stream.DoubleStream;
//#end
//~int,byte import java.util.stream.IntStream;
//~long import java.util.stream.LongStream;
//~boolean import java.util.stream.Stream;

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
 * float v = data.get(0, 1);
 * FloatTensorData row = data.slice(1);     // a view
 * }</pre>
 *
 * <p>{@link TensorData} has the rules for every type: coordinates, calls in bulk, threads, sparse and ragged data, memory, and the order of checks.
 *
 //~byte * <p><b>Unsigned.</b> The elements are UINT8, 0 to 255. {@code get}, arrays, buffers and iterators use the raw bits, -128 to 127;
 //~byte * {@link #getUnsigned()}, {@code put(int, ...)} and the streams of {@link #stream} and {@link #put(IntStream, int...)} use 0 to 255.
 //~byte *
 * <p><b>Data of other origin.</b> {@link #of(float[], long...)} and its overloads wrap
 //#if buffer
 * arrays and buffers without a copy;
 //#end
 //~boolean * arrays without a copy;
 * user-defined data extends {@link AbstractFloatTensorData}. No other class may implement this interface.
 */
//#if float double boolean
public interface FloatTensorData extends TensorData<FloatTensorData> {
//#end
//~int,long public interface FloatTensorData extends TensorData<FloatTensorData>, TensorIndex {
//~byte public interface ByteTensorData extends TensorData<ByteTensorData>, UnsignedBytes {
    /**
     * Makes a vector over an array. Nothing is copied: a write to either is seen in both.
     *
     * @param values the elements
     * @return data of shape {@code [values.length]}
     */
    static FloatTensorData of(float[] values) {
        return FloatCarrier.FLOAT.of(values);
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
    static FloatTensorData of(float[] values, long... shape) {
        return FloatCarrier.FLOAT.of(values, shape);
    }

    /**
     * Makes data over the remaining elements of a buffer, in row-major order. Nothing is copied: a write to either is seen in both. The buffer may be
     * of any kind and byte order; direct buffers in native order and buffers over arrays are the fastest. Data over a read-only buffer cannot be
     * written. Later changes of the buffer's position and limit have no effect.
     //~boolean * A byte that is not 0 is true; true is written as 1.
     *
     * @param buffer the elements, from its position to its limit
     * @param shape the size of each axis; none for a scalar: pass {@code buffer.remaining()} as the shape for a vector
     * @return data of that shape
     * @throws IllegalArgumentException if the number of remaining elements is not that of the shape, a size is negative, or the product of the
     *     non-zero sizes is too large
     */
    static FloatTensorData of(FloatBuffer buffer, long... shape) {
        return FloatCarrier.FLOAT.of(buffer, shape);
    }

    //#if float
    /**
     * Makes data of half floats over an array, in row-major order. Nothing is copied: a write to either is seen in both.
     *
     * @param values the elements as they are stored
     * @param shape the size of each axis; without one, a vector
     * @return data of type FLOAT16
     * @throws IllegalArgumentException if the array's length is not the number of elements of the shape, or a size is negative
     */
    static FloatTensorData ofFloat16(short[] values, long... shape) {
        ShortBuffer all = ShortBuffer.wrap(Objects.requireNonNull(values, "values"));
        return FloatCarrier.given(DataType.FLOAT16, all, shape);
    }

    /**
     * Makes data of half floats over the remaining elements of a buffer of any kind and byte order. Nothing is copied:
     * a write to either is seen in both. Data over a read-only buffer cannot be written. Later changes of its position have no effect.
     *
     * @param buffer the elements as they are stored, from its position to its limit
     * @param shape the size of each axis; without one, a vector
     * @return data of type FLOAT16
     * @throws IllegalArgumentException if the number of remaining elements is not that of the shape, or a size is negative
     */
    static FloatTensorData ofFloat16(ShortBuffer buffer, long... shape) {
        ShortBuffer own = Objects.requireNonNull(buffer, "buffer").duplicate();
        return FloatCarrier.given(DataType.FLOAT16, own, shape);
    }

    /**
     * Makes data of bfloat16 numbers over an array, in row-major order. Nothing is copied: a write to either is seen in both.
     *
     * @param values the elements as they are stored
     * @param shape the size of each axis; without one, a vector
     * @return data of type BFLOAT16
     * @throws IllegalArgumentException if the array's length is not the number of elements of the shape, or a size is negative
     */
    static FloatTensorData ofBFloat16(short[] values, long... shape) {
        ShortBuffer all = ShortBuffer.wrap(Objects.requireNonNull(values, "values"));
        return FloatCarrier.given(DataType.BFLOAT16, all, shape);
    }

    /**
     * Makes data of bfloat16 numbers over the remaining elements of a buffer of any kind and byte order. Nothing is copied:
     * a write to either is seen in both. Data over a read-only buffer cannot be written. Later changes of its position have no effect.
     *
     * @param buffer the elements as they are stored, from its position to its limit
     * @param shape the size of each axis; without one, a vector
     * @return data of type BFLOAT16
     * @throws IllegalArgumentException if the number of remaining elements is not that of the shape, or a size is negative
     */
    static FloatTensorData ofBFloat16(ShortBuffer buffer, long... shape) {
        ShortBuffer own = Objects.requireNonNull(buffer, "buffer").duplicate();
        return FloatCarrier.given(DataType.BFLOAT16, own, shape);
    }
    //#end
    //~int /**
    //~int  * Makes data of 8-bit integers over an array, in row-major order. Nothing is copied: a write to either is seen in both.
    //~int  *
    //~int  * @param values the elements as they are stored
    //~int  * @param shape the size of each axis; without one, a vector
    //~int  * @return data of type INT8
    //~int  * @throws IllegalArgumentException if the array's length is not the number of elements of the shape, or a size is negative
    //~int  */
    //~int static IntTensorData ofInt8(byte[] values, long... shape) {
    //~int     ByteBuffer all = ByteBuffer.wrap(Objects.requireNonNull(values, "values"));
    //~int     return IntCarrier.given(DataType.INT8, all, shape);
    //~int }
    //~int /**
    //~int  * Makes data of 8-bit integers over the remaining elements of a buffer of any kind and byte order. Nothing is copied:
    //~int  * a write to either is seen in both. Data over a read-only buffer cannot be written. Later changes of its position have no effect.
    //~int  *
    //~int  * @param buffer the elements as they are stored, from its position to its limit
    //~int  * @param shape the size of each axis; without one, a vector
    //~int  * @return data of type INT8
    //~int  * @throws IllegalArgumentException if the number of remaining elements is not that of the shape, or a size is negative
    //~int  */
    //~int static IntTensorData ofInt8(ByteBuffer buffer, long... shape) {
    //~int     ByteBuffer own = Objects.requireNonNull(buffer, "buffer").duplicate().order(buffer.order());
    //~int     return IntCarrier.given(DataType.INT8, own, shape);
    //~int }
    //~int /**
    //~int  * Makes data of 16-bit integers over an array, in row-major order. Nothing is copied: a write to either is seen in both.
    //~int  *
    //~int  * @param values the elements as they are stored
    //~int  * @param shape the size of each axis; without one, a vector
    //~int  * @return data of type INT16
    //~int  * @throws IllegalArgumentException if the array's length is not the number of elements of the shape, or a size is negative
    //~int  */
    //~int static IntTensorData ofInt16(short[] values, long... shape) {
    //~int     ShortBuffer all = ShortBuffer.wrap(Objects.requireNonNull(values, "values"));
    //~int     return IntCarrier.given(DataType.INT16, all, shape);
    //~int }
    //~int /**
    //~int  * Makes data of 16-bit integers over the remaining elements of a buffer of any kind and byte order. Nothing is copied:
    //~int  * a write to either is seen in both. Data over a read-only buffer cannot be written. Later changes of its position have no effect.
    //~int  *
    //~int  * @param buffer the elements as they are stored, from its position to its limit
    //~int  * @param shape the size of each axis; without one, a vector
    //~int  * @return data of type INT16
    //~int  * @throws IllegalArgumentException if the number of remaining elements is not that of the shape, or a size is negative
    //~int  */
    //~int static IntTensorData ofInt16(ShortBuffer buffer, long... shape) {
    //~int     ShortBuffer own = Objects.requireNonNull(buffer, "buffer").duplicate();
    //~int     return IntCarrier.given(DataType.INT16, own, shape);
    //~int }
    //~int /**
    //~int  * Makes data of unsigned 16-bit integers over an array, in row-major order. Nothing is copied: a write to either is seen in both.
    //~int  *
    //~int  * @param values the elements as they are stored
    //~int  * @param shape the size of each axis; without one, a vector
    //~int  * @return data of type UINT16
    //~int  * @throws IllegalArgumentException if the array's length is not the number of elements of the shape, or a size is negative
    //~int  */
    //~int static IntTensorData ofUInt16(short[] values, long... shape) {
    //~int     ShortBuffer all = ShortBuffer.wrap(Objects.requireNonNull(values, "values"));
    //~int     return IntCarrier.given(DataType.UINT16, all, shape);
    //~int }
    //~int /**
    //~int  * Makes data of unsigned 16-bit integers over the remaining elements of a buffer of any kind and byte order. Nothing is copied:
    //~int  * a write to either is seen in both. Data over a read-only buffer cannot be written. Later changes of its position have no effect.
    //~int  *
    //~int  * @param buffer the elements as they are stored, from its position to its limit
    //~int  * @param shape the size of each axis; without one, a vector
    //~int  * @return data of type UINT16
    //~int  * @throws IllegalArgumentException if the number of remaining elements is not that of the shape, or a size is negative
    //~int  */
    //~int static IntTensorData ofUInt16(ShortBuffer buffer, long... shape) {
    //~int     ShortBuffer own = Objects.requireNonNull(buffer, "buffer").duplicate();
    //~int     return IntCarrier.given(DataType.UINT16, own, shape);
    //~int }
    //~long /**
    //~long  * Makes data of unsigned 32-bit integers over an array, in row-major order. Nothing is copied: a write to either is seen in both.
    //~long  *
    //~long  * @param values the elements as they are stored
    //~long  * @param shape the size of each axis; without one, a vector
    //~long  * @return data of type UINT32
    //~long  * @throws IllegalArgumentException if the array's length is not the number of elements of the shape, or a size is negative
    //~long  */
    //~long static LongTensorData ofUInt32(int[] values, long... shape) {
    //~long     IntBuffer all = IntBuffer.wrap(Objects.requireNonNull(values, "values"));
    //~long     return LongCarrier.given(DataType.UINT32, all, shape);
    //~long }
    //~long /**
    //~long  * Makes data of unsigned 32-bit integers over the remaining elements of a buffer of any kind and byte order. Nothing is copied:
    //~long  * a write to either is seen in both. Data over a read-only buffer cannot be written. Later changes of its position have no effect.
    //~long  *
    //~long  * @param buffer the elements as they are stored, from its position to its limit
    //~long  * @param shape the size of each axis; without one, a vector
    //~long  * @return data of type UINT32
    //~long  * @throws IllegalArgumentException if the number of remaining elements is not that of the shape, or a size is negative
    //~long  */
    //~long static LongTensorData ofUInt32(IntBuffer buffer, long... shape) {
    //~long     IntBuffer own = Objects.requireNonNull(buffer, "buffer").duplicate();
    //~long     return LongCarrier.given(DataType.UINT32, own, shape);
    //~long }
    //~long /**
    //~long  * Makes data of unsigned 64-bit integers over an array, in row-major order. Nothing is copied: a write to either is seen in both.
    //~long  *
    //~long  * @param values the elements as they are stored
    //~long  * @param shape the size of each axis; without one, a vector
    //~long  * @return data of type UINT64
    //~long  * @throws IllegalArgumentException if the array's length is not the number of elements of the shape, or a size is negative
    //~long  */
    //~long static LongTensorData ofUInt64(long[] values, long... shape) {
    //~long     LongBuffer all = LongBuffer.wrap(Objects.requireNonNull(values, "values"));
    //~long     return LongCarrier.given(DataType.UINT64, all, shape);
    //~long }
    //~long /**
    //~long  * Makes data of unsigned 64-bit integers over the remaining elements of a buffer of any kind and byte order. Nothing is copied:
    //~long  * a write to either is seen in both. Data over a read-only buffer cannot be written. Later changes of its position have no effect.
    //~long  *
    //~long  * @param buffer the elements as they are stored, from its position to its limit
    //~long  * @param shape the size of each axis; without one, a vector
    //~long  * @return data of type UINT64
    //~long  * @throws IllegalArgumentException if the number of remaining elements is not that of the shape, or a size is negative
    //~long  */
    //~long static LongTensorData ofUInt64(LongBuffer buffer, long... shape) {
    //~long     LongBuffer own = Objects.requireNonNull(buffer, "buffer").duplicate();
    //~long     return LongCarrier.given(DataType.UINT64, own, shape);
    //~long }

    // What TensorData declares, for the element type.

    @Override
    FloatTensorElements elements();

    /**
     * Iterates over all elements in row-major order, at any rank.
     *
     * @return an iterator, positioned at the first element
     * @throws TensorClosedException if the tensor is closed
     */
    FloatTensorIterator scalars();

    /**
     * Reads the one element of data of rank 0.
     *
     * @return its value
     //~byte *     as raw bits, -128 to 127
     * @throws IndexOutOfBoundsException if the rank is not 0
     * @throws TensorClosedException if the tensor is closed
     */
    float get();

    /**
     * Reads one element of data of rank 1.
     *
     * @param i index on axis 0
     * @return its value
     //~byte *     as raw bits, -128 to 127
     * @throws IndexOutOfBoundsException if the rank is not 1, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    float get(int i);

    /**
     * Reads one element of data of rank 2.
     *
     * @param i index on axis 0
     * @param j index on axis 1
     * @return its value
     //~byte *     as raw bits, -128 to 127
     * @throws IndexOutOfBoundsException if the rank is not 2, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    float get(int i, int j);

    /**
     * Reads one element of data of rank 3.
     *
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @return its value
     //~byte *     as raw bits, -128 to 127
     * @throws IndexOutOfBoundsException if the rank is not 3, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    float get(int i, int j, int k);

    /**
     * Reads one element of data of rank 4.
     *
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @param l index on axis 3
     * @return its value
     //~byte *     as raw bits, -128 to 127
     * @throws IndexOutOfBoundsException if the rank is not 4, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    float get(int i, int j, int k, int l);

    /**
     * Reads one element.
     //~int *
     //~int * <p>In Java {@code get(array)} is this call: it takes coordinates from the array. To copy to an array, use {@link #copyTo}.
     *
     * @param indices one index for each axis
     * @return its value
     //~byte *     as raw bits, -128 to 127
     * @throws IndexOutOfBoundsException if there are not exactly {@code rank()} indices, or one is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    float get(int... indices);

    /**
     * Writes the one element of data of rank 0.
     *
     * @param value its new value
     * @throws IndexOutOfBoundsException if the rank is not 0
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(float value);

    /**
     * Writes one element of data of rank 1.
     *
     * @param value its new value
     * @param i index on axis 0
     * @throws IndexOutOfBoundsException if the rank is not 1, or an index is out of bounds
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(float value, int i);

    /**
     * Writes one element of data of rank 2.
     *
     * @param value its new value
     * @param i index on axis 0
     * @param j index on axis 1
     * @throws IndexOutOfBoundsException if the rank is not 2, or an index is out of bounds
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(float value, int i, int j);

    /**
     * Writes one element of data of rank 3.
     *
     * @param value its new value
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @throws IndexOutOfBoundsException if the rank is not 3, or an index is out of bounds
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(float value, int i, int j, int k);

    /**
     * Writes one element of data of rank 4.
     *
     * @param value its new value
     * @param i index on axis 0
     * @param j index on axis 1
     * @param k index on axis 2
     * @param l index on axis 3
     * @throws IndexOutOfBoundsException if the rank is not 4, or an index is out of bounds
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(float value, int i, int j, int k, int l);

    /**
     * Writes one element.
     *
     * @param value its new value
     * @param indices one index for each axis
     * @throws IndexOutOfBoundsException if there are not exactly {@code rank()} indices, or one is out of bounds
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(float value, int... indices);

    /**
     * Copies a selection into an array.
     //~int *
     //~int * <p>With an array alone Java calls {@link #get(int...)} instead, which reads one element; {@link #copyTo} copies all. (In Kotlin
     //~int * and Scala {@code get(array)} is this call.)
     *
     * @param array receives the elements from its start; the rest of it is unchanged
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices the last axis from that position on
     * @throws IndexOutOfBoundsException if the array is shorter than the selection, or an index is out of bounds
     * @throws TensorClosedException if the tensor is closed
     */
    void get(float[] array, int... indices);

    /**
     * Copies an array to the start of a selection.
     *
     * @param array the elements; if there are fewer than the selection holds, the rest of the selection is unchanged
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices the last axis from that position on
     * @throws IndexOutOfBoundsException if the array is longer than the selection, or an index is out of bounds
     * @throws IllegalArgumentException if the selection is several growing rows of a ragged tensor; or is one such row, and the elements do not fill
     *     a whole number of its positions
     * @throws IllegalStateException if this is sparse data under construction and would then have more than {@code numValues} distinct elements
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    void put(float[] array, int... indices);

    //#if buffer
    /**
     * Copies a selection into a buffer, whose position advances. The buffer may be of any kind and byte order; direct buffers
     * in native order and buffers over arrays are the fastest.
     *
     * @param buffer receives the elements from its position
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices the last axis from that position on
     * @throws java.nio.BufferOverflowException if fewer elements remain in the buffer than the selection holds
     * @throws IndexOutOfBoundsException if an index is out of bounds
     * @throws java.nio.ReadOnlyBufferException if the buffer cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if the buffer may overlap the data, as with user-defined data or where both are direct buffers, and a temporary copy
     *     exceeds the memory budget or does not fit in one direct buffer
     */
    void get(FloatBuffer buffer, int... indices);

    /**
     * Copies the remaining elements of a buffer to the start of a selection; the buffer's position advances to its limit.
     *
     * @param buffer the elements; if there are fewer than the selection holds, the rest of the selection is unchanged
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices the last axis from that position on
     * @throws IndexOutOfBoundsException if more elements remain in the buffer than the selection holds, or an index is out of bounds
     * @throws IllegalArgumentException if the selection is several growing rows of a ragged tensor; or is one such row, and the elements do not fill
     *     a whole number of its positions
     * @throws IllegalStateException if this is sparse data under construction and would then have more than {@code numValues} distinct elements
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError as {@link #get(FloatBuffer, int...)} does; or if data under construction would exceed the memory budget
     */
    void put(FloatBuffer buffer, int... indices);
    //#end

    /**
     * Copies a selection to other data of the same shape. The two may overlap.
     * When the target is a ragged row under construction, it takes the length of this selection.
     * Where they overlap or, as with user-defined data and two direct buffers, may overlap, the copy may use a temporary copy, which counts against
     * the memory budget; for a ragged tensor under construction it is on the heap.
     *
     * @param tensor the data to write
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices one element, of rank 0
     * @throws IllegalArgumentException if the shapes or the row lengths of ragged data differ; or if the target is several growing rows of a ragged
     *     tensor
     * @throws IndexOutOfBoundsException if an index is out of bounds
     * @throws IllegalStateException if the other data is sparse and under construction, and would then have more than {@code numValues} distinct
     *     elements
     * @throws java.nio.ReadOnlyBufferException if the other data cannot be written
     * @throws TensorClosedException if a tensor is closed
     * @throws OutOfMemoryError if a temporary copy exceeds the memory budget; or if other data under
     *     construction would exceed the memory budget, see {@link TensorData}
     */
    void get(FloatTensorData tensor, int... indices);

    /**
     * Copies other data to a selection of the same shape. The two may overlap.
     * Where they overlap or, as with user-defined data and two direct buffers, may overlap, the copy may use a temporary copy, which counts against
     * the memory budget; for a ragged tensor under construction it is on the heap.
     *
     * @param tensor the data to read
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices one element, of rank 0
     * @throws IllegalArgumentException if the shapes or the row lengths of ragged data differ; or if the selection is several growing rows of a
     *     ragged tensor
     * @throws IndexOutOfBoundsException if an index is out of bounds
     * @throws IllegalStateException if this data is sparse and under construction, and would then have more than {@code numValues} distinct elements
     * @throws java.nio.ReadOnlyBufferException if this data cannot be written
     * @throws TensorClosedException if a tensor is closed
     * @throws OutOfMemoryError if a temporary copy exceeds the memory budget; or if data under construction
     *     would exceed the memory budget, see {@link TensorData}
     */
    void put(FloatTensorData tensor, int... indices);

    /**
     * Copies all elements into an array, in row-major order: an alias of the bulk call {@code get(array)} whose name states the direction.
     //~int * In Java, {@code get(array)} on {@code int} data is a different call: it takes coordinates from the array and
     //~int * reads the one element there. (In Kotlin and Scala {@code get(array)} is the bulk call.)
     *
     * @param array receives the elements from its start
     * @throws IndexOutOfBoundsException if the array is shorter than the data
     * @throws TensorClosedException if the tensor is closed
     */
    default void copyTo(float[] array) {
        get(array, new int[0]);
    }

    /**
     * Copies an array to the start of this data, in row-major order: an alias of {@code put(array)} whose name states the direction.
     *
     * @param array the elements; if there are fewer than the data holds, the rest of the data is unchanged
     * @throws IndexOutOfBoundsException if the array is longer than the data
     * @throws IllegalArgumentException if the selection is several growing rows of a ragged tensor; or is one such row, and the elements do not fill
     *     a whole number of its positions
     * @throws IllegalStateException if this is sparse data under construction and would then have more than {@code numValues} distinct elements
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    default void copyFrom(float[] array) {
        put(array, new int[0]);
    }

    /**
     * Copies nested arrays to the sub-tensor at the indices: a {@code float[][]} to one of rank 2, and so on; a {@code Float} where there are
     * {@code rank()} indices. Rows are copied directly to their destinations, large arrays with the help of the JVM's common pool; for strings,
     * growing rows and user-defined data they are gathered first. If anything is wrong, nothing is written, unless another thread changes the
     * arrays during the call: then any of the values they held may be written. A ragged row under construction takes the length of the arrays, as
     * with {@link #put(float[], int...)}.
     *
     * @param nested arrays of exactly the shape of the sub-tensor
     * @param indices one index for each leading axis, none negative
     * @throws NullPointerException if the arrays or a row is null
     * @throws IllegalArgumentException if a row is longer or shorter than the sub-tensor's, or the object is of another class; or if the sub-tensor
     *     has several rows of a ragged tensor, which have individual lengths
     * @throws IndexOutOfBoundsException if an index is out of bounds, or there are more indices than axes
     * @throws IllegalStateException if this is sparse data under construction and would then have more than {@code numValues} distinct elements
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    @Override
    default void putNested(Object nested, int... indices) {
        FromNested.put(FloatCarrier.FLOAT, this, nested, indices);
    }

    @Override
    default Object toNested() {
        return ToNested.of(FloatCarrier.FLOAT, this);
    }

    /**
     * Returns a stream of a selection, in row-major order. It is sized and splits evenly, so it runs well in parallel. It reads
     * the elements when its terminal operation runs, which must be before the tensor is closed.
     //~byte *
     //~byte * <p>The bytes are unsigned: 0 to 255.
     *
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices the last axis from that position on
     * @return a new stream; nothing has to be closed
     * @throws IndexOutOfBoundsException if an index is out of bounds
     * @throws TensorClosedException if the tensor is closed, now or when the stream is used
     */
    //#if floating
    default DoubleStream stream(int... indices) {
    //#end
    //~int,byte default IntStream stream(int... indices) {
    //~long default LongStream stream(int... indices) {
    //~boolean default Stream<Float> stream(int... indices) {
        return FloatStreams.stream(this, indices);
    }

    /**
     * Writes the values of a stream to the start of a selection, in the order of the stream, in the calling thread. They are written
     * one by one as they arrive: values written before an exception remain. A growing row of a ragged tensor receives nothing before the stream
     * has ended. The stream is not closed.
     //#if float
     * Each value is cast to {@code float}.
     //#end
     *
     * @param values the elements; if there are fewer than the selection holds, the rest of the selection is unchanged
     * @param indices the selection: a sub-tensor, or with {@code rank()} indices the last axis from that position on
     //~byte * @throws IllegalArgumentException if a value is not in 0 to 255
     * @throws IllegalArgumentException if the selection is several growing rows of a ragged tensor; or is one such row, and the values do not fill
     *     a whole number of its positions
     //~boolean * @throws NullPointerException if a value is null
     * @throws IndexOutOfBoundsException if an index is out of bounds; or, after the whole selection has been written, if the stream has more values
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    //#if floating
    default void put(DoubleStream values, int... indices) {
    //#end
    //~int,byte default void put(IntStream values, int... indices) {
    //~long default void put(LongStream values, int... indices) {
    //~boolean default void put(Stream<Float> values, int... indices) {
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
     *
     * @param out receives {@code totalSize()} elements; it is neither flushed nor closed
     * @throws java.io.UncheckedIOException if the stream throws an {@code IOException}
     * @throws TensorClosedException if the tensor is closed
     */
    default void read(OutputStream out) {
        FloatCarrier.FLOAT.read(this, out);
    }

    /**
     * Writes all elements, in row-major order, from a stream of bytes in the encoding of {@link java.io.DataOutput}.
     //#if float double int long
     * Numbers are big-endian.
     //#end
     //~boolean * An element is a byte, true if it is not 0.
     * Complete elements that arrived before an exception remain. A ragged row under construction keeps its length: for a row without elements nothing
     * is read.
     *
     * @param in supplies {@code totalSize()} elements; nothing after them is read, and it is not closed
     * @throws java.io.UncheckedIOException if the stream ends early, with an {@link java.io.EOFException} that says how many
     *     elements arrived; or if it throws an {@code IOException}, or reports that it read more bytes than requested
     * @throws IllegalArgumentException if this is several growing rows of a ragged tensor; a slice that keeps its shape, see {@link TensorData}, can
     *     be written
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    default void write(InputStream in) {
        FloatCarrier.FLOAT.write(this, in);
    }

    /**
     * Writes all elements to a stream of bytes: an alias of {@link #read read(out)} whose name states the direction.
     *
     * @param out receives {@code totalSize()} elements; it is neither flushed nor closed
     * @throws java.io.UncheckedIOException if the stream throws an {@code IOException}
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
     * @throws java.io.UncheckedIOException if the stream ends early, with an {@link java.io.EOFException} that says how many
     *     elements arrived; or if it throws an {@code IOException}
     * @throws IllegalArgumentException if this is several growing rows of a ragged tensor; a slice that keeps its shape, see {@link TensorData}, can
     *     be written
     * @throws IllegalStateException if this is sparse data under construction and {@code numValues} other elements are already stored
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if data under construction would exceed the memory budget, see {@link TensorData}
     */
    @Override
    default void readFrom(InputStream in) {
        write(in);
    }

    @Override
    default FloatTensorData tile(long... repeats) {
        return Complex.tile(FloatCarrier.FLOAT, this, repeats);
    }

    @Override
    default FloatTensorData repeat(int axis, long times) {
        return Complex.repeat(FloatCarrier.FLOAT, this, axis, times);
    }

    /**
     * A read-only view, padded with
     //#if numeric
     * zeros.
     //#end
     //~boolean * false.
     *
     * @param before the width of the padding before each axis
     * @param after the width of the padding after each axis
     * @return the view
     * @throws IllegalArgumentException unless there is a number of 0 or more for each axis, or if the data is ragged
     * @throws TensorClosedException if the tensor is closed
     */
    default FloatTensorData pad(long[] before, long[] after) {
        return Complex.pad(FloatCarrier.FLOAT, this, before, after);
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
    default FloatTensorData pad(long[] before, long[] after, float value) {
        return Complex.pad(FloatCarrier.FLOAT, this, before, after, value);
    }

    //~byte /**
    //~byte  * A read-only view, padded with a value.
    //~byte  *
    //~byte  * @param before the width of the padding before each axis
    //~byte  * @param after the width of the padding after each axis
    //~byte  * @param value the padding value, 0 to 255
    //~byte  * @return the view
    //~byte  * @throws IllegalArgumentException unless there is a number of 0 or more for each axis, if the data is ragged, or the value is
    //~byte  *     out of range
    //~byte  * @throws TensorClosedException if the tensor is closed
    //~byte  */
    //~byte default ByteTensorData pad(long[] before, long[] after, int value) {
    //~byte     return Complex.pad(ByteCarrier.UINT8, this, before, after, UInt8Range.checked(value, "pad"));
    //~byte }

    /**
     * A read-only view of data concatenated along an axis.
     *
     * @param axis which one; -1 is the last
     * @param parts data, at least one, of equal sizes on all other axes
     * @return the view
     * @throws IllegalArgumentException if there is no part or no such axis, the shapes do not fit, or data is ragged
     * @throws TensorClosedException if the tensor of a part is closed
     */
    static FloatTensorData concat(int axis, FloatTensorData... parts) {
        return Complex.concat(FloatCarrier.FLOAT, axis, parts);
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
    static FloatTensorData stack(int axis, FloatTensorData... parts) {
        return Complex.stack(FloatCarrier.FLOAT, axis, parts);
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
    static FloatTensorData where(BooleanTensorData condition, FloatTensorData x, FloatTensorData y) {
        return Complex.where(FloatCarrier.FLOAT, condition, x, y);
    }

    /**
     * Read-only data with one value at all indices, which needs no memory for elements.
     *
     * @param value the value
     * @param shape the size of each axis; none for a scalar
     * @return the data
     * @throws IllegalArgumentException if a size is negative, or there are more elements than a {@code long} can count
     */
    static FloatTensorData constant(float value, long... shape) {
        return Complex.constant(FloatCarrier.FLOAT, value, shape);
    }

    //~byte /**
    //~byte  * Read-only data with one value at all indices, which needs no memory for elements.
    //~byte  *
    //~byte  * @param value the value, 0 to 255
    //~byte  * @param shape the size of each axis; none for a scalar
    //~byte  * @return the data
    //~byte  * @throws IllegalArgumentException if the value is out of range, a size is negative, or a {@code long} cannot count the elements
    //~byte  */
    //~byte static ByteTensorData constant(int value, long... shape) {
    //~byte     return Complex.constant(ByteCarrier.UINT8, UInt8Range.checked(value, "constant"), shape);
    //~byte }

    /**
     * Read-only data whose elements a function computes at each read.
     *
     * @param f receives the indices, in an array that it must not keep; calls may be concurrent
     //~byte *     it returns 0 to 255; anything else is an {@link IllegalArgumentException} where the element is read
     * @param shape the size of each axis; none for a scalar
     * @return the data
     * @throws IllegalArgumentException if a size is negative, or there are more elements than a {@code long} can count
     */
    //#if floating
    static FloatTensorData generate(ToDoubleFunction<? super long[]> f, long... shape) {
    //#end
    //~int,byte static FloatTensorData generate(ToIntFunction<? super long[]> f, long... shape) {
    //~long static FloatTensorData generate(ToLongFunction<? super long[]> f, long... shape) {
    //~boolean static FloatTensorData generate(Predicate<? super long[]> f, long... shape) {
        return FloatGenerated.of(f, shape);
    }

    @Override
    default Tensor<Float> copy() {
        return Tensors.create(this);
    }

    /**
     * Whether an object is data of the same type and shape with equal elements, by the rules of {@link Float#equals}. The kind of data and the memory
     * of its elements do not matter. The rows of ragged data must also have equal lengths; ragged data never equals dense data.
     *
     * @param other any object, or null
     * @return true if the object is equal to this data
     * @throws TensorClosedException if either tensor is closed, unless {@code other} is this object or is not data of the same type
     */
    @Override
    boolean equals(Object other);

    /**
     * A hash of type, shape and elements. It starts as {@code hash = 31 * dataType().name().hashCode() + Arrays.hashCode(shape())}. Each
     * element, in row-major order, makes it {@code 31 * hash + Float.hashCode(element)}.
     * For ragged data, before the elements, the length of each row makes it {@code 31 * hash + Long.hashCode(length)}: the rows of the first ragged
     * axis in row-major order, then those of the next.
     *
     * @return the hash, which changes when an element does
     * @throws TensorClosedException if the tensor is closed
     */
    @Override
    int hashCode();
}
