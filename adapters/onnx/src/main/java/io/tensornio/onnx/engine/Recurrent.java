package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Recurrent layers: the products of the inputs at once, then one comprehension for each step. */
final class Recurrent {
    /** What a step computes; inputs are x0 the inputs' part, x1 the state, x2 the weights of the state, x3 their bias, x4 the cell, x5 peepholes. */
    private static final String STEP = "g[n,j] += x1[n,k] * x2[j,k]; ";

    private final Call call;
    private final int gates;
    private final String[] activations;
    private final double[] alphas;
    private final double[] betas;
    private final String clip;
    private final boolean byBatch;
    private final long hidden;

    private Recurrent(Call call, int gates, String... defaults) {
        this.call = call;
        this.gates = gates;
        Attributes a = call.attributes;
        String[] given = a.strings("activations");
        int directions = (int) call.shape(1)[0];
        List<String> all = new ArrayList<>();
        for (int d = 0; given == null && d < directions; d++) {
            all.addAll(Arrays.asList(defaults));
        }
        activations = given == null ? all.toArray(new String[0]) : given;
        if (activations.length != directions * defaults.length) {
            throw call.refused(activations.length + " activations are for " + directions + " directions");
        }
        alphas = a.numbers("activation_alpha");
        betas = a.numbers("activation_beta");
        clip = a.has("clip") ? Elementwise.number(a.number("clip", 0)) : null;
        byBatch = a.flag("layout", false);
        hidden = call.shape(2)[2];
    }

    static void addTo(Table table) {
        table.many("RNN", 7, "H = f(x W + h R + b), step by step", call -> new Recurrent(call, 1, "Tanh").run());
        table.many("GRU", 7, "H = (1 - z) h' + z h, step by step", call -> new Recurrent(call, 3, "Sigmoid", "Tanh").run());
        table.many("LSTM", 7, "C = f c + i c'; H = o h(C), step by step", call -> new Recurrent(call, 4, "Sigmoid", "Tanh", "Tanh").run());
    }

    private String activation(int n, String x) {
        String at = clip == null ? x : "max(-" + clip + ", min(" + clip + ", " + x + "))";
        double alpha = alphas != null && n < alphas.length ? alphas[n] : Double.NaN;
        double beta = betas != null && n < betas.length ? betas[n] : Double.NaN;
        switch (activations[n].toLowerCase(java.util.Locale.ROOT)) {
            case "sigmoid":
                return "sigmoid(" + at + ")";
            case "tanh":
                return "tanh(" + at + ")";
            case "relu":
                return "relu(" + at + ")";
            case "affine":
                return "(" + or(alpha, 1) + " * (" + at + ") + " + or(beta, 0) + ")";
            case "leakyrelu":
                return "(max(0, " + at + ") + " + or(alpha, 0.01) + " * min(0, " + at + "))";
            case "thresholdedrelu":
                return "select(" + at + " > " + or(alpha, 1) + ", " + at + ", 0)";
            case "scaledtanh":
                return "(" + or(alpha, 1) + " * tanh(" + or(beta, 1) + " * (" + at + ")))";
            case "hardsigmoid":
                return "max(0, min(1, " + or(alpha, 0.2) + " * (" + at + ") + " + or(beta, 0.5) + "))";
            case "elu":
                return "(max(0, " + at + ") + min(0, " + or(alpha, 1) + " * (exp(" + at + ") - 1)))";
            case "softsign":
                return "((" + at + ") / (1 + abs(" + at + ")))";
            case "softplus":
                return "softplus(" + at + ")";
            default:
                throw call.refused("there is no activation `" + activations[n] + "`");
        }
    }

    private static String or(double value, double otherwise) {
        return Elementwise.number(Double.isNaN(value) ? otherwise : value);
    }

    private Item[] run() {
        TensorData<?> x = byBatch ? call.data(0).permute(1, 0, 2) : call.data(0);
        String direction = call.attributes.string("direction", "forward");
        int directions = direction.equals("bidirectional") ? 2 : 1;
        if (x.rank() != 3 || call.shape(1).length != 3 || call.shape(1)[0] != directions || call.shape(1)[1] != gates * hidden) {
            throw call.refused("weights of shape " + Arrays.toString(call.shape(1)) + " are not for " + direction + " and "
                + Arrays.toString(call.shape(0)));
        }
        long[] lengths = call.has(4) ? call.longs(4) : null;
        List<TensorData<?>> ys = new ArrayList<>();
        List<TensorData<?>> hs = new ArrayList<>();
        List<TensorData<?>> cs = new ArrayList<>();
        List<Item> made = new ArrayList<>();
        try {
            for (int d = 0; d < directions; d++) {
                one(d, direction.equals("reverse") || d == 1, x, lengths, made, ys, hs, cs);
            }
            // (step, direction, batch, hidden), and (direction, batch, hidden).
            Item y = !call.wants(0) ? null : Call.made(laidOut(Data.joined(1, true, ys)));
            Item h = !call.wants(1) ? null : Call.made(laidOut(Data.joined(0, true, hs)));
            return new Item[] {y, h, !call.wants(2) ? null : Call.made(laidOut(Data.joined(0, true, cs)))};
        } finally {
            made.forEach(Item::release);
        }
    }

    private TensorData<?> laidOut(TensorData<?> data) {
        return !byBatch ? data : data.rank() == 4 ? data.permute(2, 0, 1, 3) : data.permute(1, 0, 2);
    }

    private static TensorData<?> at(TensorData<?> data, long n) {
        return data.slice(TensorIndex.at(n));
    }

    private TensorData<?> initial(int n, int d, long batch) {
        if (!call.has(n)) {
            return Data.constant(call.type(0), 0, 0, batch, hidden);
        }
        return byBatch ? call.data(n).slice(TensorIndex.all(), TensorIndex.at(d)) : at(call.data(n), d);
    }

    private void one(int d, boolean reverse, TensorData<?> x, long[] lengths, List<Item> made, List<TensorData<?>> ys, List<TensorData<?>> hs,
            List<TensorData<?>> cs) {
        long steps = x.size(0);
        long batch = x.size(1);
        DataType type = x.dataType();
        TensorData<?> weights = at(call.data(1), d);
        TensorData<?> state = at(call.data(2), d);
        TensorData<?> bias = call.has(3) ? at(call.data(3), d) : Data.constant(type, 0, 0, 2 * gates * hidden);
        TensorData<?> biasX = Shaping.range(bias, 0, 0, gates * hidden);
        TensorData<?> biasH = Shaping.range(bias, 0, gates * hidden, 2 * gates * hidden);
        Item parts = Programs.run("t[s,n,j] += x0[s,n,k] * x1[j,k]; y[s,n,j] = t[s,n,j] + x2[j]; return y", x, weights, biasX);
        made.add(parts);
        Item h = Item.borrowed(initial(5, d, batch));
        Item c = gates == 4 ? Item.borrowed(initial(6, d, batch)) : null;
        TensorData<?> peepholes = gates == 4 && call.has(7) ? at(call.data(7), d) : null;
        Plan step = call.node.plans.of(Arrays.asList(d, peepholes != null, lengths != null),
            () -> new Plan(text(d, peepholes != null, lengths != null)));
        TensorData<?>[] out = new TensorData<?>[(int) steps];
        for (int s = 0; s < steps; s++) {
            Run.checkInterrupt(call.node);
            int t = reverse ? (int) steps - 1 - s : s;
            boolean[] goes = new boolean[(int) batch];
            for (int n = 0; lengths != null && n < batch; n++) {
                goes[n] = t < lengths[n];
            }
            Item[] next = Programs.all(step.program, at(parts.data(), t), h.data(), state, biasH, c == null ? null : c.data(), peepholes,
                lengths == null ? null : io.tensornio.BooleanTensorData.of(goes, batch));
            Collections.addAll(made, next);
            h = next[0];
            c = gates == 4 ? next[1] : null;
            out[t] = h.data();
            if (lengths != null) {
                Item masked = Programs.run("y[n,u] = select(x1[n], x0[n,u], 0)", h.data(), io.tensornio.BooleanTensorData.of(goes, batch));
                made.add(masked);
                out[t] = masked.data();
            }
        }
        ys.add(steps == 0 ? Data.empty(type, 0, batch, hidden) : Data.joined(0, true, Arrays.asList(out)));
        hs.add(h.data());
        if (c != null) {
            cs.add(c.data());
        }
    }

    private String text(int d, boolean peepholes, boolean ends) {
        String text = gates == 1 ? simple(d) : gates == 3 ? gated(d) : lstm(d, peepholes);
        return !ends ? text : text.replace("; return h", "; h[n,u] = select(x6[n], h[n,u], x1[n,u]); return h")
            .replace("; return h, c", "; c[n,u] = select(x6[n], c[n,u], x4[n,u]); return h, c");
    }

    private String gate(int n) {
        String u = n == 0 ? "u" : "u+" + n * hidden;
        return "x0[n," + u + "] + g[n," + u + "] + x3[" + u + "]";
    }

    private String range() {
        return " where n in 0:size(x1,0), u in 0:" + hidden;
    }

    private String simple(int d) {
        return STEP + "h[n,u] = " + activation(d, gate(0)) + range() + "; return h";
    }

    private String gated(int d) {
        boolean linear = call.attributes.flag("linear_before_reset", false);
        String last = "u+" + 2 * hidden;
        String text = STEP + "z[n,u] = " + activation(2 * d, gate(0)) + range() + "; r[n,u] = " + activation(2 * d, gate(1)) + range() + "; ";
        if (linear) {
            text += "q[n,u] = " + activation(2 * d + 1, "x0[n," + last + "] + r[n,u] * (g[n," + last + "] + x3[" + last + "])") + range();
        } else {
            text += "m[n,u] = r[n,u] * x1[n,u]; w[n,u] += m[n,k] * x2[" + last + ",k]" + range() + "; q[n,u] = "
                + activation(2 * d + 1, "x0[n," + last + "] + w[n,u] + x3[" + last + "]") + range();
        }
        return text + "; h[n,u] = (1 - z[n,u]) * q[n,u] + z[n,u] * x1[n,u]; return h";
    }

    private String lstm(int d, boolean peepholes) {
        boolean coupled = call.attributes.flag("input_forget", false);
        String input = peepholes ? " + x5[u] * x4[n,u]" : "";
        String output = peepholes ? " + x5[u+" + hidden + "] * c[n,u]" : "";
        String forget = peepholes ? " + x5[u+" + 2 * hidden + "] * x4[n,u]" : "";
        return STEP + "i[n,u] = " + activation(3 * d, gate(0) + input) + range()
            + "; f[n,u] = " + (coupled ? "1 - i[n,u]" : activation(3 * d, gate(2) + forget) + range())
            + "; q[n,u] = " + activation(3 * d + 1, gate(3)) + range()
            + "; c[n,u] = f[n,u] * x4[n,u] + i[n,u] * q[n,u]; o[n,u] = " + activation(3 * d, gate(1) + output) + range()
            + "; h[n,u] = o[n,u] * " + activation(3 * d + 2, "c[n,u]") + "; return h, c";
    }
}
