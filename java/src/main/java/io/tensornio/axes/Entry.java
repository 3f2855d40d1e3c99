package io.tensornio.axes;

import io.tensornio.Tensor;
import io.tensornio.TensorData;

/** A node of an expression, as it is while that is evaluated: what has its elements, or the step that makes them. */
final class Entry {
    private static final Entry[] NONE = {};

    final Node node;
    /** The elements, or null if there is a step. */
    final Object memory;
    final Step step;
    /** What the operands of the step are; null in place of numbers. */
    final Entry[] operands;
    /** Its place among the entries: after those of its operands. */
    int index;
    /** The number of its first input; those of a step are numbers and lists of positions, operand by operand. */
    int firstSource;
    /** How many operands were looked at, while entries are collected. */
    int seen;
    /** What to go on with after this one. */
    final Entry below;

    Entry(Node node, Entry below) {
        node.checkOpen();
        this.node = node;
        this.below = below;
        Step maybe = node.step();
        Object now = node.memory();
        memory = now == null && maybe.placement != null ? placed(maybe) : now;
        step = memory == null ? maybe : null;
        operands = step == null ? NONE : new Entry[step.operands.length];
    }

    /** The data that a step is, if its operands are in memory. */
    private static TensorData<?> placed(Step step) {
        TensorData<?>[] data = new TensorData<?>[step.operands.length];
        for (int n = 0; n < data.length; n++) {
            Object memory = step.operands[n].node.memory();
            if (memory == null) {
                return null;
            }
            step.operands[n].node.checkOpen();
            data[n] = memory instanceof TensorData ? (TensorData<?>) memory : LazyData.of((Tensor<?>) memory);
        }
        return step.placement.of(data);
    }
}
