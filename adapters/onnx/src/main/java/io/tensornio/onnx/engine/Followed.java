package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A product or convolution, and a node of elements behind it that alone reads it: bias, activation, residual in one program. */
final class Followed implements Operator.Kernel {
    private final Node base;
    private final Node after;
    /** The expression, in which `a` is what the base computes, and `b` and so on are inputs behind those of the base. */
    private final String text;
    /** Of the second node the inputs: positions among those behind the base's; -1 for the base's result. */
    private final int[] afterAt;

    private Followed(Node base, Node after, String text, int... afterAt) {
        this.base = base;
        this.after = after;
        this.text = text;
        this.afterAt = afterAt;
    }

    /** The node of two; null if they are not put together. */
    static Node of(Node base, Node after) {
        String expression = Fused.expression(after);
        int slot = base.outputs[0];
        if (expression == null) {
            return null;
        }
        List<Integer> more = new ArrayList<>();
        int[] at = new int[after.inputs.length];
        String[] names = new String[at.length];
        for (int n = 0; n < at.length; n++) {
            if (after.inputs[n] != slot && !more.contains(after.inputs[n])) {
                more.add(after.inputs[n]);
            }
            at[n] = after.inputs[n] == slot ? -1 : more.indexOf(after.inputs[n]);
            names[n] = String.valueOf((char) ('b' + at[n]));
        }
        if (more.contains(-1) || more.size() > 6) {
            return null;
        }
        int[] slots = Arrays.copyOf(base.inputs, base.inputs.length + more.size());
        for (int n = 0; n < more.size(); n++) {
            slots[base.inputs.length + n] = more.get(n);
        }
        Operator operator = new Operator("", base.operator.name + "+" + after.operator.name, 1, expression,
            new Followed(base, after, Elementwise.replaced(expression, names), at)).keeps();
        return new Node(after.name, operator, base.opset, base.attributes, slots, after.outputs);
    }

    @Override
    public Item[] run(Call call) {
        int own = base.inputs.length;
        Call first = new Call(call.run, base, Arrays.copyOf(call.in, own));
        Item[] more = Arrays.copyOfRange(call.in, own, call.in.length);
        Epilogue epilogue = isPlain(call.in) ? new Epilogue(text, more) : null;
        first.epilogue = epilogue;
        Item[] made = Narrow.run(first);
        if (epilogue != null && epilogue.done) {
            return made;
        }
        Item[] in = new Item[afterAt.length];
        Arrays.setAll(in, n -> afterAt[n] < 0 ? made[0] : more[afterAt[n]]);
        Item[] out = Narrow.run(new Call(call.run, after, in));
        made[0].release();
        return out;
    }

    /** Whether all inputs are FLOAT, or all DOUBLE. */
    private static boolean isPlain(Item... in) {
        for (Item item : in) {
            if (in[0] == null || item != null && (item.type != DataType.FLOAT && item.type != DataType.DOUBLE || item.type != in[0].type)) {
                return false;
            }
        }
        return true;
    }

    /** What is to be done with each element of a result, before it is written. */
    static final class Epilogue {
        private final String text;
        private final Item[] more;
        /** Set by the kernel that did it. */
        private boolean done;

        Epilogue(String text, Item... more) {
            this.text = text;
            this.more = more;
        }

        /** Whether operands beside the result need not be read. */
        boolean isUnary() {
            return more.length == 0;
        }

        /**
         * Statements that give `y` of the result; null if an operand would make it larger.
         *
         * @param own an expression of the result, of the loops
         * @param loops the loops of the result's axes
         * @param shape the result's shape; null where only {@link #isUnary} operations are asked for
         * @param number of the first input of the program that is one of ours
         */
        String statements(String own, String[] loops, long[] shape, int number) {
            String[] names = new String[more.length + 1];
            for (int n = 0; n < more.length; n++) {
                long[] from = more[n].shape();
                StringBuilder access = new StringBuilder("x").append(number + n).append('[');
                for (int d = 0; d < from.length; d++) {
                    int at = loops.length - from.length + d;
                    if (at < 0 || from[d] != 1 && from[d] != shape[at]) {
                        return null;
                    }
                    access.append(d == 0 ? "" : ",").append(from[d] == 1 && shape[at] != 1 ? "0" : loops[at]);
                }
                names[n + 1] = access.append(']').toString();
            }
            String all = "[" + String.join(",", loops) + "]";
            names[0] = "u" + all;
            return "; u" + all + " = " + own + "; y" + all + " = " + Elementwise.replaced(text, names) + "; return y";
        }

        /** The inputs of a program that does it, with ours behind them. */
        TensorData<?>[] inputs(TensorData<?>... own) {
            done = true;
            return with(own);
        }

        TensorData<?>[] with(TensorData<?>... own) {
            TensorData<?>[] all = Arrays.copyOf(own, own.length + more.length);
            for (int n = 0; n < more.length; n++) {
                all[own.length + n] = more[n].data();
            }
            return all;
        }
    }
}
