package io.tensornio.internal.graph;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.compute.Program;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The program of a segment for tensors of certain types and shapes. */
final class BoundSegment {
    private final Program program;
    private final List<Variable> inputs = new ArrayList<>();

    /**
     * Infers dimensions from those of the tensors read, and makes the program. The variables have these dimensions
     * meanwhile, since statements that users add depend on them.
     *
     * @throws IllegalArgumentException if they contradict those of the graph
     */
    BoundSegment(Graph graph, List<Node> nodes, List<Variable> reads, List<DataType> types, List<long[]> shapes, List<Variable> makes) {
        Set<Variable> all = new LinkedHashSet<>(reads);
        nodes.forEach(node -> all.addAll(node.writes));
        synchronized (graph.lock) {
            List<Axis[]> axes = new ArrayList<>();
            List<DataType> before = new ArrayList<>();
            for (Variable variable : all) {
                axes.add(variable.axes);
                before.add(variable.type);
            }
            try {
                for (int n = 0; n < reads.size(); n++) {
                    reads.get(n).axes = axes(reads.get(n).axes, shapes.get(n));
                    reads.get(n).type = types.get(n);
                }
                program = Program.of(graph.text(nodes, all, reads)).returning(graph.names(makes));
            } finally {
                int n = 0;
                for (Variable variable : all) {
                    variable.axes = axes.get(n);
                    variable.type = before.get(n++);
                }
            }
        }
        program.inputs().forEach(name -> inputs.add(graph.named(name)));
    }

    /** The axes of a shape: the known ones where their lengths match. */
    private static Axis[] axes(Axis[] known, long... shape) {
        Axis[] axes = new Axis[shape.length];
        for (int n = 0; n < axes.length; n++) {
            boolean fits = known != null && known.length == axes.length && known[n] != null && known[n].length() == shape[n];
            axes[n] = fits ? known[n] : Axis.of(shape[n]);
        }
        return axes;
    }

    /** Computes; the caller closes the results. */
    Tensor<?>[] run(Map<Variable, Object> operands) {
        Object[] given = new Object[inputs.size()];
        for (int n = 0; n < given.length; n++) {
            given[n] = operands.get(inputs.get(n));
        }
        return program.run(given);
    }
}
