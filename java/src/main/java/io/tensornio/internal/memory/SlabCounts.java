package io.tensornio.internal.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The counters of a slab, packed into one long so that one compare-and-set changes all of them: live tensors, live units, units handed out, and
 * whether the slab is retired, which ends allocation. It has no reference to the slab's memory, so that it can outlive it.
 */
final class SlabCounts extends AtomicLong {
    private static final long serialVersionUID = 1L;

    private static final int FIELD = 16;
    private static final long MASK = (1L << FIELD) - 1;
    private static final long ONE_TENSOR = 1;
    private static final long ONE_LIVE_UNIT = 1L << FIELD;
    private static final long ONE_USED_UNIT = 1L << 2 * FIELD;
    private static final long RETIRED = 1L << 3 * FIELD;

    static int tensors(long counts) {
        return (int) (counts & MASK);
    }

    static int liveUnits(long counts) {
        return (int) (counts >>> FIELD & MASK);
    }

    static int usedUnits(long counts) {
        return (int) (counts >>> 2 * FIELD & MASK);
    }

    static boolean isRetired(long counts) {
        return (counts & RETIRED) != 0;
    }

    /** Hands out units; returns the first one, or -1 if too few are left or the slab is retired. */
    int take(int units, int capacity) {
        while (true) {
            long old = get();
            int at = usedUnits(old);
            if (isRetired(old) || at + units > capacity) {
                return -1;
            }
            if (compareAndSet(old, old + ONE_TENSOR + units * (ONE_LIVE_UNIT + ONE_USED_UNIT))) {
                return at;
            }
        }
    }

    /** Takes back the units of a tensor; returns the new counts. */
    long release(int units) {
        return addAndGet(-ONE_TENSOR - units * ONE_LIVE_UNIT);
    }

    /** Retires the slab; returns the previous counts. */
    long retire() {
        while (true) {
            long old = get();
            if (isRetired(old) || compareAndSet(old, old | RETIRED)) {
                return old;
            }
        }
    }
}
