package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Comprehensions between steps on sequences: one program for each set of input shapes. For one thread at a time. */
final class Segment {
    /** The capacity of the LRU cache of programs: more than there are lengths of sentences in a text. */
    private static final int KEPT = 1024;

    final List<Variable> reads;
    private final Graph graph;
    private final List<Node> nodes;
    private final List<Variable> makes = new ArrayList<>();
    private final Map<List<Object>, BoundSegment> bounds = new LinkedHashMap<List<Object>, BoundSegment>(16, .75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Object>, BoundSegment> eldest) {
            return size() > KEPT;
        }
    };

    /** A segment of nodes in order, which computes the variables that are needed later. */
    Segment(Graph graph, List<Node> nodes, Set<Variable> later) {
        this.graph = graph;
        this.nodes = nodes;
        Set<Variable> read = new LinkedHashSet<>();
        Set<Variable> written = new LinkedHashSet<>();
        for (Node node : nodes) {
            read.addAll(node.reads);
            written.addAll(node.writes);
        }
        read.removeAll(written);
        reads = new ArrayList<>(read);
        for (Variable variable : written) {
            if (later.contains(variable)) {
                makes.add(variable);
            }
        }
    }

    /** Computes the variables that are needed later. */
    void run(Values values) {
        Map<Variable, Object> operands = new LinkedHashMap<>();
        List<DataType> types = new ArrayList<>();
        List<long[]> shapes = new ArrayList<>();
        List<Object> key = new ArrayList<>();
        for (Variable variable : reads) {
            Object operand = values.operand(variable);
            boolean isTensor = operand instanceof Tensor;
            DataType type = isTensor ? ((Tensor<?>) operand).dataType() : ((TensorData<?>) operand).dataType();
            long[] shape = isTensor ? ((Tensor<?>) operand).shape() : ((TensorData<?>) operand).shape();
            operands.put(variable, operand);
            types.add(type);
            shapes.add(shape);
            key.add(type);
            for (long size : shape) {
                key.add(size);
            }
        }
        BoundSegment bound = bounds.get(key);
        if (bound == null) {
            bound = new BoundSegment(graph, nodes, reads, types, shapes, makes);
            values.check();                 // user code that adds statements may have closed it
            bounds.put(key, bound);
        }
        Tensor<?>[] made = bound.run(operands);
        for (int n = 0; n < made.length; n++) {
            values.set(makes.get(n), values.own(made[n]));
        }
    }

    @Override
    public String toString() {
        return nodes.size() + " comprehensions of " + Arrays.toString(reads.toArray());
    }
}
