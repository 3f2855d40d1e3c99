package io.tensornio.internal.memory;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks for a collection before the budget is full, when results of operations that were probably dropped hold much memory: to the collector they are
 * small objects, and each further result takes fresh pages from the system, which costs more than to reuse those of the dropped ones.
 *
 * <p>The memory of live blocks must have grown by a threshold: by what costs as much time in fresh pages as the last collection took, at least. So no
 * more than half of the time goes into collections. If one finds less than half of the growth, the results are in use, and the threshold is doubled.
 */
public final class EarlyCollection {
    private static final long LEAST = Math.max(1, Math.min(64L << 20, Memory.max() / 16));
    /** Fresh pages come at some 2 GB a second. */
    private static final long BYTES_PER_NANO = 2;
    /** How long to wait for the collector's thread that reports what it has found; milliseconds. */
    private static final int LONGEST_WAIT = 20;

    /** Bytes of results since the last look. */
    private static final AtomicLong MADE = new AtomicLong();
    private static final AtomicBoolean BUSY = new AtomicBoolean();
    /** Accessed by the thread that is busy. */
    private static long threshold = LEAST;
    private static long lowest = Long.MAX_VALUE;

    private EarlyCollection() {
    }

    /**
     * Notes that a result was made.
     *
     * @param bytes its size
     */
    public static void made(long bytes) {
        if (bytes < Slab.LIMIT || MADE.addAndGet(bytes) < LEAST || !BUSY.compareAndSet(false, true)) {
            return;
        }
        try {
            MADE.set(0);
            look();
        } finally {
            BUSY.set(false);
        }
    }

    private static void look() {
        Memory.drain();
        long alive = Memory.bytesAlive();
        lowest = Math.min(lowest, alive);
        long growth = alive - lowest;
        if (growth < threshold || MemoryReclaimer.DISABLED) {
            return;
        }
        long start = System.nanoTime();
        System.gc();
        long took = System.nanoTime() - start;
        for (int wait = 0; wait < LONGEST_WAIT && alive - Memory.bytesAlive() < growth / 2; wait++) {
            if (Memory.drain() == 0 && MemoryReclaimer.pause(1)) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        lowest = Memory.bytesAlive();
        long least = alive - lowest < growth / 2 ? 2 * threshold : LEAST;
        threshold = Math.max(least, took * BYTES_PER_NANO);
        Log.log(Log.DEBUG,
            "a collection after " + growth + " bytes of results found " + (alive - lowest) + "; the next one after " + threshold, null);
    }
}
