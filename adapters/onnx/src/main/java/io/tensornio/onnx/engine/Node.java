package io.tensornio.onnx.engine;

/** A node of a graph: an operator, and the slots of its inputs and outputs. */
final class Node {
    private static final int MOST_PLANS = 64;

    final String name;
    final Operator operator;
    final Attributes attributes;
    /** The version of the operator's domain. */
    final int opset;
    /** Slots; -1 for what is left out. */
    final int[] inputs;
    final int[] outputs;
    /** Slots that graphs in attributes read, in the order of {@link Graph#captured}. */
    int[] captures = {};
    final Plans plans = new Plans(MOST_PLANS);

    Node(String name, Operator operator, int opset, Attributes attributes, int[] inputs, int[] outputs) {
        this.name = name;
        this.operator = operator;
        this.opset = opset;
        this.attributes = attributes;
        this.inputs = inputs;
        this.outputs = outputs;
    }

    String where() {
        return "node `" + name + "` (" + operator.fullName() + ")";
    }
}
