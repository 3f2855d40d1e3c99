package io.tensornio.internal.axes;

import io.tensornio.Tensor;
import io.tensornio.TensorData;

/** A snapshot of a node of an expression during an evaluation: its elements, or the step that computes them. */
final class Entry {
    private static final Entry[] NONE = {};

    final Node node;
    /** The elements, a tensor, data or a number; null if there is a step. */
    final Object memory;
    /** The elements that an algorithm has computed for this evaluation alone, which closes them; else null. */
    Tensor<?> computed;
    final Step step;
    /** The operands of the step. */
    final Entry[] operands;
    /** Its index in the topological order of entries. */
    int index;
    /** The number of operands visited so far, while entries are collected. */
    int seen;
    /** The next entry on the stack of the traversal. */
    final Entry below;

    Entry(Node node, Entry below) {
        node.checkOpen();
        this.node = node;
        this.below = below;
        Step maybe = node.step();
        Object now = node.memory();
        if (now == null && maybe == null) {
            now = computed = node.computed();
        }
        memory = now == null && maybe.placement != null ? placed(maybe) : now;
        step = memory == null ? maybe : null;
        operands = step == null ? NONE : new Entry[step.operands.length];
    }

    /** The result of a step as a view, if its operands are in memory. */
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
