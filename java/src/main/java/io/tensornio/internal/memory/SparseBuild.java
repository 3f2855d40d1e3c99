package io.tensornio.internal.memory;

/** {@link Native#sparseBuild} under the budget: it needs intermediate memory, for which what nobody closed must make room, too. */
public final class SparseBuild {
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
        long[] distinct = {0};
        OutOfMemoryError[] last = {null};
        Collection.Attempt attempt = () -> {
            try {
                distinct[0] = Native.sparseBuild(coordinates, linear, values, n, shape, elementBytes, outIndices, outValues);
                return true;
            } catch (OutOfMemoryError e) {
                last[0] = e;
                return false;
            }
        };
        if (!attempt.succeeds() && !Collection.makeRoom(attempt)) {
            OutOfMemoryError error = new OutOfMemoryError(last[0].getMessage() + Collection.advice());
            error.initCause(last[0]);
            throw error;
        }
        return distinct[0];
    }
}
