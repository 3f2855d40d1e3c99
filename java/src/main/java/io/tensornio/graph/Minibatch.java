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
 * Examples in batches. A batch belongs to one epoch, so the last one of an epoch may be shorter. It has a position: {@link #seek} sets it to a step.
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
     * @param batchSize the number of examples of a batch
     * @param seed the seed of the order, together with the epoch
     * @return a new minibatch
     * @throws IllegalArgumentException if there are no examples, or the size is not positive
     */
    public static Minibatch of(Iterable<?> examples, int batchSize, long seed) {
        return new Minibatch(Batches.shuffled(Objects.requireNonNull(examples, "examples"), batchSize, seed));
    }

    /**
     * Examples in order, with a new iterator for each epoch.
     *
     * @param examples the examples; if there are none, the step throws {@code IllegalArgumentException}
     * @param batchSize the number of examples of a batch
     * @return a new minibatch
     * @throws IllegalArgumentException if the size is not positive
     */
    public static Minibatch inOrder(Iterable<?> examples, int batchSize) {
        return new Minibatch(Batches.inOrder(Objects.requireNonNull(examples, "examples"), batchSize));
    }

    /**
     * Rows of columns, shuffled for each epoch. If all columns are in native memory, like those of tensors, they are
     * read in place by the native call of each step; else the rows of a batch are copied first. Sparse columns stay sparse.
     *
     * @param columns for each input its data, whose first axis is the example; that of a ragged tensor for an input with varying axes
     * @param batchSize the number of examples of a batch
     * @param seed the seed of the order, together with the epoch
     * @return a new minibatch
     * @throws IllegalArgumentException if there are no columns, one is not of an input, their lengths differ, they have
     *     no rows, or the size is not positive
     */
    public static Minibatch columns(Map<? extends Sym, ? extends TensorData<?>> columns, int batchSize, long seed) {
        return new Minibatch(Batches.columns(checked(columns), batchSize, seed));
    }

    /** Columns by their inputs: all of the same length. */
    static Map<Variable, TensorData<?>> checked(Map<? extends Sym, ? extends TensorData<?>> columns) {
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
        return own;
    }

    /**
     * Sets the position to a step, as if so many batches had been taken. Examples in order are read up to there.
     *
     * @param steps the number of steps
     * @throws IllegalArgumentException if it is negative, or more than 2^62
     */
    public void seek(long steps) {
        batches.seek(steps);
    }

    /**
     * The number of batches taken so far.
     *
     * @return the position
     */
    public long position() {
        return batches.position();
    }
}
