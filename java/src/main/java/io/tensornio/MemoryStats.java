package io.tensornio;

import io.tensornio.internal.memory.MemorySnapshot;

/**
 * How much native memory tensors have: a snapshot. The JMX bean {@code io.tensornio:type=Memory} shows the same numbers.
 *
 * <p>What is in use, pooled or awaiting collection counts against {@link #maxMemory()}, the budget, which the system property
 * {@code tensornio.maxMemory} sets (bytes, or a number with k, m or g); by default it is what the JVM allows for direct buffers.
 */
public final class MemoryStats {
    private final MemorySnapshot numbers;

    private MemoryStats(MemorySnapshot numbers) {
        this.numbers = numbers;
    }

    /**
     * The numbers of this moment. While other threads create and close tensors, they may be from slightly different moments.
     *
     * @return a snapshot
     */
    public static MemoryStats current() {
        return new MemoryStats(MemorySnapshot.read());
    }

    /**
     * The bytes of all tensors that are neither closed nor found to be unreachable. Tensors below 64 KiB count in multiples of 64.
     *
     * @return bytes
     */
    public long bytesInUse() {
        return numbers.bytesInUse;
    }

    /**
     * The most that {@link #bytesInUse()} has been. Tensors below 64 KiB are added up only now and then, for instance at each snapshot: a peak
     * of theirs between two of these times can be missed.
     *
     * @return bytes
     */
    public long peakBytes() {
        return numbers.peakBytes;
    }

    /**
     * The tensors that are neither closed nor found to be unreachable.
     *
     * @return how many
     */
    public long tensorsAlive() {
        return numbers.tensorsAlive;
    }

    /**
     * Memory of closed tensors that waits for the next ones. It is given back to the system when it has been idle for a second.
     *
     * @return bytes
     */
    public long bytesPooled() {
        return numbers.bytesPooled;
    }

    /**
     * Memory of closed tensors that is still held: of small ones because tensors that share its pages are in use, may still come, or were dropped
     * and are not yet collected; of large ones because a native call works on them.
     *
     * @return bytes
     */
    public long bytesAwaitingCollection() {
        return numbers.bytesAwaitingCollection;
    }

    /**
     * The budget.
     *
     * @return bytes
     */
    public long maxMemory() {
        return numbers.maxMemory;
    }

    @Override
    public String toString() {
        return "MemoryStats[" + numbers.bytesInUse + " bytes in use by " + numbers.tensorsAlive + " tensors (peak " + numbers.peakBytes + "), "
            + numbers.bytesPooled + " pooled, " + numbers.bytesAwaitingCollection + " awaiting collection, of " + numbers.maxMemory + "]";
    }
}
