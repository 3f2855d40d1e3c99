package io.tensornio;

import io.tensornio.internal.data.Nested;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Factories of tensors. Each one takes zeroed memory of the shape asked for, hands it to {@code init} to be filled in place,
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
 * tensors, strings of any length and vectors of strings of the shape {@code [-1]} are filled by one thread alone.
 *
 * <p>The data that {@code init} was given can be read afterwards, like {@link Tensor#floatData()}, but refuses writes. If {@code init} throws, the
 * memory is given back and the exception passes through.
 */
public final class Tensors {
    private Tensors() {
    }

    //#each primitive
    /**
     * Makes a dense tensor of {@code float} elements.
     *
     * @param shape the size of each dimension; none for a scalar
     * @param init fills the elements, which are 0 at first
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative, or there are more bytes than a {@code long} can count
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Float> denseFloat(long[] shape, Consumer<? super FloatTensorData> init) {
        return FloatFactory.dense(shape, init);
    }
    //#end each

    /**
     * Makes a dense tensor of strings of any length. They are collected while {@code init} runs, and then packed: 64-bit offsets and the bytes of the
     * texts in UTF-8, see {@link Tensor#offsets()} and {@link Tensor#bytes()}.
     *
     * @param shape the size of each dimension; none for a scalar. The shape {@code [-1]} is that of a vector that takes its length from
     *     {@link StringTensorData#write}, which then reads until the stream ends
     * @param init fills the elements, which are empty at first; by one thread
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative otherwise, or there are more bytes than a {@code long} can count
     * @throws IllegalStateException if the shape is {@code [-1]} and {@code init} has read no stream; or if another thread is found still to put
     *     elements when {@code init} returns
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<String> denseString(long[] shape, Consumer<? super StringTensorData> init) {
        return StringFactory.dense(shape, init);
    }

    /**
     * Makes a dense tensor of strings of a fixed length, in place: the bytes of each text in UTF-8, and behind them padding, which is stripped when
     * they are read. A text of more bytes, or one that ends in the padding, is refused.
     *
     * @param shape the size of each dimension; none for a scalar. The shape {@code [-1]} is that of a vector that takes its length from
     *     {@link StringTensorData#write}, which then reads until the stream ends
     * @param elementLength the bytes of an element
     * @param padding the byte behind shorter texts, 0 to 127
     * @param init fills the elements, which are empty at first; by one thread if the shape is {@code [-1]}
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative otherwise, or there are more bytes than a {@code long} can count; or if the length is
     *     negative or the padding not in 0 to 127
     * @throws IllegalStateException if the shape is {@code [-1]} and {@code init} has read no stream
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<String> denseString(long[] shape, int elementLength, int padding, Consumer<? super StringTensorData> init) {
        return StringFactory.dense(shape, elementLength, padding, init);
    }

    /**
     * Makes a dense tensor of strings of a fixed length: {@link #denseString(long[], int, int, Consumer)} for a padding that is a byte.
     *
     * @param shape the size of each dimension; none for a scalar, {@code [-1]} for a vector of unknown length
     * @param elementLength the bytes of an element
     * @param padding the byte behind shorter texts, 0 to 127
     * @param init fills the elements, which are empty at first; by one thread if the shape is {@code [-1]}
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative otherwise, or there are more bytes than a {@code long} can count; or if the length is
     *     negative or the padding not in 0 to 127
     * @throws IllegalStateException if the shape is {@code [-1]} and {@code init} has read no stream
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<String> denseString(long[] shape, int elementLength, byte padding, Consumer<? super StringTensorData> init) {
        return StringFactory.dense(shape, elementLength, padding, init);
    }

    //#each primitive
    /**
     * Makes a sparse tensor of {@code float} elements. {@code init} sets them by their coordinates in any order; set again, an element
     * has its last value. {@code init} can read what it has set, and 0 elsewhere. An element that was set to 0 counts as a value. Only one thread may
     * use the data before {@code init} returns. A bulk call sets every element that it is given, zeros too.
     *
     * <p>Setting more distinct elements than {@code numValues} is an {@link IllegalStateException} at that call, which changes nothing; but what a
     * stream, {@link FloatTensorData#write} or {@link FloatTensorIterator#onEach} gave before stays set.
     *
     * @param shape the size of each dimension; none for a scalar
     * @param numValues how many distinct elements {@code init} sets
     * @param init sets the elements
     * @return the published tensor
     * @throws IllegalArgumentException if a size or {@code numValues} is negative, or there are more elements, if it were dense, than a {@code long}
     *     can count
     * @throws IllegalStateException if {@code init} has set fewer distinct elements; or before that, if the shape has fewer
     * @throws OutOfMemoryError if the stored elements do not fit the memory budget, or they or their coordinates one direct buffer
     */
    public static SparseTensor<Float> sparseFloat(long[] shape, int numValues, Consumer<? super FloatTensorData> init) {
        return FloatSparseFactory.fill(shape, numValues, init);
    }
    //#end each

    /**
     * Makes a sparse tensor of strings of any length. {@code init} sets them by their coordinates in any order; set again, an element
     * has its last value. {@code init} can read what it has set, and the empty string elsewhere. An element that was set to the empty string counts
     * as a value. Only one thread may use the data before {@code init} returns. A bulk call sets every element that it is given, empty ones too.
     *
     * <p>Setting more distinct elements than {@code numValues} is an {@link IllegalStateException} at that call, which changes nothing; but what a
     * stream, {@link StringTensorData#write} or {@link StringTensorIterator#onEach} gave before stays set.
     *
     * @param shape the size of each dimension; none for a scalar
     * @param numValues how many distinct elements {@code init} sets
     * @param init sets the elements
     * @return the published tensor
     * @throws IllegalArgumentException if a size or {@code numValues} is negative, or there are more elements, if it were dense, than a {@code long}
     *     can count
     * @throws IllegalStateException if {@code init} has set fewer distinct elements; or before that, if the shape has fewer
     * @throws OutOfMemoryError if the stored elements do not fit the memory budget, or they or their coordinates one direct buffer
     */
    public static SparseTensor<String> sparseString(long[] shape, int numValues, Consumer<? super StringTensorData> init) {
        return StringSparseFactory.fill(shape, numValues, init);
    }

    /**
     * Makes a sparse tensor of strings of a fixed length: as {@link #sparseString(long[], int, Consumer)} does, but in
     * {@link SparseTensor#values()} each string has that many bytes, the text in UTF-8 and behind it padding, which is stripped when it is read. A
     * text of more bytes, or one that ends in the padding, is refused.
     *
     * @param shape the size of each dimension; none for a scalar
     * @param numValues how many distinct elements {@code init} sets
     * @param elementLength the bytes of an element
     * @param padding the byte behind shorter texts, 0 to 127
     * @param init sets the elements
     * @return the published tensor
     * @throws IllegalArgumentException if a size or {@code numValues} is negative, or there are more elements, if it were dense, than a {@code long}
     *     can count; or if the length is negative or the padding not in 0 to 127
     * @throws IllegalStateException if {@code init} has set fewer distinct elements; or before that, if the shape has fewer
     * @throws OutOfMemoryError if the stored elements do not fit the memory budget, or they or their coordinates one direct buffer
     */
    public static SparseTensor<String> sparseString(long[] shape, int numValues, int elementLength, int padding,
        Consumer<? super StringTensorData> init) {
        return StringSparseFactory.fill(shape, numValues, elementLength, padding, init);
    }

    /**
     * Makes a sparse tensor of strings of a fixed length: {@link #sparseString(long[], int, int, int, Consumer)} for a padding that is a byte.
     *
     * @param shape the size of each dimension; none for a scalar
     * @param numValues how many distinct elements {@code init} sets
     * @param elementLength the bytes of an element
     * @param padding the byte behind shorter texts, 0 to 127
     * @param init sets the elements
     * @return the published tensor
     * @throws IllegalArgumentException if a size or {@code numValues} is negative, or there are more elements, if it were dense, than a {@code long}
     *     can count; or if the length is negative or the padding not in 0 to 127
     * @throws IllegalStateException if {@code init} has set fewer distinct elements; or before that, if the shape has fewer
     * @throws OutOfMemoryError if the stored elements do not fit the memory budget, or they or their coordinates one direct buffer
     */
    public static SparseTensor<String> sparseString(long[] shape, int numValues, int elementLength, byte padding,
        Consumer<? super StringTensorData> init) {
        return StringSparseFactory.fill(shape, numValues, elementLength, padding, init);
    }

    //#each
    /**
     * Makes a ragged tensor of {@code float} elements. Rows grow as elements are put: {@code put(v, i, j)} past the end of row {@code i} extends
     * it, {@code put(array, i)} sets it whole. One thread alone may fill it.
     *
     * @param shape the size of each dimension; -1 for a ragged one, which the first cannot be
     //#if primitive
     * @param init puts the elements; those that a row skips are 0
     //#end
     //~string * @param init puts the elements; those that a row skips are empty
     * @return the published tensor
     * @throws IllegalArgumentException if no dimension is ragged, or the first; if another size is negative, or the sizes are too large
     * @throws IllegalStateException if another thread is found still to put elements when {@code init} returns
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static RaggedTensor<Float> raggedFloat(long[] shape, Consumer<? super FloatTensorData> init) {
        return FloatFactory.ragged(shape, init);
    }
    //#end each

    //#each
    /**
     * Makes a sparse tensor out of {@code float} elements and their coordinates in any order. Of elements with equal coordinates the last one stays.
     //#if primitive
     * Arrays, wrapped by {@link LongTensorData#of(long[], long...)} and {@link FloatTensorData#of(float[])}, and dense tensors are read where they
     * are.
     //#end
     //~string * They have any length. Coordinates in arrays, wrapped by {@link LongTensorData#of(long[], long...)}, and dense tensors are read
     //~string * where they are.
     *
     * @param indices the coordinates, of shape (n, rank)
     * @param values the elements, of shape (n)
     * @param denseShape the size of each dimension; none for a scalar
     * @return a published tensor, which shares no memory with the data
     * @throws IllegalArgumentException if the shapes do not match, a size is negative, or there are more elements, if it were dense, than a
     *     {@code long} can count
     //~string * @throws IllegalArgumentException if a string of the user's own has an unpaired surrogate
     //~string * @throws NullPointerException if the user's own array or data has null for an element
     * @throws IndexOutOfBoundsException if a coordinate is outside of the dense shape
     * @throws TensorClosedException if the tensor of one of the data is closed
     * @throws OutOfMemoryError if the tensor does not fit the memory budget, or its elements or their coordinates one direct buffer
     */
    public static SparseTensor<Float> sparseFloat(LongTensorData indices, FloatTensorData values, long... denseShape) {
        return FloatSparseFactory.of(indices, values, denseShape);
    }
    //#end each

    //#each
    /**
     //#if primitive
     * Copies {@code float} data of any kind into a dense tensor.
     //#end
     //~string * Copies {@code String} data of any kind into a dense tensor of strings of any length; those of a fixed length become such, without
     //~string * padding.
     *
     * @param data a tensor's, a slice, the user's own
     * @return a published tensor of the same shape, which shares no memory with it; of ragged data one in which each ragged dimension has a size
     * @throws IllegalArgumentException if rows of ragged data have different lengths; or if a size is 0, and the others together are those of
     *     more bytes than a {@code long} can count
     //~string * @throws IllegalArgumentException if a string of the user's own has an unpaired surrogate
     //~string * @throws NullPointerException if the user's own array or data has null for an element
     * @throws TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Float> create(FloatTensorData data) {
        return FloatFactory.create(data);
    }
    //#end each

    //#each
    /**
     * Copies an array into a dense tensor of rank 1.
     *
     * @param nested the elements
     * @return the published tensor
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Float> ofNested(float[] nested) {
        return FloatFactory.ofNested(nested);
    }

    /**
     * Copies nested arrays into a dense tensor of rank 2. Its sizes are those of the first rows; behind a size of 0 all are 0, so
     * {@code new float[0][]} has shape (0, 0).
     *
     * <p>If another thread changes the arrays meanwhile, the tensor has some of what they held at any time, or this throws.
     *
     * @param nested rows of equal length
     * @return the published tensor
     * @throws NullPointerException if the array or a row is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Float> ofNested(float[][] nested) {
        return FloatFactory.ofNested(nested);
    }

    /**
     * Copies nested arrays into a dense tensor of rank 3, as {@link #ofNested(float[][])} does.
     *
     * @param nested rows of equal length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one of its depth, or there are more bytes than a
     *     {@code long} can count
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Float> ofNested(float[][][] nested) {
        return FloatFactory.ofNested(nested);
    }

    /**
     * Copies nested arrays into a dense tensor of rank 4, as {@link #ofNested(float[][])} does.
     *
     * @param nested rows of equal length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one of its depth, or there are more bytes than a
     *     {@code long} can count
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Float> ofNested(float[][][][] nested) {
        return FloatFactory.ofNested(nested);
    }

    /**
     * Copies nested arrays into a dense tensor of rank 5, as {@link #ofNested(float[][])} does.
     *
     * @param nested rows of equal length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one of its depth, or there are more bytes than a
     *     {@code long} can count
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Float> ofNested(float[][][][][] nested) {
        return FloatFactory.ofNested(nested);
    }

    /**
     * Copies nested arrays into a dense tensor of rank 6, as {@link #ofNested(float[][])} does.
     *
     * @param nested rows of equal length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one of its depth, or there are more bytes than a
     *     {@code long} can count
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Float> ofNested(float[][][][][][] nested) {
        return FloatFactory.ofNested(nested);
    }
    //#end each

    /**
     * Copies nested arrays into a dense tensor: those of any rank, and those whose class is known only at run time. As
     * {@link #ofNested(float[][])} does; a {@code Float}, {@code Double} and so on becomes a tensor of rank 0.
     *
     * @param nested nested arrays of {@code float}, {@code double}, {@code int}, {@code long}, {@code boolean}, {@code byte} for UINT8, or
     *     {@code String}; not an {@code Object[]} of such arrays, nor arrays of {@code Float} or {@code Integer}
     * @return the published tensor, of the type that the arrays have
     * @throws NullPointerException if an array or a string is null
     * @throws IllegalArgumentException if the object is of another class, a row is longer or shorter than the first one of its depth, or there
     *     are more bytes than a {@code long} can count, or a string has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<?> ofNested(Object nested) {
        Objects.requireNonNull(nested, "nested");
        //#each
        if (FloatFactory.isNested(nested)) {
            return FloatFactory.ofNested(nested);
        }
        //#end each
        throw Nested.unsupported(nested, "float, double, int, long, boolean, byte or String");
    }

    //#each
    /**
     * Copies nested arrays into a ragged tensor of rank 2: each row is as long as it is.
     *
     * <pre>{@code
    //#if numeric
     * RaggedTensor<Float> rows = Tensors.raggedOfNested(new float[][] {{1, 2, 3}, {}, {4}});       // of shape (3, -1)
    //#end
    //~boolean  * RaggedTensor<Boolean> rows = Tensors.raggedOfNested(new boolean[][] {{true, false}, {}, {true}});  // of shape (3, -1)
    //~string  * RaggedTensor<String> rows = Tensors.raggedOfNested(new String[][] {{"a", "b"}, {}, {"c"}});         // of shape (3, -1)
     * }</pre>
     *
     * <p>If another thread changes the arrays meanwhile, the tensor has some of what they held at any time, or this throws.
     *
     * @param nested rows of any length
     * @return the published tensor
     * @throws NullPointerException if the array or a row is null
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget, or its values or row splits one direct buffer
     */
    public static RaggedTensor<Float> raggedOfNested(float[][] nested) {
        return FloatFactory.raggedOfNested(nested);
    }

    /**
     * Copies nested arrays into a ragged tensor of rank 3, every dimension of which but the first is ragged, as
     * {@link #raggedOfNested(float[][])} does.
     *
     * @param nested rows of any length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget, or its values or row splits one direct buffer
     */
    public static RaggedTensor<Float> raggedOfNested(float[][][] nested) {
        return FloatFactory.raggedOfNested(nested);
    }

    /**
     * Copies nested arrays into a ragged tensor of rank 4, every dimension of which but the first is ragged, as
     * {@link #raggedOfNested(float[][])} does.
     *
     * @param nested rows of any length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget, or its values or row splits one direct buffer
     */
    public static RaggedTensor<Float> raggedOfNested(float[][][][] nested) {
        return FloatFactory.raggedOfNested(nested);
    }

    /**
     * Copies nested arrays into a ragged tensor of rank 5, every dimension of which but the first is ragged, as
     * {@link #raggedOfNested(float[][])} does.
     *
     * @param nested rows of any length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget, or its values or row splits one direct buffer
     */
    public static RaggedTensor<Float> raggedOfNested(float[][][][][] nested) {
        return FloatFactory.raggedOfNested(nested);
    }

    /**
     * Copies nested arrays into a ragged tensor of rank 6, every dimension of which but the first is ragged, as
     * {@link #raggedOfNested(float[][])} does.
     *
     * @param nested rows of any length at each depth
     * @return the published tensor
     * @throws NullPointerException if an array is null
     //~string * @throws NullPointerException if an element is null
     //~string * @throws IllegalArgumentException if an element has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget, or its values or row splits one direct buffer
     */
    public static RaggedTensor<Float> raggedOfNested(float[][][][][][] nested) {
        return FloatFactory.raggedOfNested(nested);
    }
    //#end each

    /**
     * Copies nested arrays into a ragged tensor, every dimension of which but the first is ragged: those of any rank from 2 on, and those whose class
     * is known only at run time. As {@link #raggedOfNested(float[][])} does.
     *
     * @param nested nested arrays of {@code float}, {@code double}, {@code int}, {@code long}, {@code boolean}, {@code byte} for UINT8, or
     *     {@code String}; not an {@code Object[]} of such arrays, nor arrays of {@code Float} or {@code Integer}
     * @return the published tensor, of the type that the arrays have
     * @throws NullPointerException if an array or a string is null
     * @throws IllegalArgumentException if the object is of another class, the arrays are not nested, or a string has an unpaired surrogate
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static RaggedTensor<?> raggedOfNested(Object nested) {
        Objects.requireNonNull(nested, "nested");
        //#each
        if (FloatFactory.isNested(nested)) {
            Nested.checkRagged(nested);
            return FloatFactory.raggedOfNested(nested);
        }
        //#end each
        throw Nested.unsupported(nested, "float, double, int, long, boolean, byte or String");
    }
}
