package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.layout.Layout;
import java.util.Arrays;

/** What a complex view is made of, and by which call. Immutable. */
public final class Composition {
    private final String call;
    private final long[] numbers;
    private final long[] shape;
    private final TensorData<?>[] parts;

    /** Takes over the arrays: the numbers that the call was given, the shape of the view, and the data that it was given. */
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
     * What the method was given: an axis from 0 on, repeats, or both margins, one behind the other.
     *
     * @return not to be changed
     */
    public long[] numbers() {
        return numbers;
    }

    /**
     * The data that the method was given.
     *
     * @return not to be changed
     */
    public TensorData<?>[] parts() {
        return parts;
    }

    /** Whether a layout has all elements of the view, in its shape. */
    boolean isWhole(Layout layout) {
        return layout.offset() == 0 && Arrays.equals(layout.sizes(), shape) && layout.isContiguous();
    }
}
