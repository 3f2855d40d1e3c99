package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.internal.compute.Program;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The program of a step: the mean loss of a batch, its gradients, and the next elements of the parameters, one text for all.
 */
final class StepProgram {
    final Program program;
    final Forward forward;
    /** The parameters on which the loss depends. */
    final List<Variable> parameters = new ArrayList<>();
    /** Those that are not frozen. */
    final List<Variable> trained = new ArrayList<>();
    /** The name of each number of the rule in the program. */
    final Map<String, String> numbers = new LinkedHashMap<>();
    /** The names of the columns of inputs, and of the rows gathered from them; empty if this is not columnar. */
    final Map<Variable, String> columns = new LinkedHashMap<>();
    final String rows;
    /** The names of the gradients that are given; empty if they are made of examples. */
    final Map<Variable, String> slopes = new HashMap<>();
    /** The names of the rule's state for each parameter, by the suffixes of the keys. */
    final Map<Variable, Map<String, String>> memories = new HashMap<>();
    /** The outputs of the program: the loss; for each parameter its next elements and memories; states; and last the check for finite values. */
    private final List<String> outputs = new ArrayList<>();

    /**
     * Makes the program.
     *
     * @param isColumnar whether examples are rows of columns
     * @param isChecked whether the last output counts values that are not finite
     */
    StepProgram(Graph graph, Rule rule, Settings settings, boolean isColumnar, boolean isChecked) {
        forward = graph.forward(Collections.singletonList(graph.loss), true).batched();
        choose(graph, settings);
        StringBuilder text = new StringBuilder();
        rows = isColumnar && !forward.given.isEmpty() ? graph.free("rows") : null;
        if (rows != null) {
            gather(graph, text);
        }
        text.append(Graph.withoutReturn(forward.program.text())).append('\n');
        String mean = mean(graph, text);
        outputs.add(mean);
        finish(graph, rule, settings, isChecked, gradients(graph, text, mean), text);
        program = Program.of(text + "return " + String.join(", ", outputs));
    }

    /** Makes the program of a step by gradients that are given, and by the loss, which is given, too, as a number. */
    StepProgram(Graph graph, Rule rule, Settings settings, boolean isChecked) {
        forward = graph.forward(Collections.singletonList(graph.loss), true).batched();
        choose(graph, settings);
        rows = null;
        StringBuilder text = new StringBuilder();
        String loss = graph.free("mean_loss");
        numbers.put("loss", graph.free("given_loss"));
        text.append(loss).append(" = ").append(numbers.get("loss")).append('\n');
        outputs.add(loss);
        Map<Variable, String> gradients = new HashMap<>();
        for (Variable variable : trained) {
            gradients.put(variable, graph.free("d" + graph.name(variable)));
        }
        slopes.putAll(gradients);
        finish(graph, rule, settings, isChecked, gradients, text);
        program = Program.of(text + "return " + String.join(", ", outputs));
    }

    /** Finds the parameters. */
    private void choose(Graph graph, Settings settings) {
        for (Variable variable : graph.sources(Collections.singletonList(graph.loss))) {
            if (variable.isParameter()) {
                parameters.add(variable);
                if (!settings.frozen.contains(variable)) {
                    trained.add(variable);
                }
            }
        }
    }

    /** Appends what is done with gradients. */
    private void finish(Graph graph, Rule rule, Settings settings, boolean isChecked, Map<Variable, String> gradients, StringBuilder text) {
        String mean = outputs.get(0);
        rule.numbers().forEach(number -> numbers.put(number, graph.free(number)));
        Slope slope = new Slope(graph, rule, settings, numbers, text);
        slope.clip(gradients);
        String broken = null;
        if (isChecked) {
            broken = graph.free("broken");
            text.append(broken).append(" = select(abs(").append(mean).append(") < inf, 0, 1)\n");
        }
        for (Variable variable : trained) {
            update(graph, rule, slope, variable, gradients.get(variable), text);
            if (isChecked) {
                String one = check(graph, variable, text);
                text.append(broken).append(" = ").append(broken).append(" + ").append(one).append('\n');
            }
        }
        if (slopes.isEmpty()) {
            outputs.addAll(forward.states.values());
        }
        if (isChecked) {
            outputs.add(broken);
        }
    }

    /** Gathers the rows of a batch from columns, by index. */
    private void gather(Graph graph, StringBuilder text) {
        for (Map.Entry<Variable, String> given : forward.given.entrySet()) {
            String column = graph.free(given.getValue() + "_column");
            columns.put(given.getKey(), column);
            String loops = Graph.loops(given.getKey().rank());
            String rest = loops.isEmpty() ? "]" : "," + loops.substring(1);
            text.append(given.getValue()).append("[row").append(rest).append(" = ").append(column).append('[').append(rows).append("[row]")
                .append(rest).append('\n');
        }
    }

    private String mean(Graph graph, StringBuilder text) {
        String loops = Graph.loops(graph.loss.rank());
        String mean = graph.free("mean_loss");
        if (!forward.isBatched(0)) {
            text.append(mean).append(" += ").append(forward.outputs.get(0)).append(loops).append('\n');
            return mean;
        }
        String examples = graph.free("examples");
        numbers.put("examples", examples);
        text.append(mean).append(" += ").append(forward.outputs.get(0)).append("[example").append(loops.isEmpty() ? "]" : "," + loops.substring(1))
            .append('\n').append(mean).append(" = ").append(mean).append(" / ").append(examples).append('\n');
        return mean;
    }

    /** Appends the gradients; returns their names. */
    private Map<Variable, String> gradients(Graph graph, StringBuilder text, String of) {
        Map<Variable, String> gradients = new HashMap<>();
        if (trained.isEmpty()) {
            return gradients;
        }
        List<String> by = new ArrayList<>();
        trained.forEach(variable -> by.add(graph.name(variable)));
        Program program = Program.of(text.toString()).gradient(of, null, by);
        for (int n = 0; n < by.size(); n++) {
            gradients.put(trained.get(n), program.outputs().get(n + 1));
        }
        text.setLength(0);
        text.append(Graph.withoutReturn(program.text())).append('\n');
        graph.take(program.text());
        return gradients;
    }

    private void update(Graph graph, Rule rule, Slope slope, Variable variable, String gradient, StringBuilder text) {
        Map<String, String> names = new HashMap<>(numbers);
        String own = graph.name(variable);
        names.put("rate", slope.rate(variable));
        names.put("g", slope.decayed(variable, gradient));
        names.put("w", slope.weights(variable));
        names.put("next_w", graph.free("next_" + own));
        outputs.add(names.get("next_w"));
        Map<String, String> kept = new LinkedHashMap<>();
        for (String memory : rule.memories) {
            kept.put(memory, graph.free(memory + "_" + own));
            names.put(memory, kept.get(memory));
            names.put("next_" + memory, graph.free("next_" + kept.get(memory)));
            outputs.add(names.get("next_" + memory));
        }
        memories.put(variable, kept);
        text.append(rule.text(Graph.loops(variable.rank()), names));
    }

    private String check(Graph graph, Variable variable, StringBuilder text) {
        String broken = graph.free("broken_" + graph.name(variable));
        String loops = Graph.loops(variable.rank());
        int last = outputs.size() - 1 - memories.get(variable).size();
        text.append(broken).append(" max= select(abs(").append(outputs.get(last)).append(loops).append(") < inf, 0, 1)\n");
        return broken;
    }

    /** The type and shape of each input of the program, for a number of examples and of rows of columns. */
    void signature(Graph graph, int examples, long height, List<DataType> types, List<long[]> shapes) {
        Map<String, Variable> fed = new HashMap<>();
        (columns.isEmpty() ? forward.given : columns).forEach((input, name) -> fed.put(name, input));
        Map<String, Variable> remembered = new HashMap<>();
        memories.forEach((variable, own) -> own.values().forEach(name -> remembered.put(name, variable)));
        Map<String, Variable> given = new HashMap<>();
        slopes.forEach((variable, name) -> given.put(name, variable));
        Set<String> free = new HashSet<>(numbers.values());
        for (String name : program.inputs()) {
            Variable input = fed.get(name);
            if (name.equals(rows)) {
                types.add(DataType.INT64);
                shapes.add(new long[] {examples});
            } else if (forward.noises.containsKey(name)) {
                types.add(DataType.BOOL);
                shapes.add(Rows.with(examples, forward.noises.get(name).like.shape()));
            } else if (free.contains(name)) {
                types.add(null);
                shapes.add(new long[0]);
            } else if (input != null) {
                types.add(input.fed());
                shapes.add(Rows.with(columns.isEmpty() ? examples : height, input.shape()));
            } else {
                Variable other = remembered.containsKey(name) ? remembered.get(name) : given.containsKey(name) ? given.get(name) : graph.named(name);
                types.add(other.type);
                shapes.add(other.shape());
            }
        }
    }
}
