package io.tensornio.internal.op;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.compute.Algorithm;
import io.tensornio.internal.compute.Cast;
import io.tensornio.internal.compute.Numeric;

/** Tensors that are made of numbers, and elements that are dropped at random. */
public final class Generating {
    private Generating() {
    }

    /** 1 on the diagonal, 0 elsewhere. */
    public static Tensor<?> eye(DataType type, long rows, long columns) {
        if (rows < 0 || columns < 0) {
            throw new IllegalArgumentException("a matrix of " + rows + " rows and " + columns + " columns: they must be 0 or more");
        }
        return Texts.run("y[i, j] = " + Cast.word(type) + "(i == j) where i in 0:" + rows + ", j in 0:" + columns);
    }

    /** Equidistant numbers with both ends. */
    public static Tensor<?> linspace(DataType type, double start, double end, long count) {
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("count is " + count + ": it must be 0 to " + Integer.MAX_VALUE);
        }
        double step = count > 1 ? (end - start) / (count - 1) : 0;
        return Texts.run("y[i] = " + Cast.word(type) + "(select(i == last, double(end), double(start) + double(i) * double(step))) where i in 0:"
            + count, Math.max(0, count - 1), count == 1 ? start : end, start, step);
    }

    /** FLOAT. */
    public static Tensor<?> linspace(float start, float end, long count) {
        return linspace(DataType.FLOAT, start, end, count);
    }

    /** DOUBLE. */
    public static Tensor<?> linspace(double start, double end, long count) {
        return linspace(DataType.DOUBLE, start, end, count);
    }

    /** Elements that are 0 with the probability {@code rate}, and scaled by {@code 1 / (1 - rate)} otherwise. */
    public static Tensor<?> dropout(Tensor<?> x, double rate, long seed) {
        if (!(rate >= 0 && rate < 1)) {
            throw new IllegalArgumentException("rate is " + rate + ": it must be 0 or more and below 1");
        }
        String all = Form.loops("i", 0, x.rank());
        long[] numbers = {seed, 0, Double.doubleToRawLongBits(1 - rate)};
        try (Tensor<?> kept = Numeric.of(Algorithm.BERNOULLI).gives(DataType.BOOL, x.shape()).one(numbers)) {
            return Texts.run("y[" + all + "] = select(kept[" + all + "], x[" + all + "] * scale, 0)", kept, x, 1 / (1 - rate));
        }
    }
}
