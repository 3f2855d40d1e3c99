package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;

/** Images of other sizes: each axis on its own, by positions in the input and weights of the elements near them. */
final class Resizing {
    private Resizing() {
    }

    static void addTo(Table table) {
        table.one("Upsample", 7, "Resize by scales, asymmetric", Resizing::upsample).late();
        table.one("Resize", 10, "y[..., p, ...] += a[..., near[p, t], ...] * weight[p, t], axis by axis", Resizing::resize).late();
    }

    /** How positions of the output are positions of the input, along one axis. */
    private static final class Axis {
        final long from;
        final long to;
        final double scale;
        /** The length of the output that is not rounded. */
        final double exact;
        double start;
        double end = 1;

        Axis(long from, long to, double scale, double exact) {
            this.from = from;
            this.to = to;
            this.scale = scale;
            this.exact = exact;
        }

        double position(long x, String mode) {
            switch (mode) {
                case "half_pixel":
                    return (x + 0.5) / scale - 0.5;
                case "pytorch_half_pixel":
                    return exact == 1 ? -0.5 : (x + 0.5) / scale - 0.5;
                case "tf_half_pixel_for_nn":
                    return (x + 0.5) / scale;
                case "align_corners":
                    return exact == 1 ? 0 : x * (from - 1) / (exact - 1);
                case "asymmetric":
                    return x / scale;
                case "tf_crop_and_resize":
                    return start * (from - 1) + (exact == 1 ? (end - start) * (from - 1) / 2 : x * (end - start) * (from - 1) / (exact - 1));
                case "half_pixel_symmetric":
                    return from / 2. * (1 - to / exact) + (x + 0.5) / scale - 0.5;
                default:
                    throw new IllegalArgumentException("attribute `coordinate_transformation_mode` is `" + mode + "`");
            }
        }
    }

    private static Item upsample(Call call) {
        double[] scales = call.opset() < 9 ? call.attributes.numbers("scales") : call.doubles(1);
        Axis[] axes = new Axis[call.rank(0)];
        if (scales == null || scales.length != axes.length) {
            throw call.refused("a scale for each axis is needed");
        }
        for (int d = 0; d < axes.length; d++) {
            axes[d] = scaled(call.shape(0)[d], scales[d]);
        }
        return resized(call.item(0), axes, new Style(call.attributes.string("mode", "nearest"), "asymmetric", "floor"));
    }

    private static Axis scaled(long from, double scale) {
        if (!(scale > 0)) {
            throw new IllegalArgumentException("a scale is " + scale);
        }
        double exact = from * scale;
        if (exact > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("an axis would be " + exact + " long");
        }
        return new Axis(from, (long) Math.floor(exact), scale, exact);
    }

    /** What a node asks for. */
    private static final class Style {
        final String mode;
        final String coordinates;
        final String nearest;
        double cubic = -0.75;
        boolean excludes;
        boolean antialias;
        double outside;

        Style(String mode, String coordinates, String nearest) {
            this.mode = mode;
            this.coordinates = coordinates;
            this.nearest = nearest;
        }
    }

    private static Item resize(Call call) {
        Attributes a = call.attributes;
        boolean old = call.opset() < 11;
        Style style = new Style(a.string("mode", "nearest"), a.string("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel"),
            a.string("nearest_mode", old ? "floor" : "round_prefer_floor"));
        style.cubic = a.number("cubic_coeff_a", -0.75);
        style.excludes = a.flag("exclude_outside", false);
        style.antialias = a.flag("antialias", false);
        style.outside = a.number("extrapolation_value", 0);
        long[] shape = call.shape(0);
        int rank = shape.length;
        long[] chosen = a.integers("axes");
        int count = chosen == null ? rank : chosen.length;
        Axis[] axes = new Axis[rank];
        for (int d = 0; d < rank; d++) {
            axes[d] = new Axis(shape[d], shape[d], 1, shape[d]);
        }
        int scalesAt = old ? 1 : 2;
        double[] scales = call.has(scalesAt) && call.data(scalesAt).totalSize() > 0 ? call.doubles(scalesAt) : null;
        long[] sizes = !old && call.has(3) && call.data(3).totalSize() > 0 ? call.longs(3) : null;
        if ((scales == null) == (sizes == null) || (scales == null ? sizes.length : scales.length) != count) {
            throw call.refused("either a scale or a size for each of " + count + " axes is needed");
        }
        boolean[] seen = new boolean[rank];
        double common = common(a.string("keep_aspect_ratio_policy", "stretch"), sizes, chosen, shape);
        double[] roi = !old && call.has(1) && call.data(1).totalSize() > 0 ? call.doubles(1) : null;
        for (int n = 0; n < count; n++) {
            int d = chosen == null ? n : Shapes.axis(chosen[n], rank);
            if (seen[d]) {
                throw call.refused("axis " + d + " is named twice");
            }
            seen[d] = true;
            if (scales != null) {
                axes[d] = scaled(shape[d], scales[n]);
            } else if (common > 0) {
                axes[d] = new Axis(shape[d], (long) Math.floor(common * shape[d] + 0.5), common, common * shape[d]);
            } else {
                axes[d] = new Axis(shape[d], sizes[n], (double) sizes[n] / shape[d], sizes[n]);
            }
            if (roi != null && roi.length == 2 * count) {
                axes[d].start = roi[n];
                axes[d].end = roi[count + n];
            }
        }
        return resized(call.item(0), axes, style);
    }

    /** One scale for all axes, where their proportions are kept; 0 where they are not. */
    private static double common(String policy, long[] sizes, long[] axes, long... shape) {
        if (sizes == null || policy.equals("stretch")) {
            return 0;
        }
        double scale = policy.equals("not_larger") ? Double.POSITIVE_INFINITY : 0;
        for (int n = 0; n < sizes.length; n++) {
            double own = (double) sizes[n] / shape[axes == null ? n : Shapes.axis(axes[n], shape.length)];
            scale = policy.equals("not_larger") ? Math.min(scale, own) : Math.max(scale, own);
        }
        return scale;
    }

    private static Item resized(Item given, Axis[] axes, Style style) {
        TensorData<?> x = given.data();
        boolean nearest = style.mode.equals("nearest");
        boolean cast = !nearest && !x.dataType().isFloat();
        Item result = cast ? Elementwise.cast(given, DataType.FLOAT) : given.share();
        boolean[][] outside = new boolean[axes.length][];
        boolean any = false;
        for (int d = 0; d < axes.length; d++) {
            Axis axis = axes[d];
            if (axis.from == 0 && axis.to > 0) {
                throw new IllegalArgumentException("an axis of 0 cannot become one of " + axis.to);
            }
            outside[d] = new boolean[(int) axis.to];
            boolean crops = style.coordinates.equals("tf_crop_and_resize");
            for (int p = 0; crops && p < axis.to; p++) {
                double at = axis.position(p, style.coordinates);
                outside[d][p] = at < 0 || at > axis.from - 1;
                any |= outside[d][p];
            }
            if (axis.from == axis.to && axis.scale == 1 && !(crops && (axis.start != 0 || axis.end != 1))) {
                continue;
            }
            Item next = nearest ? result.view(Shaping.sliced(result.data(), d, TensorIndex.incl(nearest(axis, style))))
                : interpolated(result.data(), d, axis, style);
            result.release();
            result = next;
        }
        if (any) {
            Item next = replaced(result.data(), outside, style.outside);
            result.release();
            result = next;
        }
        if (cast) {
            Item next = Elementwise.cast(result, x.dataType());
            result.release();
            result = next;
        }
        return result;
    }

    /** The left one of the elements around a position: of one that is whole, the one before it. */
    private static double left(double at) {
        return at == Math.rint(at) ? at - 1 : Math.floor(at);
    }

    private static long[] nearest(Axis axis, Style style) {
        long[] at = new long[(int) axis.to];
        for (int p = 0; p < at.length; p++) {
            double position = axis.position(p, style.coordinates);
            double left = left(position);
            double ratio = position - left;
            boolean right;
            switch (style.nearest) {
                case "round_prefer_floor":
                    right = ratio > 0.5;
                    break;
                case "round_prefer_ceil":
                    right = ratio >= 0.5;
                    break;
                case "floor":
                    right = ratio == 1;
                    break;
                case "ceil":
                    right = true;
                    break;
                default:
                    throw new IllegalArgumentException("attribute `nearest_mode` is `" + style.nearest + "`");
            }
            at[p] = (long) Math.max(0, Math.min(axis.from - 1, left + (right ? 1 : 0)));
        }
        return at;
    }

    private static double cubic(double distance, double a) {
        double x = Math.abs(distance);
        return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
    }

    private static Item interpolated(TensorData<?> x, int d, Axis axis, Style style) {
        boolean linear = style.mode.equals("linear");
        if (!linear && !style.mode.equals("cubic")) {
            throw new IllegalArgumentException("attribute `mode` is `" + style.mode + "`");
        }
        double scale = style.antialias ? Math.min(axis.scale, 1) : 1;
        int first = (int) Math.floor((linear ? -1 : -2) / scale) + 1;
        int taps = 2 - 2 * first;
        long[] near = new long[Shapes.intSize(axis.to, taps)];
        double[] weights = new double[near.length];
        for (int p = 0; p < axis.to; p++) {
            double position = axis.position(p, style.coordinates);
            double left = left(position);
            double ratio = position - left;
            double sum = 0;
            for (int t = 0; t < taps; t++) {
                double distance = (first + t - ratio) * scale;
                double at = left + first + t;
                boolean excluded = style.excludes && (at < 0 || at >= axis.from);
                double weight = excluded ? 0 : linear ? Math.max(0, 1 - Math.abs(distance)) : cubic(distance, style.cubic);
                near[p * taps + t] = (long) Math.max(0, Math.min(axis.from - 1, at));
                weights[p * taps + t] = weight;
                sum += weight;
            }
            for (int t = 0; t < taps && (style.excludes || style.antialias); t++) {
                weights[p * taps + t] /= sum;
            }
        }
        StringBuilder from = new StringBuilder();
        StringBuilder to = new StringBuilder();
        for (int n = 0; n < x.rank(); n++) {
            from.append(n == 0 ? "" : ",").append(n == d ? "x1[p,t]" : "i" + n);
            to.append(n == 0 ? "" : ",").append(n == d ? "p" : "i" + n);
        }
        return Programs.run("y[" + to + "] += x0[" + from + "] * x2[p,t]", x, Data.ofLongs(DataType.INT64, near, axis.to, taps),
            Data.ofDoubles(x.dataType(), weights, axis.to, taps));
    }

    private static Item replaced(TensorData<?> x, boolean[][] outside, double value) {
        TensorData<?>[] inputs = new TensorData<?>[outside.length + 1];
        inputs[0] = x;
        StringBuilder any = new StringBuilder();
        for (int d = 0; d < outside.length; d++) {
            inputs[d + 1] = io.tensornio.BooleanTensorData.of(outside[d], outside[d].length);
            any.append(d == 0 ? "" : " or ").append('x').append(d + 1).append("[i").append(d).append(']');
        }
        String loops = Elementwise.loops(outside.length);
        return Programs.run("y" + loops + " = select(" + any + ", " + Elementwise.number(value) + ", x0" + loops + ")", inputs);
    }
}
