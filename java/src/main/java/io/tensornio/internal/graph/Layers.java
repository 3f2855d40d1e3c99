package io.tensornio.internal.graph;

import io.tensornio.Axis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The comprehensions of the library's operators and layers, as texts in which each tensor has its key. */
public final class Layers {
    private static final Node.Ranks NOTHING = known -> { };

    private Layers() {
    }

    /** Loops for so many axes, such as {@code i0,i1}; with brackets, or empty for none. */
    private static String at(String loops, int rank) {
        StringBuilder text = new StringBuilder();
        for (int n = 0; n < rank; n++) {
            text.append(n == 0 ? "[" : ",").append(loops).append(n);
        }
        return text.append(rank == 0 ? "" : "]").toString();
    }

    private static String at(String first, String loops, int rank) {
        return rank == 0 ? "[" + first + "]" : "[" + first + "," + at(loops, rank).substring(1);
    }

    /** A number in the syntax of the language. */
    public static String number(double value) {
        String text = Double.isNaN(value) ? "nan" : Double.isInfinite(value) ? "inf" : String.valueOf(Math.abs(value)).replace('E', 'e');
        return value < 0 || value == 0 && 1 / value < 0 ? "(-" + text + ")" : text;
    }

    /** An element-wise function. */
    public static Node map(String function, Variable made, Variable x) {
        return Node.layer(function + "(" + x + ")", made, known -> like(known, made, x), known -> {
            int rank = known.rank(x);
            return rank < 0 ? null : made.key + at("i", rank) + " = " + function + "(" + x.key + at("i", rank) + ")";
        }, x);
    }

    static void like(Dimensions known, Variable made, Variable x) {
        if (known.rank(x) >= 0) {
            known.setRank(made, known.rank(x), "its operand");
        } else if (known.rank(made) >= 0) {
            known.setRank(x, known.rank(made), "what is made of it");
        }
    }

    /** An element-wise operator with a number on its right. */
    public static Node withNumber(String operator, Variable made, Variable x, double value) {
        return Node.layer(x + " " + operator + " " + value, made, known -> like(known, made, x), known -> {
            int rank = known.rank(x);
            String loops = at("i", rank);
            return rank < 0 ? null : made.key + loops + " = " + x.key + loops + " " + operator + " " + number(value);
        }, x);
    }

    /** An element-wise operator on two tensors of the same shape, or one of rank 0. */
    public static Node elementwise(String operator, Variable made, Variable a, Variable b) {
        return ofElements("", " " + operator + " ", "", made, a, b);
    }

    /** A function of the elements of two tensors. */
    public static Node map(String function, Variable made, Variable a, Variable b) {
        return ofElements(function + "(", ", ", ")", made, a, b);
    }

    private static Node ofElements(String before, String between, String after, Variable made, Variable a, Variable b) {
        String title = before + a + between + b + after;
        return Node.layer(title, made, known -> {
            int left = known.rank(a);
            int right = known.rank(b);
            if (left > 0 && right > 0 && left != right) {
                known.setRank(b, left, "`" + title + "`");
            }
            if (left > 0 || right > 0 || left == 0 && right == 0) {
                known.setRank(made, Math.max(left, right), "`" + title + "`");
            }
        }, known -> {
            int left = known.rank(a);
            int right = known.rank(b);
            return left < 0 || right < 0 || left != right && left > 0 && right > 0 ? null
                : made.key + at("i", Math.max(left, right)) + " = " + before + a.key + at("i", left) + between + b.key + at("i", right) + after;
        }, a, b);
    }

    /** The product of a matrix and a vector or a matrix. */
    public static Node matrixProduct(Variable made, Variable a, Variable b) {
        String title = a + " matmul " + b;
        return Node.layer(title, made, known -> {
            if (known.rank(b) == 1 || known.rank(b) == 2) {
                known.setRank(made, known.rank(b), "`" + title + "`");
            }
        }, known -> {
            int rank = known.rank(b);
            return rank == 1 ? made.key + "[i] += " + a.key + "[i,k] * " + b.key + "[k]"
                : rank == 2 ? made.key + "[i,j] += " + a.key + "[i,k] * " + b.key + "[k,j]" : null;
        }, a, b);
    }

    /** The affine transformation of a whole tensor: weights have the axis of the bias, then all axes of x. */
    public static Node affine(Variable made, Variable weights, Variable bias, Variable x) {
        return Node.layer("the affine part of a layer of " + x, made, known -> {
            if (known.rank(x) >= 0) {
                known.setRank(weights, known.rank(x) + 1, "a layer of " + x);
            } else if (known.rank(weights) > 0) {
                known.setRank(x, known.rank(weights) - 1, "a layer of " + x);
            }
        }, known -> {
            int rank = known.rank(x);
            return rank < 0 ? null : "product[i] += " + weights.key + at("i", "k", rank) + " * " + x.key + at("k", rank) + "\n"
                + made.key + "[i] = product[i] + " + bias.key + "[i]";
        }, weights, bias, x);
    }

    /** The equation that a tensor has an axis, followed by those of another tensor. */
    public static Node onRight(Variable whole, Axis first, Variable right) {
        return new Node("bindOnRight", Arrays.asList(whole, right), Collections.emptyList(), false, known -> {
            if (known.rank(right) >= 0) {
                known.setRank(whole, known.rank(right) + 1, "bindOnRight");
            } else if (known.rank(whole) > 0) {
                known.setRank(right, known.rank(whole) - 1, "bindOnRight");
            }
            if (known.rank(whole) > 0) {
                known.set(whole, 0, first, "bindOnRight");
            }
            if (known.rank(whole) == known.rank(right) + 1 && known.rank(right) >= 0) {
                for (int axis = 0; axis < known.rank(right); axis++) {
                    known.equate(whole, axis + 1, right, axis, "bindOnRight");
                }
            }
        }, null);
    }

    static void checkAxis(Dimensions known, String layer, Variable x) {
        if (known.rank(x) == 0) {
            known.fault(layer + "(" + x + ") is of one axis or more, and " + x + " has rank 0");
        }
    }

    /** The softmax over the last axis. */
    public static Node softmax(Variable made, Variable x) {
        return Node.layer("softmax(" + x + ")", made, known -> {
            checkAxis(known, "softmax", x);
            like(known, made, x);
        }, known -> {
            int rank = known.rank(x) - 1;
            if (rank < 0) {
                return null;
            }
            String rest = at("i", rank);
            String all = rest.isEmpty() ? "[c]" : rest.substring(0, rest.length() - 1) + ",c]";
            return shift(rest, x.key + all) + "power" + all + " = exp(" + x.key + all + " - shift" + rest + ")\n"
                + "total" + rest + " += power" + all + "\n"
                + made.key + all + " = power" + all + " / total" + rest;
        }, x);
    }

    /**
     * What is subtracted of exponents so that none overflows: the largest, rounded down. It cancels out, so its gradient is zero, and that of a
     * rounded number costs nothing to find.
     */
    private static String shift(String rest, String exponents) {
        return "largest" + rest + " max= " + exponents + "\nshift" + rest + " = floor(largest" + rest + ")\n";
    }

    /** The mean of the squares of differences. */
    public static Node meanSquare(Variable made, Variable z, Variable estimate) {
        String title = "meanSquare(" + z + ", " + estimate + ")";
        return Node.layer(title, made, known -> like(known, z, estimate), known -> {
            int rank = known.rank(z);
            String element = at("i", rank);
            return rank < 0 || known.rank(estimate) != rank ? null
                : "total += (" + z.key + element + " - " + estimate.key + element + ") ^ 2\n" + made.key + " = total / " + known.elements(z);
        }, z, estimate);
    }

    /** The logarithm of the softmax's denominator, minus the label's logit. */
    public static Node softmaxCrossEntropy(Variable made, Variable logits, Variable label) {
        return Node.layer("softmaxCrossEntropy(" + logits + ", " + label + ")", made, known -> {
            if (known.rank(logits) > 0) {
                known.setRank(label, known.rank(logits) - 1, "softmaxCrossEntropy");
            } else if (known.rank(label) >= 0) {
                known.setRank(logits, known.rank(label) + 1, "softmaxCrossEntropy");
            }
            like(known, made, label);
        }, known -> {
            int rank = known.rank(label);
            if (rank < 0 || known.rank(logits) != rank + 1) {
                return null;
            }
            String rest = at("i", rank);
            String before = rest.isEmpty() ? "[" : rest.substring(0, rest.length() - 1) + ",";
            return shift(rest, logits.key + before + "c]") + "total" + rest + " += exp(" + logits.key + before + "c] - shift" + rest + ")\n"
                + made.key + rest + " = log(total" + rest + ") + shift" + rest + " - " + logits.key + before + label.key
                + (rest.isEmpty() ? "[]" : rest) + "]";
        }, logits, label);
    }

    /** Checks that a window fits: otherwise the result would be empty. */
    static void checkFits(Dimensions known, String layer, Variable x, int[] size, boolean isSame) {
        for (int axis = 0; axis < 2 && !isSame; axis++) {
            long length = known.length(x, axis);
            if (length >= 0 && length < size[axis]) {
                known.fault(layer + "(" + x + "): a window of " + size[axis] + " does not fit into axis " + axis + " of length " + length
                    + ", as VALID asks");
            }
        }
    }

    /** A convolution of (height, width, channels) by filters of (height, width, channels, filters), and a bias. */
    public static Node conv2d(Variable made, Variable filters, Variable bias, Variable x, int[] size, int[] strides, boolean isSame) {
        return Node.layer("conv2d(" + x + ")", made, known -> {
            known.setRank(x, 3, "conv2d");
            known.setRank(made, 3, "conv2d");
            checkFits(known, "conv2d", x, size, isSame);
            if (known.rank(x) == 3) {
                known.equate(x, 2, filters, 2, "conv2d");
            }
        }, known -> {
            String out = "y,x,f";
            String sum;
            if (isSame) {
                if (known.length(x, 0) < 0 || known.length(x, 1) < 0) {
                    return null;
                }
                Padded rows = Padded.zeros(known.length(x, 0), size[0], strides[0]);
                Padded columns = Padded.zeros(known.length(x, 1), size[1], strides[1]);
                String y = rows.index("y", "r");
                String across = columns.index("x", "q");
                sum = "sum[" + out + "] += guard(0 <= " + y + " < size(" + x.key + ", 0), 0 <= " + across + " < size(" + x.key + ", 1), " + x.key
                    + "[" + y + "," + across + ",c]) * " + filters.key + "[r,q,c,f] where y in 0:" + rows.out + ", x in 0:" + columns.out;
            } else {
                sum = "sum[" + out + "] += " + x.key + "[" + strides[0] + "*y + r," + strides[1] + "*x + q,c] * " + filters.key + "[r,q,c,f]";
            }
            return sum + "\n" + made.key + "[" + out + "] = sum[" + out + "] + " + bias.key + "[f]";
        }, filters, bias, x);
    }

    /** The maximum of each window of (height, width, channels). */
    public static Node maxPool2d(Variable made, Variable x, int[] size, int[] strides, boolean isSame) {
        return Node.layer("maxPool2d(" + x + ")", made, known -> {
            known.setRank(x, 3, "maxPool2d");
            known.setRank(made, 3, "maxPool2d");
            checkFits(known, "maxPool2d", x, size, isSame);
        }, known -> {
            if (!isSame) {
                return made.key + "[y,x,c] max= " + x.key + "[" + strides[0] + "*y + r," + strides[1] + "*x + q,c] where r in 0:" + size[0]
                    + ", q in 0:" + size[1];
            }
            if (known.length(x, 0) < 0 || known.length(x, 1) < 0 || known.length(x, 2) < 0) {
                return null;
            }
            Padded rows = Padded.pool(known.length(x, 0), size[0], strides[0]);
            Padded columns = Padded.pool(known.length(x, 1), size[1], strides[1]);
            String y = rows.shifted("y");
            String across = columns.shifted("x");
            // Padding must never be the maximum, not even of negative numbers.
            return "padded[y,x,c] = guard(0 <= " + y + " < size(" + x.key + ", 0), 0 <= " + across + " < size(" + x.key + ", 1), " + x.key + "[" + y
                + "," + across + ",c]) + select(" + rows.isInside("y") + " and " + columns.isInside("x") + ", 0, -inf) where padded["
                + rows.padded() + "," + columns.padded() + ",size(" + x.key + ", 2)]\n"
                + made.key + "[y,x,c] max= padded[" + strides[0] + "*y + r," + strides[1] + "*x + q,c] where r in 0:" + rows.size
                + ", q in 0:" + columns.size + ", y in 0:" + rows.out + ", x in 0:" + columns.out;
        }, x);
    }

    /** The rows of a table by index. */
    public static Node embedding(Variable made, Variable table, Variable ids) {
        return Node.layer("embedding(" + table + ", " + ids + ")", made, known -> {
            checkAxis(known, "embedding", table);
            if (known.rank(table) > 0 && known.rank(ids) >= 0) {
                known.setRank(made, known.rank(table) - 1 + known.rank(ids), "embedding");
            }
        }, known -> {
            int rank = known.rank(ids);
            int rest = known.rank(table) - 1;
            if (rank < 0 || rest < 0) {
                return null;
            }
            List<String> left = new ArrayList<>();
            StringBuilder row = new StringBuilder(ids.key + (rank == 0 ? "[]" : at("i", rank)));
            for (int n = 0; n < rank; n++) {
                left.add("i" + n);
            }
            for (int n = 0; n < rest; n++) {
                left.add("d" + n);
                row.append(",d").append(n);
            }
            return made.key + (left.isEmpty() ? "" : "[" + String.join(",", left) + "]") + " = " + table.key + "[" + row + "]";
        }, table, ids);
    }

    /** Elements minus their mean over the last axis, divided by their standard deviation, scaled and shifted. */
    public static Node layerNorm(Variable made, Variable scale, Variable offset, Variable x, double epsilon) {
        return Node.layer("layerNorm(" + x + ")", made, known -> {
            checkAxis(known, "layerNorm", x);
            like(known, made, x);
        }, known -> {
            int rank = known.rank(x) - 1;
            if (rank < 0) {
                return null;
            }
            String rest = at("i", rank);
            String all = rest.isEmpty() ? "[c]" : rest.substring(0, rest.length() - 1) + ",c]";
            long length = Math.max(known.length(x, rank), 1);
            return "total" + rest + " += " + x.key + all + "\n"
                + "apart" + all + " = " + x.key + all + " - total" + rest + " / " + length + "\n"
                + "squares" + rest + " += apart" + all + " ^ 2\n"
                + made.key + all + " = apart" + all + " / sqrt(squares" + rest + " / " + length + " + " + number(epsilon) + ") * " + scale.key
                + "[c] + " + offset.key + "[c]";
        }, scale, offset, x);
    }

    /** A comprehension from a user's text, in which the tensors of the graph are already replaced by their keys. */
    public static Node text(String title, List<Variable> reads, List<Variable> writes, String text) {
        return new Node(title, reads, writes, false, NOTHING, known -> text);
    }

    /** A comprehension that is built once all dimensions are known, and determines none. */
    public static Node late(String title, List<Variable> reads, List<Variable> writes, Node.Text text) {
        return new Node(title, reads, writes, true, NOTHING, text);
    }
}
