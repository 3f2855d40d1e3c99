package io.tensornio.io;

import io.tensornio.Tensor;
import io.tensornio.TensorDescription;
import io.tensornio.TensorIndex;
import io.tensornio.internal.file.TensorStore;
import java.util.List;
import java.util.Map;

/**
 * An open file of named tensors, which are read one by one: by {@link Safetensors#open}, {@link Npz#open} or {@link Safetensors#map}.
 *
 * <p>What is read are tensors of their own: closing the file closes none of them. Any number of threads may read at once. A thread that is
 * interrupted while it reads closes the file, as {@link java.nio.channels.FileChannel} does; tensors that are mapped stay open.
 */
public final class TensorFile implements AutoCloseable {
    private final TensorStore store;

    TensorFile(TensorStore store) {
        this.store = store;
    }

    /**
     * The names of all tensors.
     *
     * @return an unmodifiable list, in the order of the file
     * @throws IllegalStateException if the file is closed
     */
    public List<String> names() {
        return store.names();
    }

    /**
     * The type and shape of a tensor, whose elements are not read.
     *
     * @param name its name
     * @return the description
     * @throws java.util.NoSuchElementException if there is no such tensor
     * @throws IllegalArgumentException if it is malformed, or of a type that is not read
     * @throws IllegalStateException if the file is closed
     * @throws java.io.UncheckedIOException if the file cannot be read
     */
    public TensorDescription description(String name) {
        return store.description(name);
    }

    /**
     * The texts about the tensors that the file has, by their keys.
     *
     * @return an unmodifiable map, in the order of the file; empty for a form of files that has none
     * @throws IllegalStateException if the file is closed
     */
    public Map<String, String> metadata() {
        return store.metadata();
    }

    /**
     * Reads a tensor.
     *
     * @param name its name
     * @return a tensor that the caller closes
     * @throws java.util.NoSuchElementException if there is no such tensor
     * @throws IllegalArgumentException if it is malformed, or of a type that is not read
     * @throws IllegalStateException if the file is closed
     * @throws java.io.UncheckedIOException if the file cannot be read, or has become shorter
     * @throws OutOfMemoryError if the tensor exceeds the memory budget
     */
    public Tensor<?> read(String name) {
        return store.read(name);
    }

    /**
     * Reads selected elements of a tensor, and no others but those in small gaps between them. (Compressed tensors are read as a whole.)
     *
     * @param name its name
     * @param indices one index for each leading axis, as {@link io.tensornio.TensorData#slice(TensorIndex...)} takes them
     * @return a tensor with a copy of what is selected, which the caller closes
     * @throws IndexOutOfBoundsException if an index is out of bounds for its axis, or there are more indices than axes
     * @throws java.util.NoSuchElementException if there is no such tensor
     * @throws IllegalArgumentException if it is malformed, or of a type that is not read, or an index does not fit, see {@code slice}
     * @throws IllegalStateException if the file is closed
     * @throws java.io.UncheckedIOException if the file cannot be read, or has become shorter
     * @throws OutOfMemoryError if the tensor exceeds the memory budget
     */
    public Tensor<?> read(String name, TensorIndex... indices) {
        return store.read(name, indices);
    }

    /** Closes the file; what was read stays open. Closing again does nothing. */
    @Override
    public void close() {
        store.close();
    }
}
