package io.tensornio.internal.graph;

import io.tensornio.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Evaluates tensors for all examples of a minibatch, batch by batch from the beginning; its position stays. For one thread at a time. */
public final class Pass {
    final List<Variable> wanted;
    Batches batches;
    private final Model model;
    private final Batches source;
    /** Which of the tensors have an axis of examples. */
    private final boolean[] isBatched;
    private int examples;
    private boolean isLast;

    /** What is told of each batch. */
    public interface Visitor {
        /** Tells the tensors of a batch, which are closed afterwards, which of them have an axis of examples, and how many examples there are. */
        void batch(List<Tensor<?>> made, boolean[] isBatched, int examples);
    }

    /** A new one. */
    public Pass(Model model, Batches source, List<Variable> wanted) {
        this.model = model;
        this.source = source;
        this.wanted = wanted;
        isBatched = new boolean[wanted.size()];
    }

    /** Notes what is known of the batch that is loaded. */
    void loaded(Evaluation evaluation, int count) {
        examples = count;
        isLast = batches.isLast();
        for (int n = 0; n < isBatched.length; n++) {
            isBatched[n] = evaluation.isBatched(n);
        }
    }

    /** Goes over one epoch. */
    public void run(Visitor visitor) {
        batches = source.again();
        long number = 0;
        do {
            List<Tensor<?>> made = new ArrayList<>();
            try {
                for (Tensor<?> one : model.batch(this, number++)) {
                    made.add(one);
                }
                visitor.batch(made, isBatched, examples);
            } finally {
                made.forEach(Tensor::close);
            }
        } while (!isLast);
    }
}
