package io.tensornio;

import io.tensornio.internal.Nested;
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
 * <p>{@code init} may let several threads write to disjoint elements if they are done before it returns. The data it was given
 * can be read afterwards, like {@link Tensor#floatData()}, but refuses writes. If it throws, the memory is given back and the
 * exception passes through.
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

    //#each primitive
    /**
     * Makes a ragged tensor of {@code float} elements. Rows grow as elements are put: {@code put(v, i, j)} past the end of row {@code i} extends
     * it, {@code put(array, i)} sets it whole. One thread alone may fill it.
     *
     * @param shape the size of each dimension; -1 for a ragged one, which the first cannot be
     * @param init puts the elements; those that a row skips are 0
     * @return the published tensor
     * @throws IllegalArgumentException if no dimension is ragged, or the first; if another size is negative, or the sizes are too large
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static RaggedTensor<Float> raggedFloat(long[] shape, Consumer<? super FloatTensorData> init) {
        return FloatFactory.ragged(shape, init);
    }
    //#end each

    //#each primitive
    /**
     * Copies {@code float} data of any kind into a dense tensor.
     *
     * @param data a tensor's, a slice, the user's own
     * @return a published tensor of the same shape, which shares no memory with it; of ragged data one in which each ragged dimension has a size
     * @throws IllegalArgumentException if rows of ragged data have different lengths
     * @throws TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Float> create(FloatTensorData data) {
        return FloatFactory.create(data);
    }
    //#end each

    //#each primitive
    /**
     * Copies an array into a dense tensor of rank 1.
     *
     * @param nested the elements
     * @return the published tensor
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Float> ofNested(float[] nested) {
        return FloatFactory.ofNested(nested);
    }

    /**
     * Copies nested arrays into a dense tensor of rank 2. Its sizes are those of the first rows; behind a size of 0 all are 0, so that
     * {@code new float[0][]} has shape (0, 0).
     *
     * <p>If another thread changes the arrays meanwhile, the tensor has some of what they had at any time, or this throws.
     *
     * @param nested rows of equal length
     * @return the published tensor
     * @throws NullPointerException if the array or a row is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one
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
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Float> ofNested(float[][][][][][] nested) {
        return FloatFactory.ofNested(nested);
    }
    //#end each

    /**
     * Copies nested arrays into a dense tensor: those of any rank, and those whose class is known at run time alone. As
     * {@link #ofNested(float[][])} does; a {@code Float}, {@code Double} and so on becomes a tensor of rank 0.
     *
     * @param nested nested arrays of {@code float}, {@code double}, {@code int}, {@code long}, {@code boolean}, or {@code byte} for UINT8;
     *     an {@code Object[]} of such arrays is none, and neither are arrays of {@code Float} or {@code Integer}
     * @return the published tensor, of the type that the arrays have
     * @throws NullPointerException if an array is null
     * @throws IllegalArgumentException if the object is of another class, a row is longer or shorter than the first one of its depth, or there
     *     are more bytes than a {@code long} can count
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<?> ofNested(Object nested) {
        Objects.requireNonNull(nested, "nested");
        //#each primitive
        if (FloatFactory.isNested(nested)) {
            return FloatFactory.ofNested(nested);
        }
        //#end each
        throw Nested.unsupported(nested, "float, double, int, long, boolean or byte");
    }

    //#each primitive
    /**
     * Copies nested arrays into a ragged tensor of rank 2: each row is as long as it is.
     *
     * <pre>{@code
     * RaggedTensor<Float> rows = Tensors.raggedOfNested(new float[][] {{1, 2, 3}, {}, {4}});       // of shape (3, -1)
     * }</pre>
     *
     * <p>If another thread changes the arrays meanwhile, the tensor has some of what they had at any time, or this throws.
     *
     * @param nested rows of any length
     * @return the published tensor
     * @throws NullPointerException if the array or a row is null
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
     * @throws OutOfMemoryError if the tensor does not fit the memory budget, or its values or row splits one direct buffer
     */
    public static RaggedTensor<Float> raggedOfNested(float[][][][][][] nested) {
        return FloatFactory.raggedOfNested(nested);
    }
    //#end each
}
