package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import java.util.Arrays;

/** Convolutions and their transposes, of any number of spatial axes. */
final class Convolutions {
    /** Filters of more elements are loops of a program, not terms of a sum. */
    private static final int MOST_TERMS = 25;
    /** Larger images are not kept once more for the sum over their channels. */
    private static final int MOST_ELEMENTS = 1 << 24;

    private Convolutions() {
    }

    static void addTo(Table table) {
        table.one("Conv", 1, "y[n, k, p] += x[n, c, s*p + d*r - b] * w[k, c, r], by groups", call -> conv(call, call.data(0), call.data(1),
            call.has(2) ? call.data(2) : null)).reads();
        table.one("ConvTranspose", 1, "y[n, k, s*p + d*r] += x[n, c, p] * w[c, k, r], by groups, and what padding cuts off", Convolutions::transpose);
        table.one("DeformConv", 19, "a convolution of elements at offsets, interpolated", Deformed::conv);
        table.one("Col2Im", 18, "windows added to where they were", Convolutions::image);
    }

    static Item conv(Call call, TensorData<?> x, TensorData<?> w, TensorData<?> bias) {
        Plan plan = call.plan(() -> plan(call, x, w, bias), x, w, bias);
        Item image = plan.shape(0) == null ? Item.borrowed(x) : Call.reshaped(Item.borrowed(x), plan.shape(0));
        try {
            TensorData<?> filter = plan.shape(4) == null ? w : inside(w, plan.shape(4), plan.shape(5));
            filter = plan.shape(1) == null ? filter : reshape(filter, plan.shape(1));
            TensorData<?> added = plan.shape(2) == null ? bias : reshape(bias, plan.shape(2));
            return reshapedOnce(call.run(plan, image.data(), filter, added), plan.shape(3));
        } finally {
            image.release();
        }
    }

    /** The part of a filter that an image is read by. */
    private static TensorData<?> inside(TensorData<?> w, long[] from, long... to) {
        TensorData<?> part = w;
        for (int d = 0; d < from.length; d++) {
            part = Shaping.range(part, d + 2, from[d], to[d]);
        }
        return part;
    }

    /**
     * The program of a convolution, the shapes of the image, the filter, the bias and the result, and the part of the filter, of each axis the first
     * element and the one behind the last.
     */
    private static Plan plan(Call call, TensorData<?> x, TensorData<?> w, TensorData<?> bias) {
        long[] xs = x.shape();
        long[] ws = w.shape();
        if (xs.length < 3 || ws.length != xs.length) {
            throw call.refused("images and filters are of the same rank, 3 or more");
        }
        long groups = call.attributes.integer("group", 1);
        if (groups < 1 || xs[1] != groups * ws[1] || ws[0] % groups != 0) {
            throw call.refused("filters of shape " + Arrays.toString(ws) + " in " + groups + " groups do not fit images of "
                + Arrays.toString(xs));
        }
        long[] size = Arrays.copyOfRange(ws, 2, ws.length);
        if (!Arrays.equals(call.attributes.integers("kernel_shape", size), size)) {
            throw call.refused("attribute `kernel_shape` is not the filter's " + Arrays.toString(size));
        }
        Window window = new Window(call, Arrays.copyOfRange(xs, 2, xs.length), size, false);
        long[] result = Shapes.concat(new long[] {xs[0], ws[0]}, window.output);
        boolean single = groups == 1 && ws[0] == 1 && ws[1] > 1 && Shapes.size(size) > 1 && Shapes.size(xs) <= MOST_ELEMENTS;
        if (single && Shapes.size(size) <= MOST_TERMS && x.dataType().isFloat()) {
            return single(call, x, bias, window, result);
        }
        String p = window.loops("p");
        String r = window.loops("r");
        long perGroup = ws[0] / groups;
        long[][] cut = window.cut();
        String text;
        String lead;
        String biasIndex;
        long[] image = null;
        long[] filter = null;
        long[] added = null;
        if (groups == 1) {
            lead = "n,k,";
            text = "t[n,k," + p + "] += " + window.read("n,c", 2) + " * x1[k,c," + r + "]";
            biasIndex = "x2[k]";
        } else if (ws[1] == 1 && perGroup == 1) {
            lead = "n,g,";
            text = "t[n,g," + p + "] += " + window.read("n,g", 2) + " * x1[g," + r + "]";
            biasIndex = "x2[g]";
            filter = Shapes.concat(new long[] {groups}, size);
        } else {
            lead = "n,g,k,";
            text = "t[n,g,k," + p + "] += " + window.read("n,g,c", 3) + " * x1[g,k,c," + r + "]";
            biasIndex = "x2[g,k]";
            image = Shapes.concat(new long[] {xs[0], groups, ws[1]}, window.input);
            filter = Shapes.concat(new long[] {groups, perGroup, ws[1]}, size);
            added = bias == null ? null : new long[] {groups, perGroup};
        }
        text += " where n in 0:" + xs[0] + ", " + (groups == 1 ? "" : "g in 0:" + groups + ", ") + window.ranges();
        Followed.Epilogue epilogue = call.epilogue;
        String own = "t[" + lead + p + "]" + (bias == null ? "" : " + " + biasIndex);
        String after = epilogue == null || image != null && !epilogue.isUnary() ? null
            : epilogue.statements(own, (lead + p).split(","), result, 3);
        if (after == null && bias != null) {
            text += "; y[" + lead + p + "] = " + own + "; return y";
        }
        return new Plan(after == null ? text : text + after, after != null, image, filter, added, result, cut == null ? null : cut[0],
            cut == null ? null : cut[1]);
    }

    /**
     * One filter: of each channel a sum with a term for each of its elements, along rows of a padded image, and the sum over the channels.
     */
    private static Plan single(Call call, TensorData<?> x, TensorData<?> bias, Window window, long... result) {
        long[] inFilter = Shapes.strides(window.size);
        String image = window.isPadded() ? "z" : "x0";
        String p = window.loops("p");
        StringBuilder sum = new StringBuilder();
        for (long tap = 0; tap < Shapes.size(window.size); tap++) {
            StringBuilder weight = new StringBuilder("x1[0,g");
            sum.append(tap == 0 ? "" : " + ").append(image).append("[n,g");
            for (int d = 0; d < window.rank; d++) {
                long at = tap / inFilter[d] % window.size[d];
                sum.append(',').append(window.strides[d] == 1 ? "" : window.strides[d] + "*").append('p').append(d)
                    .append(at == 0 ? "" : "+" + at * window.dilations[d]);
                weight.append(',').append(at);
            }
            sum.append("] * ").append(weight).append(']');
        }
        String ranges = " where n in 0:" + x.size(0) + ", g in 0:" + x.size(1) + ", ";
        String text = (window.isPadded() ? window.padding("z", ranges) + "; " : "") + "t[n,g," + p + "] = " + sum + ranges + window.ranges()
            + "; s[n," + p + "] += t[n,g," + p + "]";
        String own = "s[n," + p + "]" + (bias == null ? "" : " + x2[0]");
        String[] loops = ("n," + p).split(",");
        long[] shape = Shapes.concat(new long[] {x.size(0)}, window.output);
        String after = call.epilogue == null || !call.epilogue.isUnary() ? null : call.epilogue.statements(own, loops, shape, 3);
        return new Plan(text + (after == null ? "; y[" + String.join(",", loops) + "] = " + own + "; return y" : after), after != null,
            null, null, null, result, null, null);
    }

    private static TensorData<?> reshape(TensorData<?> data, long... shape) {
        return Call.reshaped(Item.borrowed(data), shape).data();
    }

    /** Gives the share of what is reshaped back. */
    static Item reshapedOnce(Item item, long... shape) {
        if (Arrays.equals(item.shape(), shape)) {
            return item;
        }
        try {
            return Call.reshaped(item, shape);
        } finally {
            item.release();
        }
    }

    private static Item transpose(Call call) {
        TensorData<?> x = call.data(0);
        TensorData<?> w = call.data(1);
        long[] xs = x.shape();
        long[] ws = w.shape();
        if (xs.length < 3 || ws.length != xs.length) {
            throw call.refused("images and filters are of the same rank, 3 or more");
        }
        long groups = call.attributes.integer("group", 1);
        int rank = xs.length - 2;
        if (groups < 1 || xs[1] != ws[0] || ws[0] % groups != 0) {
            throw call.refused("filters of shape " + Arrays.toString(ws) + " do not fit images of " + Arrays.toString(xs));
        }
        long[] size = Arrays.copyOfRange(ws, 2, ws.length);
        Attributes a = call.attributes;
        long[] strides = a.integers("strides", Window.filled(rank, 1));
        long[] dilations = a.integers("dilations", Window.filled(rank, 1));
        long[] more = a.integers("output_padding", new long[rank]);
        long[] pads = a.integers("pads", new long[2 * rank]).clone();
        long[] wanted = a.integers("output_shape");
        String auto = a.string("auto_pad", "NOTSET");
        if (strides.length != rank || dilations.length != rank || more.length != rank || pads.length != 2 * rank) {
            throw call.refused("strides, dilations and padding are not for " + rank + " axes");
        }
        if (wanted != null && wanted.length == rank + 2) {
            wanted = Arrays.copyOfRange(wanted, 2, rank + 2);
        }
        long[] full = new long[rank];
        long[] output = new long[rank];
        for (int d = 0; d < rank; d++) {
            full[d] = Math.addExact(Math.multiplyExact(strides[d], xs[d + 2] - 1), Math.multiplyExact(dilations[d], size[d] - 1) + 1);
            if (wanted != null || auto.startsWith("SAME")) {
                output[d] = wanted != null ? wanted[d] : xs[d + 2] * strides[d];
                long total = Math.max(0, full[d] + more[d] - output[d]);
                boolean upper = auto.equals("SAME_UPPER");
                pads[d] = upper ? total / 2 : total - total / 2;
                pads[rank + d] = total - pads[d];
            } else {
                output[d] = full[d] + more[d] - pads[d] - pads[rank + d];
            }
        }
        String p = loops("p", rank);
        String r = loops("r", rank);
        StringBuilder at = new StringBuilder();
        for (int d = 0; d < rank; d++) {
            at.append(d == 0 ? "" : ",").append(strides[d]).append("*p").append(d).append('+').append(dilations[d]).append("*r").append(d);
        }
        Item split = groups == 1 ? Item.borrowed(x)
            : Call.reshaped(Item.borrowed(x), Shapes.concat(new long[] {xs[0], groups, xs[1] / groups}, Arrays.copyOfRange(xs, 2, xs.length)));
        TensorData<?> filter = groups == 1 ? w : reshape(w, Shapes.concat(new long[] {groups, ws[0] / groups}, Arrays.copyOfRange(ws, 1, ws.length)));
        Item made = Programs.run(groups == 1 ? "y[n,k," + at + "] += x0[n,c," + p + "] * x1[c,k," + r + "]"
            : "y[n,g,k," + at + "] += x0[n,g,c," + p + "] * x1[g,c,k," + r + "]", split.data(), filter);
        made = reshapedOnce(made, Shapes.concat(new long[] {xs[0], groups * ws[1]}, full));
        split.release();
        made = cut(made, pads, full, output);
        if (!call.has(2)) {
            return made;
        }
        TensorData<?> bias = reshape(call.data(2), Shapes.concat(new long[] {groups * ws[1]}, Window.filled(rank, 1)));
        try {
            return Elementwise.map("a + b", made.data(), bias);
        } finally {
            made.release();
        }
    }

    /** What is left of a whole result: `pads` cut off in front, and the output's size; what is beyond is 0. */
    private static Item cut(Item made, long[] pads, long[] full, long... output) {
        int rank = full.length;
        TensorData<?> data = made.data();
        long[] before = new long[rank + 2];
        long[] behind = new long[rank + 2];
        for (int d = 0; d < rank; d++) {
            long from = Math.max(0, Math.min(full[d], pads[d]));
            long to = Math.max(from, Math.min(full[d], pads[d] + output[d]));
            data = from == 0 && to == full[d] ? data : Shaping.range(data, d + 2, from, to);
            before[d + 2] = Math.max(0, -pads[d]);
            behind[d + 2] = Math.max(0, output[d] - before[d + 2] - (to - from));
        }
        try {
            return Arrays.stream(before).sum() + Arrays.stream(behind).sum() > 0
                ? Paddings.padded(data, Data.ofDoubles(data.dataType(), new double[1]), before, behind) : made.view(data);
        } finally {
            made.release();
        }
    }

    static String loops(String prefix, int count) {
        StringBuilder all = new StringBuilder();
        for (int d = 0; d < count; d++) {
            all.append(d == 0 ? "" : ",").append(prefix).append(d);
        }
        return all.toString();
    }

    /** Each column is a window, and is added to where it was taken from. */
    private static Item image(Call call) {
        long[] image = call.longs(1);
        long[] block = call.longs(2);
        int rank = image.length;
        long[] xs = call.shape(0);
        Window window = new Window(call, image, block, false);
        long size = Shapes.size(block);
        long windows = Shapes.size(window.output);
        if (xs.length != 3 || size == 0 || xs[1] % size != 0 || xs[2] != windows) {
            throw call.refused("columns of shape " + Arrays.toString(xs) + " are not windows of " + Arrays.toString(block) + " of "
                + Arrays.toString(image));
        }
        long channels = xs[1] / size;
        Elements from = Elements.of(call.data(0));
        long[] result = Shapes.concat(new long[] {xs[0], channels}, image);
        Elements to = Elements.zeros(call.type(0) == DataType.STRING ? DataType.FLOAT : call.type(0), Shapes.intSize(result));
        long[] inBlock = Shapes.strides(block);
        long[] inWindows = Shapes.strides(window.output);
        long[] inImage = Shapes.strides(image);
        long pixels = Shapes.size(image);
        for (int n = 0; n < from.size(); n++) {
            long w = n % windows;
            long b = n / windows % size;
            long at = n / windows / size * pixels;
            boolean inside = true;
            for (int d = 0; d < rank; d++) {
                long position = w / inWindows[d] % window.output[d] * window.strides[d] + b / inBlock[d] % block[d] * window.dilations[d]
                    - window.before[d];
                inside &= position >= 0 && position < image[d];
                at += position * inImage[d];
            }
            if (inside) {
                to.reduce((int) at, from, n, "add");
            }
        }
        return to.item(result);
    }
}
