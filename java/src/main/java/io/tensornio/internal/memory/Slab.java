package io.tensornio.internal.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A block shared by many small tensors, each a run of 64-byte units: a bump allocator. Units are handed out in order, once; those of closed tensors
 * are not reused before the slab as a whole has released its pages. So a thread that still uses a closed tensor's buffer sees no other tensor.
 *
 * <p>A slab is retired when the next tensor does not fit. After that its pages are released with its last tensor, and
 * those without live tensors before: the slab is swept each time that its live units have halved.
 */
final class Slab {
    /** Tensors of at least this size in bytes have a block of their own. */
    static final int LIMIT = 64 << 10;
    static final int UNIT = 64;
    /** The largest slab; its units fit the fields of {@link SlabCounts}. */
    static final int LARGEST = 1 << 20;
    static final int SMALLEST = 64 << 10;
    /** The granularity of discarding, in bytes, whatever the real page size is. */
    private static final int PAGE = 4096;

    private final BlockReference reference;
    private final SlabCounts counts;
    private final int capacity;
    /** The slab's memory; null once the pages were released. */
    private ByteBuffer root;
    /** Whether the tensor of a unit was closed. Published by the counts, which each close changes after writing here. */
    private final boolean[] dead;
    /** The number of live units at the last sweep; guarded by this, as are the discarded pages. */
    private int sweptAt;
    private final boolean[] discarded;
    /** The number of ticks of the {@link Janitor} without a change; accessed by it only. */
    private int idle;
    private long lastSeen;

    private Slab(ByteBuffer root, BlockReference reference, SlabCounts counts) {
        this.root = root;
        this.reference = reference;
        this.counts = counts;
        capacity = root.capacity() / UNIT;
        dead = new boolean[capacity];
        discarded = new boolean[root.capacity() / PAGE];
        sweptAt = capacity;
    }

    /** Allocates a zeroed slab. */
    static Slab make(int bytes) {
        SlabCounts counts = new SlabCounts();
        Memory.Lease lease = Memory.allocate(bytes, true, counts, true);
        return new Slab(lease.roots[0], lease.reference, counts);
    }

    int bytes() {
        return capacity * UNIT;
    }

    BlockReference reference() {
        return reference;
    }

    /** The number of units for a number of bytes; at least one, so that there are never more tensors than units. */
    static int units(long bytes) {
        return (int) Math.max((bytes + UNIT - 1) / UNIT, 1);
    }

    /** Allocates units for a new tensor; returns the first one, or -1 if they do not fit. */
    int take(int units) {
        return counts.take(units, capacity);
    }

    /** Whether units for a new tensor would fit. */
    boolean canTake(int units) {
        long now = counts.get();
        return !SlabCounts.isRetired(now) && SlabCounts.usedUnits(now) + units <= capacity;
    }

    /** The buffer over the whole slab; not null while a tensor is live. */
    ByteBuffer root() {
        return root;
    }

    /** Whether no tensor is live. */
    boolean isEmpty() {
        return SlabCounts.tensors(counts.get()) == 0;
    }

    /** Counts a tick of the {@link Janitor}; returns the number of consecutive ticks without allocation or release. */
    int idleTicks() {
        long now = counts.get();
        idle = now == lastSeen ? idle + 1 : 0;
        lastSeen = now;
        return idle;
    }

    /** Ends allocation from this slab. */
    void retire() {
        long before = counts.retire();
        if (!SlabCounts.isRetired(before)) {
            afterChange(before);
        }
    }

    /** Releases the units of a closed tensor. */
    void release(int unit, int units) {
        for (int n = unit; n < unit + units; n++) {
            dead[n] = true;
        }
        long now = counts.release(units);
        if (SlabCounts.isRetired(now)) {
            afterChange(now);
        }
    }

    /** Releases or sweeps a retired slab, if it is time. */
    private void afterChange(long now) {
        boolean isLast = SlabCounts.tensors(now) == 0;
        if (!isLast && SlabCounts.liveUnits(now) * 2 > sweptAt) {
            return;
        }
        Log.hold();
        try {
            if (isLast) {
                close();
            } else {
                sweep(SlabCounts.liveUnits(now));
            }
        } finally {
            Log.deliver();
        }
    }

    private synchronized void close() {
        ByteBuffer last = root;
        root = null;
        Memory.close(last, reference, false);
    }

    private synchronized void sweep(int live) {
        if (root == null || live * 2 > sweptAt) {
            return;
        }
        sweptAt = live;
        int used = SlabCounts.usedUnits(counts.get());
        int perPage = PAGE / UNIT;
        int from = -1;
        boolean more = false;
        for (int page = 0; page <= discarded.length; page++) {
            // Pages already discarded are part of the run: real pages may be larger, and can only be discarded as a whole.
            boolean empty = page < discarded.length && (discarded[page] || isDead(page * perPage, (page + 1) * perPage, used));
            if (empty) {
                from = from < 0 ? page : from;
                more |= !discarded[page];
            } else {
                if (more) {
                    NativeMemory.discard(root, from * PAGE, page * PAGE);
                    Arrays.fill(discarded, from, page, true);
                }
                from = -1;
                more = false;
            }
        }
        int swept = 0;
        for (int page = 0; page * perPage < used; page++) {
            swept += discarded[page] ? Math.min(perPage, used - page * perPage) : 0;
        }
        reference.swept = swept * UNIT;
    }

    /** Whether a range of units has no live tensor; units from {@code used} on were never handed out, and never will be. */
    private boolean isDead(int from, int to, int used) {
        for (int unit = from; unit < Math.min(to, used); unit++) {
            if (!dead[unit]) {
                return false;
            }
        }
        return true;
    }
}
