package io.tensornio.internal.op;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.internal.compute.Algorithm;
import io.tensornio.internal.compute.Numeric;
import io.tensornio.internal.data.AnyData;
import java.util.Arrays;

/** Operations that algorithms of native code do: their shapes, and what they refuse. */
public final class Numerics {
    private Numerics() {
    }

    private static long[] with(int axis, long size, long... shape) {
        long[] changed = shape.clone();
        changed[axis] = size;
        return changed;
    }

    private static int flag(boolean is) {
        return is ? 1 : 0;
    }

    /** Carries on along an axis. */
    public static Tensor<?> scan(Algorithm algorithm, Tensor<?> x, int axis, boolean exclusive, boolean reverse) {
        return Numeric.of(algorithm).gives(x.dataType(), x.shape())
            .one(new long[] {Form.axis(axis, x.rank()), flag(exclusive), flag(reverse)}, x);
    }

    /** Sorts along an axis. */
    public static Tensor<?> sort(Tensor<?> x, int axis, boolean descending) {
        return Numeric.of(Algorithm.SORT).gives(x.dataType(), x.shape()).one(new long[] {Form.axis(axis, x.rank()), flag(descending)}, x);
    }

    /** The positions in the order along an axis. */
    public static Tensor<?> argsort(Tensor<?> x, int axis, boolean descending) {
        return Numeric.of(Algorithm.ARG_SORT).gives(DataType.INT64, x.shape()).one(new long[] {Form.axis(axis, x.rank()), flag(descending)}, x);
    }

    /** The largest, and their positions. */
    public static Tensor<?>[] topK(Tensor<?> x, long k, int axis) {
        int own = Form.axis(axis, x.rank());
        if (k < 0 || k > x.size(own)) {
            throw new IllegalArgumentException("k is " + k + ": it must be 0 to " + x.size(own) + ", the size of axis " + own);
        }
        long[] shape = with(own, k, x.shape());
        return Numeric.of(Algorithm.TOP_K).gives(x.dataType(), shape).gives(DataType.INT64, shape).run(new long[] {own, k}, x);
    }

    /** The distinct ones, the place of each element among them, and their counts. */
    public static Tensor<?>[] unique(Tensor<?> x) {
        long size = x.numElements();
        Numeric unique = Numeric.of(Algorithm.UNIQUE).gives(x.dataType(), size).gives(DataType.INT64, x.shape()).gives(DataType.INT64, size);
        Tensor<?>[] all = unique.run(new long[0], x);
        Tensor<?> inverse = all[1];
        try (Tensor<?> values = all[0]; Tensor<?> counts = all[2]) {
            TensorIndex own = TensorIndex.range(0, unique.number());
            Tensor<?> distinct = AnyData.computed(AnyData.of(values).slice(own));
            try {
                return new Tensor<?>[] {distinct, inverse, AnyData.computed(AnyData.of(counts).slice(own))};
            } catch (Throwable e) {
                distinct.close();
                throw e;
            }
        } catch (Throwable e) {
            inverse.close();
            throw e;
        }
    }

    /** Where elements belong. */
    public static Tensor<?> search(Tensor<?> sorted, Tensor<?> x, boolean right) {
        if (sorted.rank() != 1) {
            throw new IllegalArgumentException("sorted has rank " + sorted.rank() + ": it must be a vector");
        }
        return Numeric.of(Algorithm.SEARCH).gives(DataType.INT64, x.shape()).one(new long[] {flag(right)}, sorted, x);
    }

    /** Counts in bins. */
    public static Tensor<?> histogram(Tensor<?> x, long bins, double from, double to) {
        if (bins < 1 || !(from < to) || Double.isInfinite(to - from)) {
            throw new IllegalArgumentException("no " + bins + " bins are from " + from + " to " + to
                + ": there must be 1 or more, and the second end must be finite and above the first");
        }
        return Numeric.of(Algorithm.HISTOGRAM).gives(DataType.INT64, bins)
            .one(new long[] {Double.doubleToRawLongBits(from), Double.doubleToRawLongBits(to)}, x);
    }

    /** Counts of integers. */
    public static Tensor<?> bincount(Tensor<?> x) {
        Numeric bins = Numeric.of(Algorithm.BINS);
        bins.run(new long[0], x);
        if (bins.number() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the largest is " + (bins.number() - 1) + ": no tensor has a count for each integer up to that");
        }
        return Numeric.of(Algorithm.COUNT).gives(DataType.INT64, bins.number()).one(new long[0], x);
    }

    /** Quantiles along an axis. */
    public static Tensor<?> quantile(Tensor<?> x, double q, int axis) {
        int own = Form.axis(axis, x.rank());
        if (!(q >= 0 && q <= 1)) {
            throw new IllegalArgumentException("q is " + q + ": it must be 0 to 1");
        }
        long[] shape = x.shape();
        long[] result = Arrays.copyOf(shape, shape.length - 1);
        System.arraycopy(shape, own + 1, result, own, shape.length - own - 1);
        return Numeric.of(Algorithm.QUANTILE).gives(x.dataType(), result).one(new long[] {own, Double.doubleToRawLongBits(q)}, x);
    }

    /** A copy into which slices are put, or added. */
    public static Tensor<?> scatter(Tensor<?> x, Tensor<?> indices, Tensor<?> updates, boolean adds) {
        Labels.checkIntegers("indices", indices);
        int depth = Indexing.depth("x", x, indices);
        long[] rows = Arrays.copyOf(indices.shape(), indices.rank() - 1);
        long[] shape = Arrays.copyOf(rows, rows.length + x.rank() - depth);
        System.arraycopy(x.shape(), depth, shape, rows.length, x.rank() - depth);
        if (!Arrays.equals(shape, updates.shape())) {
            throw new IllegalArgumentException("updates has shape " + Arrays.toString(updates.shape()) + " and must have " + Arrays.toString(shape)
                + ": a slice of x for each row of indices");
        }
        if (adds && x.dataType() == DataType.BOOL) {
            throw new IllegalArgumentException("x is BOOL, and " + Types.NUMBER.wanted());
        }
        if (indices.dataType() == DataType.INT64) {
            return put(x, indices, updates, adds);
        }
        String loops = Form.loops("i", 0, indices.rank());
        try (Tensor<?> wide = Texts.run("y[" + loops + "] = long(indices[" + loops + "])", indices)) {
            return put(x, wide, updates, adds);
        }
    }

    private static Tensor<?> put(Tensor<?> x, Tensor<?> indices, Tensor<?> updates, boolean adds) {
        return Numeric.of(Algorithm.SCATTER).gives(x.dataType(), x.shape()).one(new long[] {flag(adds)}, x, indices, updates);
    }

    /** Random numbers of any distribution. */
    public static Tensor<?> random(Algorithm distribution, DataType type, long[] numbers, long... shape) {
        return Numeric.of(distribution).gives(type, shape).one(numbers);
    }
}
