package io.tensornio;

import io.tensornio.internal.AtIndex;
import io.tensornio.internal.RangeIndex;

/**
 * Selects positions on one dimension of a tensor, for {@link TensorData#slice(TensorIndex...)}.
 *
 * <p>Negative numbers count from the end: -1 is the last position. Nothing is clamped: a number outside of the dimension
 * is an {@link IndexOutOfBoundsException} when the slice is made. Indices are immutable and may be used for any number of
 * slices and by any thread. They come from the methods here alone; no other class implements this interface.
 */
public interface TensorIndex {
    /**
     * One position; its dimension is dropped.
     *
     * @param i the position; -1 is the last
     * @return the index
     */
    static TensorIndex at(long i) {
        return new AtIndex(i);
    }

    /**
     * All positions.
     *
     * @return the index
     */
    static TensorIndex all() {
        return RangeIndex.ALL;
    }

    /**
     * The positions from {@code start} to {@code end - 1}. Empty if the end does not lie behind the start, wherever both lie.
     *
     * @param start the first position; negative ones count from the end
     * @param end the position behind the last; negative ones count from the end
     * @return the index
     */
    static TensorIndex range(long start, long end) {
        return new RangeIndex(start, end, 1);
    }

    /**
     * Every {@code step}-th position from {@code start} up to, but not including, {@code end}. A negative step runs
     * backwards, down to but not including {@code end}; empty if the step does not lead from the one to the other, wherever both lie; to run down to and including 0, take {@code range(0, start + 1)} and
     * {@link #flip()} it.
     *
     * @param start the first position; negative ones count from the end
     * @param end the position that is no longer included; negative ones count from the end
     * @param step the distance between two positions, not 0
     * @return the index
     * @throws IllegalArgumentException if the step is 0
     */
    static TensorIndex range(long start, long end, long step) {
        if (step == 0) {
            throw new IllegalArgumentException("the step of range(" + start + ", " + end + ", 0) is 0; it must be positive or negative");
        }
        return new RangeIndex(start, end, step);
    }

    /**
     * Every {@code k}-th position, from the first: 0, k, 2k, ...
     *
     * @param k the distance between two positions, at least 1
     * @return the index
     * @throws IllegalArgumentException if {@code k} is less than 1
     */
    static TensorIndex step(long k) {
        if (k < 1) {
            throw new IllegalArgumentException("step(" + k + "): the step must be at least 1");
        }
        return RangeIndex.everyNth(k);
    }

    /**
     * All positions in reverse order.
     *
     * @return the index
     */
    static TensorIndex flip() {
        return RangeIndex.FLIP;
    }
}
