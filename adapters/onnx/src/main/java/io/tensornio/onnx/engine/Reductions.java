package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.TensorData;
import java.util.Arrays;
import java.util.function.Supplier;

/** Operators that reduce axes, and those that look along one: softmax, the largest position, sums so far. */
final class Reductions {
    /** So many elements are looked at on the heap. */
    private static final int FEW = 1 << 14;

    private Reductions() {
    }

    static void addTo(Table table) {
        reduction(table, "ReduceSum", "y[K] += a[A]");
        reduction(table, "ReduceProd", "y[K] *= a[A]");
        reduction(table, "ReduceMax", "y[K] max= a[A]");
        reduction(table, "ReduceMin", "y[K] min= a[A]");
        reduction(table, "ReduceMean", "s[K] += a[A]; y[K] = s[K] / N");
        reduction(table, "ReduceL1", "y[K] += abs(a[A])");
        reduction(table, "ReduceL2", "s[K] += a[A] * a[A]; y[K] = sqrt(s[K])");
        reduction(table, "ReduceSumSquare", "y[K] += a[A] * a[A]");
        reduction(table, "ReduceLogSum", "s[K] += a[A]; y[K] = log(s[K])");
        reduction(table, "ReduceLogSumExp", "m[K] max= a[A]; c[K] = select(abs(m[K]) < inf, m[K], 0); "
            + "s[K] += exp(a[A] - c[K]); y[K] = log(s[K]) + c[K]");
        for (String name : new String[] {"Softmax", "LogSoftmax"}) {
            String text = name.equals("Softmax") ? "m[K] max= a[A]; e[A] = exp(a[A] - m[K]); s[K] += e[A]; y[A] = e[A] / s[K]; return y"
                : "m[K] max= a[A]; s[K] += exp(a[A] - m[K]); y[A] = a[A] - m[K] - log(s[K]); return y";
            table.one(name, 1, text + ", of the input as a matrix", call -> flattened(call, text));
            table.one(name, 13, text, call -> along(call, text));
        }
        table.one("Hardmax", 1, "1 at the first largest element, else 0, of the input as a matrix", call -> hardmax(call, true));
        table.one("Hardmax", 13, "1 at the first largest element, else 0", call -> hardmax(call, false));
        table.one("ArgMax", 1, "the position of the largest element", call -> position(call, "max=")).narrows(0);
        table.one("ArgMin", 1, "the position of the smallest element", call -> position(call, "min=")).narrows(0);
        table.one("CumSum", 11, "sums so far along an axis", Reductions::sumsSoFar);
    }

    private static void reduction(Table table, String name, String text) {
        table.one(name, 1, text, call -> reduce(call, text));
    }

    static Item reduce(Call call, String text) {
        TensorData<?> data = call.data(0);
        long[] axes = call.integers("axes", 1);
        boolean keep = call.attributes.flag("keepdims", true);
        if (axes == null || axes.length == 0) {
            if (call.attributes.flag("noop_with_empty_axes", false)) {
                return noReduction(call, text);
            }
            axes = new long[data.rank()];
            Arrays.setAll(axes, d -> d);
        }
        return reduce(data, Shapes.axes(axes, data.rank()), keep, text);
    }

    /** Nothing is reduced: only what a reduction does with each element is. */
    private static Item noReduction(Call call, String text) {
        return reduce(call.data(0), new boolean[call.rank(0)], true, text);
    }

    static Item reduce(TensorData<?> given, boolean[] reduced, boolean keep, String text) {
        return reduce(null, given, reduced, keep, text);
    }

    /** The same, where the text and what is reduced follow from the node, if that is given, and the shape. */
    static Item reduce(Call call, TensorData<?> given, boolean[] reduced, boolean keep, String text) {
        Supplier<Plan> make = () -> plan(given, reduced, keep, text);
        Plan plan = call == null ? make.get() : call.plan(make, given);
        boolean isExtreme = text.contains("max=") || text.contains("min=");
        if (given.totalSize() == 0 && given.dataType().isInteger() && isExtreme && count(given, reduced) == 0) {
            return Call.made(Data.constant(given.dataType(), 0, least(given.dataType(), text.contains("max=")), plan.shape(0)));
        }
        return Convolutions.reshapedOnce(Programs.run(plan, given), plan.shape(0));
    }

    private static long count(TensorData<?> data, boolean... reduced) {
        long count = 1;
        for (int d = 0; d < reduced.length; d++) {
            count = reduced[d] ? Math.multiplyExact(count, data.size(d)) : count;
        }
        return count;
    }

    private static Plan plan(TensorData<?> data, boolean[] reduced, boolean keep, String text) {
        long[] shape = data.shape();
        StringBuilder all = new StringBuilder();
        StringBuilder kept = new StringBuilder();
        long[] result = new long[shape.length];
        int rank = 0;
        for (int d = 0; d < shape.length; d++) {
            all.append(d == 0 ? "" : ",").append('i').append(d);
            if (!reduced[d]) {
                kept.append(kept.length() == 0 ? "" : ",").append('i').append(d);
            }
            if (!reduced[d] || keep) {
                result[rank++] = reduced[d] ? 1 : shape[d];
            }
        }
        if (data.dataType() == DataType.BOOL && !text.contains("max=") && !text.contains("min=")) {
            throw new IllegalArgumentException("truth values have no such reduction");
        }
        return new Plan(text.replace("a[A]", "x0[" + all + "]").replace("[K]", "[" + kept + "]").replace("/ N", "/ " + count(data, reduced))
            + (text.contains(";") ? "; return y" : ""), false, Arrays.copyOf(result, rank));
    }

    /** What ONNX gives for the largest or smallest of no integers: the other end of the type. */
    private static long least(DataType type, boolean smallest) {
        switch (type) {
            case INT32:
                return smallest ? Integer.MIN_VALUE : Integer.MAX_VALUE;
            case INT64:
                return smallest ? Long.MIN_VALUE : Long.MAX_VALUE;
            default:
                return smallest ? 0 : 255;
        }
    }

    /** A text along the axis of a node, see {@link #along(TensorData, long, String)}. */
    private static Item along(Call call, String text) {
        TensorData<?> data = call.data(0);
        return call.run(call.plan(() -> new Plan(along(data.rank(), call.attributes.integer("axis", -1), text)), data), data);
    }

    /** A text along one axis: `A` is all loops, `K` those but the axis. */
    static Item along(TensorData<?> data, long axis, String text) {
        return Programs.run(along(data.rank(), axis, text), data);
    }

    private static String along(int rank, long axis, String text) {
        int at = Shapes.axis(axis, rank);
        StringBuilder all = new StringBuilder();
        StringBuilder kept = new StringBuilder();
        for (int d = 0; d < rank; d++) {
            all.append(d == 0 ? "" : ",").append('i').append(d);
            if (d != at) {
                kept.append(kept.length() == 0 ? "" : ",").append('i').append(d);
            }
        }
        return text.replace("a[A]", "x0[" + all + "]").replace("[A]", "[" + all + "]").replace("[K]", "[" + kept + "]");
    }

    /** Until version 13, axes from the axis on were one. */
    private static Item flattened(Call call, String text) {
        Item matrix = matrix(call);
        try {
            Item result = along(matrix.data(), 1, text);
            try {
                return Call.reshaped(result, call.shape(0));
            } finally {
                result.release();
            }
        } finally {
            matrix.release();
        }
    }

    private static Item matrix(Call call) {
        long[] shape = call.shape(0);
        long axis = call.attributes.integer("axis", 1);
        int at = axis == shape.length ? shape.length : Shapes.axis(axis, shape.length);
        return call.reshaped(0, Shapes.product(shape, 0, at), Shapes.product(shape, at, shape.length));
    }

    private static Item hardmax(Call call, boolean asMatrix) {
        Item data = asMatrix ? matrix(call) : call.item(0).share();
        try {
            int axis = asMatrix ? 1 : Shapes.axis(call.attributes.integer("axis", -1), call.rank(0));
            String cast = Types.cast(call.type(0));
            Item result = along(data.data(), axis, "m[K] max= a[A]; p[K] min= select(a[A] == m[K], i" + axis
                + ", 9223372036854775807); y[A] = " + cast + "(p[K] == i" + axis + ") where i" + axis
                + " in 0:" + data.shape()[axis] + "; return y");
            try {
                return Call.reshaped(result, call.shape(0));
            } finally {
                result.release();
            }
        } finally {
            data.release();
        }
    }

    private static Item position(Call call, String direction) {
        int axis = Shapes.axis(call.attributes.integer("axis", 0), call.rank(0));
        boolean last = call.attributes.flag("select_last_index", false);
        if (call.type(0).isFloat() && call.data(0).totalSize() <= FEW) {
            return position(call, axis, direction.equals("max="), last);
        }
        String at = "i" + axis;
        Item result = along(call.data(0), axis, "m[K] " + direction + " a[A]; y[K] " + (last ? "max=" : "min=")
            + " select(a[A] == m[K] or a[A] != a[A], " + at + ", " + (last ? "-1" : "9223372036854775807") + "); return y");
        if (!call.attributes.flag("keepdims", true)) {
            return result;
        }
        try {
            return Call.reshaped(result, Shapes.replaced(call.shape(0), axis, 1));
        } finally {
            result.release();
        }
    }

    /** The positions of the largest or smallest of few numbers, on the heap: a program takes longer to begin. */
    private static Item position(Call call, int axis, boolean largest, boolean last) {
        long[] shape = call.shape(0);
        int length = (int) shape[axis];
        int inner = (int) Shapes.product(shape, axis + 1, shape.length);
        long[] result = Shapes.replaced(shape, axis, 1);
        long[] positions = new long[Shapes.intSize(result)];
        if (length == 0 && positions.length > 0) {
            throw call.refused("there is no position in axis " + axis + ", which is empty");
        }
        boolean keep = call.attributes.flag("keepdims", true);
        if (call.type(0) == DataType.FLOAT && inner == 1 && !last) {
            float[] values = new float[positions.length * length];
            ((FloatTensorData) call.data(0)).copyTo(values);
            for (int row = 0; row < positions.length; row++) {
                positions[row] = position(values, row * length, length, largest ? 1 : -1);
            }
            return positions(positions, keep ? result : Shapes.replaced(shape, axis));
        }
        double[] values = call.doubles(0);
        for (int row = 0; row < positions.length; row++) {
            int start = row / inner * inner * length + row % inner;
            int best = 0;
            double found = values[start];
            for (int n = 1; n < length; n++) {
                double value = values[start + n * inner];
                boolean isBetter = largest ? value > found : value < found;
                // The first that is not a number is as good as any that follows, and better than all numbers.
                isBetter = found == found && (isBetter || value != value) || last && (value == found || value != value);
                if (isBetter) {
                    best = n;
                    found = value;
                }
            }
            positions[row] = best;
        }
        return positions(positions, keep ? result : Shapes.replaced(shape, axis));
    }

    private static Item positions(long[] positions, long... shape) {
        return Call.made(Data.ofLongs(DataType.INT64, positions, shape));
    }

    /**
     * The first position of the largest of adjacent numbers, times a sign: what is not a number counts as larger than all. Without a branch, by
     * integers that are ordered as the numbers are, with the positions below them.
     */
    private static int position(float[] values, int from, int length, int sign) {
        long best = Long.MIN_VALUE;
        for (int n = 0; n < length; n++) {
            int bits = Float.floatToIntBits(sign * values[from + n] + 0f);          // -0 is 0
            best = Math.max(best, (long) (bits ^ bits >> 31 & Integer.MAX_VALUE) << 32 | Integer.MAX_VALUE - n);
        }
        return Integer.MAX_VALUE - (int) best;
    }

    private static Item sumsSoFar(Call call) {
        TensorData<?> data = call.data(0);
        long[] shape = data.shape();
        int axis = Shapes.axis(call.integer(1), shape.length);
        boolean reverse = call.attributes.flag("reverse", false);
        boolean exclusive = call.attributes.flag("exclusive", false);
        boolean isFloat = data.dataType().isFloat();
        double[] values = isFloat ? Data.doubles(data) : null;
        long[] whole = isFloat ? null : Data.longs(data);
        int length = (int) shape[axis];
        long inner = Shapes.product(shape, axis + 1, shape.length);
        int rows = length == 0 ? 0 : (int) (Shapes.size(shape) / length);
        for (int row = 0; row < rows; row++) {
            long start = row / inner * inner * length + row % inner;
            double sum = 0;
            long exact = 0;
            for (int n = 0; n < length; n++) {
                int at = (int) (start + (reverse ? length - 1 - n : n) * inner);
                double before = sum;
                long exactBefore = exact;
                if (isFloat) {
                    sum += values[at];
                    values[at] = exclusive ? before : sum;
                } else {
                    exact += whole[at];
                    whole[at] = exclusive ? exactBefore : exact;
                }
            }
        }
        return Call.made(isFloat ? Data.ofDoubles(data.dataType(), values, shape) : Data.ofLongs(data.dataType(), whole, shape));
    }
}
