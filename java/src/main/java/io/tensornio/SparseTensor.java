package io.tensornio;

import io.tensornio.internal.data.Carrier;
//#each
import io.tensornio.internal.data.FloatCarrier;
//#end each
import io.tensornio.internal.data.LongStrided;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.sparse.SparseBuilder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A sparse tensor: only some of its elements are stored, with their coordinates; all others are 0, {@code false} or the empty string. It is made by
 * the factories of {@link Tensors}. Its data reads like that of a dense tensor, which is never built.
 *
 * <pre>{@code
 * try (SparseTensor<Float> matrix = Tensors.sparseFloat(new long[] {1_000_000, 1_000_000}, 2, data -> {
 *     data.put(5, 70, 1);
 *     data.put(6, 3, 2);
 * })) {
 *     float v = matrix.floatData().get(70, 1);
 *     LongTensorData coordinates = matrix.indices().longData();          // {{3, 2}, {70, 1}}
 * }
 * }</pre>
 *
 * <p>It is immutable and may be used by any number of threads. The tensors that are its parts share its memory: closing them does nothing; they
 * close with it. The method that makes one of other data refuses strings as those of {@link Tensors} do.
 *
 * @param <T> the element type: {@code Float}, {@code Double}, {@code Integer}, {@code Long}, {@code Boolean}, {@link UInt8} or
 *     {@code String}
 */
public final class SparseTensor<T> extends BaseTensor<T> {
    private final Sparse memory;
    private final Tensor<Long> indices;
    private final Tensor<T> values;
    private final Supplier<Tensor<T>> toDense;
    /** Made on first use. */
    private final Part denseShape = new Part();
    private final Part rowPointers = new Part();
    private final Part columnIndices = new Part();

    /** Publishes sorted elements; {@code data} is the whole tensor, as if dense. */
    SparseTensor(Sparse memory, Tensor<T> values, TensorData<?> data, Supplier<Tensor<T>> toDense) {
        super(values.dataType(), memory.shape(), data, true);
        this.memory = memory;
        this.values = values;
        this.toDense = toDense;
        indices = borrowed(memory.indices());
    }

    //#each
    /**
     * Makes a sparse tensor out of the {@code float} elements of data that are not 0, false or empty. Strings become ones of variable length.
     //~float,double * -0.0 is 0 here, and NaN is not. (Elsewhere, as in {@code equals}, 0.0 and -0.0 differ.)
     *
     * @param data data of any kind; if it is ragged, its rows must have equal lengths
     * @return a published tensor of the same shape, which shares no memory with the data
     * @throws TensorClosedException if the data's tensor is closed
     * @throws IllegalArgumentException if rows of ragged data have different lengths
     //#if primitive
     * @throws IllegalArgumentException if a size is 0, and the others together would mean more bytes than a {@code long} can count
     //#end
     //#if primitive
     * @throws java.util.ConcurrentModificationException if another thread makes more of the elements non-zero during the call
     //#end
     * @throws OutOfMemoryError if the tensor, or a copy of data that is neither dense nor sparse, exceeds the memory budget or does not fit in one
     *     direct buffer
     */
    public static SparseTensor<Float> fromDense(FloatTensorData data) {
        return fromDense(FloatCarrier.FLOAT, data);
    }
    //#end each

    /** Publishes sorted elements, which it closes if that fails. */
    static <T, D extends TensorData<D>> SparseTensor<T> of(Carrier<D, ?> any, Sparse sparse) {
        try {
            Carrier<D, ?> carrier = any.of(sparse.values().dataType());
            D data = carrier.whole(sparse, sparse.shape());
            Block stored = sparse.values();
            Tensor<T> values = new Tensor<>(stored, carrier.whole((Source) stored, stored.shape()), true);
            return new SparseTensor<>(sparse, values, data, () -> carrier.create(data));
        } catch (Throwable e) {
            sparse.close();
            throw e;
        }
    }

    /** Publishes what a caller writes, or closes it. */
    static <T, D extends TensorData<D>> SparseTensor<T> fill(Carrier<D, ?> carrier, Consumer<? super D> init, SparseBuilder filling) {
        Sparse sparse;
        try {
            init.accept(carrier.whole((Source) filling, filling.shape));
            sparse = filling.publish();
        } catch (Throwable e) {
            filling.close();
            throw e;
        }
        return of(carrier, sparse);
    }

    @SuppressWarnings("unchecked")          // a copy has data of the same class
    private static <T, D extends TensorData<D>> SparseTensor<T> fromDense(Carrier<D, ?> carrier, D data) {
        if (data != null && RaggedShapes.isRagged(data.shape())) {
            try (Tensor<T> dense = carrier.create(data)) {           // throws if rows differ in length
                return of(carrier, carrier.sparse((D) dense.unexposed()));
            }
        }
        return of(carrier, carrier.sparse(data));
    }

    private static Tensor<Long> borrowed(LongBlock block) {
        return new Tensor<>(block, LongStrided.of(block), true);
    }

    /**
     * The coordinates of the stored elements, sorted in row-major order, without duplicates.
     *
     * @return a tensor of shape (n, rank) that shares this one's memory
     * @throws TensorClosedException if the tensor is closed
     */
    public Tensor<Long> indices() {
        checkOpen();
        return indices;
    }

    /**
     * The stored elements, in the order of their coordinates. They may include zeros.
     *
     * @return a tensor of shape (n) that shares this one's memory
     * @throws TensorClosedException if the tensor is closed
     */
    public Tensor<T> values() {
        checkOpen();
        return values;
    }

    /**
     * The shape that the elements would have in a dense tensor.
     *
     * @return a tensor of shape (rank) that is closed with this one
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if the memory budget is exhausted
     */
    public Tensor<Long> denseShape() {
        checkOpen();
        return denseShape.get(() -> {
            long[] shape = memory.shape();
            LongBlock block = new LongBlock(new long[] {shape.length});
            LongStrided.of(block).copyFrom(shape);
            return block;
        });
    }

    /**
     * Where each row of a matrix begins in {@link #indices()} and {@link #values()}; the last entry is the number of values. With
     * {@link #columnIndices()} and the values this is the compressed form of a matrix (CSR). It is computed on first use, and cached.
     *
     * @return a tensor of shape (rows + 1) that is closed with this one
     * @throws IllegalStateException if the rank is not 2
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if it exceeds the memory budget or does not fit in one direct buffer
     */
    public Tensor<Long> rowPointers() {
        checkMatrix("row pointers");
        return rowPointers.get(memory::rowPointers);
    }

    /**
     * The column of each stored element of a matrix, in the order of {@link #values()}. It is made on first use, and cached.
     *
     * @return a tensor of shape (n) that is closed with this one
     * @throws IllegalStateException if the rank is not 2
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if it exceeds the memory budget or does not fit in one direct buffer
     */
    public Tensor<Long> columnIndices() {
        checkMatrix("column indices");
        return columnIndices.get(() -> {
            LongTensorData columns = indices.longData().slice(TensorIndex.all(), TensorIndex.at(1));
            LongBlock block = new LongBlock(columns.shape());
            try {
                LongStrided.of(block).put(columns);
            } catch (Throwable e) {     // closed meanwhile
                block.close();
                throw e;
            }
            return block;
        });
    }

    private void checkMatrix(String what) {
        checkOpen();
        if (rank() != 2) {
            throw new IllegalStateException("only a matrix has " + what + ", this tensor has the rank " + rank());
        }
    }

    /**
     * Copies all elements, stored or not, into a dense tensor; one of strings has variable-length strings.
     *
     * @return a published tensor, which shares no memory with this one
     * @throws IllegalArgumentException if a size is 0, and the others together would mean more bytes than a {@code long} can count
     * @throws TensorClosedException if the tensor is closed
     * @throws OutOfMemoryError if it exceeds the memory budget, or, of strings, one direct buffer
     */
    public Tensor<T> toDense() {
        checkOpen();
        return toDense.get();
    }

    /** The number of bytes that the coordinates and the stored elements occupy. */
    @Override
    public long numBytes() {
        return indices.numBytes() + values.numBytes();
    }

    @Override
    public boolean isClosed() {
        return memory.values().isClosed();          // the values are closed first
    }

    @Override
    Block block() {
        return memory.values();
    }

    @Override
    void closeMemory() {
        try {
            memory.close();
        } finally {
            denseShape.close();
            rowPointers.close();
            columnIndices.close();
        }
    }

    /** The elements. */
    Sparse memory() {
        return memory;
    }

    /** A part that is made on first use. Closing the tensor does not wait for that. */
    private final class Part {
        /** Held while it is made, so that it is made once; the part's own lock guards the block. */
        private final Object making = new Object();
        private LongBlock block;

        Tensor<Long> get(Supplier<LongBlock> maker) {
            synchronized (making) {
                checkOpen();
                return borrowed(block == null ? keep(maker.get()) : block);
            }
        }

        private synchronized LongBlock keep(LongBlock made) {
            if (isClosed()) {
                made.close();
                checkOpen();
            }
            block = made;
            return made;
        }

        synchronized void close() {
            if (block != null) {
                block.close();
            }
        }
    }
}
