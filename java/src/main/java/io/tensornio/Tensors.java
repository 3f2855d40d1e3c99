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

    /**
     * Makes a dense tensor of {@code double} elements.
     *
     * @param shape the size of each dimension; none for a scalar
     * @param init fills the elements, which are 0 at first
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative, or there are more bytes than a {@code long} can count
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Double> denseDouble(long[] shape, Consumer<? super DoubleTensorData> init) {
        return DoubleFactory.dense(shape, init);
    }

    /**
     * Makes a dense tensor of {@code int} elements.
     *
     * @param shape the size of each dimension; none for a scalar
     * @param init fills the elements, which are 0 at first
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative, or there are more bytes than a {@code long} can count
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Integer> denseInt(long[] shape, Consumer<? super IntTensorData> init) {
        return IntFactory.dense(shape, init);
    }

    /**
     * Makes a dense tensor of {@code long} elements.
     *
     * @param shape the size of each dimension; none for a scalar
     * @param init fills the elements, which are 0 at first
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative, or there are more bytes than a {@code long} can count
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Long> denseLong(long[] shape, Consumer<? super LongTensorData> init) {
        return LongFactory.dense(shape, init);
    }

    /**
     * Makes a dense tensor of {@code boolean} elements.
     *
     * @param shape the size of each dimension; none for a scalar
     * @param init fills the elements, which are false at first
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative, or there are more bytes than a {@code long} can count
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Boolean> denseBoolean(long[] shape, Consumer<? super BooleanTensorData> init) {
        return BooleanFactory.dense(shape, init);
    }

    /**
     * Makes a dense tensor of unsigned 8-bit elements.
     *
     * @param shape the size of each dimension; none for a scalar
     * @param init fills the elements, which are 0 at first
     * @return the published tensor
     * @throws IllegalArgumentException if a size is negative, or there are more bytes than a {@code long} can count
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<UInt8> denseUInt8(long[] shape, Consumer<? super ByteTensorData> init) {
        return ByteFactory.dense(shape, init);
    }

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

    /**
     * Copies {@code double} data of any kind into a dense tensor.
     *
     * @param data a tensor's, a slice, the user's own
     * @return a published tensor of the same shape, which shares no memory with it
     * @throws TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Double> create(DoubleTensorData data) {
        return DoubleFactory.create(data);
    }

    /**
     * Copies {@code int} data of any kind into a dense tensor.
     *
     * @param data a tensor's, a slice, the user's own
     * @return a published tensor of the same shape, which shares no memory with it
     * @throws TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Integer> create(IntTensorData data) {
        return IntFactory.create(data);
    }

    /**
     * Copies {@code long} data of any kind into a dense tensor.
     *
     * @param data a tensor's, a slice, the user's own
     * @return a published tensor of the same shape, which shares no memory with it
     * @throws TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Long> create(LongTensorData data) {
        return LongFactory.create(data);
    }

    /**
     * Copies {@code boolean} data of any kind into a dense tensor.
     *
     * @param data a tensor's, a slice, the user's own
     * @return a published tensor of the same shape, which shares no memory with it
     * @throws TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<Boolean> create(BooleanTensorData data) {
        return BooleanFactory.create(data);
    }

    /**
     * Copies unsigned 8-bit data of any kind into a dense tensor.
     *
     * @param data a tensor's, a slice, the user's own
     * @return a published tensor of the same shape, which shares no memory with it
     * @throws TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if the tensor does not fit the memory budget or one direct buffer
     */
    public static Tensor<UInt8> create(ByteTensorData data) {
        return ByteFactory.create(data);
    }
}
