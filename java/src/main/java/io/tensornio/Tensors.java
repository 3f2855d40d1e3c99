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
     * Makes a sparse tensor of {@code float} elements. {@code init} sets them by their coordinates in any order, also repeatedly, of which the last one stays;
     * it can read what it has set, and 0 elsewhere. An element that was set to 0 counts as a value. Only one thread may use the data before {@code init}
     * returns. A bulk call sets every element that it is given, zeros too.
     *
     * <p>Setting more distinct elements than {@code numValues} is an {@link IllegalStateException} at that call, which changes nothing.
     *
     * @param shape the size of each dimension; none for a scalar
     * @param numValues how many distinct elements {@code init} sets
     * @param init sets the elements
     * @return the published tensor
     * @throws IllegalArgumentException if a size or {@code numValues} is negative, or there are more bytes, if it were dense, than a {@code long} can count
     * @throws IllegalStateException if {@code init} has set fewer distinct elements
     * @throws OutOfMemoryError if the stored elements do not fit the memory budget, or they or their coordinates one direct buffer
     */
    public static SparseTensor<Float> sparseFloat(long[] shape, int numValues, Consumer<? super FloatTensorData> init) {
        return FloatSparseFactory.fill(shape, numValues, init);
    }
    //#end each

    //#each primitive
    /**
     * Makes a sparse tensor out of {@code float} elements and their coordinates in any order. Of elements with equal coordinates the last one stays.
     * Arrays, wrapped by {@link LongTensorData#of(long[], long...)} and {@link FloatTensorData#of(float[])}, and dense tensors are read where they are.
     *
     * @param indices the coordinates, of shape (n, rank)
     * @param values the elements, of shape (n)
     * @param denseShape the size of each dimension; none for a scalar
     * @return a published tensor, which shares no memory with the data
     * @throws IllegalArgumentException if the shapes do not match, a size is negative, or there are more bytes, if it were dense, than a {@code long} can count
     * @throws IndexOutOfBoundsException if a coordinate is outside of the dense shape
     * @throws TensorClosedException if the tensor of one of the data is closed
     * @throws OutOfMemoryError if the tensor does not fit the memory budget, or its elements or their coordinates one direct buffer
     */
    public static SparseTensor<Float> sparseFloat(LongTensorData indices, FloatTensorData values, long... denseShape) {
        return FloatSparseFactory.of(indices, values, denseShape);
    }
    //#end each

    //#each primitive
    /**
     * Copies {@code float} data of any kind into a dense tensor.
     *
     * @param data a tensor's, a slice, the user's own
     * @return a published tensor of the same shape, which shares no memory with it
     * @throws TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Float> create(FloatTensorData data) {
        return FloatFactory.create(data);
    }
    //#end each
}
