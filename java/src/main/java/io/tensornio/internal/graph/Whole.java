package io.tensornio.internal.graph;

import io.tensornio.internal.compute.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The program of a graph in which some nodes are over the batch: what stands between these is for one example, and gets the axis of examples part by
 * part.
 */
final class Whole {
    /** The text for one example since the last node over the batch. */
    final StringBuilder part = new StringBuilder();
    private final Graph graph;
    private final StringBuilder text = new StringBuilder();
    /** The names that have an axis of examples. */
    private final Set<String> leading = new TreeSet<>();
    /** The inputs by their names. */
    private final Map<String, Variable> variables = new HashMap<>();
    private final Map<Variable, String> states = new LinkedHashMap<>();
    private final Map<String, Noise> noises = new LinkedHashMap<>();

    Whole(Graph graph) {
        this.graph = graph;
    }

    /** Takes the names of inputs. */
    void give(Map<Variable, String> inputs) {
        leading.addAll(inputs.values());
        inputs.forEach((input, name) -> variables.put(name, input));
    }

    private void flush() {
        if (part.length() == 0) {
            return;
        }
        Program program = Program.of(part.toString());
        List<String> led = new ArrayList<>(program.inputs());
        led.retainAll(leading);
        led.replaceAll(name -> Forward.named(name, variables.containsKey(name) ? variables.get(name) : graph.named(name)));
        Program batched = led.isEmpty() ? program : program.batched(led, leading);
        text.append(Graph.withoutReturn(batched.text())).append('\n');
        part.setLength(0);
    }

    /** Adds a node over the batch. */
    void add(Node node, boolean isTraining) {
        flush();
        boolean isLed = false;
        for (Variable read : node.reads) {
            isLed |= leading.contains(graph.name(read));
        }
        Map<String, String> others = new HashMap<>();
        if (isTraining) {
            for (Variable state : node.whole.states) {
                // All that reads the state reads the one before the step.
                String next = graph.free("next_" + graph.name(state));
                states.put(state, next);
                others.put(state.key.name(), next);
                String loops = Graph.loops(state.rank());
                text.append(Graph.copy(next, graph.name(state) + loops, state.rank()));
            }
            if (node.whole.noise != null) {
                String name = graph.free(Noise.NAME);
                noises.put(name, node.whole.noise);
                others.put(Noise.NAME, name);
            }
        }
        text.append(graph.renamed(graph.over(node, isTraining), others)).append('\n');
        if (isLed) {
            node.writes.forEach(written -> leading.add(graph.name(written)));
        }
    }

    /** The program. */
    Forward forward(Map<Variable, String> given, List<String> outputs) {
        flush();
        List<String> all = new ArrayList<>(outputs);
        all.addAll(states.values());
        return new Forward(graph, Program.of(text.toString()).returning(all), given, outputs, leading, states, noises);
    }
}
