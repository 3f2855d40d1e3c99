package io.tensornio;

import io.tensornio.internal.Block;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A dense tensor: immutable elements in one run of native memory, in row-major order. Made by the factories of
 * {@link Tensors}, read through {@link #floatData()} and its siblings.
 *
 * <pre>{@code
 * try (Tensor<Float> matrix = Tensors.denseFloat(new long[] {2, 3}, data -> data.put(5, 0, 1))) {
 *     float v = matrix.floatData().get(0, 1);
 * }
 * }</pre>
 *
 * <p>It is safe to use by any number of threads. Data, slices and buffers keep the memory by themselves: the tensor need not stay
 * reachable for them to be read.
 *
 * @param <T> the element type: {@code Float}, {@code Double}, {@code Integer}, {@code Long}, {@code Boolean} or {@link UInt8}
 */
public final class Tensor<T> extends BaseTensor<T> {
    private final Block block;
    /** Part of a tensor of another kind, which closes it. */
    private final boolean borrowed;

    /** Publishes a block that has been filled; {@code data} is all of it. */
    Tensor(Block block, TensorData<?> data) {
        this(block, data, false);
    }

    /** As {@link #Tensor(Block, TensorData)}; closing a borrowed tensor does nothing, it closes with the tensor that it is a part of. */
    Tensor(Block block, TensorData<?> data, boolean borrowed) {
        super(block.dataType(), block.shape(), data, !borrowed);
        this.block = block;
        this.borrowed = borrowed;
        block.publish();
    }

    @Override
    public long numBytes() {
        return block.byteSize();
    }

    @Override
    public boolean isClosed() {
        return block.isClosed();
    }

    @Override
    void closeMemory() {
        if (!borrowed) {
            block.close();
        }
    }

    /**
     * All elements as they lie in memory: in row-major order, each in native byte order. Nothing is copied. The buffer stays safe
     * to read after the tensor was closed, but what it then reads is undefined: old values or zeros.
     *
     * @return a new read-only direct buffer of {@link #numBytes()} bytes, in native byte order
     * @throws TensorClosedException if the tensor is closed
     */
    public ByteBuffer asByteBuffer() {
        return block.bytes().asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }
}
