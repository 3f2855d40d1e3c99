package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.layout.Layout;

/** The parts of a complex view, and the call that made it. Immutable. */
public final class Composition {
    private final String call;
    private final long[] numbers;
    private final long[] shape;
    private final TensorData<?>[] parts;

    /** Keeps the arrays: the numeric arguments of the call, the shape of the view, and the data arguments. */
    Composition(String call, long[] numbers, long[] shape, TensorData<?>... parts) {
        this.call = call;
        this.numbers = numbers;
        this.shape = shape;
        this.parts = parts;
    }

    /**
     * The name of the method.
     *
     * @return such as {@code concat}
     */
    public String call() {
        return call;
    }

    /**
     * The numeric arguments of the method: an axis from 0 on, repeats, or the padding before and then after.
     *
     * @return not to be changed
     */
    public long[] numbers() {
        return numbers;
    }

    /**
     * The data arguments of the method.
     *
     * @return not to be changed
     */
    public TensorData<?>[] parts() {
        return parts;
    }

    /** Whether a layout selects the whole view unchanged. */
    boolean isWhole(Layout layout) {
        return layout.isWhole(shape);
    }
}
