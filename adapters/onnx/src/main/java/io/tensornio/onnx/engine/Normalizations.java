package io.tensornio.onnx.engine;

import io.tensornio.TensorData;
import java.util.Arrays;

/** Operators that give elements a mean and a variance. */
final class Normalizations {
    private Normalizations() {
    }

    static void addTo(Table table) {
        table.many("BatchNormalization", 6, "(x - mean[c]) / sqrt(variance[c] + epsilon) * scale[c] + offset[c]", Normalizations::batch);
        table.one("InstanceNormalization", 6, "the same with mean and variance of each channel of each example", Normalizations::instance);
        table.many("LayerNormalization", 17, "(a - mean) / sqrt(variance + epsilon) * scale + offset, over the last axes",
            Normalizations::layer).narrows(1);
        table.one("GroupNormalization", 18, "the same over groups of channels, with scale and offset of each group", call -> group(call, true));
        table.one("GroupNormalization", 21, "the same over groups of channels, with scale and offset of each channel", call -> group(call, false));
        table.one("MeanVarianceNormalization", 9, "(a - mean) / (deviation + 1e-9)", Normalizations::meanVariance);
        table.one("LpNormalization", 1, "a / norm(a) along an axis", Normalizations::norm);
        table.one("LRN", 1, "x / (bias + alpha / size * sum of squares of near channels) ^ beta", Normalizations::response);
    }

    private static Item[] batch(Call call) {
        float epsilon = call.attributes.number("epsilon", 1e-5);
        TensorData<?> x = call.data(0);
        long[] shape = x.shape();
        if (shape.length < 2 || call.opset() < 9 && !call.attributes.flag("spatial", true)) {
            throw call.refused("statistics are of channels, axis 1; other ones are not supported");
        }
        TensorData<?>[] in = {x, of(call, 1), of(call, 2), of(call, 3), of(call, 4)};
        String all = Elementwise.loops(shape.length);
        String result = "r[i1] = x1[i1] / sqrt(VAR + " + Elementwise.number(epsilon) + "); y" + all + " = (x0" + all
            + " - MEAN) * r[i1] + x2[i1]; return y";
        if (!call.attributes.flag("training_mode", false)) {
            return new Item[] {Programs.run(result.replace("VAR", "x4[i1]").replace("MEAN", "x3[i1]"), in)};
        }
        float momentum = call.attributes.number("momentum", 0.9);
        long count = Shapes.size(shape) / Math.max(1, shape[1]);
        String m = Elementwise.number(momentum);
        String n = Elementwise.number(1 - momentum);
        return Programs.all("s[i1] += x0" + all + "; m[i1] = s[i1] / " + count + "; q[i1] += (x0" + all + " - m[i1]) * (x0" + all
            + " - m[i1]); v[i1] = q[i1] / "
            + count + "; a[i1] = x3[i1] * " + m + " + m[i1] * " + n + "; b[i1] = x4[i1] * " + m + " + v[i1] * " + n + "; "
            + result.replace("VAR", "v[i1]").replace("MEAN", "m[i1]") + ", a, b", in);
    }

    /** An input, cast to the type of the first. */
    private static TensorData<?> of(Call call, int n) {
        return call.type(n) == call.type(0) ? call.data(n) : Elementwise.cast(call.item(n), call.type(0)).data();
    }

    private static Item instance(Call call) {
        return moments(call, call.data(0), call.attributes.number("epsilon", 1e-5), call.data(1), call.data(2));
    }

    /** Each channel of each example. */
    private static Item moments(Call call, TensorData<?> x, float epsilon, TensorData<?> scale, TensorData<?> offset) {
        long[] shape = x.shape();
        long count = Shapes.product(shape, 2, shape.length);
        String all = Elementwise.loops(shape.length);
        return Programs.run("s[i0,i1] += x0" + all + "; m[i0,i1] = s[i0,i1] / " + count + "; v[i0,i1] += (x0" + all + " - m[i0,i1]) * (x0" + all
            + " - m[i0,i1]); r[i0,i1] = x1[i1] / sqrt(v[i0,i1] / " + count + " + " + Elementwise.number(epsilon) + "); y" + all + " = (x0" + all
            + " - m[i0,i1]) * r[i0,i1] + x2[i1]; return y", x, scale, offset);
    }

    private static Item[] layer(Call call) {
        long[] shape = call.shape(0);
        int axis = Shapes.axis(call.attributes.integer("axis", -1), shape.length);
        long inner = Shapes.product(shape, axis, shape.length);
        long outer = Shapes.product(shape, 0, axis);
        Item x = call.reshaped(0, outer, inner);
        long[] tail = Arrays.copyOfRange(shape, axis, shape.length);
        TensorData<?> scale = row(call, 1, tail);
        TensorData<?> offset = call.has(2) ? row(call, 2, tail) : null;
        Plan plan = call.plan(() -> new Plan("s[i] += x0[i,j]; m[i] = s[i] / " + inner
            + "; v[i] += (x0[i,j] - m[i]) * (x0[i,j] - m[i]); r[i] = 1 / sqrt(v[i] / " + inner + " + "
            + Elementwise.number(call.attributes.number("epsilon", 1e-5)) + "); y[i,j] = (x0[i,j] - m[i]) * r[i] * x1[j]"
            + (offset == null ? "" : " + x2[j]") + "; return y" + (call.wants(1) || call.wants(2) ? ", m, r" : "")), x.data(), scale, offset);
        try {
            Item[] made = Programs.all(plan.program, x.data(), scale, offset);
            long[] means = shape.clone();
            Arrays.fill(means, axis, shape.length, 1);
            for (int n = 0; n < made.length; n++) {
                made[n] = Convolutions.reshapedOnce(made[n], n == 0 ? shape : means);
            }
            return made;
        } finally {
            x.release();
        }
    }

    private static TensorData<?> row(Call call, int n, long... tail) {
        TensorData<?> data = call.data(n);
        if (!Arrays.equals(data.shape(), tail)) {
            data = data.broadcastTo(tail);
        }
        return Call.reshaped(Item.borrowed(data), Shapes.size(tail)).data();
    }

    private static Item group(Call call, boolean scaleByGroup) {
        long[] shape = call.shape(0);
        long groups = call.attributes.integer("num_groups");
        if (shape.length < 2 || groups < 1 || shape[1] % groups != 0) {
            throw call.refused("there are no " + groups + " groups in shape " + Arrays.toString(shape));
        }
        Item x = call.reshaped(0, shape[0], groups, shape[1] / groups, Shapes.product(shape, 2, shape.length));
        long count = x.shape()[2] * x.shape()[3];
        TensorData<?> scale = scaleByGroup ? call.data(1) : Call.reshaped(call.item(1), groups, shape[1] / groups).data();
        TensorData<?> offset = scaleByGroup ? call.data(2) : Call.reshaped(call.item(2), groups, shape[1] / groups).data();
        String at = scaleByGroup ? "[g]" : "[g,c]";
        try {
            return Convolutions.reshapedOnce(Programs.run("s[n,g] += x0[n,g,c,p]; m[n,g] = s[n,g] / " + count
                + "; v[n,g] += (x0[n,g,c,p] - m[n,g]) * (x0[n,g,c,p] - m[n,g]); r[n,g] = 1 / sqrt(v[n,g] / " + count + " + "
                + Elementwise.number(call.attributes.number("epsilon", 1e-5)) + "); y[n,g,c,p] = (x0[n,g,c,p] - m[n,g]) * r[n,g] * x1" + at + " + x2"
                + at + "; return y", x.data(), scale, offset), shape);
        } finally {
            x.release();
        }
    }

    private static Item meanVariance(Call call) {
        long[] axes = call.attributes.integers("axes", 0, 2, 3);
        boolean[] reduced = Shapes.axes(axes, call.rank(0));
        TensorData<?> x = call.data(0);
        StringBuilder all = new StringBuilder();
        StringBuilder kept = new StringBuilder();
        long count = 1;
        for (int d = 0; d < reduced.length; d++) {
            all.append(d == 0 ? "" : ",").append('i').append(d);
            if (reduced[d]) {
                count *= x.size(d);
            } else {
                kept.append(kept.length() == 0 ? "" : ",").append('i').append(d);
            }
        }
        return Programs.run(("s[K] += x0[A]; m[K] = s[K] / N; v[K] += (x0[A] - m[K]) * (x0[A] - m[K]); "
            + "y[A] = (x0[A] - m[K]) / (sqrt(v[K] / N) + 1e-9); return y").replace("[A]", "[" + all + "]").replace("[K]", "[" + kept + "]")
            .replace("/ N", "/ " + count), x);
    }

    private static Item norm(Call call) {
        long p = call.attributes.integer("p", 2);
        if (p != 1 && p != 2) {
            throw call.refused("attribute `p` is " + p + ", neither 1 nor 2");
        }
        return Reductions.along(call.data(0), call.attributes.integer("axis", -1), p == 1 ? "s[K] += abs(a[A]); y[A] = a[A] / s[K]; return y"
            : "s[K] += a[A] * a[A]; y[A] = a[A] / sqrt(s[K]); return y");
    }

    private static Item response(Call call) {
        TensorData<?> x = call.data(0);
        if (x.rank() < 2) {
            throw call.refused("rank 2 or more is expected");
        }
        long size = call.attributes.integer("size");
        if (size < 1) {
            throw call.refused("attribute `size` is " + size);
        }
        float alpha = call.attributes.number("alpha", 1e-4);
        StringBuilder rest = new StringBuilder();
        for (int d = 2; d < x.rank(); d++) {
            rest.append(",i").append(d);
        }
        String near = "c+j-" + (size - 1) / 2;
        return Programs.run("s[n,c" + rest + "] += guard(0 <= " + near + " < size(x0,1), x0[n," + near + rest + "] * x0[n," + near + rest
            + "]) where n in 0:" + x.size(0) + ", c in 0:" + x.size(1) + ", j in 0:" + size + ranges(x)
            + "; y[n,c" + rest + "] = x0[n,c" + rest + "] / ("
            + Elementwise.number(call.attributes.number("bias", 1)) + " + " + Elementwise.number(alpha / size) + " * s[n,c" + rest + "]) ^ "
            + Elementwise.number(call.attributes.number("beta", 0.75)) + "; return y", x);
    }

    private static String ranges(TensorData<?> x) {
        StringBuilder ranges = new StringBuilder();
        for (int d = 2; d < x.rank(); d++) {
            ranges.append(", i").append(d).append(" in 0:").append(x.size(d));
        }
        return ranges.toString();
    }
}
