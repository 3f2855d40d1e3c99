package io.tensornio;

import io.tensornio.internal.compute.Conversion;
import io.tensornio.internal.data.AnyData;
//#each
import io.tensornio.internal.data.FloatCarrier;
//#end each
import io.tensornio.internal.data.Nested;
import io.tensornio.internal.data.PrimitiveCarrier;
import io.tensornio.internal.data.RaggedTensors;
import io.tensornio.internal.data.StringSparseBuilder;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.op.Types;
import io.tensornio.internal.ragged.RaggedShapes;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Factories of tensors. Each one allocates zeroed memory for the given shape, passes it to {@code init} to be filled in place,
 * and publishes it: after {@code init} the tensor never changes.
 *
 * <pre>{@code
 * Tensor<Float> matrix = Tensors.denseFloat(new long[] {2, 3}, data -> {
 *     data.put(new float[] {1, 2, 3}, 0);
 *     data.put(4, 1, 0);
 * });
 * }</pre>
 *
 * <p>{@code init} may let several threads write to disjoint elements of a dense tensor, if they are done before it returns. But sparse and ragged
 * tensors, variable-length strings and vectors of strings of shape {@code [-1]} must be filled by a single thread.
 *
 * <p>The data passed to {@code init} can be read afterwards, like {@link Tensor#floatData()}, but no longer written. If {@code init} throws, the
 * memory is released and the exception propagates.
 *
 * <p>Strings are UTF-8 in memory. So any method here that copies strings out of arrays or user-defined data throws a {@code NullPointerException} if
 * one is null, and an {@code IllegalArgumentException} if one has an unpaired surrogate.
 */
public final class Tensors extends LayoutTensors {
    private Tensors() {
    }

    //#each primitive
    /**
     * Makes a dense tensor of {@code float} elements.
     *
     * @param shape the size of each axis; none for a scalar
     * @param init fills the elements, which are initially 0
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative, or there are more bytes than a {@code long} can count
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<Float> denseFloat(long[] shape, Consumer<? super FloatTensorData> init) {
        return FloatCarrier.FLOAT.dense(shape, init);
    }
    //#end each

    //#each float int long
    /**
     * Makes a sparse tensor whose elements are read and written as {@code float}, of any type for which that is so.
     *
     * @param type the type of the elements in memory
     * @param denseShape the size of each axis; none for a scalar
     * @param numValues the number of distinct elements that {@code init} writes
     * @param init writes these elements; others read as 0
     * @return the published tensor
     * @throws IllegalArgumentException if the elements of the type are not read and written as {@code float}, a size or {@code numValues} is
     *     negative, or the product of the non-zero sizes is too large
     * @throws IllegalStateException if the shape has fewer than {@code numValues} elements, or {@code init} writes more or fewer
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or one direct buffer
     */
    public static SparseTensor<Float> sparseFloat(DataType type, long[] denseShape, int numValues, Consumer<? super FloatTensorData> init) {
        return sparse(FloatCarrier.carrying(type), denseShape, numValues, init);
    }

    /**
     * Makes a ragged tensor whose elements are read and written as {@code float}, of any type for which that is so.
     *
     * @param type the type of the elements in memory
     * @param shape the size of each axis, -1 for a ragged one
     * @param init sets the rows, which are initially empty
     * @return the published tensor
     * @throws IllegalArgumentException if the elements of the type are not read and written as {@code float}, or the shape is that of no ragged
     *     tensor
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or one direct buffer
     */
    public static RaggedTensor<Float> raggedFloat(DataType type, long[] shape, Consumer<? super FloatTensorData> init) {
        return ragged(FloatCarrier.carrying(type), shape, init);
    }

    /**
     * Makes a dense tensor whose elements are read and written as {@code float}, of any type for which that is so.
     *
     * @param type the type of the elements in memory
     * @param shape the size of each axis; none for a scalar
     * @param init fills the elements, which are initially 0
     * @return the published tensor
     * @throws IllegalArgumentException if the elements of the type are not read and written as {@code float}, a size is negative, or there are more
     *     bytes than a {@code long} can count
     * @throws OutOfMemoryError if the tensor exceeds the memory budget
     */
    public static Tensor<Float> denseFloat(DataType type, long[] shape, Consumer<? super FloatTensorData> init) {
        return FloatCarrier.carrying(type).dense(shape, init);
    }
    //#end each

    /**
     * Makes a dense tensor of a type that is known only at run time.
     *
     * @param type the type of the elements, not STRING
     * @param shape the size of each axis; none for a scalar
     * @param init fills the elements, which are initially 0; its argument is data of the interface that the type is read and written by
     * @return the published tensor
     * @throws IllegalArgumentException if the type is STRING, a size is negative, or there are more bytes than a {@code long} can count
     * @throws OutOfMemoryError if the tensor exceeds the memory budget
     */
    public static Tensor<?> dense(DataType type, long[] shape, Consumer<? super TensorData<?>> init) {
        checkFixed(type, "dense", "denseString");
        return AnyData.carrier(type).dense(shape, init);
    }

    /**
     * Makes a sparse tensor of a type that is known only at run time.
     *
     * @param type the type of the elements, not STRING
     * @param denseShape the size of each axis; none for a scalar
     * @param numValues the number of distinct elements that {@code init} writes
     * @param init writes these elements; its argument is data of the interface that the type is read and written by
     * @return the published tensor
     * @throws IllegalArgumentException if the type is STRING, a size or {@code numValues} is negative, or the product of the non-zero sizes is too
     *     large
     * @throws IllegalStateException if the shape has fewer than {@code numValues} elements, or {@code init} writes more or fewer
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or one direct buffer
     */
    public static SparseTensor<?> sparse(DataType type, long[] denseShape, int numValues, Consumer<? super TensorData<?>> init) {
        checkFixed(type, "sparse", "sparseString");
        return sparse(AnyData.carrier(type), denseShape, numValues, init);
    }

    /**
     * Makes a ragged tensor of a type that is known only at run time.
     *
     * @param type the type of the elements, not STRING
     * @param shape the size of each axis, -1 for a ragged one
     * @param init sets the rows, which are initially empty; its argument is data of the interface that the type is read and written by
     * @return the published tensor
     * @throws IllegalArgumentException if the type is STRING, or the shape is that of no ragged tensor
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or one direct buffer
     */
    public static RaggedTensor<?> ragged(DataType type, long[] shape, Consumer<? super TensorData<?>> init) {
        checkFixed(type, "ragged", "raggedString");
        return ragged(AnyData.carrier(type), shape, init);
    }

    private static void checkFixed(DataType type, String kind, String maker) {
        if (Objects.requireNonNull(type, "type") == DataType.STRING) {
            throw new IllegalArgumentException("a " + kind + " tensor of STRING is made by " + maker);
        }
    }

    private static <T, D extends TensorData<D>> SparseTensor<T> sparse(PrimitiveCarrier<D, ?> carrier, long[] denseShape, int numValues,
            Consumer<? super D> init) {
        Objects.requireNonNull(init, "init");
        return SparseTensor.fill(carrier, init, carrier.sparseBuilder(Shapes.checkSparse(denseShape), numValues));
    }

    private static <T, D extends TensorData<D>> RaggedTensor<T> ragged(PrimitiveCarrier<D, ?> carrier, long[] shape, Consumer<? super D> init) {
        return RaggedTensor.of(RaggedTensors.fill(carrier, shape, Objects.requireNonNull(init, "init")));
    }

    /**
     * Converts data of any kind to a dense tensor of another type. Integers become integers modulo the range of the type; fractions are truncated and
     * saturate, and NaN becomes 0; of what becomes a floating-point number the nearest is taken, of two the even one; as a truth value, all but 0 is
     * true.
     *
     * @param data any data but strings
     * @param type the type of the elements of the result
     * @return a tensor of the same shape, which shares no memory with the data
     * @throws IllegalArgumentException if either type is STRING, or rows of ragged data have different lengths
     * @throws TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget
     */
    public static Tensor<?> convert(TensorData<?> data, DataType type) {
        try (Tensor<?> dense = denseRows(data)) {
            return Conversion.of(dense == null ? data : AnyData.of(dense), type);
        }
    }

    /**
     * The same for the type of a class, as which no element is stored narrow.
     *
     * @param data any data but strings
     * @param type {@code Float.class}, {@code Double.class}, {@code Integer.class}, {@code Long.class}, {@code Boolean.class} or {@code UInt8.class}
     * @return a tensor of the same shape, which shares no memory with the data
     * @param <T> the element type
     * @throws IllegalArgumentException if the class is another one, or as of {@link #convert(TensorData, DataType)}
     * @throws TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget
     */
    @SuppressWarnings("unchecked")          // the type of the elements is the type parameter
    public static <T> Tensor<T> convert(TensorData<?> data, Class<T> type) {
        return (Tensor<T>) convert(data, Types.of(type));
    }

    /**
     * Multiplies each element, adds to it, and converts the result: {@code x * scale + offset}. That is computed as FLOAT if both types are
     * floating-point numbers of at most 32 bits or have at most 16 bits, else as DOUBLE, and each operation is rounded, with the same result
     * everywhere. What becomes an integer is then rounded to the nearest, of two the even one, and saturates; NaN becomes 0.
     *
     * @param data any data but strings
     * @param type the type of the elements of the result
     * @param scale what each element is multiplied by
     * @param offset what is then added
     * @return a tensor of the same shape, which shares no memory with the data
     * @throws IllegalArgumentException if either type is STRING, or rows of ragged data have different lengths
     * @throws TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget
     */
    public static Tensor<?> convert(TensorData<?> data, DataType type, double scale, double offset) {
        try (Tensor<?> dense = denseRows(data)) {
            return Conversion.of(dense == null ? data : AnyData.of(dense), type, scale, offset);
        }
    }

    /** A dense copy of ragged data whose rows are equally long; null of other data. */
    private static Tensor<?> denseRows(TensorData<?> data) {
        if (!RaggedShapes.isRagged(Objects.requireNonNull(data, "data").shape())) {
            return null;
        }
        //#each
        if (data instanceof FloatTensorData) {
            return create((FloatTensorData) data);
        }
        //#end each
        return null;
    }

    /**
     * Makes a dense tensor of variable-length strings. They are collected while {@code init} runs, and then packed: 64-bit offsets, and the UTF-8
     * bytes of all strings, see {@link Tensor#offsets()} and {@link Tensor#bytes()}.
     *
     * <p>The shape {@code [-1]} stands for a vector that takes its length from {@link StringTensorData#write}, which then reads until the stream
     * ends. Only the very object passed to {@code init} grows and reads the input: a {@code slice()} or {@code scalars()} taken before stays empty,
     * and until then every {@code put} is an {@code IndexOutOfBoundsException}.
     *
     * @param shape the size of each axis; none for a scalar, {@code [-1]} for a vector of unknown length
     * @param init fills the elements, which are initially empty; by a single thread
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative in any other shape, or there are more bytes than a {@code long} can count
     * @throws IllegalStateException if the shape is {@code [-1]} and {@code init} has read no stream; or if another thread is detected
     *     still writing when {@code init} returns
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<String> denseString(long[] shape, Consumer<? super StringTensorData> init) {
        return StringCarrier.STRING.dense(shape, init);
    }

    /**
     * Makes a dense tensor of fixed-length strings, stored in place: each string is its UTF-8 bytes followed by padding; reading strips the padding.
     * A string of more bytes, or one that ends with the padding, is refused.
     *
     * @param shape the size of each axis; none for a scalar, {@code [-1]} for a vector of unknown length, see {@link #denseString(long[], Consumer)}
     * @param elementLength the number of bytes of an element
     * @param padding the byte that pads shorter strings, 0 to 127
     * @param init fills the elements, which are initially empty; by a single thread if the shape is {@code [-1]}
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative in any other shape, or there are more bytes than a {@code long} can count; or if the
     *     length is negative or the padding is not in 0 to 127
     * @throws IllegalStateException if the shape is {@code [-1]} and {@code init} has read no stream
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<String> denseString(long[] shape, int elementLength, int padding, Consumer<? super StringTensorData> init) {
        return StringCarrier.STRING.dense(shape, elementLength, padding, init);
    }

    /**
     * Makes a dense tensor of fixed-length strings: {@link #denseString(long[], int, int, Consumer)} with the padding as a {@code byte}.
     *
     * @param shape the size of each axis; none for a scalar, {@code [-1]} for a vector of unknown length
     * @param elementLength the number of bytes of an element
     * @param padding the byte that pads shorter strings, 0 to 127
     * @param init fills the elements, which are initially empty; by a single thread if the shape is {@code [-1]}
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative in any other shape, or there are more bytes than a {@code long} can count; or if the
     *     length is negative or the padding is not in 0 to 127
     * @throws IllegalStateException if the shape is {@code [-1]} and {@code init} has read no stream
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<String> denseString(long[] shape, int elementLength, byte padding, Consumer<? super StringTensorData> init) {
        return StringCarrier.STRING.dense(shape, elementLength, padding, init);
    }

    //#each primitive
    /**
     * Makes a sparse tensor of {@code float} elements. {@code init} sets them by their coordinates in any order; an element that is set again
     * has its last value. {@code init} can read the elements that it has set; all others read 0. An element that was set to 0 counts as a value. Only
     * one thread may use the data before {@code init} returns. A bulk call sets every element that it is given, including zeros.
     *
     * <p>Setting more distinct elements than {@code numValues} is an {@link IllegalStateException} at that call, which changes nothing, except that
     * elements already written by a stream, {@link FloatTensorData#write} or {@link FloatTensorIterator#onEach} remain.
     *
     * @param shape the size of each axis; none for a scalar
     * @param numValues how many distinct elements {@code init} sets
     * @param init sets the elements
     * @return the published tensor
     * @throws IllegalArgumentException if a size or {@code numValues} is negative, or the dense shape has more elements than a {@code long} can
     *     count
     * @throws IllegalStateException if {@code init} has set fewer distinct elements; or, before {@code init} is called, if the shape has fewer
     * @throws OutOfMemoryError if the stored elements, or the intermediate results that publishing them needs, exceed the memory budget; or if the
     *     elements or their coordinates do not fit in one direct buffer
     */
    public static SparseTensor<Float> sparseFloat(long[] shape, int numValues, Consumer<? super FloatTensorData> init) {
        Objects.requireNonNull(init, "init");
        return SparseTensor.fill(FloatCarrier.FLOAT, init, FloatCarrier.FLOAT.sparseBuilder(Shapes.checkSparse(shape), numValues));
    }
    //#end each

    /**
     * Makes a sparse tensor of variable-length strings. {@code init} sets them by their coordinates in any order; an element that is set again
     * has its last value. {@code init} can read the elements that it has set; all others read as the empty string. An element that was set to the
     * empty string counts as a value. Only one thread may use the data before {@code init} returns. A bulk call sets every element that it is given,
     * including empty ones.
     *
     * <p>Setting more distinct elements than {@code numValues} is an {@link IllegalStateException} at that call, which changes nothing, except that
     * elements already written by a stream, {@link StringTensorData#write} or {@link StringTensorIterator#onEach} remain.
     *
     * @param shape the size of each axis; none for a scalar
     * @param numValues how many distinct elements {@code init} sets
     * @param init sets the elements
     * @return the published tensor
     * @throws IllegalArgumentException if a size or {@code numValues} is negative, or the dense shape has more elements than a {@code long} can
     *     count
     * @throws IllegalStateException if {@code init} has set fewer distinct elements; or, before {@code init} is called, if the shape has fewer
     * @throws OutOfMemoryError if the stored elements, or the intermediate results that publishing them needs, exceed the memory budget; or if the
     *     elements or their coordinates do not fit in one direct buffer
     */
    public static SparseTensor<String> sparseString(long[] shape, int numValues, Consumer<? super StringTensorData> init) {
        Objects.requireNonNull(init, "init");
        return SparseTensor.fill(StringCarrier.STRING, init, StringCarrier.STRING.sparseBuilder(Shapes.checkSparse(shape), numValues));
    }

    /**
     * Makes a sparse tensor of fixed-length strings, as {@link #sparseString(long[], int, Consumer)} does for variable-length ones. In
     * {@link SparseTensor#values()} each string is its UTF-8 bytes followed by padding; reading strips the padding. A string of more bytes, or one
     * that ends with the padding, is refused.
     *
     * @param shape the size of each axis; none for a scalar
     * @param numValues how many distinct elements {@code init} sets
     * @param elementLength the number of bytes of an element
     * @param padding the byte that pads shorter strings, 0 to 127
     * @param init sets the elements
     * @return the published tensor
     * @throws IllegalArgumentException if a size or {@code numValues} is negative, or the dense shape has more elements than a {@code long} can
     *     count; or if the length is negative or the padding is not in 0 to 127
     * @throws IllegalStateException if {@code init} has set fewer distinct elements; or, before {@code init} is called, if the shape has fewer
     * @throws OutOfMemoryError if the stored elements, or the intermediate results that publishing them needs, exceed the memory budget; or if the
     *     elements or their coordinates do not fit in one direct buffer
     */
    public static SparseTensor<String> sparseString(long[] shape, int numValues, int elementLength, int padding,
        Consumer<? super StringTensorData> init) {
        Objects.requireNonNull(init, "init");
        return SparseTensor.fill(StringCarrier.STRING, init, StringSparseBuilder.of(shape, numValues, elementLength, padding));
    }

    /**
     * Makes a sparse tensor of fixed-length strings: {@link #sparseString(long[], int, int, int, Consumer)} with the padding as a {@code byte}.
     *
     * @param shape the size of each axis; none for a scalar
     * @param numValues how many distinct elements {@code init} sets
     * @param elementLength the number of bytes of an element
     * @param padding the byte that pads shorter strings, 0 to 127
     * @param init sets the elements
     * @return the published tensor
     * @throws IllegalArgumentException if a size or {@code numValues} is negative, or the dense shape has more elements than a {@code long} can
     *     count; or if the length is negative or the padding is not in 0 to 127
     * @throws IllegalStateException if {@code init} has set fewer distinct elements; or, before {@code init} is called, if the shape has fewer
     * @throws OutOfMemoryError if the stored elements, or the intermediate results that publishing them needs, exceed the memory budget; or if the
     *     elements or their coordinates do not fit in one direct buffer
     */
    public static SparseTensor<String> sparseString(long[] shape, int numValues, int elementLength, byte padding,
        Consumer<? super StringTensorData> init) {
        return sparseString(shape, numValues, elementLength, (int) padding, init);
    }

    //#each
    /**
     * Makes a ragged tensor of {@code float} elements. Rows grow as elements are put: {@code put(v, i, j)} past the end of row {@code i} extends
     * it, {@code put(array, i)} replaces it. It must be filled by a single thread.
     *
     * @param shape the size of each axis; -1 for a ragged one, which the first cannot be
     * @param init puts the elements; skipped positions of a row are 0, false or empty
     * @return the published tensor
     * @throws IllegalArgumentException if no axis is ragged, or the first one is; if another size is negative, or the sizes are too large
     * @throws IllegalStateException if another thread is detected still writing when {@code init} returns
     * @throws OutOfMemoryError if the tensor exceeds the memory budget or does not fit in one direct buffer
     */
    public static RaggedTensor<Float> raggedFloat(long[] shape, Consumer<? super FloatTensorData> init) {
        return RaggedTensor.of(RaggedTensors.fill(FloatCarrier.FLOAT, shape, Objects.requireNonNull(init, "init")));
    }
    //#end each

    //#each
    /**
     * Makes a sparse tensor out of {@code float} elements and their coordinates, in any order. Of elements with equal coordinates the last one is
     * kept. Coordinates and numbers in arrays, wrapped as by {@link LongTensorData#of(long[], long...)}, and in dense tensors are read in place;
     * strings are copied, and have variable length.
     *
     * @param indices the coordinates, of shape (n, rank)
     * @param values the elements, of shape (n)
     * @param denseShape the size of each axis; none for a scalar
     * @return a published tensor, which shares no memory with the data
     * @throws IllegalArgumentException if the shapes do not match, a size is negative, or the dense shape has more elements than a {@code long} can
     *     count
     * @throws IndexOutOfBoundsException if a coordinate is out of bounds for the dense shape
     * @throws TensorClosedException if the tensor of the coordinates or that of the values is closed
     * @throws OutOfMemoryError if the tensor, or the intermediate results that publishing it needs, exceed the memory budget; or if its elements or
     *     their coordinates do not fit in one direct buffer
     */
    public static SparseTensor<Float> sparseFloat(LongTensorData indices, FloatTensorData values, long... denseShape) {
        return SparseTensor.of(FloatCarrier.FLOAT, FloatCarrier.FLOAT.sparse(indices, values, denseShape));
    }
    //#end each

    //#each
    /**
     * Copies {@code float} data of any kind into a dense tensor. Strings become ones of variable length, without padding.
     *
     * @param data any data: a tensor's, a slice, wrapped or user-defined
     * @return a published tensor of the same shape, which shares no memory with the data; for ragged data, a tensor in which each ragged axis has a
     *     size
     * @throws IllegalArgumentException if rows of ragged data have different lengths; or if a size is 0 and the product of the others, in bytes,
     *     exceeds a {@code long}
     * @throws TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<Float> create(FloatTensorData data) {
        return FloatCarrier.FLOAT.create(data);
    }
    //#end each

    //#each
    /**
     * Copies an array into a dense tensor of rank 1.
     *
     * @param nested the elements
     * @return the published tensor
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<Float> ofNested(float[] nested) {
        return FloatCarrier.FLOAT.ofNested(nested);
    }

    /**
     * Copies nested arrays into a dense tensor of rank 2. Its sizes are those of the first rows; all sizes after a size of 0 are 0, so
     * {@code new float[0][]} has shape (0, 0).
     *
     * <p>If another thread changes the arrays during the call, the tensor may have any of the values they held, or this method throws.
     *
     * @param nested rows of equal length
     * @return the published tensor
     * @throws NullPointerException if the array or a row is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<Float> ofNested(float[][] nested) {
        return FloatCarrier.FLOAT.ofNested(nested);
    }

    /**
     * Copies nested arrays into a dense tensor of rank 3, as {@link #ofNested(float[][])} does.
     *
     * @param nested rows of equal length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one at its depth, or there are more bytes than a
     *     {@code long} can count
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<Float> ofNested(float[][][] nested) {
        return FloatCarrier.FLOAT.ofNested(nested);
    }

    /**
     * Copies nested arrays into a dense tensor of rank 4, as {@link #ofNested(float[][])} does.
     *
     * @param nested rows of equal length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one at its depth, or there are more bytes than a
     *     {@code long} can count
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<Float> ofNested(float[][][][] nested) {
        return FloatCarrier.FLOAT.ofNested(nested);
    }

    /**
     * Copies nested arrays into a dense tensor of rank 5, as {@link #ofNested(float[][])} does.
     *
     * @param nested rows of equal length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one at its depth, or there are more bytes than a
     *     {@code long} can count
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<Float> ofNested(float[][][][][] nested) {
        return FloatCarrier.FLOAT.ofNested(nested);
    }

    /**
     * Copies nested arrays into a dense tensor of rank 6, as {@link #ofNested(float[][])} does.
     *
     * @param nested rows of equal length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one at its depth, or there are more bytes than a
     *     {@code long} can count
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<Float> ofNested(float[][][][][][] nested) {
        return FloatCarrier.FLOAT.ofNested(nested);
    }
    //#end each

    /**
     * Copies nested arrays into a dense tensor, as {@link #ofNested(float[][])} does, for arrays of any rank and arrays whose class is known only at
     * run time. A {@code Float}, {@code Double} and so on becomes a tensor of rank 0.
     *
     * @param nested nested arrays of {@code float}, {@code double}, {@code int}, {@code long}, {@code boolean}, {@code byte} for UINT8, or
     *     {@code String}; not an {@code Object[]} of such arrays, nor arrays of {@code Float} or {@code Integer}
     * @return the published tensor, of the element type of the arrays
     * @throws NullPointerException if an array or a string is null
     * @throws IllegalArgumentException if the object is of another class, a row is longer or shorter than the first one at its depth, there are
     *     more bytes than a {@code long} can count, or a string has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<?> ofNested(Object nested) {
        Objects.requireNonNull(nested, "nested");
        //#each
        if (FloatCarrier.FLOAT.isNested(nested)) {
            return FloatCarrier.FLOAT.ofNested(nested);
        }
        //#end each
        throw Nested.unsupported(nested, "float, double, int, long, boolean, byte or String");
    }

    /**
     * Copies nested arrays into a dense tensor of a type, as {@link #ofNested(Object)} does for the type of the arrays.
     *
     * @param type the type of the elements in memory
     * @param nested nested arrays of the primitive by which the type is read and written, see {@link DataType}
     * @return the published tensor
     * @throws NullPointerException if an array or a string is null
     * @throws IllegalArgumentException if the object is of another class, an element does not hold a value, a row is longer or shorter than the first
     *     one at its depth, or there are more bytes than a {@code long} can count
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<?> ofNested(DataType type, Object nested) {
        Objects.requireNonNull(nested, "nested");
        return Objects.requireNonNull(type, "type") == DataType.STRING ? StringCarrier.STRING.ofAny(nested) : AnyData.carrier(type).ofAny(nested);
    }

    //#each
    /**
     * Copies nested arrays into a ragged tensor of rank 2: each row keeps its length. Rows of 3, 0 and 1 elements make a
     * tensor of the shape (3, -1).
     *
     * <p>If another thread changes the arrays during the call, the tensor may have any of the values they held, or this method throws.
     *
     * @param nested rows of any length
     * @return the published tensor
     * @throws NullPointerException if the array or a row is null
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or its values or row splits do not fit in one direct buffer
     */
    public static RaggedTensor<Float> raggedOfNested(float[][] nested) {
        return RaggedTensor.of(FloatCarrier.FLOAT.raggedOfNested(nested));
    }

    /**
     * Copies nested arrays into a ragged tensor of rank 3, in which every axis but the first is ragged, as
     * {@link #raggedOfNested(float[][])} does.
     *
     * @param nested rows of any length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or its values or row splits do not fit in one direct buffer
     */
    public static RaggedTensor<Float> raggedOfNested(float[][][] nested) {
        return RaggedTensor.of(FloatCarrier.FLOAT.raggedOfNested(nested));
    }

    /**
     * Copies nested arrays into a ragged tensor of rank 4, in which every axis but the first is ragged, as
     * {@link #raggedOfNested(float[][])} does.
     *
     * @param nested rows of any length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or its values or row splits do not fit in one direct buffer
     */
    public static RaggedTensor<Float> raggedOfNested(float[][][][] nested) {
        return RaggedTensor.of(FloatCarrier.FLOAT.raggedOfNested(nested));
    }

    /**
     * Copies nested arrays into a ragged tensor of rank 5, in which every axis but the first is ragged, as
     * {@link #raggedOfNested(float[][])} does.
     *
     * @param nested rows of any length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or its values or row splits do not fit in one direct buffer
     */
    public static RaggedTensor<Float> raggedOfNested(float[][][][][] nested) {
        return RaggedTensor.of(FloatCarrier.FLOAT.raggedOfNested(nested));
    }

    /**
     * Copies nested arrays into a ragged tensor of rank 6, in which every axis but the first is ragged, as
     * {@link #raggedOfNested(float[][])} does.
     *
     * @param nested rows of any length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or its values or row splits do not fit in one direct buffer
     */
    public static RaggedTensor<Float> raggedOfNested(float[][][][][][] nested) {
        return RaggedTensor.of(FloatCarrier.FLOAT.raggedOfNested(nested));
    }
    //#end each

    /**
     * Copies nested arrays into a ragged tensor, in which every axis but the first is ragged, as {@link #raggedOfNested(float[][])} does, for arrays
     * of any rank from 2 on and arrays whose class is known only at run time.
     *
     * @param nested nested arrays of {@code float}, {@code double}, {@code int}, {@code long}, {@code boolean}, {@code byte} for UINT8, or
     *     {@code String}; not an {@code Object[]} of such arrays, nor arrays of {@code Float} or {@code Integer}
     * @return the published tensor, of the element type of the arrays
     * @throws NullPointerException if an array or a string is null
     * @throws IllegalArgumentException if the object is of another class, the arrays are not nested, or a string has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor exceeds the memory budget or does not fit in one direct buffer
     */
    public static RaggedTensor<?> raggedOfNested(Object nested) {
        Objects.requireNonNull(nested, "nested");
        //#each
        if (FloatCarrier.FLOAT.isNested(nested)) {
            Nested.checkRagged(nested);
            return RaggedTensor.of(FloatCarrier.FLOAT.raggedOfNested(nested));
        }
        //#end each
        throw Nested.unsupported(nested, "float, double, int, long, boolean, byte or String");
    }
}
