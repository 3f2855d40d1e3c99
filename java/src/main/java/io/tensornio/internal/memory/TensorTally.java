package io.tensornio.internal.memory;

/**
 * Numbers about tensors, all of about one moment. Tensors with blocks of their own are counted as they come and go, by {@link Memory}; those in slabs
 * are counted by their slabs, and added up here.
 *
 * <p>The bytes are never more than were in use at one moment: a sum of what slabs had at different moments could be. All slabs are read twice while
 * no block comes or goes. Between the two readings was such a moment. What was live in the second reading was live then, too, but for what was taken
 * since the first, which is the difference of the units handed out: that never falls.
 */
final class TensorTally {
    /** How often the slabs are read again because they have changed meanwhile. */
    private static final int READINGS = 8;
    /** What live tensors in slabs had when it was last added up: whenever a slab is taken, and for each snapshot. */
    private static volatile long inSlabs;
    /** Written under the lock of all lists of blocks, read without it. */
    private static volatile long highest;

    final long tensors;
    /** Bytes of live tensors, in slabs rounded up to units. */
    final long bytes;
    /** Bytes of closed tensors whose pages are not given back yet: a pin keeps them, or their slab holds others, or will. */
    final long dead;
    /** The most that {@link #bytes} has been. */
    final long peak;
    /** Bytes that wait for the next tensors. */
    final long pooled;

    /**
     * Adds up.
     *
     * @param slabs the head of the list of all slabs, whose lock the caller holds
     * @param inBlocks how many tensors have blocks of their own
     * @param bytesInBlocks how many bytes these have
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
        // A pin may end before the close that it put off is counted.
        dead = last.dead + Math.max(0, awaiting);
        inSlabs = live;
        highest = Math.max(highest, bytes);
        peak = highest;
        this.pooled = pooled;
    }

    /** Whether so many bytes of live tensors with blocks of their own may be a new peak: then it is to be added up what there is. */
    static boolean mayBePeak(long bytesInBlocks) {
        return bytesInBlocks + inSlabs > highest;
    }

    /** What the slabs had, each at a moment of its own. */
    private static final class SlabSums {
        final long tensors;
        /** Units of live tensors, and those handed out so far. */
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

        /** Whether nothing has changed: with as many units handed out, live ones can only have become fewer. */
        boolean equalsInAll(SlabSums other) {
            return used == other.used && live == other.live;
        }
    }
}
