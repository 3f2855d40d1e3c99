package io.tensornio.io;

import io.tensornio.AnyTensor;
import io.tensornio.internal.file.Chunks;
import io.tensornio.value.Value;
import java.io.Serializable;
import java.util.Objects;

/**
 * A copy of a tensor, or of a value, in arrays of bytes, which travels where tensors cannot: between the JVMs of a cluster, into caches and sessions.
 * It is serialised by Java and by Kryo. What arrives is checked as a file is, when it is asked for.
 *
 * <pre>{@code
 * TensorBytes bytes = TensorBytes.of(tensor);
 * try (AnyTensor<?> again = bytes.tensor()) { ... }        // elsewhere
 * }</pre>
 */
public final class TensorBytes implements Serializable {
    private static final long serialVersionUID = 1;

    /** All that there is, see {@link ValueBytes}. Not final, and not there after the constructor below: Kryo sets it. */
    private byte[][] chunks;

    private TensorBytes() {
        this(new byte[0][]);
    }

    private TensorBytes(byte[][] chunks) {
        this.chunks = chunks;
    }

    /**
     * Copies a tensor.
     *
     * @param tensor a tensor of any kind and type; strings of a fixed length become ones of variable length
     * @return its elements, shape and type
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     * @throws java.io.UncheckedIOException if it has strings that are not valid UTF-8
     * @throws OutOfMemoryError if they do not fit on the heap
     */
    public static TensorBytes of(AnyTensor<?> tensor) {
        return of(Value.of(tensor));
    }

    /**
     * Copies a value with all its tensors.
     *
     * @param value a value, in which others are at most 64 deep
     * @return the value and its tensors
     * @throws IllegalArgumentException if it is deeper
     * @throws io.tensornio.TensorClosedException if a tensor is closed
     * @throws java.io.UncheckedIOException if it has strings that are not valid UTF-8
     * @throws OutOfMemoryError if they do not fit on the heap
     */
    public static TensorBytes of(Value value) {
        Chunks.Out out = new Chunks.Out();
        ValueBytes.write(Objects.requireNonNull(value, "value"), out);
        return new TensorBytes(out.chunks());
    }

    /**
     * Makes the tensor.
     *
     * @return a new tensor of the same kind, with equal data, which the caller closes
     * @throws IllegalArgumentException if the bytes are malformed
     * @throws IllegalStateException if they are those of another value than a tensor
     * @throws OutOfMemoryError if it exceeds the memory budget
     */
    public AnyTensor<?> tensor() {
        Value value = value();
        try {
            return value.asTensor();
        } catch (IllegalStateException e) {
            value.close();
            throw e;
        }
    }

    /**
     * Makes the value.
     *
     * @return an equal value with tensors of its own, which the caller closes
     * @throws IllegalArgumentException if the bytes are malformed
     * @throws OutOfMemoryError if it exceeds the memory budget
     */
    public Value value() {
        return ValueBytes.read(chunks);
    }
}
