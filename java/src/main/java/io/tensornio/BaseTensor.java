package io.tensornio;

import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.LeakDetector;
import java.util.Objects;

/** The base class of all kinds of tensors: a type, a shape, data, and leak detection. */
abstract class BaseTensor<T> implements AnyTensor<T> {
    private final DataType dataType;
    private final long[] shape;
    private final TensorData<?> data;
    /** The record of leak detection; null if it is off or did not sample this tensor. */
    private volatile LeakDetector.Record leak;

    /** Keeps the shape; {@code data} is the whole tensor. */
    BaseTensor(DataType dataType, long[] shape, TensorData<?> data, boolean watched) {
        this.dataType = dataType;
        this.shape = shape;
        this.data = data;
        leak = watched ? LeakDetector.track(this, dataType, shape) : null;
    }

    /** Starts or stops leak detection for this tensor. */
    final void watch(boolean watched) {
        LeakDetector.Record before = leak;
        if (before != null) {
            before.closed();
        }
        leak = watched && !isClosed() ? LeakDetector.track(this, dataType, shape) : null;
    }

    /** Releases the memory. Closing again does nothing. */
    abstract void closeMemory();

    /** The block of the elements: of the values of a ragged or sparse tensor. */
    abstract Block block();

    /** Called before data over the memory is used or handed out, for memory that nobody has seen yet. */
    void expose() {
        // The data of most tensors was seen as it was filled.
    }

    @Override
    public DataType dataType() {
        return dataType;
    }

    @Override
    public long[] shape() {
        return shape.clone();
    }

    @Override
    public int rank() {
        return shape.length;
    }

    @Override
    public long size(int axis) {
        return Shapes.size(shape, axis);
    }

    @Override
    public long numElements() {
        return data.totalSize();
    }

    @Override
    public void close() {
        try {
            LeakDetector.Record record = leak;
            if (record != null) {
                record.closed();
            }
        } finally {
            closeMemory();
        }
    }

    /** @throws TensorClosedException if the tensor is closed */
    final void checkOpen() {
        if (isClosed()) {
            throw new TensorClosedException(dataType, shape);
        }
    }

    /** The data, for native calls that pin it; it is not read otherwise. */
    final TensorData<?> unexposed() {
        return data;
    }

    private TensorData<?> data(DataType wanted) {
        TensorData<?> all = data();
        if (wanted != AnyData.carrierType(dataType)) {
            throw new IllegalStateException("the elements of this tensor are " + dataType + ", not " + wanted);
        }
        return all;
    }

    @Override
    public TensorData<?> data() {
        expose();
        checkOpen();
        return data;
    }

    //#each
    @Override
    public FloatTensorData floatData() {
        return (FloatTensorData) data(DataType.FLOAT);
    }
    //#end each

    @Override
    public Object toNested() {
        expose();
        checkOpen();
        return data.toNested();
    }

    @Override
    public <A> A toNested(Class<A> type) {
        Objects.requireNonNull(type, "type");
        expose();
        checkOpen();
        return data.toNested(type);
    }

    /**
     * The tensor's type, shape and elements, laid out as NumPy does and abridged if there are many.
     *
     * @return the string; for a closed tensor it says that the tensor is closed. This method never throws
     */
    @Override
    public String toString() {
        expose();
        return data.toString();
    }

    @Override
    public String toString(TensorFormat format) {
        expose();
        return data.toString(format);
    }
}
