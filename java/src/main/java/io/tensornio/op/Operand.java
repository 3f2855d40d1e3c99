package io.tensornio.op;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.internal.compute.Inputs;
import io.tensornio.internal.op.Made;
import java.util.Objects;

/**
 * An operand or a result of an operation: a tensor that belongs to a scope. Each operation has its own class of results.
 *
 * <p>Operands are compared by identity. Thread-safe.
 *
 * @param <T> the element type
 */
public abstract class Operand<T> {
    static {
        Inputs.accept(Operand.class, given -> ((Operand<?>) given).any());
    }

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
     * @throws IllegalStateException if it is ragged or sparse: then it is {@link #any()}
     */
    public Tensor<T> asTensor() {
        AnyTensor<T> tensor = any();
        if (tensor instanceof Tensor) {
            return (Tensor<T>) tensor;
        }
        throw new IllegalStateException("this operand is " + (tensor instanceof RaggedTensor ? "ragged" : "sparse") + ": its tensor is any()");
    }

    /**
     * The tensor of any kind: dense, ragged or sparse. It is closed as that of {@link #asTensor()} is.
     *
     * @return the same tensor at each call
     */
    public AnyTensor<T> any() {
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
     * @return a new array, with -1 for a ragged axis
     */
    public long[] shape() {
        return any().shape();
    }

    /**
     * The type of the elements, also after this was closed.
     *
     * @return the type
     */
    public DataType dataType() {
        return any().dataType();
    }

    /**
     * The number of axes, also after this was closed.
     *
     * @return the rank; 0 for a scalar
     */
    public int rank() {
        return any().rank();
    }

    /**
     * The sum, in the scope of this operand, see {@link io.tensornio.op.math.MathOps#add}.
     *
     * @param other the right operand, of the same type, whose shape broadcasts with that of this one
     * @return the result, which belongs to the scope
     * @throws IllegalArgumentException if shapes or types do not fit
     * @throws io.tensornio.TensorClosedException if an operand is closed
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<T> plus(Operand<T> other) {
        return ops().math.add(this, other);
    }

    /**
     * The sum of each element and a number, which becomes of the type of the elements.
     *
     * @param number the right operand
     * @return the result, which belongs to the scope
     * @throws IllegalArgumentException if the type cannot hold the number: integers no fraction, and BOOL none
     * @throws io.tensornio.TensorClosedException if this is closed
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<T> plus(Number number) {
        return plus(like(number));
    }

    /**
     * The difference, in the scope of this operand, see {@link io.tensornio.op.math.MathOps#sub}.
     *
     * @param other the right operand, of the same type, whose shape broadcasts with that of this one
     * @return the result, which belongs to the scope
     * @throws IllegalArgumentException if shapes or types do not fit
     * @throws io.tensornio.TensorClosedException if an operand is closed
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<T> minus(Operand<T> other) {
        return ops().math.sub(this, other);
    }

    /**
     * The difference of each element and a number, which becomes of the type of the elements.
     *
     * @param number the right operand
     * @return the result, which belongs to the scope
     * @throws IllegalArgumentException if the type cannot hold the number: integers no fraction, and BOOL none
     * @throws io.tensornio.TensorClosedException if this is closed
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<T> minus(Number number) {
        return minus(like(number));
    }

    /**
     * The product of elements, in the scope of this operand, see {@link io.tensornio.op.math.MathOps#mul}.
     *
     * @param other the right operand, of the same type, whose shape broadcasts with that of this one
     * @return the result, which belongs to the scope
     * @throws IllegalArgumentException if shapes or types do not fit
     * @throws io.tensornio.TensorClosedException if an operand is closed
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<T> times(Operand<T> other) {
        return ops().math.mul(this, other);
    }

    /**
     * The product of each element and a number, which becomes of the type of the elements.
     *
     * @param number the right operand
     * @return the result, which belongs to the scope
     * @throws IllegalArgumentException if the type cannot hold the number: integers no fraction, and BOOL none
     * @throws io.tensornio.TensorClosedException if this is closed
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<T> times(Number number) {
        return times(like(number));
    }

    /**
     * The quotient, in the scope of this operand, see {@link io.tensornio.op.math.MathOps#div}.
     *
     * @param other the right operand, of the same type, whose shape broadcasts with that of this one
     * @return the result, which belongs to the scope
     * @throws IllegalArgumentException if shapes or types do not fit
     * @throws io.tensornio.TensorClosedException if an operand is closed
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<T> div(Operand<T> other) {
        return ops().math.div(this, other);
    }

    /**
     * The quotient of each element and a number, which becomes of the type of the elements.
     *
     * @param number the right operand
     * @return the result, which belongs to the scope
     * @throws IllegalArgumentException if the type cannot hold the number: integers no fraction, and BOOL none
     * @throws io.tensornio.TensorClosedException if this is closed
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<T> div(Number number) {
        return div(like(number));
    }

    /** A constant of the type of this, in its scope. */
    @SuppressWarnings("unchecked")          // the type of the elements is the type parameter
    private Operand<T> like(Number number) {
        Objects.requireNonNull(number, "number");
        Ops scope = ops();
        switch (dataType()) {
            case FLOAT:
                return (Operand<T>) scope.constant(number.floatValue());
            case DOUBLE:
                return (Operand<T>) scope.constant(number.doubleValue());
            case INT32:
                return (Operand<T>) scope.constant((int) whole(number, Integer.MIN_VALUE, Integer.MAX_VALUE));
            case INT64:
                return (Operand<T>) scope.constant(whole(number, Long.MIN_VALUE, Long.MAX_VALUE));
            case UINT8:
                return (Operand<T>) scope.constant((byte) whole(number, 0, 255));
            case FLOAT16:
            case BFLOAT16:
                return (Operand<T>) scope.single(DoubleTensorData.constant(number.doubleValue()), dataType());
            case INT8:
            case INT16:
            case UINT16:
            case UINT32:
                int bits = 8 * dataType().byteSize() - (dataType().isSigned() ? 1 : 0);
                long least = dataType().isSigned() ? -(1L << bits) : 0;
                return (Operand<T>) scope.single(LongTensorData.constant(whole(number, least, (1L << bits) - 1)), dataType());
            default:
                throw new IllegalArgumentException(dataType() + " has no numbers, such as " + number);
        }
    }

    private long whole(Number number, long least, long most) {
        long whole = number.longValue();
        if (whole < least || whole > most || number.doubleValue() != whole) {
            throw new IllegalArgumentException(dataType() + " cannot hold the number " + number);
        }
        return whole;
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
        return any().toString();
    }

    /** A result of a comprehension. */
    static final class Applied<T> extends Operand<T> {
        Applied(Made<T> made) {
            super(made);
        }
    }
}
