package io.tensornio.op;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.op.Made;

/**
 * What operations are given and what they give: a tensor that belongs to a scope. Each operation has a class of its own for its result.
 *
 * <p>Operands are compared by identity. Any number of threads may use one.
 *
 * @param <T> the element type
 */
public abstract class Operand<T> {
    private final Made<T> made;

    /**
     * For the operations of this library: nobody else can make what it takes.
     *
     * @param made the tensor and its scope
     */
    protected Operand(Made<T> made) {
        this.made = made;
    }

    /**
     * The tensor. It is closed with the scope, unless {@link Ops#keep} takes it out; closing it before closes this operand.
     *
     * @return the same tensor at each call
     */
    public Tensor<T> asTensor() {
        return made.tensor();
    }

    /**
     * The scope that has made this.
     *
     * @return the scope, by which operators of other languages compute; it may be closed
     */
    public Ops ops() {
        return (Ops) made.scope().owner();
    }

    /**
     * The sizes of all axes; after this was closed, too.
     *
     * @return a new array
     */
    public long[] shape() {
        return asTensor().shape();
    }

    /**
     * The type of the elements; after this was closed, too.
     *
     * @return the type
     */
    public DataType dataType() {
        return asTensor().dataType();
    }

    /**
     * The number of axes; after this was closed, too.
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
     * What {@link Tensor#toString()} says.
     *
     * @return the type, the shape and the elements
     */
    @Override
    public String toString() {
        return asTensor().toString();
    }
}
