package io.tensornio.internal.graph;

import java.util.Map;

/**
 * What is done with gradients before the rule, as statements: each element is clipped, then the norm of all of them; then weights decay. And the
 * rate of each parameter.
 */
final class Slope {
    private final Graph graph;
    private final Rule rule;
    private final Settings settings;
    /** The names of numbers in the program, to which those that are used here are added. */
    private final Map<String, String> numbers;
    private final StringBuilder text;

    Slope(Graph graph, Rule rule, Settings settings, Map<String, String> numbers, StringBuilder text) {
        this.graph = graph;
        this.rule = rule;
        this.settings = settings;
        this.numbers = numbers;
        this.text = text;
    }

    private String number(String name) {
        return numbers.computeIfAbsent(name, key -> graph.free(key.replace(' ', '_')));
    }

    private static String loops(Variable of) {
        return Graph.loops(of.rank());
    }

    /** A fresh name for a tensor of the shape of a parameter. */
    private String fresh(String what, Variable of) {
        return graph.free(what + "_" + graph.name(of));
    }

    /** Replaces gradients by those that are clipped. */
    void clip(Map<Variable, String> gradients) {
        if (settings.clipValue < Double.POSITIVE_INFINITY) {
            String limit = number("clip_value");
            gradients.replaceAll((variable, g) -> {
                String clipped = fresh("clipped", variable);
                text.append(clipped).append(loops(variable)).append(" = min(max(").append(g).append(loops(variable)).append(", -").append(limit)
                    .append("), ").append(limit).append(")\n");
                return clipped;
            });
        }
        if (settings.clipNorm < Double.POSITIVE_INFINITY && !gradients.isEmpty()) {
            String limit = number("clip_norm");
            String squares = null;
            for (Variable variable : graph.variables.values()) {            // in order, so that sums are the same in each run
                if (gradients.containsKey(variable)) {
                    String own = fresh("squares", variable);
                    text.append(own).append(" += ").append(gradients.get(variable)).append(loops(variable)).append(" ^ 2\n");
                    if (squares != null) {
                        text.append(own).append(" = ").append(squares).append(" + ").append(own).append('\n');
                    }
                    squares = own;
                }
            }
            String scale = graph.free("clip_scale");
            text.append(scale).append(" = select(").append(squares).append(" > ").append(limit).append(" * ").append(limit).append(", ").append(limit)
                .append(" / sqrt(").append(squares).append("), 1)\n");
            gradients.replaceAll((variable, g) -> {
                String scaled = fresh("scaled", variable);
                text.append(scaled).append(loops(variable)).append(" = ").append(g).append(loops(variable)).append(" * ").append(scale).append('\n');
                return scaled;
            });
        }
    }

    private boolean decays(Variable parameter) {
        return settings.decay > 0 && (parameter.rank() > 1 || settings.decaysAll);
    }

    /** The gradient, to which the weights that decay are added, unless they decay apart from it. */
    String decayed(Variable parameter, String gradient) {
        if (rule == Rule.ADAM_W || !decays(parameter)) {
            return gradient;
        }
        String decayed = fresh("decayed", parameter);
        text.append(decayed).append(loops(parameter)).append(" = ").append(gradient).append(loops(parameter)).append(" + ").append(number("decay"))
            .append(" * ").append(graph.name(parameter)).append(loops(parameter)).append('\n');
        return decayed;
    }

    /** The weights; after their decay, if that is apart from the gradient. */
    String weights(Variable parameter) {
        if (rule != Rule.ADAM_W || !decays(parameter)) {
            return graph.name(parameter);
        }
        String decayed = fresh("decayed", parameter);
        String own = graph.name(parameter) + loops(parameter);
        text.append(decayed).append(loops(parameter)).append(" = ").append(own).append(" - ").append(rate(parameter)).append(" * ")
            .append(number("decay")).append(" * ").append(own).append('\n');
        return decayed;
    }

    /** The rate: that of all, or one of its own, whose key is {@code rate} and the parameter's number. */
    String rate(Variable parameter) {
        return number(settings.factors.containsKey(parameter) ? "rate " + parameter.id : "rate");
    }
}
