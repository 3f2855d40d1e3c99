package io.tensornio.internal.op;

import io.tensornio.BooleanTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.internal.data.AnyData;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** Operations that only rearrange elements: row-major copies of views. */
public final class Arranging {
    /** The number of elements that are read at a time. */
    private static final int CHUNK = 1 << 16;

    private Arranging() {
    }

    private static Tensor<?> copy(Tensor<?> x, Function<TensorData<?>, TensorData<?>> view) {
        return AnyData.computed(view.apply(AnyData.of(x)));
    }

    /** Applies a function to contiguous data, a copy if necessary. */
    private static <R> R contiguous(Tensor<?> x, Function<TensorData<?>, R> use) {
        TensorData<?> data = AnyData.of(x);
        if (data.isContiguous()) {
            return use.apply(data);
        }
        try (Tensor<?> copy = AnyData.computed(data)) {
            return use.apply(AnyData.of(copy));
        }
    }

    /** Reshapes. */
    public static Tensor<?> reshape(Tensor<?> x, long... shape) {
        return contiguous(x, data -> AnyData.computed(data.reshape(shape)));
    }

    /** Reverses the axes. */
    public static Tensor<?> transpose(Tensor<?> x) {
        return copy(x, TensorData::transpose);
    }

    /** Permutes the axes. */
    public static Tensor<?> permute(Tensor<?> x, int... axes) {
        return copy(x, data -> data.permute(axes));
    }

    /** Slices. */
    public static Tensor<?> slice(Tensor<?> x, TensorIndex... indices) {
        return copy(x, data -> data.slice(indices));
    }

    /** Repeats along each axis. */
    public static Tensor<?> tile(Tensor<?> x, long... repeats) {
        return copy(x, data -> data.tile(repeats));
    }

    /** Reverses axes. */
    public static Tensor<?> flip(Tensor<?> x, int... axes) {
        return copy(x, data -> data.flip(axes));
    }

    /** The diagonal of the last two axes. */
    public static Tensor<?> diagonal(Tensor<?> x) {
        if (x.rank() < 2) {
            throw new IllegalArgumentException("x has rank " + x.rank() + ": it must be 2 or more");
        }
        return copy(x, data -> data.diagonal(x.rank() - 2, x.rank() - 1));
    }

    /** Inserts an axis of size 1. */
    public static Tensor<?> expandDims(Tensor<?> x, int axis) {
        return copy(x, data -> data.expandDims(axis));
    }

    /** Drops axes of size 1. */
    public static Tensor<?> squeeze(Tensor<?> x, int... axes) {
        return copy(x, data -> data.squeeze(axes));
    }

    /** Pads with zeros. */
    public static Tensor<?> pad(Tensor<?> x, long[] before, long... after) {
        return AnyData.padded(x, before, after);
    }

    /** Concatenates along an axis. */
    public static Tensor<?> concat(int axis, Tensor<?>... parts) {
        return AnyData.joined(axis, false, checked(parts));
    }

    /** Stacks along a new axis. */
    public static Tensor<?> stack(int axis, Tensor<?>... parts) {
        return AnyData.joined(axis, true, checked(parts));
    }

    private static List<Tensor<?>> checked(Tensor<?>... parts) {
        if (parts.length == 0) {
            throw new IllegalArgumentException("there are no parts to put together");
        }
        return Arrays.asList(parts);
    }

    /** The coordinates of true elements, in row-major order. */
    public static Tensor<?> where(Tensor<?> condition) {
        long[] shape = condition.shape();
        return contiguous(condition, data -> {
            BooleanTensorData flat = ((BooleanTensorData) data).flatten();
            int[] found = {0};
            each(flat, at -> found[0]++);
            return Tensors.denseLong(new long[] {found[0], shape.length}, result -> {
                int[] row = {0};
                each(flat, at -> {
                    long rest = at;
                    for (int d = shape.length - 1; d >= 0; d--) {
                        result.put(rest % shape[d], row[0], d);
                        rest /= shape[d];
                    }
                    row[0]++;
                });
            });
        });
    }

    private static void each(BooleanTensorData flat, LongConsumer use) {
        long size = flat.totalSize();
        for (long from = 0; from < size; from += CHUNK) {
            long to = Math.min(size, from + CHUNK);
            boolean[] some = new boolean[(int) (to - from)];
            flat.slice(TensorIndex.range(from, to)).copyTo(some);
            for (int n = 0; n < some.length; n++) {
                if (some[n]) {
                    use.accept(from + n);
                }
            }
        }
    }
}
