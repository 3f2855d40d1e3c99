package io.tensornio;

import io.tensornio.internal.Block;
import io.tensornio.internal.LeakDetector;
import io.tensornio.internal.Shapes;
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
public final class Tensor<T> implements AnyTensor<T> {
    private final Block block;
    private final TensorData<?> data;
    /** What reports this tensor if nobody closes it; null where that is off. */
    private final LeakDetector.Record leak;

    /** Publishes a block that has been filled; {@code data} is all of it. */
    Tensor(Block block, TensorData<?> data) {
        this.block = block;
        this.data = data;
        leak = LeakDetector.track(this, block.dataType(), block.shape());
        block.publish();
    }

    @Override
    public DataType dataType() {
        return block.dataType();
    }

    @Override
    public long[] shape() {
        return block.shape().clone();
    }

    @Override
    public int rank() {
        return block.shape().length;
    }

    @Override
    public long size(int dimension) {
        return Shapes.size(block.shape(), dimension);
    }

    @Override
    public long numElements() {
        return Shapes.product(block.shape());
    }

    @Override
    public long numBytes() {
        return block.storage().bytes();
    }

    @Override
    public boolean isClosed() {
        return block.isClosed();
    }

    @Override
    public void close() {
        if (leak != null) {
            leak.closed();
        }
        block.close();
    }

    private TensorData<?> data(DataType wanted) {
        if (block.isClosed()) {
            throw new TensorClosedException(block.dataType(), block.shape());
        }
        if (wanted != block.dataType()) {
            throw new IllegalStateException("the elements of this tensor are " + block.dataType() + ", not " + wanted);
        }
        return data;
    }

    @Override
    public FloatTensorData floatData() {
        return (FloatTensorData) data(DataType.FLOAT);
    }

    @Override
    public DoubleTensorData doubleData() {
        return (DoubleTensorData) data(DataType.DOUBLE);
    }

    @Override
    public IntTensorData intData() {
        return (IntTensorData) data(DataType.INT32);
    }

    @Override
    public LongTensorData longData() {
        return (LongTensorData) data(DataType.INT64);
    }

    @Override
    public BooleanTensorData booleanData() {
        return (BooleanTensorData) data(DataType.BOOL);
    }

    @Override
    public ByteTensorData uInt8Data() {
        return (ByteTensorData) data(DataType.UINT8);
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

    /**
     * The tensor's type, shape and elements, laid out as NumPy does and abridged where there are many.
     *
     * @return a text that says whether the tensor is closed; this never throws
     */
    @Override
    public String toString() {
        return data.toString();
    }

    @Override
    public String toString(TensorFormat format) {
        return data.toString(format);
    }
}
