package io.tensornio.internal.axes;

import java.util.IdentityHashMap;
import java.util.Map;

/** The text of a tensor of named axes: {@code FLOAT (C=3) = sum((a - b), H) of a (C=3, H=2), b (C=3)}. Computes nothing. */
public final class Formula {
    /** The maximum length of a formula. */
    private static final int LONGEST = 200;
    private static final int DEEPEST = 12;

    private final StringBuilder text = new StringBuilder();
    private final Map<Node, String> letters = new IdentityHashMap<>();
    private final StringBuilder leaves = new StringBuilder();

    private Formula() {
    }

    public static String of(Node node) {
        String head = node.type() + " " + AxisLists.text(node.axes());
        Step step = node.step();
        if (node.memory() != null || step == null) {
            return head;
        }
        Formula formula = new Formula();
        formula.write(node, step, 0);
        return head + " = " + formula.text + (formula.leaves.length() == 0 ? "" : " of " + formula.leaves);
    }

    private void write(Node node, Step step, int depth) {
        if (node.memory() != null || step == null) {
            text.append(node.memory() instanceof Number ? node.memory().toString() : letter(node));
            return;
        }
        if (depth > DEEPEST || text.length() > LONGEST) {
            text.append("...");
            return;
        }
        int last = step.formula.length - 1;
        for (int n = 0; n < last; n++) {
            text.append(step.formula[n]);
            Node operand = step.operands[n].node;
            write(operand, operand.step(), depth + 1);
        }
        text.append(step.formula[last]);
    }

    private String letter(Node node) {
        String known = letters.get(node);
        if (known == null) {
            int n = letters.size();
            known = (char) ('a' + n % 26) + (n < 26 ? "" : String.valueOf(n / 26));
            letters.put(node, known);
            leaves.append(leaves.length() == 0 ? "" : ", ").append(known).append(' ').append(AxisLists.text(node.axes()));
        }
        return known;
    }
}
