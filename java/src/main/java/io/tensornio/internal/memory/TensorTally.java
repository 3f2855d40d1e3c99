package io.tensornio.internal.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers about tensors, all of about one moment. Tensors with blocks of their own are counted as they come and go, by {@link Memory}; those in slabs
 * are counted by their slabs, and added up here.
 */
final class TensorTally {
    /** What live tensors in slabs had when it was last added up: whenever a slab is taken, and for each snapshot. */
    private static volatile long inSlabs;
    private static final AtomicLong PEAK = new AtomicLong();

    final long tensors;
    /** Bytes of live tensors, in slabs rounded up to units. */
    final long bytes;
    /** Bytes of closed tensors whose pages are not given back yet: a pin keeps them, or their slab holds others, or will. */
    final long dead;
    final long peak;

    /**
     * Adds up.
     *
     * @param slabs the head of the list of all slabs, whose lock the caller holds
     * @param inBlocks how many tensors have blocks of their own
     * @param bytesInBlocks how many bytes these have
     * @param awaiting bytes of closed tensors in blocks of their own that a pin still keeps
     */
    TensorTally(BlockReference slabs, long inBlocks, long bytesInBlocks, long awaiting) {
        long alive = inBlocks;
        long live = 0;
        long closed = 0;
        for (BlockReference r = slabs.next; r != slabs; r = r.next) {
            if (!r.closed) {
                long counts = r.counts.get();
                alive += SlabCounts.tensors(counts);
                live += SlabCounts.liveUnits(counts);
                closed += Math.max(0, (SlabCounts.usedUnits(counts) - SlabCounts.liveUnits(counts)) * (long) Slab.UNIT - r.swept);
            }
        }
        tensors = alive;
        bytes = bytesInBlocks + live * Slab.UNIT;
        // A pin may end before the close that it put off is counted.
        dead = closed + Math.max(0, awaiting);
        inSlabs = live * Slab.UNIT;
        notePeak(bytesInBlocks);
        peak = PEAK.get();
    }

    /** Notes how many bytes live tensors with blocks of their own have now. */
    static void notePeak(long bytesInBlocks) {
        long now = bytesInBlocks + inSlabs;
        for (long peak = PEAK.get(); now > peak && !PEAK.compareAndSet(peak, now); peak = PEAK.get()) {
            Thread.yield();
        }
    }
}
