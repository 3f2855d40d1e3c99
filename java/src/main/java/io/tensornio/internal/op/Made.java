package io.tensornio.internal.op;

import io.tensornio.AnyTensor;
import java.util.Objects;

/**
 * A tensor and the scope that owns it.
 *
 * @param <T> the element type
 */
public final class Made<T> {
    private final Scope scope;
    private final AnyTensor<T> tensor;
    /** The scope's entry for the tensor; null if the scope does not close it. */
    private final Scope.Entry entry;

    Made(Scope scope, AnyTensor<T> tensor, Scope.Entry entry) {
        this.scope = scope;
        this.tensor = Objects.requireNonNull(tensor, "tensor");
        this.entry = entry;
    }

    /** The scope that has made it. */
    public Scope scope() {
        return scope;
    }

    /** The tensor, of any kind. */
    public AnyTensor<T> tensor() {
        return tensor;
    }

    /**
     * Takes the tensor out of its scope: the caller closes it. Calling it again does nothing.
     *
     * @throws io.tensornio.TensorClosedException if it is closed
     */
    public void keep() {
        entry.keep(tensor);
    }
}
