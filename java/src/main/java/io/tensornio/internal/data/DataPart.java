package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.SharedMemory;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;

/**
 * A part of data of any implementation that is halved until it is small enough. The sizes of the halves are read once,
 * and must add up, so that this terminates whatever user-defined data returns.
 */
final class DataPart<D extends TensorData<D>> {
    /** The maximum number of halvings of one axis. */
    private static final int MOST_HALVINGS = 64;
    /** An upper bound of the number of axes with more than one position. */
    private static final int HIGHEST_RANK = 1 << 12;

    final D data;
    final long total;
    /** The remaining number of halvings. */
    private final int left;

    private DataPart(D data, long total, int left) {
        this.data = data;
        this.total = total;
        this.left = left;
    }

    /**
     * The whole of data.
     *
     * @throws IllegalStateException if its number of elements is negative
     */
    static <D extends TensorData<D>> DataPart<D> of(D data) {
        long total = data.totalSize();
        if (total < 0) {
            throw nonsense(data, total, "");
        }
        return new DataPart<>(data, total, MOST_HALVINGS * (Math.max(0, Math.min(data.rank(), HIGHEST_RANK)) + 1));
    }

    private static IllegalStateException nonsense(TensorData<?> data, long total, String more) {
        return new IllegalStateException("data of the shape " + Arrays.toString(data.shape()) + " answers that it has " + Shapes.elements(total)
            + more);
    }

    /** An operation on a part of 1 element or more. */
    interface Step<D, E extends Exception> {
        void take(D part, int n) throws E;
    }

    /**
     * Applies a step to consecutive parts of at most so many elements.
     *
     * @throws IllegalStateException if the sizes of halves do not add up, or halving does not terminate
     */
    <E extends Exception> void each(int most, Step<D, E> step) throws E {
        Deque<DataPart<D>> rest = new ArrayDeque<>();
        rest.push(this);
        while (!rest.isEmpty()) {
            DataPart<D> part = rest.pop();
            if (part.total > most) {
                part.halve(rest);
            } else if (part.total > 0) {
                step.take(part.data, (int) part.total);
            }
        }
    }

    /** Pushes both halves, along the first axis with more than one position. */
    private void halve(Deque<DataPart<D>> rest) {
        if (left == 0) {
            throw nonsense(data, total, ", but does not end when it is halved");
        }
        D rows = withoutOnes(data);
        long n = rows.size(0);
        D first = slice(rows, 0, n / 2);
        D second = slice(rows, n / 2, n);
        long before = first.totalSize();
        long after = second.totalSize();
        if (before < 0 || after < 0 || before > total || after != total - before) {
            throw nonsense(data, total, ", but its halves that they have " + before + " and " + after);
        }
        rest.push(new DataPart<>(second, after, left - 1));
        rest.push(new DataPart<>(first, before, left - 1));
    }

    private static <D extends TensorData<D>> D slice(D rows, long from, long to) {
        return Objects.requireNonNull(rows.slice(TensorIndex.range(from, to)), "slice() gave null");
    }

    /** The data without its leading axes of size 1. */
    static <D extends TensorData<D>> D withoutOnes(D data) {
        D rest = data;
        // Terminates whatever user-defined data returns.
        for (int left = data.rank(); left > 0 && rest.rank() > 0 && rest.size(0) == 1; left--) {
            rest = rest instanceof SharedMemory ? rest.slice(new int[leadingOnes(rest)]) : rest.slice(TensorIndex.at(0));
        }
        return rest;
    }

    /** For the library's own data only: rows of user-defined data may differ in size, so that only its first axis has a known size. */
    private static int leadingOnes(TensorData<?> data) {
        int ones = 0;
        while (ones < data.rank() && data.size(ones) == 1) {
            ones++;
        }
        return ones;
    }
}
