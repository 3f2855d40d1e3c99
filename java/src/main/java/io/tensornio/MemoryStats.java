package io.tensornio;

import io.tensornio.internal.memory.MemorySnapshot;

/**
 * A snapshot of the native memory of tensors. The JMX bean {@code io.tensornio:type=Memory} shows the same numbers.
 *
 * <p>Memory that is in use, pooled or awaiting collection counts against the budget {@link #maxMemory()}, which the system property
 * {@code tensornio.maxMemory} sets (bytes, or a number with k, m or g); by default it is the JVM's limit for direct buffers, or what the limit of a
 * container leaves beside the heap, if that is less.
 */
public final class MemoryStats {
    private final MemorySnapshot numbers;

    private MemoryStats(MemorySnapshot numbers) {
        this.numbers = numbers;
    }

    /**
     * The current numbers. While other threads create and close tensors, they may be from slightly different moments.
     *
     * @return a snapshot
     */
    public static MemoryStats current() {
        return new MemoryStats(MemorySnapshot.read());
    }

    /**
     * The number of bytes of all tensors that are neither closed nor found to be unreachable, and of closed ones that a
     * {@link io.tensornio.interop.Pin} still holds. Tensors below 64 KiB count in multiples of 64 bytes.
     * Those that were never closed are found only together with all others that share their pages: by a collection after the last of these has
     * become unreachable, and some two seconds after the last small tensor was made. So where no small tensor is alive, the numbers fall to 0.
     *
     * @return the number of bytes
     */
    public long bytesInUse() {
        return numbers.bytesInUse;
    }

    /**
     * The largest value of {@link #bytesInUse()} so far, which is never more than was in use at one moment. Tensors below 64 KiB are added up only
     * occasionally, for instance at each snapshot: a peak that they reach in between can be missed.
     *
     * @return the number of bytes
     */
    public long peakBytes() {
        return numbers.peakBytes;
    }

    /**
     * The number of blocks of memory of tensors that are neither closed nor found to be unreachable. A dense tensor has one block. A sparse tensor
     * has two, values and coordinates, and one more for each of {@link SparseTensor#denseShape()} and {@link SparseTensor#rowPointers()} once called,
     * and for the compressed rows that it keeps if it is a large matrix and programs read it more than once.
     * A ragged tensor has one for its values and one for the row splits of each ragged axis. A block that tensors share counts once.
     * See {@link #bytesInUse()} for when unclosed tensors are found.
     *
     * @return the number of blocks, which {@link #toString()} calls tensors
     */
    public long tensorsAlive() {
        return numbers.tensorsAlive;
    }

    /**
     * Memory of closed tensors that is kept for new ones. It is returned to the system when it has been idle for a second.
     *
     * @return the number of bytes
     */
    public long bytesPooled() {
        return numbers.bytesPooled;
    }

    /**
     * Memory of closed tensors that is still held. For small tensors, because other tensors that share its pages are in use, may still be allocated
     * there, or are unreachable but not yet collected; for large ones, because a native call works on them.
     *
     * @return the number of bytes
     */
    public long bytesAwaitingCollection() {
        return numbers.bytesAwaitingCollection;
    }

    /**
     * Memory of others that tensors read in place, by {@link io.tensornio.interop.Foreign#adopt}, until it is given back. It is outside of the budget
     * and of all other numbers here.
     *
     * @return the number of bytes
     */
    public long foreignBytes() {
        return numbers.foreignBytes;
    }

    /**
     * Files that are mapped as tensors, such as by {@link io.tensornio.io.Npy#map}, until these are closed. They are outside of the budget, and of
     * all other numbers here: the system reads their pages as they are needed, and gives them up when memory is short.
     *
     * @return the number of bytes
     */
    public long mappedBytes() {
        return numbers.mappedBytes;
    }

    /**
     * The budget for native memory.
     *
     * @return the number of bytes
     */
    public long maxMemory() {
        return numbers.maxMemory;
    }

    @Override
    public String toString() {
        return "MemoryStats[" + numbers.bytesInUse + " bytes in use by " + numbers.tensorsAlive + " tensors (peak " + numbers.peakBytes + "), "
            + numbers.bytesPooled + " pooled, " + numbers.bytesAwaitingCollection + " awaiting collection, of " + numbers.maxMemory + "; "
            + numbers.foreignBytes + " bytes of others, " + numbers.mappedBytes + " mapped]";
    }
}
