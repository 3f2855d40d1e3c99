package io.tensornio.internal.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A block that many small tensors share, each a run of 64-byte units. Units are handed out once, from the first to the last; what a closed
 * tensor had is not used again before the slab as a whole has given its pages back. So a thread that still uses a closed tensor's buffer
 * sees no other tensor.
 *
 * <p>A slab is retired when the next tensor does not fit. When its last tensor goes after that, its pages go. If few tensors stay, the pages
 * that hold none of them go before: the slab is swept each time that the live part of it has halved.
 */
final class Slab {
    /** Tensors from this size on have a block of their own. */
    static final int LIMIT = 64 << 10;
    static final int UNIT = 64;
    /** The largest slab; its units fit the fields of {@link SlabCounts}. */
    static final int LARGEST = 1 << 20;
    static final int SMALLEST = 64 << 10;
    /** What is given back at once is a multiple of this, whatever the real page size is. */
    private static final int PAGE = 4096;

    private final BlockReference reference;
    private final SlabCounts counts;
    private final int capacity;
    /** The slab's memory; null once the pages were given back. */
    private ByteBuffer root;
    /** Whether the tensor of a unit was closed. Ordered by the counts, which each close changes after it has written here. */
    private final boolean[] dead;
    /** The live units when it was last swept; guarded by this, as are the pages that have gone. */
    private int sweptAt;
    private final boolean[] gone;
    /** For how many looks of the {@link Janitor}, whose this is, nothing has changed. */
    private int idle;
    private long lastSeen;

    private Slab(ByteBuffer root, BlockReference reference, SlabCounts counts) {
        this.root = root;
        this.reference = reference;
        this.counts = counts;
        capacity = root.capacity() / UNIT;
        dead = new boolean[capacity];
        gone = new boolean[root.capacity() / PAGE];
        sweptAt = capacity;
    }

    /** Takes a slab of a number of bytes, zeroed. */
    static Slab make(int bytes) {
        SlabCounts counts = new SlabCounts();
        Memory.Lease lease = Memory.allocate(bytes, true, counts);
        return new Slab(lease.root, lease.reference, counts);
    }

    int bytes() {
        return capacity * UNIT;
    }

    BlockReference reference() {
        return reference;
    }

    /** Units for a number of bytes; a tensor of none has one, so that there are never more tensors than units. */
    static int units(long bytes) {
        return (int) Math.max((bytes + UNIT - 1) / UNIT, 1);
    }

    /** The first unit of a new tensor, or -1 if it does not fit. */
    int take(int units) {
        return counts.take(units, capacity);
    }

    /** The buffer over all of it; not null as long as a tensor is live. */
    ByteBuffer root() {
        return root;
    }

    /** Whether no tensor is live. */
    boolean isEmpty() {
        return SlabCounts.tensors(counts.get()) == 0;
    }

    /** Looks once more; gives at how many looks in a row nothing was taken or given. */
    int idleLooks() {
        long now = counts.get();
        idle = now == lastSeen ? idle + 1 : 0;
        lastSeen = now;
        return idle;
    }

    /** Hands out no more. */
    void retire() {
        long before = counts.retire();
        if (!SlabCounts.isRetired(before)) {
            afterChange(before);
        }
    }

    /** A tensor has closed. */
    void give(int unit, int units) {
        for (int n = unit; n < unit + units; n++) {
            dead[n] = true;
        }
        long now = counts.give(units);
        if (SlabCounts.isRetired(now)) {
            afterChange(now);
        }
    }

    /** Gives back what a retired slab need not keep. */
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
        for (int page = 0; page <= gone.length; page++) {
            // What has gone already is part of the run: real pages may be larger, and go only as a whole.
            boolean empty = page < gone.length && (gone[page] || isDead(page * perPage, (page + 1) * perPage, used));
            if (empty) {
                from = from < 0 ? page : from;
                more |= !gone[page];
            } else {
                if (more) {
                    NativeMemory.discard(root, from * PAGE, page * PAGE);
                    Arrays.fill(gone, from, page, true);
                }
                from = -1;
                more = false;
            }
        }
        int swept = 0;
        for (int page = 0; page * perPage < used; page++) {
            swept += gone[page] ? Math.min(perPage, used - page * perPage) : 0;
        }
        reference.swept = swept * UNIT;
    }

    /** Whether no unit of a run is a live tensor's; those after {@code used} were never handed out, and never will. */
    private boolean isDead(int from, int to, int used) {
        for (int unit = from; unit < Math.min(to, used); unit++) {
            if (!dead[unit]) {
                return false;
            }
        }
        return true;
    }
}
