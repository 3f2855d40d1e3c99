package io.tensornio.internal.memory;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** The current slabs: a few stripes, chosen by thread to reduce contention. */
final class Slabs {
    private static final int STRIPES = Math.min(8, Integer.highestOneBit(Math.max(1, Runtime.getRuntime().availableProcessors() * 2 - 1)));
    private static final AtomicReferenceArray<Slab> CURRENT = new AtomicReferenceArray<>(STRIPES);
    /** The maximum size of a slab: all stripes together are a small part of the budget. */
    private static final int LARGEST = (int) Math.max(Slab.SMALLEST, Math.min(Slab.LARGEST, Long.highestOneBit(Memory.max() / 256)));
    /** The number of idle ticks after which a slab with live tensors is retired; one without is at the first. */
    private static final int IDLE_TICKS = 60;

    private Slabs() {
    }

    private static int stripe() {
        return (int) Thread.currentThread().getId() & STRIPES - 1;
    }

    /** Allocates memory for a small tensor. */
    static Storage allocate(int bytes) {
        int units = Slab.units(bytes);
        int stripe = stripe();
        while (true) {
            Slab slab = CURRENT.get(stripe);
            int unit = slab == null ? -1 : slab.take(units);
            if (unit >= 0) {
                try {
                    return new Storage(slab, unit, bytes);
                } catch (Throwable e) {
                    slab.release(unit, units);
                    throw e;
                }
            }
            replace(stripe, slab, units);
        }
    }

    /** Retires idle slabs, about once a second. Otherwise they would hold memory, and the class loader, forever. */
    static void retireIdle() {
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            Slab slab = CURRENT.get(stripe);
            int ticks = slab == null ? 0 : slab.idleTicks();
            if (ticks >= IDLE_TICKS || ticks > 0 && slab.isEmpty()) {
                retire(stripe, slab);
            }
        }
    }

    /** Retires all slabs without live tensors, idle or not, because memory is short. */
    static void retireEmpty() {
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            Slab slab = CURRENT.get(stripe);
            if (slab != null && slab.isEmpty()) {
                retire(stripe, slab);
            }
        }
    }

    private static void retire(int stripe, Slab slab) {
        slab.retire();
        CURRENT.compareAndSet(stripe, slab, null);
    }

    /** Replaces a full slab by a new one, twice as large up to a limit. */
    private static void replace(int stripe, Slab old, int units) {
        int size = old == null ? Slab.SMALLEST : Math.min(old.bytes() * 2, LARGEST);
        while (size < 4 * units * Slab.UNIT && size < LARGEST) {
            size *= 2;
        }
        if (old != null && old.isEmpty()) {
            // First, so that the new slab can reuse its pages.
            old.retire();
        }
        Slab made = Slab.make(size);
        if (CURRENT.compareAndSet(stripe, old, made)) {
            if (old != null) {
                old.retire();
            }
        } else {
            made.retire();      // another thread was faster; this one is unused
        }
    }
}
