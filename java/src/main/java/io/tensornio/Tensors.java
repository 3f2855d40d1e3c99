package io.tensornio;

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
}
