package io.tensornio.internal.data;

import io.tensornio.AnyTensor;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorLayout;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RaggedParts;
import io.tensornio.internal.sparse.Sparse;

/** Makes tensors of filled blocks, by a constructor that only the API can access: the initialiser of {@link Tensor} registers an implementation. */
public abstract class TensorPublisher {
    private static volatile TensorPublisher registered;

    /** Registers the API's implementation. */
    public static void register(TensorPublisher publisher) {
        registered = publisher;
    }

    /**
     * Publishes a block: the tensor owns it from now on, and it cannot be written any more.
     *
     * @param block open, and filled
     * @param data all of its elements
     * @return the tensor
     */
    static Tensor<?> publish(Block block, TensorData<?> data) {
        return Found.PUBLISHER.make(block, data, null);
    }

    /** The same with a layout of the elements in the block; null if it is the row-major one. */
    static Tensor<?> publish(Block block, TensorData<?> data, TensorLayout layout) {
        return Found.PUBLISHER.make(block, data, layout);
    }

    /** As {@link #publish}. */
    protected abstract Tensor<?> make(Block block, TensorData<?> data, TensorLayout layout);

    /**
     * The block of a tensor whose close the library takes over, so that it is not reported as a leak any more.
     *
     * @param tensor any tensor
     * @return the block, shared by all of its views; that of the values if it is ragged or sparse
     */
    public static Block adopt(AnyTensor<?> tensor) {
        Found.PUBLISHER.watch(tensor, false);
        return Found.PUBLISHER.block(tensor);
    }

    /**
     * The block of a tensor.
     *
     * @param tensor any tensor
     * @return the block, shared by all of its views
     */
    public static Block blockOf(Tensor<?> tensor) {
        return Found.PUBLISHER.block(tensor);
    }

    /**
     * Undoes {@link #adopt}: the user has to close the tensor again.
     *
     * @param tensor any tensor
     */
    public static void release(AnyTensor<?> tensor) {
        Found.PUBLISHER.watch(tensor, true);
    }

    /**
     * The data of a tensor, for a native call that pins it: the memory stays one that nobody has seen, which is faster to close. It must not be read
     * through a buffer.
     */
    public static TensorData<?> unexposedData(Tensor<?> tensor) {
        return Found.PUBLISHER.unexposed(tensor);
    }

    /** The elements of a sparse tensor. */
    static Sparse sparse(SparseTensor<?> tensor) {
        return Found.PUBLISHER.elements(tensor);
    }

    /** The ragged tensor of parts, which are closed if that fails. */
    static RaggedTensor<?> ragged(RaggedParts parts) {
        return Found.PUBLISHER.makeRagged(parts);
    }

    /** The sparse tensor of elements, which are closed if that fails. */
    static SparseTensor<?> sparse(Carrier<?, ?> carrier, Sparse sparse) {
        return Found.PUBLISHER.makeSparse(carrier, sparse);
    }

    /** As {@link #ragged}. */
    protected abstract RaggedTensor<?> makeRagged(RaggedParts parts);

    /** As {@link #sparse}. */
    protected abstract SparseTensor<?> makeSparse(Carrier<?, ?> carrier, Sparse sparse);

    /** As {@link #unexposedData}. */
    protected abstract TensorData<?> unexposed(Tensor<?> tensor);

    /** As {@link #sparse}. */
    protected abstract Sparse elements(SparseTensor<?> tensor);

    /** The block behind a tensor: that of the values if it is ragged or sparse. */
    protected abstract Block block(AnyTensor<?> tensor);

    /** Sets whether a tensor is reported as a leak if it becomes unreachable without having been closed. */
    protected abstract void watch(AnyTensor<?> tensor, boolean watched);

    /** A holder class, so that the registered implementation is in a final field. */
    private static final class Found {
        private static final TensorPublisher PUBLISHER = find();

        private static TensorPublisher find() {
            try {
                Class.forName(Tensor.class.getName(), true, Tensor.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e);
            }
            return registered;
        }
    }
}
