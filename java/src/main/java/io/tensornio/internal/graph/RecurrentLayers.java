package io.tensornio.internal.graph;

import io.tensornio.Axis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The comprehensions of recurrent layers, each a text with one scan; what does not depend on the step before is a product of all steps. */
public final class RecurrentLayers {
    private RecurrentLayers() {
    }

    /**
     * A long short-term memory, whose gates are those of the input, of forgetting, of the cell, and of the output, in this order.
     *
     * @param weights those of the input, of the step before, and the biases of all gates
     * @param before the output and the cell before the first step; null is 0
     */
    public static Node lstm(Variable made, long size, Variable[] weights, Variable x, Variable... before) {
        String h = made.key.name();
        String u = " where u in 0:" + size;
        return layer("lstm", made, size, 4, weights, x, before, gates(weights, x, h)
            + "  gate[t,g] = given[t,g] + kept[t,g] + " + weights[2].key + "[g]\n"
            + "  cell[t,u] = sigmoid(gate[t,u + " + size + "]) * cell[t-1,u] + sigmoid(gate[t,u]) * tanh(gate[t,u + " + 2 * size + "])" + u + "\n"
            + "  " + h + "[t,u] = sigmoid(gate[t,u + " + 3 * size + "]) * tanh(cell[t,u])" + u + "\n"
            + init(h, before[0]) + init("cell", before[1]) + "end\n");
    }

    /**
     * Gated recurrent units, whose gates are those of the reset, of the update, and of what is new, in this order.
     *
     * @param weights those of the input, of the step before, the biases of all gates, and that of what is new of the step before
     * @param before the output before the first step; null is 0
     */
    public static Node gru(Variable made, long size, Variable[] weights, Variable x, Variable before) {
        String h = made.key.name();
        String u = " where u in 0:" + size;
        String b = weights[2].key.name();
        String update = "[t,u + " + size + "]";
        String last = "[t,u + " + 2 * size + "]";
        return layer("gru", made, size, 3, weights, x, new Variable[] {before}, gates(weights, x, h)
            + "  gate[t,g] = given[t,g] + kept[t,g] + " + b + "[g]\n"
            + "  new[t,u] = tanh(given" + last + " + " + b + "[u + " + 2 * size + "] + sigmoid(gate[t,u]) * (kept" + last + " + " + weights[3].key
            + "[u]))" + u + "\n"
            + "  " + h + "[t,u] = (1 - sigmoid(gate" + update + ")) * new[t,u] + sigmoid(gate" + update + ") * " + h + "[t-1,u]" + u + "\n"
            + init(h, before) + "end\n");
    }

    /** The last step. */
    public static Node last(Variable made, Variable steps) {
        String title = "last(" + steps + ")";
        return Node.layer(title, made, known -> {
            known.setRank(steps, 2, title);
            known.setRank(made, 1, title);
            known.equate(made, 0, steps, 1, title);
        }, known -> made.key + "[u] = " + steps.key + "[size(" + steps.key + ", 0) - 1,u]", steps);
    }

    /** What the input and the step before give to all gates, up to the second statement of the scan. */
    private static String gates(Variable[] weights, Variable x, String h) {
        return "given[t,g] += " + weights[0].key + "[g,d] * " + x.key + "[t,d]\nscan t\n"
            + "  kept[t,g] += " + weights[1].key + "[g,u] * " + h + "[t-1,u]\n";
    }

    private static String init(String name, Variable value) {
        return value == null ? "" : "  init " + name + " = " + value.key + "\n";
    }

    private static Node layer(String name, Variable made, long size, int gates, Variable[] weights, Variable x, Variable[] before, String text) {
        String title = name + "(" + x + ")";
        List<Variable> reads = new ArrayList<>(Arrays.asList(weights));
        reads.add(x);
        for (Variable one : before) {
            if (one != null) {
                reads.add(one);
            }
        }
        return Node.layer(title, made, known -> {
            known.setRank(x, 2, title);
            known.setRank(made, 2, title);
            for (Variable one : before) {
                if (one != null) {
                    known.setRank(one, 1, title);
                }
            }
            if (known.rank(x) == 2 && known.rank(made) == 2) {
                known.equate(x, 1, weights[0], 1, title);
                known.equate(x, 0, made, 0, title);
                known.set(made, 1, Axis.of("H", size), title);
                for (Variable one : before) {
                    if (one != null && known.rank(one) == 1) {
                        known.set(one, 0, Axis.of("H", size), title);
                    }
                }
            }
        }, known -> text, reads.toArray(new Variable[0]));
    }
}
