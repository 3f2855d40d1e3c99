package io.tensornio.internal.memory;

/** The numbers of {@link io.tensornio.MemoryStats}, which says what they mean, at one moment. */
public final class MemorySnapshot {
    /** Bytes of tensors that are neither closed nor found to be unreachable. */
    public final long bytesInUse;
    /** The most that those have been. */
    public final long peakBytes;
    /** How many blocks of memory those tensors have. */
    public final long tensorsAlive;
    /** Bytes that wait for the next tensors. */
    public final long bytesPooled;
    /** Bytes of closed tensors that are still held. */
    public final long bytesAwaitingCollection;
    /** The budget in bytes. */
    public final long maxMemory;

    private MemorySnapshot(TensorTally tally) {
        bytesInUse = tally.bytes;
        peakBytes = tally.peak;
        tensorsAlive = tally.tensors;
        bytesPooled = tally.pooled;
        bytesAwaitingCollection = tally.dead;
        maxMemory = Memory.max();
    }

    /** The numbers of now. */
    public static MemorySnapshot read() {
        return new MemorySnapshot(Memory.tally());
    }
}
