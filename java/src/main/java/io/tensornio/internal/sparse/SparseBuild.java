package io.tensornio.internal.sparse;

import io.tensornio.internal.memory.MemoryReclaimer;

/** {@link NativeSparse#build} under the budget: where that has no memory for intermediate results, unreachable tensors are collected. */
public final class SparseBuild {
    /** Bytes that one entry takes at most, beside its value: keys and what is moved. */
    private static final int BYTES_PER_ENTRY = 3 * Long.BYTES;
    /** Bytes that any number of entries takes beside that. */
    private static final int FIXED_BYTES = 1 << 20;
    /** More than one, since another thread may take the memory that was made free. */
    private static final int TRIES = 3;

    private SparseBuild() {
    }

    /**
     * Puts entries into order, as {@link NativeSparse#build} does. It can start over after a collection, since it has written nothing
     * but its outputs.
     *
     * @param coordinates the coordinates, or the positions
     * @param linear whether they are positions
     * @param values as many values
     * @param n how many entries there are
     * @param shape the sizes of the tensor
     * @param elementBytes how many bytes a value has
     * @param outIndices gets the coordinates
     * @param outValues gets the values
     * @return how many different coordinates there are
     * @throws OutOfMemoryError if the budget has no memory for intermediate results, even then; the other exceptions
     *     are those of {@link NativeSparse#build}
     */
    public static long run(Object coordinates, boolean linear, Object values, long n, long[] shape, int elementBytes, Object outIndices,
        Object outValues) {
        for (int left = TRIES; ; left--) {
            try {
                return NativeSparse.build(coordinates, linear, values, n, shape, elementBytes, outIndices, outValues);
            } catch (OutOfMemoryError e) {
                // After a collection once more, even if there is less than that: it may do.
                if (left == 0 || !MemoryReclaimer.free(n * (BYTES_PER_ENTRY + elementBytes) + FIXED_BYTES) && left < TRIES) {
                    OutOfMemoryError error = new OutOfMemoryError(e.getMessage() + MemoryReclaimer.advice());
                    error.initCause(e);
                    throw error;
                }
            }
        }
    }
}
