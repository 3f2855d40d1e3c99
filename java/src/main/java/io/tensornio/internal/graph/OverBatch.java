package io.tensornio.internal.graph;

import io.tensornio.DataType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Nodes whose texts are over a whole batch, one of training and one of evaluation. */
public final class OverBatch {
    private OverBatch() {
    }

    private static List<Variable> states(List<Variable> of) {
        List<Variable> states = new ArrayList<>(of);
        states.removeIf(variable -> variable.kind != Variable.Kind.STATE);
        return states;
    }

    /**
     * A user's texts.
     *
     * @throws IllegalArgumentException if they do not define the same tensors, or states as they must not
     */
    public static Node node(Texts training, Texts evaluation, String shown) {
        List<String> unused = new ArrayList<>(training.unused);
        unused.retainAll(evaluation.unused);
        if (!unused.isEmpty()) {
            throw new IllegalArgumentException("neither text has " + unused);
        }
        if (!states(evaluation.writes).isEmpty()) {
            throw new IllegalArgumentException("the text of evaluation defines " + states(evaluation.writes) + ": states change in training alone");
        }
        List<Variable> states = states(training.writes);
        List<Variable> writes = new ArrayList<>(training.writes);
        writes.removeAll(states);
        Set<Variable> other = new LinkedHashSet<>(evaluation.writes);
        if (!other.equals(new LinkedHashSet<>(writes))) {
            throw new IllegalArgumentException("the text of training defines " + writes + ", that of evaluation " + other
                + ": both are to define the same tensors");
        }
        for (Variable state : states) {
            if (state.definer != null) {
                throw new IllegalArgumentException("the state " + state + " is defined by " + state.definer.title() + " already");
            }
        }
        Set<Variable> reads = new LinkedHashSet<>(training.reads);
        reads.addAll(evaluation.reads);
        return Node.over("`" + shown.trim() + "`", false, new ArrayList<>(reads), writes, known -> { }, known -> training.text,
            new Node.Whole(known -> evaluation.text, states, null));
    }

    /** Loops for the axes of a tensor, {@code first} before them. */
    private static String at(String first, int rank) {
        StringBuilder text = new StringBuilder("[").append(first);
        for (int n = 0; n < rank; n++) {
            text.append(",i").append(n);
        }
        return text.append(']').toString();
    }

    private static void checkPerExample(Dimensions known, String layer, Variable x) {
        if (!known.isPerExample(x)) {
            known.fault(layer + "(" + x + "): " + x + " depends on no input, so that there is no batch of it");
        }
    }

    /** Elements that are dropped at random in training, the others enlarged. */
    public static Node dropout(Variable made, Variable x, double rate) {
        return Node.over("dropout(" + x + ")", true, Collections.singletonList(x), Collections.singletonList(made), known -> {
            checkPerExample(known, "dropout", x);
            Layers.like(known, made, x);
        }, known -> {
            String all = at("b", known.rank(x));
            return known.rank(x) < 0 ? null : made.key + all + " = select(" + Noise.NAME + all + ", " + x.key + all + " * "
                + Layers.number(1 / (1 - rate)) + ", 0)";
        }, new Node.Whole(known -> {
            String all = at("b", known.rank(x));
            return known.rank(x) < 0 ? null : made.key + all + " = " + x.key + all;
        }, Collections.emptyList(), new Noise(x, rate, made.id)));
    }

    /** How many elements each channel of a batch has: of axes without length those of each example. */
    private static String count(Dimensions known, Variable x, String one) {
        long each = 1;
        StringBuilder ranges = new StringBuilder();
        StringBuilder before = new StringBuilder("b");
        for (int axis = 0; axis < known.rank(x) - 1; axis++) {
            if (known.varies(x, axis)) {
                ranges.append(", v").append(axis).append(" in 0:len(").append(x.key).append(',').append(before).append(')');
                before.append(",v").append(axis);
            } else {
                each *= Math.max(known.length(x, axis), 1);
                before.append(",0");
            }
        }
        return "examples += " + one + " where b in 0:size(" + x.key + ", 0)" + ranges + "\ncount = examples * " + each + ".0\n";
    }

    /** Batch normalization of the last axis over all others. */
    public static Node batchNorm(Variable made, Variable x, Variable scale, Variable offset, Variable mean, Variable variance, double momentum,
            double epsilon) {
        List<Variable> reads = new ArrayList<>();
        Collections.addAll(reads, scale, offset, mean, variance, x);
        List<Variable> states = new ArrayList<>();
        Collections.addAll(states, mean, variance);
        return Node.over("batchNorm(" + x + ")", true, reads, Collections.singletonList(made), known -> {
            checkPerExample(known, "batchNorm", x);
            Layers.checkAxis(known, "batchNorm", x);
            Layers.like(known, made, x);
        }, known -> {
            int rank = known.rank(x) - 1;
            if (rank < 0) {
                return null;
            }
            String all = at("b", rank).replace("]", ",c]");
            String keep = Layers.number(momentum);
            String take = Layers.number(1 - momentum);
            String one = x.type == DataType.DOUBLE ? "double(1.0)" : "1.0";
            return count(known, x, one)
                + "total[c] += " + x.key + all + "\n"
                + "mean[c] = total[c] / count\n"
                + "apart" + all + " = " + x.key + all + " - mean[c]\n"
                + "squares[c] += apart" + all + " ^ 2\n"
                + "factor[c] = " + scale.key + "[c] / sqrt(squares[c] / count + " + Layers.number(epsilon) + ")\n"
                + made.key + all + " = apart" + all + " * factor[c] + " + offset.key + "[c]\n"
                + variance.key + "[c] = select(count > 1.0, " + keep + " * " + variance.key + "[c] + " + take + " * squares[c] / (count - 1.0), "
                + variance.key + "[c])\n"
                + mean.key + "[c] = " + keep + " * " + mean.key + "[c] + " + take + " * mean[c]";
        }, new Node.Whole(known -> {
            int rank = known.rank(x) - 1;
            String all = rank < 0 ? null : at("b", rank).replace("]", ",c]");
            return rank < 0 ? null : "factor[c] = " + scale.key + "[c] / sqrt(" + variance.key + "[c] + " + Layers.number(epsilon) + ")\n"
                + made.key + all + " = (" + x.key + all + " - " + mean.key + "[c]) * factor[c] + " + offset.key + "[c]";
        }, states, null));
    }
}
