package io.tensornio.internal.axes;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.compute.Algorithm;
import io.tensornio.internal.compute.Numeric;
import io.tensornio.internal.data.AnyData;
import java.util.Arrays;

/** Algorithms along one axis, which no comprehension says. They run as a whole, when an expression that reads their result is computed. */
public final class Along {
    private Along() {
    }

    private static IllegalArgumentException refused(String name, Node x, String possible) {
        return new IllegalArgumentException(name + ": " + AxisLists.text(x.axes()) + " is " + x.type() + ": " + possible);
    }

    /** A result on the same axes. */
    public static Node of(String name, Algorithm algorithm, Node x, Axis axis, long... more) {
        if (x.type() == DataType.BOOL) {
            throw refused(name, x, "it is computed with after cast(DataType.FLOAT)");
        }
        DataType type = algorithm == Algorithm.ARG_SORT ? DataType.INT64 : x.type();
        return node(algorithm, type, x, x.axes(), numbers(AxisLists.find(name, x.axes(), axis), more));
    }

    /** The quantile, without the axis. */
    public static Node quantile(String name, Node x, double q, Axis axis) {
        if (x.type() != DataType.FLOAT && x.type() != DataType.DOUBLE) {
            throw refused(name, x, "this is of FLOAT and DOUBLE alone, as made by cast(DataType.FLOAT)");
        }
        if (!(q >= 0 && q <= 1)) {
            throw new IllegalArgumentException(name + ": q is " + q + ": it must be 0 to 1");
        }
        int at = AxisLists.find(name, x.axes(), axis);
        return node(Algorithm.QUANTILE, x.type(), x, AxisLists.with(x.axes(), at, null), numbers(at, Double.doubleToRawLongBits(q)));
    }

    private static long[] numbers(int axis, long... more) {
        long[] all = Arrays.copyOf(new long[] {axis}, 1 + more.length);
        System.arraycopy(more, 0, all, 1, more.length);
        return all;
    }

    private static Node node(Algorithm algorithm, DataType type, Node x, Axis[] axes, long... numbers) {
        return new Node(type, axes, () -> {
            Numeric numeric = Numeric.of(algorithm).gives(type, AxisLists.shape(axes));
            x.checkOpen();
            Object memory = x.memory();
            if (memory instanceof Tensor) {
                return numeric.one(numbers, (Tensor<?>) memory);
            }
            // Not kept: data may change, and who would close what has no name?
            try (Tensor<?> now = memory == null ? x.computed() : AnyData.computed((TensorData<?>) memory)) {
                return numeric.one(numbers, now);
            }
        });
    }
}
