package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Nodes that are better computed together, found once while a model is loaded. */
final class Rewrites {
    private static final String VARIANCE = "s[K] += a[A]; m[K] = s[K] / N; v[K] += (a[A] - m[K]) * (a[A] - m[K]); y[K] = v[K] / N";

    /** Operators whose kernels do what is in an epilogue. */
    private static final List<String> FOLLOWED = Arrays.asList("Conv", "MatMul", "Gemm");

    /** Which nodes make the value of each slot. */
    private final Map<Integer, Node> makers = new HashMap<>();
    private final Graph graph;
    /** Nodes that others have taken in. */
    private final Set<Node> dropped = new HashSet<>();

    private Rewrites(Graph graph) {
        this.graph = graph;
        for (Node node : graph.nodes) {
            for (int slot : node.outputs) {
                makers.put(slot, node);
            }
        }
    }

    /** Rewrites a graph, and those in attributes of its nodes. */
    static void apply(Graph graph) {
        Rewrites rewrites = new Rewrites(graph);
        boolean changed = false;
        for (int n = 0; n < graph.nodes.size(); n++) {
            Node node = graph.nodes.get(n);
            node.attributes.graphs().forEach(Rewrites::apply);
            Node made = node.operator.fullName().equals("BatchNormalization") ? rewrites.scaled(node)
                : node.operator.fullName().equals("Pow") ? rewrites.square(node) : rewrites.variance(node);
            if (made != null) {
                graph.nodes.set(n, made);
                changed = true;
            }
        }
        if (changed) {
            List<Node> left = graph.part(graph.outputs).nodes;
            graph.nodes.clear();
            graph.nodes.addAll(left);
            graph.count();
        }
        new Rewrites(graph).fuse();
        graph.count();
    }

    /** Puts each node of elements into the one that alone reads it, and those that are left into the product or convolution before them. */
    private void fuse() {
        for (int n = 0; n < graph.nodes.size(); n++) {
            for (int k = 0; k < graph.nodes.get(n).inputs.length; k++) {
                Node node = graph.nodes.get(n);
                Node before = onlyReadBy(node, node.inputs[k]);
                Node made = before == null ? null : Fused.of(before, node);
                if (made != null) {
                    replace(before, n, made);
                    k = -1;
                }
            }
        }
        graph.nodes.removeIf(dropped::contains);
        for (int n = 0; n < graph.nodes.size(); n++) {
            Node node = graph.nodes.get(n);
            for (int slot : node.inputs) {
                Node before = onlyReadBy(node, slot);
                boolean isBase = before != null && before.outputs.length == 1 && FOLLOWED.contains(before.operator.fullName());
                Node made = isBase ? Followed.of(before, node) : null;
                if (made != null) {
                    replace(before, n, made);
                    break;
                }
            }
        }
        graph.nodes.removeIf(dropped::contains);
    }

    /** Puts a node in place of the one at a position and one before it. */
    private void replace(Node before, int at, Node made) {
        count(before, -1);
        count(graph.nodes.get(at), -1);
        count(made, 1);
        graph.nodes.set(at, made);
        dropped.add(before);
        for (int slot : made.outputs) {
            makers.put(slot, made);
        }
    }

    private void count(Node node, int reads) {
        for (int slot : node.inputs) {
            if (slot >= 0) {
                graph.reads[slot] += reads;
            }
        }
    }

    /** The node that makes a slot's value, if nothing but another one reads it; else null. */
    private Node onlyReadBy(Node node, int slot) {
        Node maker = slot < 0 || node.captures.length > 0 ? null : makers.get(slot);
        if (maker == null || maker.captures.length > 0) {
            return null;
        }
        int own = 0;
        for (int input : node.inputs) {
            own += input == slot ? 1 : 0;
        }
        return graph.reads[slot] == own ? maker : null;
    }

    /** A mean: what it is of, the node that reduces, and the slot of what its sum is multiplied by or divided by; -1 if it divides itself. */
    private static final class Mean {
        final int of;
        final Node reduction;
        final int factor;
        final boolean divides;

        Mean(int of, Node reduction, int factor, boolean divides) {
            this.of = of;
            this.reduction = reduction;
            this.factor = factor;
            this.divides = divides;
        }

        /** Whether another one is over the same axes. */
        boolean isLike(Mean other) {
            return reduction.operator == other.reduction.operator && divides == other.divides && factor == other.factor
                && reduction.attributes.isLike(other.reduction.attributes) && axes(reduction) == axes(other.reduction);
        }

        static int axes(Node reduction) {
            return reduction.inputs.length > 1 ? reduction.inputs[1] : -1;
        }
    }

    private Mean mean(int slot) {
        Node node = makers.get(slot);
        if (node == null) {
            return null;
        }
        switch (node.operator.fullName()) {
            case "ReduceMean":
                return new Mean(node.inputs[0], node, -1, false);
            case "Mul":
            case "Div":
                for (int n = 0; n < 2; n++) {
                    Node sum = makers.get(node.inputs[n]);
                    boolean divides = node.operator.name.equals("Div");
                    if (sum != null && sum.operator.fullName().equals("ReduceSum") && isNumber(node.inputs[1 - n]) && !(divides && n == 1)) {
                        return new Mean(sum.inputs[0], sum, node.inputs[1 - n], divides);
                    }
                }
                return null;
            default:
                return null;
        }
    }

    private boolean isNumber(int slot) {
        Item item = graph.isConstant(slot) ? graph.constants.get(slot) : null;
        return item != null && item.kind == Item.Kind.TENSOR && item.data().totalSize() == 1 && item.type.isFloat();
    }

    /** What a slot is the square of; -1 if it is none. */
    private int root(int slot) {
        Node node = makers.get(slot);
        if (node == null || node.inputs.length != 2) {
            return -1;
        }
        boolean isSquare = node.operator.fullName().equals("Mul") && node.inputs[0] == node.inputs[1]
            || node.operator.fullName().equals("Pow") && isNumber(node.inputs[1]) && Data.doubles(graph.constants.get(node.inputs[1]).data())[0] == 2;
        return isSquare ? node.inputs[0] : -1;
    }

    /**
     * The mean of squares minus the square of the mean, as the mean of squared distances from the mean: the same number, but the difference of two
     * large ones has few digits left of it.
     */
    private Node variance(Node node) {
        if (!node.operator.fullName().equals("Sub")) {
            return null;
        }
        Mean squares = mean(node.inputs[0]);
        int of = squares == null ? -1 : root(squares.of);
        int center = root(node.inputs[1]);
        Mean mean = of < 0 || center < 0 ? null : mean(center);
        if (mean == null || mean.of != of || !mean.isLike(squares)) {
            return null;
        }
        Operator operator = new Operator("", "Variance", 1, "", call -> new Item[] {variance(call, squares.divides)});
        return new Node(node.name, operator, squares.reduction.opset, squares.reduction.attributes,
            new int[] {of, Mean.axes(squares.reduction), squares.factor}, node.outputs);
    }

    /** A power of two, of one constant for all elements, as a product, which is fused with others; null if it is another power. */
    private Node square(Node node) {
        Item power = node.opset >= 7 && node.inputs.length == 2 && graph.isConstant(node.inputs[1]) ? graph.constants.get(node.inputs[1]) : null;
        if (power == null || power.kind != Item.Kind.TENSOR || power.data().rank() > 0 || !power.type.isFloat() && !power.type.isInteger()
                || Data.doubles(power.data())[0] != 2) {
            return null;
        }
        Operator operator = new Operator("", "Pow", 7, "a * a", new Elementwise("a * a")).reads();
        return new Node(node.name, operator, node.opset, node.attributes, new int[] {node.inputs[0]}, node.outputs);
    }

    /** The normalisation of a convolution's channels by constants, as a product and a sum, which the convolution then does itself. */
    private Node scaled(Node node) {
        Node conv = makers.get(node.inputs[0]);
        boolean fits = node.outputs.length == 1 && node.inputs.length == 5 && node.opset >= 9 && conv != null
            && conv.operator.fullName().equals("Conv") && graph.isConstant(conv.inputs[1]);
        double[][] values = new double[5][];
        DataType type = fits ? graph.constants.get(conv.inputs[1]).type : null;
        for (int n = 1; fits && n < 5; n++) {
            Item item = graph.isConstant(node.inputs[n]) ? graph.constants.get(node.inputs[n]) : null;
            fits = item != null && item.kind == Item.Kind.TENSOR && item.type == type && (type == DataType.FLOAT || type == DataType.DOUBLE);
            values[n] = fits ? Data.doubles(item.data()) : null;
            fits = fits && values[n].length == values[1].length;
        }
        float epsilon = 0;
        try {
            epsilon = node.attributes.number("epsilon", 1e-5);
            fits = fits && !node.attributes.flag("training_mode", false);
        } catch (IllegalArgumentException e) {
            fits = false;               // the run tells what is wrong with the attribute
        }
        if (!fits) {
            return null;
        }
        int rank = graph.constants.get(conv.inputs[1]).data().rank();
        long[] shape = Window.filled(rank - 1, 1);
        shape[0] = values[1].length;
        double[] factor = new double[values[1].length];
        double[] offset = new double[factor.length];
        for (int n = 0; n < factor.length; n++) {
            factor[n] = values[1][n] / Math.sqrt(values[4][n] + epsilon);
            offset[n] = values[2][n] - values[3][n] * factor[n];
        }
        Operator operator = new Operator("", "BatchNormalization", 9, "a * b + c", new Elementwise("a * b + c")).reads();
        return new Node(node.name, operator, node.opset, node.attributes,
            new int[] {node.inputs[0], constant(Data.ofDoubles(type, factor, shape)), constant(Data.ofDoubles(type, offset, shape))}, node.outputs);
    }

    private int constant(TensorData<?> data) {
        int slot = graph.slot("");
        graph.constants.set(slot, Item.borrowed(data));
        return slot;
    }

    private static Item variance(Call call, boolean divides) {
        TensorData<?> x = call.data(0);
        if (!call.has(2)) {
            return Reductions.reduce(call, VARIANCE);
        }
        double factor = divides ? 1 / call.number(2) : call.number(2);
        long[] axes = call.integers("axes", 1);
        boolean all = axes == null || axes.length == 0;
        double count = all && !call.attributes.flag("noop_with_empty_axes", false) ? x.totalSize() : 1;
        for (int n = 0; !all && n < axes.length; n++) {
            count *= x.size(Shapes.axis(axes[n], x.rank()));
        }
        // Another factor than one over the number of elements makes another number than the variance.
        String c = Elementwise.number(factor);
        return Reductions.reduce(call, Math.abs(factor * count - 1) < 1e-6 ? VARIANCE
            : "q[K] += a[A] * a[A]; s[K] += a[A]; y[K] = " + c + " * q[K] - (" + c + " * s[K]) * (" + c + " * s[K])");
    }
}
