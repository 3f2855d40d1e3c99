package io.tensornio.internal;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** The slabs that hand out at the moment: a few, picked by thread, so that threads seldom get in each other's way. */
final class Slabs {
    private static final int STRIPES = Math.min(8, Integer.highestOneBit(Math.max(1, Runtime.getRuntime().availableProcessors() * 2 - 1)));
    private static final AtomicReferenceArray<Slab> CURRENT = new AtomicReferenceArray<>(STRIPES);

    private Slabs() {
    }

    private static int stripe() {
        return (int) Thread.currentThread().getId() & STRIPES - 1;
    }

    /** Memory for a small tensor. */
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
                    slab.give(unit, units);
                    throw e;
                }
            }
            replace(stripe, slab, units);
        }
    }

    /** Puts a new slab in place of a full one, twice as large up to a limit. */
    private static void replace(int stripe, Slab old, int units) {
        int size = old == null ? Slab.SMALLEST : Math.min(old.bytes() * 2, Slab.LARGEST);
        while (size < 4 * units * Slab.UNIT && size < Slab.LARGEST) {
            size *= 2;
        }
        Slab made = Slab.make(size);
        if (CURRENT.compareAndSet(stripe, old, made)) {
            if (old != null) {
                old.retire();
            }
        } else {
            made.retire();      // another thread was faster; nobody knows this one
        }
    }
}
