package io.tensornio.internal.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers about tensors, all of about one moment. Tensors with blocks of their own are counted as they come and go; those in slabs are counted by
 * their slabs, and added up here.
 */
final class TensorTally {
    /** Bytes of live tensors that have blocks of their own, and how many. */
    private static final AtomicLong IN_BLOCKS = new AtomicLong();
    private static final AtomicInteger ALIVE = new AtomicInteger();
    /** Bytes of closed tensors in blocks of their own that a pin still keeps. */
    private static final AtomicLong AWAITING = new AtomicLong();
    /** What live tensors in slabs had when it was last added up: whenever a slab is taken, and for each snapshot. */
    private static volatile long inSlabs;
    private static final AtomicLong PEAK = new AtomicLong();

    final long tensors;
    /** Bytes of live tensors, in slabs rounded up to units. */
    final long bytes;
    /** Bytes of closed tensors whose pages are not given back yet: a pin keeps them, or their slab holds others, or will. */
    final long dead;
    final long peak;

    /** Takes the head of the list of all slabs, whose lock the caller holds. */
    TensorTally(BlockReference slabs) {
        long alive = ALIVE.get();
        long inBlocks = IN_BLOCKS.get();
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
        bytes = inBlocks + live * Slab.UNIT;
        // A pin may end before the close that it put off is counted.
        dead = closed + Math.max(0, AWAITING.get());
        inSlabs = live * Slab.UNIT;
        notePeak(bytes);
        peak = PEAK.get();
    }

    /** Counts a tensor with a block of its own in, or with negative bytes out. */
    static void count(long bytes) {
        ALIVE.addAndGet(bytes > 0 ? 1 : -1);
        notePeak(IN_BLOCKS.addAndGet(bytes) + inSlabs);
    }

    /** Counts the bytes of a closed tensor in that await the end of a pin, or with a negative number out. */
    static void countAwaiting(long bytes) {
        AWAITING.addAndGet(bytes);
    }

    private static void notePeak(long now) {
        for (long peak = PEAK.get(); now > peak && !PEAK.compareAndSet(peak, now); peak = PEAK.get()) {
            Thread.yield();
        }
    }
}
