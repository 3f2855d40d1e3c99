package io.tensornio.internal.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Graphs as tables, and in the language of Graphviz. */
public final class Drawing {
    private Drawing() {
    }

    private static String role(Variable of) {
        return of.isParameter() ? "parameter" : of.kind == Variable.Kind.OTHER ? "" : of.kind.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static String axes(Variable of) {
        return of.isShaped() ? Arrays.toString(of.axes) : of.form == Variable.Form.TENSOR ? "[...]"
            : of.form.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static long elements(Variable of) {
        long elements = 1;
        for (long size : of.shape()) {
            elements *= size;
        }
        return elements;
    }

    /** A table of all tensors. */
    public static String summary(Graph graph) {
        List<String[]> lines = new ArrayList<>();
        lines.add(new String[] {"tensor", "role", "type", "axes", "elements", "made by"});
        long parameters = 0;
        long states = 0;
        for (Variable variable : graph.variables.values()) {
            boolean isState = variable.kind == Variable.Kind.STATE;
            boolean isKept = isState || variable.isParameter();
            parameters += variable.isParameter() ? elements(variable) : 0;
            states += isState ? elements(variable) : 0;
            lines.add(new String[] {variable.toString(), role(variable), String.valueOf(variable.type), axes(variable),
                isKept ? String.valueOf(elements(variable)) : "", variable.maker == null ? "" : line(variable.maker.title)});
        }
        int[] widths = new int[lines.get(0).length];
        for (String[] line : lines) {
            for (int n = 0; n < widths.length; n++) {
                widths[n] = Math.max(widths[n], line[n].length());
            }
        }
        StringBuilder table = new StringBuilder();
        for (String[] line : lines) {
            StringBuilder row = new StringBuilder();
            for (int n = 0; n < widths.length; n++) {
                StringBuilder cell = new StringBuilder(line[n]);
                while (cell.length() < widths[n]) {
                    cell.insert(n == 4 ? 0 : cell.length(), ' ');
                }
                row.append(n == 0 ? "" : "  ").append(cell);
            }
            table.append(row.toString().replaceAll(" +$", "")).append('\n');
        }
        return table.append(parameters).append(" elements of parameters").append(states == 0 ? "" : ", " + states + " of states").append('\n')
            .toString();
    }

    private static String line(String title) {
        return title.replaceAll("\\s+", " ");
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    private static String key(Variable of) {
        return of.id < 0 ? "s" + -of.id : "t" + of.id;
    }

    /** A picture of all on which tensors depend. */
    public static String dot(List<Variable> wanted) {
        Collection<Variable> all = Graph.reached(wanted);
        StringBuilder dot = new StringBuilder("digraph {\n  node [fontname=\"sans-serif\"];\n");
        Map<Node, String> nodes = new LinkedHashMap<>();
        for (Variable variable : all) {
            String role = role(variable);
            String colour = role.equals("parameter") ? "lightblue" : role.equals("input") ? "lightgreen" : role.equals("state") ? "khaki"
                : role.equals("constant") ? "lightgrey" : "white";
            dot.append("  ").append(key(variable)).append(" [label=").append(quoted(variable + "\n" + axes(variable)))
                .append(", shape=ellipse, style=filled, fillcolor=").append(colour)
                .append(wanted.contains(variable) ? ", penwidth=2" : "").append("];\n");
            if (variable.maker != null) {
                nodes.putIfAbsent(variable.maker, "n" + nodes.size());
            }
        }
        nodes.forEach((node, key) -> {
            dot.append("  ").append(key).append(" [label=").append(quoted(node.title)).append(", shape=box];\n");
            node.reads.forEach(read -> dot.append("  ").append(key(read)).append(" -> ").append(key).append(";\n"));
            node.writes.forEach(written -> dot.append("  ").append(key).append(" -> ").append(key(written)).append(";\n"));
            if (node.whole != null) {
                node.whole.states.forEach(state -> dot.append("  ").append(key).append(" -> ").append(key(state)).append(" [style=dashed];\n"));
            }
        });
        return dot.append("}\n").toString();
    }
}
