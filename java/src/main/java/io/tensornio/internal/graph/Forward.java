package io.tensornio.internal.graph;

import io.tensornio.internal.compute.Program;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A program that computes tensors of a graph from its inputs, parameters and constants, for one example or for a batch. Immutable. */
public final class Forward {
    final Graph graph;
    final Program program;
    /** The name of each input of the graph in the program. */
    final Map<Variable, String> given;
    /** The outputs, in the requested order. */
    final List<String> outputs;
    /** The names that have a leading axis of examples. */
    final Set<String> batched;
    /** Whether there is no program for one example, but a batch of one, because a node is over the batch. */
    final boolean isWhole;
    /** The name of each state that is defined. */
    final Map<Variable, String> states;
    /** The random truth values that are read, by name. */
    final Map<String, Noise> noises;

    /** A program for a single example. */
    Forward(Graph graph, Program program, Map<Variable, String> given, List<String> outputs) {
        this(graph, program.returning(outputs), given, outputs, new HashSet<>(), false, Collections.emptyMap(), Collections.emptyMap());
    }

    /** A program for a batch. */
    Forward(Graph graph, Program program, Map<Variable, String> given, List<String> outputs, Set<String> batched, Map<Variable, String> states,
            Map<String, Noise> noises) {
        this(graph, program, given, outputs, batched, true, states, noises);
    }

    private Forward(Graph graph, Program program, Map<Variable, String> given, List<String> outputs, Set<String> batched, boolean isWhole,
            Map<Variable, String> states, Map<String, Noise> noises) {
        this.graph = graph;
        this.program = program;
        this.given = given;
        this.outputs = outputs;
        this.batched = batched;
        this.isWhole = isWhole;
        this.states = states;
        this.noises = noises;
    }

    /** The same for a batch; itself if it has no inputs. */
    Forward batched() {
        if (given.isEmpty() || isWhole) {
            return this;
        }
        Set<String> leading = new HashSet<>();
        List<String> names = new ArrayList<>();
        given.forEach((input, name) -> names.add(named(name, input)));
        Program batch = program.batched(names, leading);
        return new Forward(graph, batch, given, outputs, leading, false, Collections.emptyMap(), Collections.emptyMap());
    }

    /** The name of a tensor, or of what is none of the graph, as {@link Program#batched} takes it. */
    static String named(String name, Variable of) {
        StringBuilder axes = new StringBuilder(name);
        for (int axis = 0; of != null && of.isVarying() && axis < of.rank(); axis++) {
            axes.append(axis == 0 ? ":" : "").append(of.axes[axis].isVarying() ? '1' : '0');
        }
        return axes.toString();
    }

    /** Whether an output has a leading axis. */
    boolean isBatched(int output) {
        return batched.contains(outputs.get(output));
    }
}
