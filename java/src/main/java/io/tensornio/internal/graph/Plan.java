package io.tensornio.internal.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The plan that computes variables of a graph with sequences: segments, each of which is one program, and the steps between them. A segment contains
 * all comprehensions that can be run after the same number of consecutive steps, which minimises the number of programs.
 */
final class Plan {
    private final Graph graph;
    /** The item of the map whose body this is, or null. */
    private final Variable item;
    private final Map<Mapping, Plan> bodies;
    private final Set<Variable> needed;
    /** The parts, in order. */
    private final List<Consumer<Values>> parts = new ArrayList<>();

    /**
     * The plan for variables of a whole graph.
     *
     * @param bodies the plans of bodies of maps, shared by all plans of a graph
     */
    Plan(Graph graph, List<Variable> wanted, Map<Mapping, Plan> bodies) {
        this(graph, wanted, null, bodies);
    }

    private Plan(Graph graph, List<Variable> wanted, Variable item, Map<Mapping, Plan> bodies) {
        this.graph = graph;
        this.item = item;
        this.bodies = bodies;
        needed = new HashSet<>(wanted);
        order(chosen(), wanted);
    }

    /** The required nodes, in order, with the variables of this plan that each reads. */
    private Map<Node, List<Variable>> chosen() {
        List<Node> backwards = new ArrayList<>();
        Map<Node, List<Variable>> reads = new HashMap<>();
        for (int n = graph.nodes.size() - 1; n >= 0; n--) {
            Node node = graph.nodes.get(n);
            if (isMadeHere(node)) {
                List<Variable> read = reads(node);
                needed.addAll(read);
                reads.put(node, read);
                backwards.add(node);
            }
        }
        Map<Node, List<Variable>> chosen = new LinkedHashMap<>();
        for (int n = backwards.size() - 1; n >= 0; n--) {
            chosen.put(backwards.get(n), reads.get(backwards.get(n)));
        }
        return chosen;
    }

    private boolean isMadeHere(Node node) {
        for (Variable written : node.writes) {
            if (needed.contains(written)) {
                Set<Variable> items = graph.scopes.items(written);
                return item == null ? items.isEmpty() : items.contains(item);
            }
        }
        return false;
    }

    /** The variables of this plan and of those around it that a node reads: a map reads those that its body does not make. */
    private List<Variable> reads(Node node) {
        if (!(node.step instanceof Mapping)) {
            return node.reads;
        }
        Mapping mapping = (Mapping) node.step;
        Plan body = bodies.get(mapping);
        if (body == null) {
            body = new Plan(graph, Collections.singletonList(mapping.result), mapping.item, bodies);
            bodies.put(mapping, body);
        }
        List<Variable> reads = new ArrayList<>();
        reads.add(mapping.sequence);
        for (Variable variable : body.needed) {
            if (!graph.scopes.items(variable).contains(mapping.item)) {
                reads.add(variable);
            }
        }
        return reads;
    }

    private void order(Map<Node, List<Variable>> chosen, List<Variable> wanted) {
        Map<Variable, Integer> depths = new HashMap<>();
        List<List<Node>> segments = new ArrayList<>();
        List<List<Node>> steps = new ArrayList<>();
        chosen.forEach((node, reads) -> {
            int depth = 0;
            for (Variable read : reads) {
                depth = Math.max(depth, depths.getOrDefault(read, 0));
            }
            while (segments.size() <= depth) {
                segments.add(new ArrayList<>());
                steps.add(new ArrayList<>());
            }
            (node.step == null ? segments : steps).get(depth).add(node);
            for (Variable written : node.writes) {
                depths.put(written, node.step == null ? depth : depth + 1);
            }
        });
        Set<Variable> later = new HashSet<>(wanted);
        for (int depth = segments.size() - 1; depth >= 0; depth--) {
            for (Node step : steps.get(depth)) {
                Variable made = step.writes.get(0);
                put(values -> values.set(made, step.step.of(values)), chosen.get(step), later, depths.keySet());
            }
            if (!segments.get(depth).isEmpty()) {
                Segment segment = new Segment(graph, segments.get(depth), later);
                put(segment::run, segment.reads, later, depths.keySet());
            }
        }
        Collections.reverse(parts);
    }

    /** Prepends a part that reads variables, followed by dropping those that are not read later. */
    private void put(Consumer<Values> part, List<Variable> reads, Set<Variable> later, Set<Variable> made) {
        List<Variable> last = new ArrayList<>();
        for (Variable read : reads) {
            if (later.add(read) && made.contains(read)) {
                last.add(read);
            }
        }
        if (!last.isEmpty()) {
            parts.add(values -> values.drop(last));
        }
        parts.add(part);
    }

    /** The plan of the body of a map. */
    Plan body(Mapping of) {
        return bodies.get(of);
    }

    /** Computes all wanted variables. */
    void run(Values values) {
        parts.forEach(part -> part.accept(values));
    }
}
