package io.tensornio.internal.graph;

import io.tensornio.Axis;
import io.tensornio.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The comprehensions of further layers, as those of {@link Layers}. */
public final class MoreLayers {
    private MoreLayers() {
    }

    private static String loops(String name, int rank, String... more) {
        List<String> all = new ArrayList<>();
        for (int n = 0; n < rank; n++) {
            all.add(name + n);
        }
        all.addAll(Arrays.asList(more));
        return all.isEmpty() ? "" : "[" + String.join(",", all) + "]";
    }

    private static String number(Variable like, String value) {
        return like.type == DataType.DOUBLE ? "double(" + value + ")" : value;
    }

    /** Elements divided by the root of the mean of their squares over the last axis, and scaled. */
    public static Node rmsNorm(Variable made, Variable scale, Variable x, double epsilon) {
        return Node.layer("rmsNorm(" + x + ")", made, known -> {
            Layers.checkAxis(known, "rmsNorm", x);
            Layers.like(known, made, x);
        }, known -> {
            int rank = known.rank(x) - 1;
            if (rank < 0) {
                return null;
            }
            String rest = loops("i", rank);
            String all = loops("i", rank, "c");
            return "squares" + rest + " += " + x.key + all + " ^ 2\n" + made.key + all + " = " + x.key + all + " / sqrt(squares" + rest + " / "
                + Math.max(known.length(x, rank), 1) + " + " + Layers.number(epsilon) + ") * " + scale.key + "[c]";
        }, scale, x);
    }

    /** The mean of each channel, the last axis. */
    public static Node globalAvgPool(Variable made, Variable x) {
        return Node.layer("globalAvgPool(" + x + ")", made, known -> {
            Layers.checkAxis(known, "globalAvgPool", x);
            known.setRank(made, 1, "globalAvgPool");
        }, known -> {
            int rank = known.rank(x) - 1;
            if (rank < 0) {
                return null;
            }
            long count = 1;
            for (int axis = 0; axis < rank; axis++) {
                count *= Math.max(known.length(x, axis), 1);
            }
            return "total[c] += " + x.key + loops("i", rank, "c") + "\n" + made.key + "[c] = total[c] / " + count;
        }, x);
    }

    /** The mean of the elements of each window of (height, width, channels) that are there. */
    public static Node avgPool2d(Variable made, Variable x, int[] size, int[] strides, boolean isSame) {
        return Node.layer("avgPool2d(" + x + ")", made, known -> {
            known.setRank(x, 3, "avgPool2d");
            known.setRank(made, 3, "avgPool2d");
            Layers.checkFits(known, "avgPool2d", x, size, isSame);
        }, known -> {
            String window = "r in 0:" + size[0] + ", q in 0:" + size[1];
            if (!isSame) {
                return "total[y,x,c] += " + x.key + "[" + strides[0] + "*y + r," + strides[1] + "*x + q,c] where " + window + "\n"
                    + made.key + "[y,x,c] = total[y,x,c] / " + (long) size[0] * size[1];
            }
            if (known.length(x, 0) < 0 || known.length(x, 1) < 0) {
                return null;
            }
            Padded rows = Padded.zeros(known.length(x, 0), size[0], strides[0]);
            Padded columns = Padded.zeros(known.length(x, 1), size[1], strides[1]);
            String y = rows.index("y", "r");
            String across = columns.index("x", "q");
            return "total[y,x,c] += guard(0 <= " + y + " < size(" + x.key + ", 0), 0 <= " + across + " < size(" + x.key + ", 1), " + x.key + "[" + y
                + "," + across + ",c]) where c in 0:size(" + x.key + ", 2), y in 0:" + rows.out + ", x in 0:" + columns.out + ", " + window + "\n"
                + inside("high", "y", "r", y, rows, size[0], x, 0, known.length(x, 0)) + inside("wide", "x", "q", across, columns, size[1], x, 1,
                known.length(x, 1))
                + made.key + "[y,x,c] = total[y,x,c] / (high[y] * wide[x])";
        }, x);
    }

    private static String inside(String name, String loop, String offset, String index, Padded padded, int size, Variable x, int axis, long length) {
        return name + "[" + loop + "] += select(" + index + " >= 0 and " + index + " < " + length + ", " + number(x, "1.0") + ", " + number(x, "0.0")
            + ") where " + loop + " in 0:" + padded.out + ", " + offset + " in 0:" + size + "\n";
    }

    /** A convolution of (steps, channels) by filters of (size, channels, filters), and a bias. */
    public static Node conv1d(Variable made, Variable filters, Variable bias, Variable x, int size, int stride, boolean isSame) {
        return Node.layer("conv1d(" + x + ")", made, known -> {
            known.setRank(x, 2, "conv1d");
            known.setRank(made, 2, "conv1d");
            long length = known.length(x, 0);
            if (!isSame && length >= 0 && length < size) {
                known.fault("conv1d(" + x + "): a window of " + size + " does not fit into axis 0 of length " + length + ", as VALID asks");
            }
            if (known.rank(x) == 2) {
                known.equate(x, 1, filters, 1, "conv1d");
            }
        }, known -> {
            String sum;
            if (isSame) {
                if (known.length(x, 0) < 0) {
                    return null;
                }
                Padded steps = Padded.zeros(known.length(x, 0), size, stride);
                String at = steps.index("t", "r");
                sum = "sum[t,f] += guard(0 <= " + at + " < size(" + x.key + ", 0), " + x.key + "[" + at + ",c]) * " + filters.key
                    + "[r,c,f] where t in 0:" + steps.out;
            } else {
                sum = "sum[t,f] += " + x.key + "[" + stride + "*t + r,c] * " + filters.key + "[r,c,f]";
            }
            return sum + "\n" + made.key + "[t,f] = sum[t,f] + " + bias.key + "[f]";
        }, filters, bias, x);
    }

    /** The sums of rows of a table by index, over the last axis of the indices; weighted, if there are weights. */
    public static Node embeddingBag(Variable made, Variable table, Variable ids, Variable weights) {
        return Node.layer("embeddingBag(" + table + ", " + ids + ")", made, known -> {
            Layers.checkAxis(known, "embeddingBag", table);
            Layers.checkAxis(known, "embeddingBag", ids);
            if (weights != null) {
                Layers.like(known, weights, ids);
            }
            if (known.rank(table) > 0 && known.rank(ids) > 0) {
                known.setRank(made, known.rank(table) + known.rank(ids) - 2, "embeddingBag");
            }
        }, known -> {
            int rank = known.rank(ids) - 1;
            int rest = known.rank(table) - 1;
            if (rank < 0 || rest < 0) {
                return null;
            }
            String[] row = new String[rest];
            Arrays.setAll(row, n -> "d" + n);
            String at = loops("i", rank, "j");
            String read = table.key + "[" + ids.key + at + (rest == 0 ? "" : "," + String.join(",", row)) + "]";
            return made.key + loops("i", rank, row) + " += " + read + (weights == null ? "" : " * " + weights.key + at);
        }, weights == null ? new Variable[] {table, ids} : new Variable[] {table, ids, weights});
    }

    /**
     * Attention of several heads, of (positions, features) each.
     *
     * @param projections of the query, key and value, each of (heads, features of a head, features), and of the output, of (features, heads, features
     *     of a head)
     * @param mask truth values of (positions of the query, positions of the key), or null
     */
    public static Node attention(Variable made, Variable[] projections, Variable q, Variable k, Variable v, int heads, boolean isCausal,
            Variable mask) {
        String title = "attention(" + q + ", " + k + ", " + v + ")";
        List<Variable> reads = new ArrayList<>(Arrays.asList(projections));
        Collections.addAll(reads, q, k, v);
        if (mask != null) {
            reads.add(mask);
        }
        return Node.layer(title, made, known -> {
            for (Variable one : Arrays.asList(q, k, v, made)) {
                known.setRank(one, 2, title);
            }
            if (mask != null) {
                known.setRank(mask, 2, title);
            }
            long features = known.length(q, 1);
            if (features >= 0 && features % heads != 0) {
                known.fault(title + ": " + features + " features are not divided by " + heads + " heads");
            } else if (features >= 0) {
                for (Variable one : Arrays.asList(projections).subList(0, 3)) {
                    known.set(one, 1, Axis.of("F", features / heads), title);
                }
            }
            if (known.rank(q) == 2) {
                known.equate(q, 1, projections[3], 0, title);
            }
        }, known -> {
            long features = known.length(q, 1);
            String causal = isCausal ? "s <= t" : "";
            String masked = mask == null ? "" : mask.key + "[t,s]";
            String condition = causal + (causal.isEmpty() || masked.isEmpty() ? "" : " and ") + masked;
            String scaled = "score[h,t,s] * " + Layers.number(1 / Math.sqrt(Math.max(features / heads, 1)));
            return "query[h,t,f] += " + projections[0].key + "[h,f,d] * " + q.key + "[t,d]\n"
                + "held[h,s,f] += " + projections[1].key + "[h,f,d] * " + k.key + "[s,d]\n"
                + "content[h,s,f] += " + projections[2].key + "[h,f,d] * " + v.key + "[s,d]\n"
                + "score[h,t,s] += query[h,t,f] * held[h,s,f]\n"
                + "scaled[h,t,s] = " + (condition.isEmpty() ? scaled : "select(" + condition + ", " + scaled + ", -inf)") + "\n"
                + "largest[h,t] max= scaled[h,t,s]\n"
                + "shift[h,t] = select(largest[h,t] > -inf, floor(largest[h,t]), 0)\n"
                + "power[h,t,s] = exp(scaled[h,t,s] - shift[h,t])\n"
                + "total[h,t] += power[h,t,s]\n"
                + "part[h,t,s] = power[h,t,s] / select(total[h,t] > 0, total[h,t], 1)\n"
                + "mixed[h,t,f] += part[h,t,s] * content[h,s,f]\n"
                + made.key + "[t,d] += " + projections[3].key + "[d,h,f] * mixed[h,t,f]";
        }, reads.toArray(new Variable[0]));
    }
}
