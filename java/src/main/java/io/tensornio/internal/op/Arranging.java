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

/** Operations that compute nothing and put elements elsewhere: row-major copies of views. */
public final class Arranging {
    /** So many elements are looked at together. */
    private static final int CHUNK = 1 << 16;

    private Arranging() {
    }

    private static Tensor<?> copy(Tensor<?> x, Function<TensorData<?>, TensorData<?>> view) {
        return view.apply(AnyData.of(x)).copy();
    }

    /** Does something to contiguous data, of a copy if need be. */
    private static <R> R contiguous(Tensor<?> x, Function<TensorData<?>, R> use) {
        TensorData<?> data = AnyData.of(x);
        if (data.isContiguous()) {
            return use.apply(data);
        }
        try (Tensor<?> copy = data.copy()) {
            return use.apply(AnyData.of(copy));
        }
    }

    /** Another shape. */
    public static Tensor<?> reshape(Tensor<?> x, long... shape) {
        return contiguous(x, data -> data.reshape(shape).copy());
    }

    /** Axes reversed. */
    public static Tensor<?> transpose(Tensor<?> x) {
        return copy(x, TensorData::transpose);
    }

    /** Axes in another order. */
    public static Tensor<?> permute(Tensor<?> x, int... axes) {
        return copy(x, data -> data.permute(axes));
    }

    /** A part. */
    public static Tensor<?> slice(Tensor<?> x, TensorIndex... indices) {
        return copy(x, data -> data.slice(indices));
    }

    /** Repeated. */
    public static Tensor<?> tile(Tensor<?> x, long... repeats) {
        return copy(x, data -> data.tile(repeats));
    }

    /** One more axis. */
    public static Tensor<?> expandDims(Tensor<?> x, int axis) {
        return copy(x, data -> data.expandDims(axis));
    }

    /** Axes of size 1 left out. */
    public static Tensor<?> squeeze(Tensor<?> x, int... axes) {
        return copy(x, data -> data.squeeze(axes));
    }

    /** Zeros around it. */
    public static Tensor<?> pad(Tensor<?> x, long[] before, long... after) {
        return AnyData.padded(x, before, after);
    }

    /** Parts along an axis. */
    public static Tensor<?> concat(int axis, Tensor<?>... parts) {
        return AnyData.joined(axis, false, checked(parts));
    }

    /** Parts along a new axis. */
    public static Tensor<?> stack(int axis, Tensor<?>... parts) {
        return AnyData.joined(axis, true, checked(parts));
    }

    private static List<Tensor<?>> checked(Tensor<?>... parts) {
        if (parts.length == 0) {
            throw new IllegalArgumentException("there are no parts to put together");
        }
        return Arrays.asList(parts);
    }

    /** The coordinates of what is true, in row-major order. */
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
