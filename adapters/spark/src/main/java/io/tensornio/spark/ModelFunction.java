package io.tensornio.spark;

import io.tensornio.AnyTensor;
import java.io.Serializable;
import java.util.Map;

/**
 * A model as a function of tensors. It is serialised as it is when the transform is made, read once in each executor JVM, and called by all tasks
 * there at the same time: it is to be thread-safe, and to make what it cannot carry on first use. What runs is always a copy that was read, in local
 * mode and on the driver as well. If it is {@code AutoCloseable}, the copy is closed a minute after the last task that used it, and later tasks read
 * another; the caller's own function is not closed.
 */
@FunctionalInterface
public interface ModelFunction extends Serializable {
    /**
     * Computes a batch.
     *
     * @param inputs the inputs by name; the first axis is that of the rows. They are closed when the call has returned and its outputs are read
     * @return the outputs by name: those that become columns, with the rows as their first axis, and perhaps others. They are closed, too
     * @throws Exception whatever goes wrong: the task fails, with an error that names the batch's first row
     */
    Map<String, ? extends AnyTensor<?>> apply(Map<String, AnyTensor<?>> inputs) throws Exception;
}
