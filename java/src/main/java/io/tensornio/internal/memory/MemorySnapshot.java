package io.tensornio.internal.memory;

/** The numbers of {@link io.tensornio.MemoryStats}. */
public final class MemorySnapshot {
    private MemorySnapshot() {
    }

    /**
     * Reads all numbers.
     *
     * @return bytes in use, peak, tensors alive, bytes pooled, bytes awaiting collection, the budget
     */
    public static long[] read() {
        Memory.Tally tally = Memory.tally();
        return new long[] {tally.bytes, tally.peak, tally.tensors, Memory.pooled(), tally.dead, Memory.max()};
    }
}
