package io.tensornio.internal.memory;

/** A snapshot of the numbers of {@link io.tensornio.MemoryStats}, which defines them. */
public final class MemorySnapshot {
    /** Bytes of tensors that are neither closed nor found to be unreachable. */
    public final long bytesInUse;
    /** The peak of {@link #bytesInUse}. */
    public final long peakBytes;
    /** The number of live tensors. */
    public final long tensorsAlive;
    /** Bytes pooled for the next tensors. */
    public final long bytesPooled;
    /** Bytes of closed tensors that are still held. */
    public final long bytesAwaitingCollection;
    /** Bytes that others lend the library. */
    public final long foreignBytes;
    /** Bytes of files that are mapped. */
    public final long mappedBytes;
    /** The budget in bytes. */
    public final long maxMemory;

    private MemorySnapshot(TensorTally tally) {
        bytesInUse = tally.bytes;
        peakBytes = tally.peak;
        tensorsAlive = tally.tensors;
        bytesPooled = tally.pooled;
        bytesAwaitingCollection = tally.dead;
        foreignBytes = ForeignMemory.foreign();
        mappedBytes = ForeignMemory.mapped();
        maxMemory = Memory.max();
    }

    /** Takes a snapshot. */
    public static MemorySnapshot read() {
        return new MemorySnapshot(Memory.tally());
    }
}
