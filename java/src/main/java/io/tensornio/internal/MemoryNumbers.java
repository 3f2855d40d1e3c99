package io.tensornio.internal;

/** The numbers of {@link io.tensornio.MemoryStats}. */
public final class MemoryNumbers {
    private MemoryNumbers() {
    }

    /**
     * Reads all numbers.
     *
     * @return bytes in use, peak, tensors alive, bytes pooled, bytes awaiting collection, the budget
     */
    public static long[] read() {
        long[] tensorsAndDead = Memory.tensorsAndDead();
        return new long[] {Memory.inUse(), Memory.peak(), tensorsAndDead[0], Memory.pooled(), tensorsAndDead[1], Memory.max()};
    }
}
