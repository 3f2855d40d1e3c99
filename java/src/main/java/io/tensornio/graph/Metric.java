package io.tensornio.graph;

import io.tensornio.Tensor;
import io.tensornio.internal.graph.Scores;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** A number by which a {@link Training} judges a graph, over all examples: of tensors of the graph, which are evaluated batch by batch. */
public final class Metric {
    final List<Sym> syms;
    private final String name;
    private final Supplier<? extends Tally> tally;

    private Metric(String name, Supplier<? extends Tally> tally, Sym... syms) {
        if (Objects.requireNonNull(name, "name").isEmpty()) {
            throw new IllegalArgumentException("a metric has a name");
        }
        for (int n = 0; n < Objects.requireNonNull(syms, "syms").length; n++) {
            int which = n;
            Objects.requireNonNull(syms[n], () -> "tensor " + which);
        }
        if (syms.length == 0) {
            throw new IllegalArgumentException("the metric " + name + " is of no tensor");
        }
        this.name = name;
        this.tally = Objects.requireNonNull(tally, "tally");
        this.syms = Collections.unmodifiableList(new ArrayList<>(Arrays.asList(syms)));
    }

    /** Collects a metric of one's own over the batches of one validation. */
    public interface Tally {
        /**
         * Adds a batch.
         *
         * @param batch the tensors of the metric, in order, with the examples as their first axis, unless they depend on no input; they are closed
         *     afterwards
         */
        void add(List<Tensor<?>> batch);

        /**
         * The metric of all batches that were added.
         *
         * @return the number
         */
        double value();
    }

    private static Metric of(String name, Supplier<Scores> scores, Sym... syms) {
        return new Metric(name, () -> {
            Scores own = scores.get();
            return new Tally() {
                @Override
                public void add(List<Tensor<?>> batch) {
                    own.add(batch);
                }

                @Override
                public double value() {
                    return own.value();
                }
            };
        }, syms);
    }

    /**
     * The part of the labels whose class has the largest logit, the first one of several; where a logit is NaN, none.
     *
     * @param logits the logits, or probabilities, whose last axis are the classes
     * @param label the class for each element of the other axes
     * @return a metric named {@code accuracy}
     */
    public static Metric accuracy(Sym logits, Sym label) {
        return of("accuracy", Scores::accuracy, logits, label);
    }

    /**
     * The mean of the absolute differences of two tensors, over all elements.
     *
     * @param estimate the estimate
     * @param target the target, of the same shape
     * @return a metric named {@code mean absolute error}
     */
    public static Metric meanAbsoluteError(Sym estimate, Sym target) {
        return of("mean absolute error", Scores::meanAbsoluteError, estimate, target);
    }

    /**
     * The area under the receiver operating characteristic: the part of all pairs of a positive and a negative in which the positive has the larger
     * score; where both are the same, one half (Hanley, McNeil: The meaning and use of the area under a receiver operating characteristic curve,
     * 1982). NaN if there are no positives or no negatives, or a score is NaN.
     *
     * @param score the scores
     * @param label the labels, of the same shape: positive where they are not 0, or true
     * @return a metric named {@code auc}
     */
    public static Metric auc(Sym score, Sym label) {
        return of("auc", Scores::auc, score, label);
    }

    /**
     * The mean of all elements of a tensor, such as one that a comprehension of one's own makes.
     *
     * @param name the name of the metric
     * @param sym the tensor
     * @return a metric
     * @throws IllegalArgumentException if the name is empty
     */
    public static Metric mean(String name, Sym sym) {
        return of(name, Scores::mean, sym);
    }

    /**
     * A metric of one's own.
     *
     * @param name its name
     * @param tally makes what collects it; called for each validation
     * @param syms the tensors that it is of
     * @return a metric
     * @throws IllegalArgumentException if the name is empty, or there are no tensors
     */
    public static Metric own(String name, Supplier<? extends Tally> tally, Sym... syms) {
        return new Metric(name, tally, syms);
    }

    /**
     * The same metric by another name.
     *
     * @param other the name
     * @return a metric
     * @throws IllegalArgumentException if the name is empty
     */
    public Metric named(String other) {
        return new Metric(other, tally, syms.toArray(new Sym[0]));
    }

    Tally begin() {
        return Objects.requireNonNull(tally.get(), () -> "the tally of " + name);
    }

    /**
     * Its name, by which a {@link History} has it.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Its name.
     *
     * @return {@link #name()}
     */
    @Override
    public String toString() {
        return name;
    }
}
