package io.tensornio.internal.data;

import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.memory.Block;

/** Makes tensors of filled blocks, which the API alone can: {@link Tensor} registers how when it is initialised. */
public abstract class TensorPublisher {
    private static volatile TensorPublisher registered;

    /** Takes the API's way to make tensors. */
    public static void register(TensorPublisher publisher) {
        registered = publisher;
    }

    /**
     * Publishes a block: the tensor owns it from now on, and nobody can write it any more.
     *
     * @param block open, and filled
     * @param data all of its elements
     * @return the tensor
     */
    static Tensor<?> publish(Block block, TensorData<?> data) {
        return Found.PUBLISHER.make(block, data);
    }

    /** As {@link #publish}. */
    protected abstract Tensor<?> make(Block block, TensorData<?> data);

    /**
     * The block of a tensor that is not closed by its user, and so is not reported as a leak any more.
     *
     * @param tensor any tensor
     * @return what owns its memory, and all of its views share
     */
    public static Block adopt(Tensor<?> tensor) {
        Found.PUBLISHER.watch(tensor, false);
        return Found.PUBLISHER.block(tensor);
    }

    /**
     * Undoes {@link #adopt}: the user has to close the tensor.
     *
     * @param tensor any tensor
     */
    public static void release(Tensor<?> tensor) {
        Found.PUBLISHER.watch(tensor, true);
    }

    /** The block behind a tensor. */
    protected abstract Block block(Tensor<?> tensor);

    /** Whether a tensor is a leak if it becomes unreachable without having been closed. */
    protected abstract void watch(Tensor<?> tensor, boolean watched);

    /** A class of its own, so that a final field has what was registered. */
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
