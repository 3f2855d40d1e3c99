package io.tensornio.internal.memory;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The current slabs: a few stripes, chosen by thread to reduce contention.
 *
 * <p>A slab that has been idle is kept by its tensors alone: when they were all dropped, the collector finds it, and they are counted no more.
 */
final class Slabs {
    private static final int STRIPES = Math.min(8, Integer.highestOneBit(Math.max(1, Runtime.getRuntime().availableProcessors() * 2 - 1)));
    private static final AtomicReferenceArray<Slab> CURRENT = new AtomicReferenceArray<>(STRIPES);
    /** The maximum size of a slab: all stripes together are a small part of the budget. */
    private static final int LARGEST = (int) Math.max(Slab.SMALLEST, Math.min(Slab.LARGEST, Long.highestOneBit(Memory.max() / 256)));
    /** The number of idle ticks after which a slab with live tensors is retired, and its other pages go. */
    private static final int IDLE_TICKS = 60;
    /** Slabs that were idle for a tick, of the same stripes: they become current again when a tensor is made. */
    private static final AtomicReferenceArray<WeakReference<Slab>> IDLE = new AtomicReferenceArray<>(STRIPES);

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

    /** Lets idle slabs go, about once a second. Otherwise they would hold memory, and the class loader, forever. */
    static void retireIdle() {
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            Slab waiting = idle(stripe);
            if (waiting != null && (waiting.isEmpty() || waiting.idleTicks() >= IDLE_TICKS)) {
                waiting.retire();
            }
            Slab slab = CURRENT.get(stripe);
            if (slab == null || slab.idleTicks() == 0) {
                continue;
            }
            if (slab.isEmpty()) {
                retire(stripe, slab);
            } else if (CURRENT.compareAndSet(stripe, slab, null)) {
                WeakReference<Slab> before = IDLE.getAndSet(stripe, new WeakReference<>(slab));
                Slab other = before == null ? null : before.get();
                if (other != null) {
                    other.retire();
                }
            }
        }
    }

    /** The idle slab of a stripe, if there is one. */
    private static Slab idle(int stripe) {
        WeakReference<Slab> reference = IDLE.get(stripe);
        return reference == null ? null : reference.get();
    }

    /** Retires all slabs without live tensors, idle or not, because memory is short. */
    static void retireEmpty() {
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            Slab slab = CURRENT.get(stripe);
            if (slab != null && slab.isEmpty()) {
                retire(stripe, slab);
            }
            Slab waiting = idle(stripe);
            if (waiting != null && waiting.isEmpty()) {
                waiting.retire();
            }
        }
    }

    private static void retire(int stripe, Slab slab) {
        slab.retire();
        CURRENT.compareAndSet(stripe, slab, null);
    }

    /** Replaces a full slab by a new one, twice as large up to a limit. */
    private static void replace(int stripe, Slab old, int units) {
        Slab waiting = old == null ? idle(stripe) : null;
        if (waiting != null && waiting.canTake(units)) {
            // If another thread was faster, it is found again or given up at the next tick.
            CURRENT.compareAndSet(stripe, null, waiting);
            return;
        }
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
