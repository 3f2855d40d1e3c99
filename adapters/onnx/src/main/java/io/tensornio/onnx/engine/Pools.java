package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import java.util.Arrays;

/** Pools: one value of each window. */
final class Pools {
    private Pools() {
    }

    static void addTo(Table table) {
        table.many("MaxPool", 1, "y[n, c, p] max= x[n, c, s*p + d*r - b]", Pools::max).narrows(1);
        table.one("AveragePool", 1, "y[n, c, p] += x[n, c, s*p + d*r - b], divided by the number of elements", Pools::average);
        table.one("LpPool", 2, "y[n, c, p] += abs(x[n, c, s*p + d*r - b]) ^ q, to the power 1/q", Pools::norm);
        table.one("GlobalAveragePool", 1, "the mean of each channel", call -> global(call, "s[K] += a[A]; y[K] = s[K] / N"));
        table.one("GlobalMaxPool", 1, "the largest element of each channel", call -> global(call, "y[K] max= a[A]"));
        table.one("GlobalLpPool", 2, "the norm of each channel", call -> global(call, norm(call.attributes.integer("p", 2))));
        table.one("MaxUnpool", 9, "elements put to where the largest were", Pools::unpool);
    }

    private static String norm(long p) {
        return p == 1 ? "y[K] += abs(a[A])" : p == 2 ? "s[K] += a[A] * a[A]; y[K] = sqrt(s[K])"
            : "s[K] += abs(a[A]) ^ " + p + "; y[K] = s[K] ^ (1. / " + p + ")";
    }

    private static Item global(Call call, String text) {
        boolean[] spatial = new boolean[call.rank(0)];
        if (spatial.length < 2) {
            throw call.refused("rank 2 or more is expected");
        }
        Arrays.fill(spatial, 2, spatial.length, true);
        return Reductions.reduce(call, call.data(0), spatial, true, text);
    }

    private static Window window(Call call) {
        long[] xs = call.shape(0);
        if (xs.length < 3) {
            throw call.refused("rank 3 or more is expected, not shape " + Arrays.toString(xs));
        }
        long[] size = call.attributes.integers("kernel_shape");
        if (size == null) {
            throw call.refused("attribute `kernel_shape` is missing");
        }
        return new Window(call, Arrays.copyOfRange(xs, 2, xs.length), size, call.attributes.flag("ceil_mode", false));
    }

    private static Item[] max(Call call) {
        TensorData<?> x = call.data(0);
        Item pooled = call.run(call.plan(() -> largest(x, window(call)), x), x);
        return call.wants(1) ? new Item[] {pooled, positions(call, window(call))} : new Item[] {pooled};
    }

    /** Around an image that is padded, what is not written is the least number of the type. */
    private static Plan largest(TensorData<?> x, Window window) {
        StringBuilder padded = new StringBuilder();
        StringBuilder whole = new StringBuilder();
        StringBuilder at = new StringBuilder();
        long[] behind = window.behind();
        for (int d = 0; d < window.rank; d++) {
            // A loop that is alone in an index runs as far as the axis: not where only the end is padded.
            long more = window.before[d] == 0 && behind[d] > 0 ? 1 : 0;
            padded.append(",q").append(d).append('+').append(window.before[d] + more);
            whole.append(',').append(window.before[d] + more + window.input[d] + behind[d]);
            at.append(',').append(window.index(d, false)).append(more == 0 ? "" : "+1");
        }
        String windows = " where " + window.ranges() + ", " + window.inside();
        String result = "y[n,c," + window.loops("p") + "] max= ";
        return new Plan(window.isPadded() ? "z[n,c" + padded + "] max= x0[n,c," + window.loops("q") + "] where z[" + x.size(0) + ","
            + x.size(1) + whole + "]; " + result + "z[n,c" + at + "]" + windows + "; return y" : result + "x0[n,c" + at + "]" + windows);
    }

    /** Where the largest elements are, in each image. */
    private static Item positions(Call call, Window window) {
        Elements x = Elements.of(call.data(0));
        long[] result = Shapes.concat(Arrays.copyOf(call.shape(0), 2), window.output);
        boolean byColumns = call.attributes.flag("storage_order", false);
        long[] positions = new long[Shapes.intSize(result)];
        long windows = Shapes.size(window.output);
        long cells = Shapes.size(window.size);
        long pixels = Shapes.size(window.input);
        long[] inWindows = Shapes.strides(window.output);
        long[] inCells = Shapes.strides(window.size);
        long[] inImage = Shapes.strides(window.input);
        for (int n = 0; n < positions.length; n++) {
            long image = n / windows * pixels;
            int best = -1;
            for (long cell = 0; cell < cells; cell++) {
                long at = image;
                boolean inside = true;
                for (int d = 0; d < window.rank; d++) {
                    long position = n % windows / inWindows[d] % window.output[d] * window.strides[d]
                        + cell / inCells[d] % window.size[d] * window.dilations[d] - window.before[d];
                    inside &= position >= 0 && position < window.input[d];
                    at += position * inImage[d];
                }
                if (inside && (best < 0 || x.compare((int) at, best) > 0)) {
                    best = (int) at;
                }
            }
            positions[n] = byColumns ? image + columnMajor(best - image, inImage, window.input) : best;
        }
        return Call.made(Data.ofLongs(DataType.INT64, positions, result));
    }

    private static long columnMajor(long at, long[] strides, long... shape) {
        long result = 0;
        long step = 1;
        for (int d = 0; d < shape.length; d++) {
            result += at / strides[d] % shape[d] * step;
            step *= shape[d];
        }
        return result;
    }

    private static Item average(Call call) {
        Window window = window(call);
        boolean withPadding = call.attributes.flag("count_include_pad", false);
        TensorData<?> x = call.data(0);
        String p = window.loops("p");
        TensorData<?>[] inputs = new TensorData<?>[window.rank + 1];
        inputs[0] = x;
        StringBuilder count = new StringBuilder();
        for (int d = 0; d < window.rank; d++) {
            double[] counts = new double[(int) window.output[d]];
            for (int n = 0; n < counts.length; n++) {
                for (long r = 0; r < window.size[d]; r++) {
                    long at = n * window.strides[d] + r * window.dilations[d] - window.before[d];
                    counts[n] += withPadding || at >= 0 && at < window.input[d] ? 1 : 0;
                }
            }
            inputs[d + 1] = Data.ofDoubles(x.dataType(), counts, counts.length);
            count.append(d == 0 ? "" : " * ").append('x').append(d + 1).append("[p").append(d).append(']');
        }
        return Programs.run("t[n,c," + p + "] += " + window.read("n,c", 2) + ranges(x, window) + "; y[n,c," + p + "] = t[n,c," + p + "] / (" + count
            + "); return y", inputs);
    }

    private static String ranges(TensorData<?> x, Window window) {
        return " where n in 0:" + x.size(0) + ", c in 0:" + x.size(1) + ", " + window.ranges() + ", " + window.inside();
    }

    private static Item norm(Call call) {
        Window window = window(call);
        TensorData<?> x = call.data(0);
        long q = call.attributes.integer("p", 2);
        String p = window.loops("p");
        String read = window.read("n,c", 2);
        String power = q == 1 ? "abs(" + read + ")" : "abs(" + read + ") ^ " + q;
        return Programs.run("t[n,c," + p + "] += " + power + ranges(x, window) + "; y[n,c," + p + "] = t[n,c," + p + "] ^ (1. / " + q
            + "); return y", x);
    }

    private static Item unpool(Call call) {
        long[] xs = call.shape(0);
        long[] at = call.longs(1);
        long[] size = call.attributes.integers("kernel_shape");
        int rank = xs.length - 2;
        long[] strides = call.attributes.integers("strides", Window.filled(rank, 1));
        long[] pads = call.attributes.integers("pads", new long[2 * rank]);
        if (rank < 1 || size == null || size.length != rank || strides.length != rank || pads.length != 2 * rank
            || !Arrays.equals(xs, call.shape(1))) {
            throw call.refused("shapes do not fit");
        }
        long[] whole = new long[rank];
        Arrays.setAll(whole, d -> (xs[d + 2] - 1) * strides[d] - pads[d] - pads[rank + d] + size[d]);
        long[] result = call.has(2) ? call.longs(2) : Shapes.concat(Arrays.copyOf(xs, 2), whole);
        Elements from = Elements.of(call.data(0));
        // Positions are in images of the size that the pool had, into which the wanted shape may put more rows and columns.
        long[] own = Shapes.concat(Arrays.copyOf(xs, 2), whole);
        long[] strides0 = Shapes.strides(own);
        long[] strides1 = Shapes.strides(result);
        Elements to = Elements.zeros(from.type, Shapes.intSize(result));
        boolean same = Arrays.equals(own, result);
        for (int n = 0; n < at.length; n++) {
            long position = same ? at[n] : 0;
            if (!same) {
                for (int d = 0; d < own.length; d++) {
                    position += at[n] / strides0[d] % own[d] * strides1[d];
                }
            }
            to.set((int) Indexing.position(position, to.size()), from, n);
        }
        return to.item(result);
    }
}
