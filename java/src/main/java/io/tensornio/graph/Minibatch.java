package io.tensornio.graph;

import io.tensornio.TensorData;
import io.tensornio.internal.graph.Batches;
import io.tensornio.internal.graph.Variable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Examples in batches. A batch is of one epoch, so the last one of an epoch may be short. Where it is belongs to it: {@link #seek} goes to a step.
 * For one thread at a time.
 */
public final class Minibatch {
    final Batches batches;

    private Minibatch(Batches batches) {
        this.batches = batches;
    }

    /**
     * Examples that are collected now, and shuffled for each epoch.
     *
     * @param examples the examples
     * @param batchSize how many a batch has
     * @param seed what the order hangs on, with the epoch
     * @return a new minibatch
     * @throws IllegalArgumentException if there are no examples, or the size is not positive
     */
    public static Minibatch of(Iterable<?> examples, int batchSize, long seed) {
        return new Minibatch(Batches.shuffled(Objects.requireNonNull(examples, "examples"), batchSize, seed));
    }

    /**
     * Examples in their order, iterated afresh for each epoch.
     *
     * @param examples the examples; if there are none, the step is an {@code IllegalArgumentException}
     * @param batchSize how many a batch has
     * @return a new minibatch
     * @throws IllegalArgumentException if the size is not positive
     */
    public static Minibatch inOrder(Iterable<?> examples, int batchSize) {
        return new Minibatch(Batches.inOrder(Objects.requireNonNull(examples, "examples"), batchSize));
    }

    /**
     * Rows of columns, shuffled for each epoch. If all columns are in native memory, as those of tensors are, they are read in place, by the native
     * call of each step; else the rows of a batch are copied to it first.
     *
     * @param columns for each input its data, whose first axis is the example
     * @param batchSize how many a batch has
     * @param seed what the order hangs on, with the epoch
     * @return a new minibatch
     * @throws IllegalArgumentException if there are no columns, one is of no input, they have different lengths, no rows, or the size is not positive
     */
    public static Minibatch columns(Map<? extends Sym, ? extends TensorData<?>> columns, int batchSize, long seed) {
        Map<Variable, TensorData<?>> own = new LinkedHashMap<>();
        List<String> faults = new ArrayList<>();
        long length = -1;
        Objects.requireNonNull(columns, "columns");
        for (Map.Entry<? extends Sym, ? extends TensorData<?>> column : columns.entrySet()) {
            Sym input = Objects.requireNonNull(column.getKey(), "the input of a column");
            TensorData<?> data = Objects.requireNonNull(column.getValue(), () -> "column of " + input);
            if (input.status() != Status.INPUT) {
                faults.add(input + " is no input");
            } else if (data.rank() == 0) {
                faults.add("the column of input " + input + " has rank 0: its first axis is the example");
            } else if (length >= 0 && data.size(0) != length) {
                faults.add("the column of input " + input + " has " + data.size(0) + " rows, others have " + length);
            } else {
                length = data.size(0);
            }
            own.put(input.variable, data);
        }
        if (length > Integer.MAX_VALUE) {
            faults.add("there are " + length + " rows, more than " + Integer.MAX_VALUE);
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", faults));
        }
        return new Minibatch(Batches.columns(own, batchSize, seed));
    }

    /**
     * Goes to the batch of a step, as if so many had been taken since it was made. What is in order is read up to there.
     *
     * @param steps how many
     * @throws IllegalArgumentException if it is negative, or more than 2^62
     */
    public void seek(long steps) {
        batches.seek(steps);
    }

    /**
     * How many batches were taken.
     *
     * @return where it is
     */
    public long position() {
        return batches.position();
    }
}
