package io.tensornio.compute;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.UInt8;
import io.tensornio.internal.compute.Cast;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The results of a comprehension: a tensor for each output. Closing this closes all of them; a caller that keeps one of
 * them closes the others individually instead.
 *
 * <pre>{@code
 * try (Results r = softmax.run(logits)) {
 *     float first = r.floatTensor("p").floatData().get(0, 0);
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Results implements AutoCloseable {
    private final List<String> names;
    private final AnyTensor<?>[] tensors;

    /** Keeps the array, which has a tensor for each name. */
    Results(List<String> names, AnyTensor<?>... tensors) {
        this.names = names;
        this.tensors = tensors;
    }

    /**
     * The names of the outputs, in the order of {@link Comprehension#outputs()}.
     *
     * @return an unmodifiable set
     */
    public Set<String> names() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(names));
    }

    /**
     * An output of any kind.
     *
     * @param name its name
     * @return the dense, ragged or sparse tensor, the same at each call
     * @throws IllegalArgumentException if no output has that name
     */
    public AnyTensor<?> any(String name) {
        int n = names.indexOf(Objects.requireNonNull(name, "name"));
        if (n < 0) {
            throw new IllegalArgumentException("no output is named `" + name + "`: there are " + names);
        }
        return tensors[n];
    }

    /**
     * A dense output of any type.
     *
     * @param name its name
     * @return the tensor, the same at each call
     * @throws IllegalArgumentException if no output has that name
     * @throws IllegalStateException if it is ragged or sparse
     */
    public Tensor<?> get(String name) {
        return (Tensor<?>) checked(name, Tensor.class);
    }

    /**
     * A ragged output.
     *
     * @param name its name
     * @return the tensor, the same at each call
     * @throws IllegalArgumentException if no output has that name
     * @throws IllegalStateException if it is dense or sparse
     */
    public RaggedTensor<?> raggedTensor(String name) {
        return (RaggedTensor<?>) checked(name, RaggedTensor.class);
    }

    /**
     * A sparse output.
     *
     * @param name its name
     * @return the tensor, the same at each call
     * @throws IllegalArgumentException if no output has that name
     * @throws IllegalStateException if it is dense or ragged
     */
    public SparseTensor<?> sparseTensor(String name) {
        return (SparseTensor<?>) checked(name, SparseTensor.class);
    }

    private AnyTensor<?> checked(String name, Class<?> wanted) {
        AnyTensor<?> tensor = any(name);
        if (!wanted.isInstance(tensor)) {
            String is = tensor instanceof RaggedTensor ? "ragged: it is raggedTensor" : tensor instanceof SparseTensor ? "sparse: it is sparseTensor"
                : "dense: it is get";
            throw new IllegalStateException(name + " is " + is + "(\"" + name + "\"), or any(\"" + name + "\")");
        }
        return tensor;
    }

    @SuppressWarnings("unchecked")          // the type of the elements is the type parameter
    private <T> Tensor<T> get(String name, DataType wanted) {
        Tensor<?> tensor = get(name);
        if (Cast.carrier(tensor.dataType()) != wanted) {
            throw new IllegalStateException("the elements of " + name + " are " + tensor.dataType() + ", not " + wanted);
        }
        return (Tensor<T>) tensor;
    }

    /**
     * A FLOAT output.
     *
     * @param name its name
     * @return the tensor
     * @throws IllegalArgumentException if no output has that name
     * @throws IllegalStateException if its elements are of another type
     */
    public Tensor<Float> floatTensor(String name) {
        return get(name, DataType.FLOAT);
    }

    /**
     * A DOUBLE output.
     *
     * @param name its name
     * @return the tensor
     * @throws IllegalArgumentException if no output has that name
     * @throws IllegalStateException if its elements are of another type
     */
    public Tensor<Double> doubleTensor(String name) {
        return get(name, DataType.DOUBLE);
    }

    /**
     * An INT32 output.
     *
     * @param name its name
     * @return the tensor
     * @throws IllegalArgumentException if no output has that name
     * @throws IllegalStateException if its elements are of another type
     */
    public Tensor<Integer> intTensor(String name) {
        return get(name, DataType.INT32);
    }

    /**
     * An INT64 output.
     *
     * @param name its name
     * @return the tensor
     * @throws IllegalArgumentException if no output has that name
     * @throws IllegalStateException if its elements are of another type
     */
    public Tensor<Long> longTensor(String name) {
        return get(name, DataType.INT64);
    }

    /**
     * A BOOL output.
     *
     * @param name its name
     * @return the tensor
     * @throws IllegalArgumentException if no output has that name
     * @throws IllegalStateException if its elements are of another type
     */
    public Tensor<Boolean> booleanTensor(String name) {
        return get(name, DataType.BOOL);
    }

    /**
     * A UINT8 output.
     *
     * @param name its name
     * @return the tensor
     * @throws IllegalArgumentException if no output has that name
     * @throws IllegalStateException if its elements are of another type
     */
    public Tensor<UInt8> uInt8Tensor(String name) {
        return get(name, DataType.UINT8);
    }

    /** Closes all outputs. Closing again does nothing. */
    @Override
    public void close() {
        Throwable failure = null;
        for (AnyTensor<?> tensor : tensors) {
            try {
                tensor.close();
            } catch (RuntimeException | Error e) {
                failure = e;                // the others are still closed
            }
        }
        if (failure instanceof Error) {
            throw (Error) failure;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    /**
     * The names, types and shapes of the outputs.
     *
     * @return a line
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("Results(");
        for (int n = 0; n < tensors.length; n++) {
            text.append(n == 0 ? "" : ", ").append(names.get(n)).append(": ").append(tensors[n].dataType()).append(' ')
                .append(Arrays.toString(tensors[n].shape()));
        }
        return text.append(')').toString();
    }
}
