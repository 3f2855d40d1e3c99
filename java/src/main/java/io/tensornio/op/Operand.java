package io.tensornio.op;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.op.Made;

/**
 * An operand or a result of an operation: a tensor that belongs to a scope. Each operation has its own class of results.
 *
 * <p>Operands are compared by identity. Thread-safe.
 *
 * @param <T> the element type
 */
public abstract class Operand<T> {
    private final Made<T> made;

    /**
     * For the operations of this library only, since its argument is internal.
     *
     * @param made the tensor and its scope
     */
    protected Operand(Made<T> made) {
        this.made = made;
    }

    /**
     * The tensor. It is closed with the scope, unless {@link Ops#keep} takes it out; closing the tensor closes this operand.
     *
     * @return the same tensor at each call
     */
    public Tensor<T> asTensor() {
        return made.tensor();
    }

    /**
     * The scope that has made this.
     *
     * @return the scope, which operators of other languages use; it may be closed
     */
    public Ops ops() {
        return (Ops) made.scope().owner();
    }

    /**
     * The sizes of all axes, also after this was closed.
     *
     * @return a new array
     */
    public long[] shape() {
        return asTensor().shape();
    }

    /**
     * The type of the elements, also after this was closed.
     *
     * @return the type
     */
    public DataType dataType() {
        return asTensor().dataType();
    }

    /**
     * The number of axes, also after this was closed.
     *
     * @return the rank; 0 for a scalar
     */
    public int rank() {
        return asTensor().rank();
    }

    Made<T> made() {
        return made;
    }

    /**
     * The text of {@link Tensor#toString()}.
     *
     * @return the type, the shape and the elements
     */
    @Override
    public String toString() {
        return asTensor().toString();
    }
}
