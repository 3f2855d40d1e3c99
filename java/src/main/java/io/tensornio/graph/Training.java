package io.tensornio.graph;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The training of a compute graph: epochs of steps, validation, metrics, early stopping and checkpoints.
 *
 * <pre>{@code
 * History history = Training.of(cg)
 *     .optimizer(SGD.adam(cg).rate(.002))
 *     .epochs(40)
 *     .validate(Minibatch.inOrder(held, 256), 1)
 *     .metric(Metric.accuracy(logits, label))
 *     .stopEarly(5)
 *     .keepBest(Paths.get("best.safetensors"))
 *     .listen(Progress.console())
 *     .run(Minibatch.of(examples, 64, 1));
 * }</pre>
 *
 * <p>For one thread at a time.
 */
public final class Training {
    final ComputeGraph cg;
    final List<Metric> metrics = new ArrayList<>();
    final List<ProgressListener> listeners = new ArrayList<>();
    @Nullable SGD optimizer;
    int epochs = 1;
    @Nullable Minibatch validation;
    int validateEvery = 1;
    int patience;
    @Nullable Path best;
    @Nullable Path checkpoint;
    int checkpointEvery = 1;

    private Training(ComputeGraph cg) {
        this.cg = cg;
    }

    /**
     * A training of one epoch by {@link SGD#adam}, without a validation.
     *
     * @param cg what is trained, whose parameters are initialised, see {@link CGInit}
     * @return a new training
     * @throws IllegalStateException if it is closed
     */
    public static Training of(ComputeGraph cg) {
        Objects.requireNonNull(cg, "cg").model.check();
        return new Training(cg);
    }

    private static int positive(String what, int number) {
        if (number <= 0) {
            throw new IllegalArgumentException(what + " is to be a positive number, not " + number);
        }
        return number;
    }

    /**
     * Sets what makes the steps.
     *
     * @param descent a descent of the same compute graph
     * @return this
     * @throws IllegalArgumentException if it is of another compute graph
     */
    public Training optimizer(SGD descent) {
        if (Objects.requireNonNull(descent, "descent").computeGraph() != cg) {
            throw new IllegalArgumentException("the optimizer is of another compute graph");
        }
        optimizer = descent;
        return this;
    }

    /**
     * Sets the number of epochs; those that a checkpoint has count.
     *
     * @param count how many, at most
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public Training epochs(int count) {
        if (count < 0) {
            throw new IllegalArgumentException(count + " epochs");
        }
        epochs = count;
        return this;
    }

    /**
     * Evaluates the loss and the metrics for examples of their own, as {@link ComputeGraph#evalAll} evaluates: all of them, once, from the
     * beginning of their minibatch, whose position stays as it is.
     *
     * @param minibatch the examples, in batches of a size that fits into memory; means are those of examples, whatever the sizes of batches
     * @param every after how many epochs
     * @return this
     * @throws IllegalArgumentException if the number is not positive
     */
    public Training validate(Minibatch minibatch, int every) {
        validation = Objects.requireNonNull(minibatch, "minibatch");
        validateEvery = positive("validate: every", every);
        return this;
    }

    /**
     * Adds a metric: of the examples of the {@linkplain #validate validation}; without one, of the examples of the training, which are evaluated
     * once more after each epoch for it.
     *
     * @param metric the metric
     * @return this
     * @throws IllegalArgumentException if another one has its name, or it is of tensors that are not part of the graph
     */
    public Training metric(Metric metric) {
        for (Sym sym : Objects.requireNonNull(metric, "metric").syms) {
            cg.wanted(sym);
        }
        for (Metric other : metrics) {
            if (other.name().equals(metric.name())) {
                throw new IllegalArgumentException("another metric has the name `" + metric.name() + "`: give one of them another by named");
            }
        }
        metrics.add(metric);
        return this;
    }

    /**
     * Stops once the loss of the validation, or without a validation that of the training, has not been less than the least before, so many times
     * in a row. NaN is never less.
     *
     * @param epochs the number of validations, or epochs, that are waited for
     * @return this
     * @throws IllegalArgumentException if the number is not positive
     */
    public Training stopEarly(int epochs) {
        patience = positive("stopEarly", epochs);
        return this;
    }

    /**
     * Keeps the parameters after the epoch with the least loss of the validation, or without a validation of the training: in a file, and at the end
     * in the compute graph. If no loss is a number, the compute graph has the last ones.
     *
     * @param file the file, as {@link ComputeGraph#save(Path)} writes it; it is replaced whenever there are better ones
     * @return this
     */
    public Training keepBest(Path file) {
        best = Objects.requireNonNull(file, "file");
        return this;
    }

    /**
     * Writes checkpoints of the whole training, also after its last epoch. If the file is there as {@link #run} begins, the training is resumed from
     * it: parameters, states, what the optimizer remembers, its steps, the position of the minibatch, the best parameters, how long there was
     * nothing better, and the history. What is made then is the same, bit for bit, as without the interruption; rates, schedules and the like are
     * those of the program that resumes.
     *
     * @param file the file, which is replaced once a new one is complete
     * @param everyEpochs after how many epochs
     * @return this
     * @throws IllegalArgumentException if the number is not positive
     */
    public Training checkpoint(Path file, int everyEpochs) {
        checkpoint = Objects.requireNonNull(file, "file");
        checkpointEvery = positive("checkpoint: everyEpochs", everyEpochs);
        return this;
    }

    /**
     * Adds a listener, such as {@link Progress#console()}. The training is stopped after an epoch once one of them does not keep going.
     *
     * @param listener the listener
     * @return this
     */
    public Training listen(ProgressListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Trains. A second call goes on with the same optimizer; it begins a history of its own, unless there is a checkpoint.
     *
     * @param minibatch the examples
     * @return what happened, also in the epochs before the checkpoint that was resumed
     * @throws IllegalArgumentException if there are no examples, or they do not fit the inputs; if the checkpoint is of another graph, optimizer,
     *     batch size or number of examples, or of other metrics; or the loss depends on no parameter
     * @throws IllegalStateException if the compute graph is closed, has no loss, or by {@link SGD#checkFinite}
     * @throws IndexOutOfBoundsException if a label or another look-up is outside
     * @throws java.io.UncheckedIOException if a file cannot be written or read
     */
    public History run(Minibatch minibatch) {
        cg.model.check();
        Objects.requireNonNull(minibatch, "minibatch");
        if (optimizer == null) {
            optimizer = SGD.adam(cg);
        }
        return new TrainingRun(this, optimizer, minibatch).run();
    }
}
