package io.tensornio.internal.op;

import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.data.AnyData;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/** Elements that are taken from, or by, positions: lists of them for an axis, or operands. */
public final class Indexing {
    private Indexing() {
    }

    /** The number of axes that each row of indices is a place on. */
    static int depth(String name, Tensor<?> x, Tensor<?> indices) {
        if (indices.rank() == 0 || indices.size(indices.rank() - 1) > x.rank()) {
            throw new IllegalArgumentException("indices has shape " + Arrays.toString(indices.shape())
                + ": its last axis is the place of an element or a slice of " + name + ", of at most " + x.rank() + " indices");
        }
        return (int) indices.size(indices.rank() - 1);
    }

    private static String joined(String... parts) {
        StringBuilder text = new StringBuilder();
        for (String part : parts) {
            text.append(text.length() == 0 || part.isEmpty() ? "" : ", ").append(part);
        }
        return text.toString();
    }

    /** The elements, or slices, at the places that the rows of indices are. */
    public static Tensor<?> gatherNd(Tensor<?> x, Tensor<?> indices) {
        Labels.checkIntegers("indices", indices);
        int depth = depth("x", x, indices);
        int rows = indices.rank() - 1;
        String at = Form.loops("b", 0, rows);
        String[] places = new String[depth + 1];
        for (int d = 0; d < depth; d++) {
            places[d] = "indices[" + joined(at, Integer.toString(d)) + "]";
        }
        places[depth] = Form.loops("t", depth, x.rank());
        if (depth == 0) {
            // Nothing is looked up: each row is all of x.
            long[] shape = Arrays.copyOf(Arrays.copyOf(indices.shape(), rows), rows + x.rank());
            System.arraycopy(x.shape(), 0, shape, rows, x.rank());
            return AnyData.computed(AnyData.of(x).broadcastTo(shape));
        }
        return Texts.run("y[" + joined(at, places[depth]) + "] = x[" + joined(places) + "]", x, indices);
    }

    /** Of each position along an axis, the element that an index of the same place says. */
    public static Tensor<?> takeAlongAxis(Tensor<?> x, Tensor<?> indices, int axis) {
        Labels.checkIntegers("indices", indices);
        int own = Form.axis(axis, x.rank());
        long[] expected = x.shape();
        if (indices.rank() == x.rank()) {
            expected[own] = indices.size(own);
        }
        if (!Arrays.equals(expected, indices.shape())) {
            throw new IllegalArgumentException("indices has shape " + Arrays.toString(indices.shape()) + ", and must have that of x, "
                + Arrays.toString(x.shape()) + ", but for axis " + own);
        }
        String all = Form.loops("i", 0, x.rank());
        return Texts.run("y[" + all + "] = x[" + joined(Form.loops("i", 0, own), "indices[" + all + "]", Form.loops("i", own + 1, x.rank())) + "]",
            x, indices);
    }

    /** A view of positions of an axis: {@code count} of them, each by its number. */
    private static TensorData<?> at(TensorData<?> data, int axis, long count, LongUnaryOperator position) {
        if (count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("axis " + axis + " of the result would be " + count + ": it can be " + Integer.MAX_VALUE);
        }
        long[] positions = new long[(int) count];
        Arrays.setAll(positions, n -> position.applyAsLong(n));
        TensorIndex[] indices = new TensorIndex[axis + 1];
        Arrays.fill(indices, TensorIndex.all());
        indices[axis] = TensorIndex.take(LongTensorData.of(positions));
        return data.slice(indices);
    }

    /** Moves elements on along an axis, and those beyond its end to its beginning. */
    public static Tensor<?> roll(Tensor<?> x, long shift, int axis) {
        int own = Form.axis(axis, x.rank());
        long size = x.size(own);
        return AnyData.computed(at(AnyData.of(x), own, size, n -> Math.floorMod(n - Math.floorMod(shift, size), size)));
    }

    /** Each position of an axis several times. */
    public static Tensor<?> repeat(Tensor<?> x, long times, int axis) {
        int own = Form.axis(axis, x.rank());
        if (times < 0 || times > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("n is " + times + ": it must be 0 to " + Integer.MAX_VALUE);
        }
        return AnyData.computed(at(AnyData.of(x), own, x.size(own) * times, n -> n / times));
    }

    /** The edge, or what is mirrored at it, around the elements. */
    public static Tensor<?> pad(Tensor<?> x, long[] before, long[] after, boolean reflects) {
        if (before.length != x.rank() || after.length != x.rank()) {
            throw new IllegalArgumentException("before has " + before.length + " numbers and after " + after.length + " for " + x.rank() + " axes");
        }
        TensorData<?> data = AnyData.of(x);
        for (int d = 0; d < before.length; d++) {
            long size = x.size(d);
            long front = before[d];
            long most = reflects ? size - 1 : size == 0 ? 0 : Integer.MAX_VALUE;
            if (front < 0 || after[d] < 0 || front > Math.max(0, most) || after[d] > Math.max(0, most)) {
                throw new IllegalArgumentException("axis " + d + " of " + size + " cannot be padded by " + front + " and " + after[d] + (reflects
                    ? ": what is reflected is at most one less than its size" : size == 0 ? ": it has no edge" : ": numbers must not be negative"));
            }
            if (front > 0 || after[d] > 0) {
                data = at(data, d, front + size + after[d], n -> reflects
                    ? size - 1 - Math.abs(size - 1 - Math.abs(n - front)) : Math.max(0, Math.min(size - 1, n - front)));
            }
        }
        return AnyData.computed(data);
    }

    /** Vectors along an axis each of one shape. */
    public static Tensor<?>[] meshgrid(Tensor<?>... vectors) {
        long[] shape = new long[vectors.length];
        for (int n = 0; n < shape.length; n++) {
            if (vectors[n].rank() != 1) {
                throw new IllegalArgumentException("vectors " + n + " has rank " + vectors[n].rank() + ": it must be 1");
            }
            shape[n] = vectors[n].size(0);
        }
        Tensor<?>[] made = new Tensor<?>[shape.length];
        try {
            for (int n = 0; n < made.length; n++) {
                TensorData<?> wide = AnyData.of(vectors[n]);
                for (int d = n + 1; d < made.length; d++) {
                    wide = wide.expandDims(-1);
                }
                made[n] = AnyData.computed(wide.broadcastTo(shape));
            }
            return made;
        } catch (Throwable e) {
            for (Tensor<?> one : made) {
                if (one != null) {
                    one.close();
                }
            }
            throw e;
        }
    }

    /** The nearest positions of images of another size. */
    static Tensor<?> nearest(Tensor<?> x, long height, long width) {
        TensorData<?> data = at(AnyData.of(x), 1, height, nearest(x.size(1), height));
        return AnyData.computed(at(data, 2, width, nearest(x.size(2), width)));
    }

    private static LongUnaryOperator nearest(long in, long out) {
        return n -> Math.min(in - 1, (long) Math.floor((n + 0.5) * in / out));
    }
}
