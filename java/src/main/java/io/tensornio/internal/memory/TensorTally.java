package io.tensornio.internal.memory;

/**
 * Statistics of tensors at about one moment. Tensors with blocks of their own are counted by {@link Memory} as they are
 * made and closed; those in slabs are counted by their slabs, and summed here.
 *
 * <p>The bytes never exceed those in use at one moment, as a sum of counts read at different moments could. All slabs are read twice while no block
 * is made or closed. At a moment between the readings, whatever is live in the second one was live, except units handed out since the first one,
 * which the difference of the monotonic count of units handed out bounds.
 */
final class TensorTally {
    /** The maximum number of readings, repeated because slabs have changed meanwhile. */
    private static final int READINGS = 8;
    /** Bytes of live tensors in slabs at the last summation: at each allocation of a slab, and for each snapshot. */
    private static volatile long inSlabs;
    /** The peak so far. Written under the lock of the lists of blocks, read without it. */
    private static volatile long highest;

    final long tensors;
    /** Bytes of live tensors, in slabs rounded up to units. */
    final long bytes;
    /** Bytes of closed tensors whose pages are not released yet: a pin keeps them, or their slab has live tensors or is not retired. */
    final long dead;
    /** The peak of {@link #bytes}. */
    final long peak;
    /** Bytes pooled for the next tensors. */
    final long pooled;

    /**
     * Computes the statistics.
     *
     * @param slabs the head of the list of all slabs, whose lock the caller holds
     * @param inBlocks the number of tensors with blocks of their own
     * @param bytesInBlocks the bytes of these tensors
     * @param awaiting bytes of closed tensors in blocks of their own that a pin still keeps
     * @param pooled bytes in the pool
     */
    TensorTally(BlockReference slabs, long inBlocks, long bytesInBlocks, long awaiting, long pooled) {
        SlabSums first = new SlabSums(slabs);
        SlabSums last = new SlabSums(slabs);
        for (int n = 0; n < READINGS && !last.equalsInAll(first); n++) {
            first = last;
            last = new SlabSums(slabs);
        }
        tensors = inBlocks + last.tensors;
        long live = Math.max(0, last.live - (last.used - first.used)) * Slab.UNIT;
        bytes = bytesInBlocks + live;
        // A pin may end before the close that it delayed is counted.
        dead = last.dead + Math.max(0, awaiting);
        inSlabs = live;
        highest = Math.max(highest, bytes);
        peak = highest;
        this.pooled = pooled;
    }

    /** Whether so many bytes of live tensors with blocks of their own may be a new peak: then the caller computes the statistics. */
    static boolean mayBePeak(long bytesInBlocks) {
        return bytesInBlocks + inSlabs > highest;
    }

    /** Sums over all slabs, each of which is read at a different moment. */
    private static final class SlabSums {
        final long tensors;
        /** Units of live tensors, and units handed out so far. */
        final long live;
        final long used;
        /** Bytes of closed tensors. */
        final long dead;

        SlabSums(BlockReference slabs) {
            long alive = 0;
            long units = 0;
            long out = 0;
            long closed = 0;
            for (BlockReference r = slabs.next; r != slabs; r = r.next) {
                if (!r.closed) {
                    long counts = r.counts.get();
                    alive += SlabCounts.tensors(counts);
                    units += SlabCounts.liveUnits(counts);
                    out += SlabCounts.usedUnits(counts);
                    closed += Math.max(0, (SlabCounts.usedUnits(counts) - SlabCounts.liveUnits(counts)) * (long) Slab.UNIT - r.swept);
                }
            }
            tensors = alive;
            live = units;
            used = out;
            dead = closed;
        }

        /** Whether nothing has changed: while no unit is handed out, the live ones can only decrease. */
        boolean equalsInAll(SlabSums other) {
            return used == other.used && live == other.live;
        }
    }
}
