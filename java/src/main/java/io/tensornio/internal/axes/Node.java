package io.tensornio.internal.axes;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorData;
import io.tensornio.TensorDescription;
import io.tensornio.internal.layout.Shapes;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A tensor of named axes: bound to an existing one, or computed lazily by a step. The result is cached, and from then on read like a bound one.
 */
public final class Node {
    private static final Axis[] NO_AXES = {};

    private final Axis[] axes;
    private final DataType type;
    /** The tensor, data or number that this is bound to; null for a step. */
    private final Object source;
    /** Computes the elements as a whole; null for a bound one, and for a step. */
    private final Supplier<Tensor<?>> algorithm;
    /** Null for a bound one and for an algorithm, and once the elements are cached. Read before {@link #kept}. */
    private volatile Step step;
    private volatile Tensor<?> kept;
    private volatile boolean closed;

    private Node(DataType type, Axis[] axes, Object source, Step step, Supplier<Tensor<?>> algorithm) {
        this.algorithm = algorithm;
        this.type = type;
        this.axes = axes;
        this.source = source;
        this.step = step;
    }

    Node(DataType type, Axis[] axes, Step step) {
        this(type, axes, null, step, null);
        Shapes.checkSparse(shape());
    }

    /** A node that an algorithm computes, and not a step: what reads it has it computed before. */
    Node(DataType type, Axis[] axes, Supplier<Tensor<?>> algorithm) {
        this(type, axes, null, null, algorithm);
    }

    /** Binds a tensor. */
    public static Node of(AnyTensor<?> tensor, Axis... axes) {
        Objects.requireNonNull(tensor, "tensor");
        if (!(tensor instanceof Tensor)) {
            throw new IllegalArgumentException("a tensor of named axes is dense, not a " + tensor.getClass().getSimpleName()
                + ": a Comprehension computes with it, and toDense makes it dense");
        }
        return bound(tensor.dataType(), ((Tensor<?>) tensor).shape(), tensor, axes);
    }

    /** A number, which takes the type of the step that reads it. */
    static Node of(DataType type, Number number) {
        return new Node(type, NO_AXES, number, null, null);
    }

    /** A list of indices in which a step looks up. */
    static Node of(long... list) {
        return new Node(DataType.INT64, new Axis[] {Axis.of("list", list.length)}, LongTensorData.of(list), null, null);
    }

    /** Binds data. */
    public static Node of(TensorData<?> data, Axis... axes) {
        Objects.requireNonNull(data, "data");
        return bound(data.dataType(), data.shape(), data, axes);
    }

    private static Node bound(DataType type, long[] shape, Object source, Axis... axes) {
        Axis[] own = AxisLists.distinct(axes);
        if (type == DataType.STRING) {
            throw new IllegalArgumentException("strings have no named axes: these are of FLOAT, DOUBLE, INT32, INT64, UINT8 and BOOL tensors");
        }
        for (long size : shape) {
            if (size < 0) {
                throw new IllegalArgumentException("ragged data of shape " + Arrays.toString(shape)
                    + ": a Comprehension computes with it, and toDense(padding) makes it dense");
            }
        }
        if (!Arrays.equals(shape, AxisLists.shape(own))) {
            throw new IllegalArgumentException("axes " + AxisLists.text(own) + " for the shape " + Arrays.toString(shape)
                + ": there is one for each axis, of its length");
        }
        return new Node(type, own, source, null, null);
    }

    /** Its axes; not to be changed. */
    public Axis[] axes() {
        return axes;
    }

    /** The type of its elements. */
    public DataType type() {
        return type;
    }

    /** The lengths of its axes. */
    long[] shape() {
        return AxisLists.shape(axes);
    }

    long numElements() {
        return Shapes.product(shape());
    }

    /**
     * The step, or null if there is a tensor or data to read, or an algorithm: check {@link #memory} afterwards; if that is null, the step is
     * valid, or there is an algorithm.
     */
    Step step() {
        return step;
    }

    /** The tensor, data or number that currently has the elements, or null. */
    Object memory() {
        Tensor<?> now = kept;
        return now == null ? source : now;
    }

    /** The bound tensor or data, or null. */
    Object source() {
        return source;
    }

    /** Whether {@link #materialize} has nothing to do. */
    public boolean isMaterialized() {
        return memory() instanceof Tensor;
    }

    /**
     * Checks that this can be read.
     *
     * @throws TensorClosedException if this, or its bound or computed tensor, is closed
     */
    void checkOpen() {
        Object memory = memory();
        if (closed || memory instanceof Tensor && ((Tensor<?>) memory).isClosed()) {
            throw new TensorClosedException(type, shape());
        }
    }

    /** The tensor: the bound one, or computed once. */
    public Tensor<?> materialize() {
        checkOpen();
        Object memory = memory();
        if (memory instanceof Tensor) {
            return (Tensor<?>) memory;
        }
        synchronized (this) {
            checkOpen();
            if (kept == null) {
                kept = computed();
                step = null;
            }
            return kept;
        }
    }

    /** Computes a tensor, which the caller closes; caches nothing. */
    Tensor<?> computed() {
        return algorithm == null ? Evaluation.run(this) : algorithm.get();
    }

    /** The data of the elements. */
    TensorData<?> data() {
        Object memory = memory();
        return memory instanceof TensorData ? (TensorData<?>) memory : LazyData.of(memory == null ? materialize() : (Tensor<?>) memory);
    }

    /** The type, axes and, for elements in memory, the layout. */
    public TensorDescription description() {
        checkOpen();
        TensorDescription own = TensorDescription.of(type, axes);
        Object memory = memory();
        if (memory == null) {
            return own.asReadOnly();
        }
        TensorData<?> data = memory instanceof TensorData ? (TensorData<?>) memory : LazyData.of((Tensor<?>) memory);
        TensorDescription of = data.description();
        own = of.hasLayout() ? own.withLayout(of.layout()) : own;
        return of.isReadOnly() ? own.asReadOnly() : own;
    }

    /** Computes into existing data; caches nothing. */
    public void into(TensorData<?> target) {
        checkOpen();
        Objects.requireNonNull(target, "target");
        if (target.dataType() != type || !Arrays.equals(target.shape(), shape())) {
            throw new IllegalArgumentException("the target is " + target.dataType() + " of shape " + Arrays.toString(target.shape()) + ", not "
                + type + " of shape " + Arrays.toString(shape()));
        }
        Evaluation.runInto(this, target);
    }

    /** Closes the computed result; a bound tensor stays open. */
    public void close() {
        if (source instanceof Tensor) {
            return;
        }
        synchronized (this) {
            closed = true;
            if (kept != null) {
                kept.close();
            }
        }
    }
}
