package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Two nodes of elements as one, the first of which only the second reads: one pass over memory. Each is run by itself where that would give another
 * result, of integers that wrap between them, or be slower, where the first result is smaller and broadcasts.
 */
final class Fused implements Operator.Kernel {
    /** Inputs of a fused node: as many as there are names of operands. */
    private static final int MOST = 8;
    /** Longer expressions are not made of others. */
    private static final int LONGEST = 600;

    final String text;
    private final Node first;
    private final Node second;
    private final Node whole;
    /** Of both nodes the positions of their inputs among those of the fused one; -1 for the first one's result. */
    private final int[] firstAt;
    private final int[] secondAt;

    private Fused(Node first, Node second, Node whole, String text, int[] firstAt, int... secondAt) {
        this.first = first;
        this.second = second;
        this.whole = whole;
        this.text = text;
        this.firstAt = firstAt;
        this.secondAt = secondAt;
    }

    /** The node of two; null if they are not fused. */
    static Node of(Node first, Node second) {
        String inner = expression(first);
        String outer = expression(second);
        int slot = first.outputs[0];
        List<Integer> inputs = new ArrayList<>();
        int[] firstAt = positions(first.inputs, -1, inputs);
        int[] secondAt = positions(second.inputs, slot, inputs);
        if (inner == null || outer == null || firstAt == null || secondAt == null || inputs.size() > MOST) {
            return null;
        }
        String text = renamed(outer, secondAt, "(" + renamed(inner, firstAt, null) + ")");
        if (text.length() > LONGEST) {
            return null;
        }
        int[] slots = inputs.stream().mapToInt(Integer::intValue).toArray();
        Operator operator = new Operator("", first.operator.name + "+" + second.operator.name, 1, text, new Elementwise(text)).reads();
        Node whole = new Node(second.name, operator, second.opset, second.attributes, slots, second.outputs);
        Fused kernel = new Fused(first, second, whole, text, firstAt, secondAt);
        Operator fused = new Operator("", operator.name, 1, text, kernel).keeps();
        return new Node(second.name, fused, second.opset, second.attributes, slots, second.outputs);
    }

    /** The places of slots in a list, to which new ones are added; null if one is left out. */
    private static int[] positions(int[] slots, int result, List<Integer> inputs) {
        int[] at = new int[slots.length];
        for (int n = 0; n < at.length; n++) {
            if (slots[n] < 0) {
                return null;
            }
            if (slots[n] != result && !inputs.contains(slots[n])) {
                inputs.add(slots[n]);
            }
            at[n] = slots[n] == result ? -1 : inputs.indexOf(slots[n]);
        }
        return at;
    }

    /** An expression whose operands get other names, or the expression of one in their place. */
    private static String renamed(String expression, int[] at, String result) {
        String[] names = new String[at.length];
        Arrays.setAll(names, n -> at[n] < 0 ? result : String.valueOf((char) ('a' + at[n])));
        return Elementwise.replaced(expression, names);
    }

    /** The expression that a node of elements computes, of operands `a`, `b` and so on; null if it is none. */
    static String expression(Node node) {
        if (node.outputs.length != 1 || node.outputs[0] < 0) {
            return null;
        }
        if (node.operator.kernel instanceof Fused) {
            return ((Fused) node.operator.kernel).text;
        }
        try {
            if (node.operator.kernel instanceof Elementwise) {
                return ((Elementwise) node.operator.kernel).filled(node.attributes);
            }
        } catch (IllegalArgumentException e) {
            return null;            // the run tells what is wrong with the attribute
        }
        int count = node.inputs.length;
        switch (node.operator.fullName()) {
            case "Clip":
                return node.opset < 11 ? null : count == 3 ? "min(max(a, b), c)" : count == 2 ? "max(a, b)" : null;
            case "Max":
            case "Min":
                return count == 2 ? node.operator.name.toLowerCase(java.util.Locale.ROOT) + "(a, b)" : null;
            case "Sum":
                return count == 2 ? "a + b" : null;
            case "PRelu":
                return node.opset >= 7 ? "select(a < 0, a * b, a)" : null;
            default:
                return null;
        }
    }

    @Override
    public Item[] run(Call call) {
        if (isOne(call)) {
            return Narrow.run(new Call(call.run, whole, call.in));
        }
        Item made = Narrow.run(new Call(call.run, first, picked(firstAt, null, call.in)))[0];
        Item[] out = Narrow.run(new Call(call.run, second, picked(secondAt, made, call.in)));
        made.release();
        return out;
    }

    private boolean isOne(Call call) {
        long[][] shapes = new long[call.in.length][];
        for (int n = 0; n < shapes.length; n++) {
            DataType type = call.type(n);
            shapes[n] = call.shape(n);
            if (type.isInteger() && Types.wide(type) != type || type == DataType.STRING) {
                return false;
            }
        }
        long[][] own = new long[firstAt.length][];
        Arrays.setAll(own, n -> shapes[firstAt[n]]);
        return Shapes.size(Shapes.broadcast(own)) == Shapes.size(Shapes.broadcast(shapes));
    }

    private static Item[] picked(int[] at, Item result, Item... from) {
        Item[] picked = new Item[at.length];
        Arrays.setAll(picked, n -> at[n] < 0 ? result : from[at[n]]);
        return picked;
    }
}
