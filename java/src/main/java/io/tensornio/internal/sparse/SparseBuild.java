package io.tensornio.internal.sparse;

import io.tensornio.internal.memory.MemoryReclaimer;

/** {@link NativeSparse#build} with retries: if the budget has no memory for intermediate results, unreachable tensors are collected. */
public final class SparseBuild {
    /** The maximum bytes of staging buffers for an entry, in addition to its value. */
    private static final int BYTES_PER_ENTRY = 3 * Long.BYTES;
    /** The fixed part of the staging buffers. */
    private static final int FIXED_BYTES = 1 << 20;
    /** More than one, since another thread may take the memory that was freed. */
    private static final int TRIES = 3;

    private SparseBuild() {
    }

    /**
     * Sorts entries by {@link NativeSparse#build}. It can be repeated after a collection, since it writes its outputs only.
     *
     * @param coordinates the coordinates, or linear indices
     * @param linear whether they are linear indices
     * @param values as many values
     * @param n the number of entries
     * @param shape the sizes of the tensor
     * @param elementBytes the bytes of a value
     * @param outIndices receives the coordinates
     * @param outValues receives the values
     * @return the number of distinct coordinates
     * @throws OutOfMemoryError if there is no memory for intermediate results, even after collections; other exceptions
     *     are those of {@link NativeSparse#build}
     */
    public static long run(Object coordinates, boolean linear, Object values, long n, long[] shape, int elementBytes, Object outIndices,
        Object outValues) {
        for (int left = TRIES; ; left--) {
            try {
                return NativeSparse.build(coordinates, linear, values, n, shape, elementBytes, outIndices, outValues);
            } catch (OutOfMemoryError e) {
                // Retry after a collection, even if less than that was freed: it may suffice.
                if (left == 0 || !MemoryReclaimer.free(n * (BYTES_PER_ENTRY + elementBytes) + FIXED_BYTES) && left < TRIES) {
                    OutOfMemoryError error = new OutOfMemoryError(e.getMessage() + MemoryReclaimer.advice());
                    error.initCause(e);
                    throw error;
                }
            }
        }
    }
}
