package io.tensornio.internal.memory;

/** {@link Native#sparseBuild} under the budget: it needs intermediate memory, for which what nobody closed must make room, too. */
public final class SparseBuild {
    /** What it needs for an entry at most, in bytes, beside its value: keys and what is moved. */
    private static final int FOR_ENTRY = 3 * Long.BYTES;
    /** What it needs beside that for anything. */
    private static final int BESIDES = 1 << 20;
    /** Room that was made may go to another thread. */
    private static final int TRIES = 3;

    private SparseBuild() {
    }

    /**
     * Puts entries into order, as {@link Native#sparseBuild} does. Where the budget has no room for what that needs meanwhile, what is unreachable is
     * collected, and it begins anew: it has written nothing but its outputs.
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
     * @throws OutOfMemoryError if there is no such memory; the other exceptions are those of {@link Native#sparseBuild}
     */
    public static long run(Object coordinates, boolean linear, Object values, long n, long[] shape, int elementBytes, Object outIndices,
        Object outValues) {
        for (int left = TRIES; ; left--) {
            try {
                return Native.sparseBuild(coordinates, linear, values, n, shape, elementBytes, outIndices, outValues);
            } catch (OutOfMemoryError e) {
                // After a collection once more, even if there is less than that: it may do.
                if (left == 0 || !MemoryReclaimer.makeRoom(n * (FOR_ENTRY + elementBytes) + BESIDES) && left < TRIES) {
                    OutOfMemoryError error = new OutOfMemoryError(e.getMessage() + MemoryReclaimer.advice());
                    error.initCause(e);
                    throw error;
                }
            }
        }
    }
}
