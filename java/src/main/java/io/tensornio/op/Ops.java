package io.tensornio.op;

import io.tensornio.*;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.op.Scope;
import io.tensornio.internal.op.Types;
import io.tensornio.op.array.ArrayOps;
import io.tensornio.op.fft.FftOps;
import io.tensornio.op.linalg.LinalgOps;
import io.tensornio.op.math.MathOps;
import io.tensornio.op.nn.NnOps;
import io.tensornio.op.random.RandomOps;
import io.tensornio.op.reduce.ReduceOps;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Eager operations. Each computes immediately, by a comprehension, and returns a result that belongs to this scope:
 * closing the scope closes all of them.
 *
 * <pre>{@code
 * try (Ops tf = Ops.create()) {
 *     Constant<Float> a = tf.constant(new float[][] {{1, 2}, {3, 4}});
 *     Add<Float> sum = tf.math.add(a, tf.linalg.matmul(a, a));
 *     float first = sum.asTensor().floatData().get(0, 0);
 * }
 * }</pre>
 *
 * <p>Results are held weakly: unreachable ones are collected before the scope is closed, so that a loop may make any number of them. A result does
 * not need its operands any more once it is computed. {@link #keep} takes a result out of its scope.
 *
 * <p>Operands may be of other scopes. Those of one operation have the same type; convert them by {@code math.cast}. Shapes broadcast by NumPy's rule:
 * from the last axis on, sizes are equal, or one of them is 1 or missing. Results are row-major.
 *
 * <p>A scope is thread-safe.
 */
public final class Ops implements AutoCloseable {
    /** Arithmetic, functions, comparisons and choices. */
    public final MathOps math;
    /** Products and decompositions of matrices. */
    public final LinalgOps linalg;
    /** Operations of neural networks. */
    public final NnOps nn;
    /** Reductions. */
    public final ReduceOps reduce;
    /** Rearranging elements, and new tensors. */
    public final ArrayOps array;
    /** Random numbers. */
    public final RandomOps random;
    /** Fourier transforms. */
    public final FftOps fft;

    private final Scope scope = new Scope(this);

    private Ops() {
        math = new MathOps(scope);
        linalg = new LinalgOps(scope);
        nn = new NnOps(scope);
        reduce = new ReduceOps(scope);
        array = new ArrayOps(scope);
        random = new RandomOps(scope);
        fft = new FftOps(scope);
    }

    /**
     * Opens a scope.
     *
     * @return a new one
     */
    public static Ops create() {
        return new Ops();
    }

    /**
     * A tensor as an operand. It is borrowed: nothing is copied, and this scope does not close it. That it is not
     * closed is not reported as a leak: its memory is released once it is unreachable.
     *
     * @param <T> the element type
     * @param tensor any dense tensor, except of strings
     * @return the operand
     * @throws IllegalArgumentException if the tensor is of strings
     * @throws TensorClosedException if it is closed
     * @throws IllegalStateException if this is closed
     */
    public <T> Constant<T> constant(Tensor<T> tensor) {
        return constant((AnyTensor<T>) tensor);
    }

    /**
     * A tensor of any kind as an operand, borrowed as {@link #constant(Tensor)} does. A ragged or sparse one is {@link Operand#any()}; comprehensions
     * take it, see {@link #apply(Comprehension, Operand...)}, and the operations that say so.
     *
     * @param <T> the element type
     * @param tensor a dense, ragged or sparse tensor, except of strings
     * @return the operand
     * @throws IllegalArgumentException if the tensor is of strings
     * @throws TensorClosedException if it is closed
     * @throws IllegalStateException if this is closed
     */
    public <T> Constant<T> constant(AnyTensor<T> tensor) {
        if (Objects.requireNonNull(tensor, "tensor").dataType() == DataType.STRING) {
            throw new IllegalArgumentException("a constant of STRING: what can be computed with is FLOAT, DOUBLE, INT32, INT64, UINT8 or BOOL");
        }
        if (tensor.isClosed()) {
            throw new TensorClosedException(tensor.dataType(), tensor.shape());
        }
        return new Constant<>(scope.borrow(tensor));
    }

    private static <D extends TensorData<?>> D dense(D data) {
        if (AnyData.isSparse(Objects.requireNonNull(data, "values"))) {
            throw new IllegalArgumentException("a constant of sparse data: make one of its tensor, or make it dense by toDense()");
        }
        for (long size : data.shape()) {
            if (size < 0) {
                throw new IllegalArgumentException("a constant of ragged data: make one of its tensor, or make it dense by toDense(padding)");
            }
        }
        return data;
    }

    /** A constant of one number, which a type holds. */
    Constant<?> single(TensorData<?> number, DataType type) {
        return new Constant<>(scope.own(Tensors.convert(number, type)));
    }

    //#each primitive
    /**
     * A constant of any rank.
     *
     * @param values the elements, which are copied
     * @return the operand
     * @throws IllegalArgumentException if the data is sparse or ragged
     * @throws TensorClosedException if its tensor is closed
     * @throws IllegalStateException if this is closed
     */
    public Constant<Float> constant(FloatTensorData values) {
        return new Constant<>(scope.own(dense(values).copy()));
    }

    /**
     * A constant of rank 0.
     *
     * @param value the element
     * @return the operand
     * @throws IllegalStateException if this is closed
     */
    public Constant<Float> constant(float value) {
        return new Constant<>(scope.own(Tensors.denseFloat(new long[0], data -> data.put(value))));
    }

    /**
     * A constant of rank 1.
     *
     * @param values the elements, which are copied
     * @return the operand
     * @throws IllegalStateException if this is closed
     */
    public Constant<Float> constant(float[] values) {
        return new Constant<>(scope.own(Tensors.ofNested(Objects.requireNonNull(values, "values"))));
    }

    /**
     * A constant of rank 2.
     *
     * @param values the elements, which are copied
     * @return the operand
     * @throws IllegalArgumentException if rows differ in length
     * @throws IllegalStateException if this is closed
     */
    public Constant<Float> constant(float[][] values) {
        return new Constant<>(scope.own(Tensors.ofNested(Objects.requireNonNull(values, "values"))));
    }

    /**
     * A constant of rank 3.
     *
     * @param values the elements, which are copied
     * @return the operand
     * @throws IllegalArgumentException if rows differ in length
     * @throws IllegalStateException if this is closed
     */
    public Constant<Float> constant(float[][][] values) {
        return new Constant<>(scope.own(Tensors.ofNested(Objects.requireNonNull(values, "values"))));
    }

    /**
     * A constant of rank 4.
     *
     * @param values the elements, which are copied
     * @return the operand
     * @throws IllegalArgumentException if rows differ in length
     * @throws IllegalStateException if this is closed
     */
    public Constant<Float> constant(float[][][][] values) {
        return new Constant<>(scope.own(Tensors.ofNested(Objects.requireNonNull(values, "values"))));
    }

    /**
     * A constant of rank 5.
     *
     * @param values the elements, which are copied
     * @return the operand
     * @throws IllegalArgumentException if rows differ in length
     * @throws IllegalStateException if this is closed
     */
    public Constant<Float> constant(float[][][][][] values) {
        return new Constant<>(scope.own(Tensors.ofNested(Objects.requireNonNull(values, "values"))));
    }

    /**
     * A constant of rank 6.
     *
     * @param values the elements, which are copied
     * @return the operand
     * @throws IllegalArgumentException if rows differ in length
     * @throws IllegalStateException if this is closed
     */
    public Constant<Float> constant(float[][][][][][] values) {
        return new Constant<>(scope.own(Tensors.ofNested(Objects.requireNonNull(values, "values"))));
    }
    //#end each

    /**
     * Takes a result out of its scope: the caller closes it. It stays an operand.
     *
     * @param <T> the element type
     * @param x a result of this scope or another
     * @return its tensor, the same if it was kept before
     * @throws IllegalArgumentException if it is a constant
     * @throws TensorClosedException if it is closed
     * @throws IllegalStateException if it is ragged or sparse: see {@link #keepAny}
     */
    public <T> Tensor<T> keep(Operand<T> x) {
        Tensor<T> tensor = Objects.requireNonNull(x, "x").asTensor();
        keepAny(x);
        return tensor;
    }

    /**
     * Takes a result of any kind out of its scope, as {@link #keep} does.
     *
     * @param <T> the element type
     * @param x a result of this scope or another
     * @return its tensor, dense, ragged or sparse, the same if it was kept before
     * @throws IllegalArgumentException if it is a constant
     * @throws TensorClosedException if it is closed
     */
    public <T> AnyTensor<T> keepAny(Operand<T> x) {
        if (Objects.requireNonNull(x, "x") instanceof Constant) {
            throw new IllegalArgumentException("a constant is no result: its elements are where it was made of");
        }
        x.made().keep();
        return x.any();
    }

    /**
     * Computes by a comprehension, which takes and gives tensors of all kinds: a ragged or sparse output is {@link Operand#any()}.
     *
     * @param comprehension a comprehension with one output
     * @param inputs its inputs, in order
     * @return the output
     * @throws IllegalArgumentException if there are several outputs, or the inputs do not fit, see {@link Comprehension#run(Object...)}
     * @throws IndexOutOfBoundsException as {@link Comprehension#run(Object...)}
     * @throws ArithmeticException as {@link Comprehension#run(Object...)}
     * @throws TensorClosedException if an input is closed
     * @throws IllegalStateException if this is closed
     */
    public Operand<?> apply(Comprehension comprehension, Operand<?>... inputs) {
        return only(comprehension, inputs);
    }

    /**
     * Computes by a comprehension whose output has a known type.
     *
     * @param <T> the element type
     * @param type its class: Float, Double, Integer, Long, Boolean or UInt8
     * @param comprehension a comprehension with one output
     * @param inputs its inputs, in order
     * @return the output
     * @throws IllegalArgumentException as {@link #apply(Comprehension, Operand...)}; or if the output is of another type
     * @throws IndexOutOfBoundsException as {@link Comprehension#run(Object...)}
     * @throws ArithmeticException as {@link Comprehension#run(Object...)}
     * @throws TensorClosedException if an input is closed
     * @throws IllegalStateException if this is closed
     */
    @SuppressWarnings("unchecked")              // the type of the elements is the type parameter
    public <T> Operand<T> apply(Class<T> type, Comprehension comprehension, Operand<?>... inputs) {
        DataType wanted = Types.of(type);
        Operand<?> made = only(comprehension, inputs);
        if (made.dataType() != wanted) {
            made.any().close();
            throw new IllegalArgumentException("the output " + comprehension.outputs().get(0) + " is " + made.dataType() + ", not " + wanted);
        }
        return (Operand<T>) made;
    }

    private Operand<?> only(Comprehension comprehension, Operand<?>... inputs) {
        List<String> outputs = Objects.requireNonNull(comprehension, "comprehension").outputs();
        if (outputs.size() != 1) {
            throw new IllegalArgumentException("the comprehension has " + outputs.size() + " outputs, " + outputs
                + ": take applyAll, or one of them by returning(...)");
        }
        return applyAll(comprehension, inputs).get(outputs.get(0));
    }

    /**
     * Computes all outputs of a comprehension.
     *
     * @param comprehension the comprehension
     * @param inputs its inputs, in order
     * @return the outputs by name, in order
     * @throws IllegalArgumentException if the inputs do not fit, see {@link Comprehension#run(Object...)}
     * @throws IndexOutOfBoundsException as {@link Comprehension#run(Object...)}
     * @throws ArithmeticException as {@link Comprehension#run(Object...)}
     * @throws TensorClosedException if an input is closed
     * @throws IllegalStateException if this is closed
     */
    public Map<String, Operand<?>> applyAll(Comprehension comprehension, Operand<?>... inputs) {
        Objects.requireNonNull(comprehension, "comprehension");
        Object[] tensors = new Object[Objects.requireNonNull(inputs, "inputs").length];
        for (int n = 0; n < tensors.length; n++) {
            int which = n;
            tensors[n] = Objects.requireNonNull(inputs[n], () -> "input " + which).any();
        }
        scope.check();
        Results results = comprehension.run(tensors);
        Map<String, Operand<?>> made = new LinkedHashMap<>();
        try {
            for (String name : results.names()) {
                made.put(name, new Operand.Applied<>(scope.own(results.any(name))));
            }
        } catch (Throwable e) {
            results.close();
            throw e;
        }
        return made;
    }

    /** Closes all results that were not kept, and the constants that are copies. Closing again does nothing. */
    @Override
    public void close() {
        scope.close();
    }
}
