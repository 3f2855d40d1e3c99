package io.tensornio.onnx.engine;

import io.tensornio.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Computes the nodes of constants while a model is loaded. What fails is left to the run, which may never come to it. */
final class Folding {
    private final Graph graph;
    private final List<Tensor<?>> owned;

    Folding(Graph graph, List<Tensor<?>> owned) {
        this.graph = graph;
        this.owned = owned;
    }

    void fold() {
        Cells all = new Cells();
        try {
            foldAll();
        } finally {
            all.close();
        }
    }

    private void foldAll() {
        List<Node> left = new ArrayList<>();
        Run run = new Run();
        for (Node node : graph.nodes) {
            for (Graph inner : node.attributes.graphs()) {
                captured(node, inner);
                new Folding(inner, owned).foldAll();
            }
            if (!node.operator.folds || node.attributes.graphs().iterator().hasNext() || !constant(node) || !fold(node, run)) {
                left.add(node);
            }
        }
        graph.nodes.clear();
        graph.nodes.addAll(left);
        graph.count();
    }

    /** What is the same in all runs here is so in a graph of a node, too. */
    private void captured(Node node, Graph inner) {
        for (int n = 0; n < inner.captured.size(); n++) {
            int outside = node.captures[inner.first + n];
            if (graph.isConstant(outside)) {
                inner.constants.set(inner.captured.get(n)[0], graph.constants.get(outside));
            }
        }
    }

    private boolean constant(Node node) {
        for (int slot : node.inputs) {
            if (slot >= 0 && !graph.isConstant(slot)) {
                return false;
            }
        }
        return true;
    }

    private boolean fold(Node node, Run run) {
        Item[] in = new Item[node.inputs.length];
        for (int n = 0; n < in.length; n++) {
            in[n] = node.inputs[n] < 0 ? null : graph.constants.get(node.inputs[n]);
        }
        Item[] out;
        try {
            out = Run.compute(new Call(run, node, in));
            for (Item item : out) {
                if (item != null && item.kind != Item.Kind.TENSOR) {
                    return false;
                }
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            return false;
        }
        for (int n = 0; n < node.outputs.length; n++) {
            if (node.outputs[n] >= 0 && n < out.length && out[n] != null) {
                graph.constants.set(node.outputs[n], constant(out[n]));
            }
        }
        return true;
    }

    private Item constant(Item item) {
        if (item.isBorrowed()) {
            return item;
        }
        Tensor<?> own = item.take();
        owned.add(own);
        return Item.borrowed(own.data());
    }
}
