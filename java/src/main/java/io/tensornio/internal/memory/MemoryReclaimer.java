package io.tensornio.internal.memory;

/**
 * Reclaims memory when a block does not fit the budget: releases unreachable blocks, requests collections to find more,
 * and waits. One thread at a time, since one collection serves all.
 */
public final class MemoryReclaimer {
    /** The waits between two attempts, in milliseconds: they double from the first, and restart with each collection. */
    private static final int FIRST_WAIT = 1;
    private static final int LAST_WAIT = 128;
    /** The number of collections to request before giving up. */
    private static final int ROUNDS = 4;
    /** Where explicit collections are disabled, garbage of this many times the heap is allocated to force one. */
    private static final int HEAPS_OF_GARBAGE = 2;
    private static final int GARBAGE = 64 << 10;
    static final boolean DISABLED;

    /** Prevents the compiler from eliminating the garbage. */
    private static volatile Object sink;
    /** The number of threads that have begun to collect so far; written under the lock. */
    private static volatile long begun;
    /** The number of the latest thread that found too little memory. Guarded by the lock. */
    private static long failed;

    static {
        Log.hold();
        try {
            DISABLED = Settings.isExplicitGcDisabled();
        } finally {
            Log.postpone();
        }
    }

    private MemoryReclaimer() {
    }

    /**
     * Allocates a block that did not fit the budget.
     *
     * @throws OutOfMemoryError if there is still none
     */
    static long allocate(long bytes, boolean zeroed) {
        long address = collect(bytes, zeroed);
        if (address == 0) {
            throw exhausted(bytes);
        }
        return address;
    }

    /**
     * Collects until so many bytes of the budget, or all of it, are free. Another thread may allocate them first.
     *
     * @param bytes how much
     * @return whether it was free
     */
    public static boolean free(long bytes) {
        long address = collect(Math.min(bytes, Memory.max()), false);
        if (address != 0) {
            NativeMemory.release(address);
        }
        return address != 0;
    }

    /** Allocates a block once it fits; 0 if it does not fit after all collections, or never can. */
    private static long collect(long bytes, boolean zeroed) {
        if (bytes > Memory.max()) {
            return 0;
        }
        long address = 0;
        Log.hold();
        try {
            address = inRounds(bytes, zeroed, begun);
        } finally {
            deliver(address);
        }
        if (address != 0) {
            return address;
        }
        Memory.drain();
        return NativeMemory.allocate(bytes, zeroed);          // throws if it is the system that refuses
    }

    /** Delivers deferred log records; if that fails, releases the block, which would be lost. */
    private static void deliver(long address) {
        try {
            Log.deliver();
        } catch (Throwable e) {
            if (address != 0) {
                NativeMemory.release(address);
            }
            throw e;
        }
    }

    /** Like {@link #collect}; {@code before} is the number of threads that had begun when this one arrived. */
    private static synchronized long inRounds(long bytes, boolean zeroed, long before) {
        if (failed > before) {
            // Another thread failed after this one arrived: its collections would have found this thread's garbage.
            // Else many threads would wait in turn.
            Slabs.retireEmpty();        // slabs that other threads have emptied since
            return attempt(bytes, zeroed);
        }
        long own = ++begun;
        boolean interrupted = false;
        try {
            for (int round = 0; round < ROUNDS; round++) {
                // Before the first collection, too: another thread may have released memory meanwhile.
                Slabs.retireEmpty();
                long address = attempt(bytes, zeroed);
                if (address != 0) {
                    return address;
                }
                if (!DISABLED) {
                    System.gc();
                } else if (round == 0 || !inspectHeap()) {
                    makeGarbage();
                }
                for (int wait = FIRST_WAIT; wait <= LAST_WAIT; wait *= 2) {
                    // Even if nothing was drained: other threads drain and close, too.
                    address = attempt(bytes, zeroed);
                    if (address != 0) {
                        return address;
                    }
                    interrupted |= pause(wait);
                }
            }
            failed = own;
            return 0;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static long attempt(long bytes, boolean zeroed) {
        Memory.drain();
        return Memory.tryAllocate(bytes, zeroed);
    }

    /** Waits; returns whether the thread was interrupted. The caller restores that state in the end. */
    static boolean pause(int millis) {
        try {
            Thread.sleep(millis);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /**
     * Forces a full collection where {@code System.gc()} is disabled: new garbage makes some collectors collect only
     * the young generation, which does not contain long-lived tensors.
     *
     * @return false if this Java does not support it
     */
    private static boolean inspectHeap() {
        try {
            Class.forName("io.tensornio.internal.memory.HeapInspection").getDeclaredMethod("collect").invoke(null);
            return true;
        } catch (ReflectiveOperationException | LinkageError e) {
            Log.log(Log.DEBUG, "this Java cannot inspect its heap", e);
            return false;
        }
    }

    /** Triggers collections by allocating garbage, until a block is released. */
    private static void makeGarbage() {
        long before = Memory.released();
        long enough = HEAPS_OF_GARBAGE * Runtime.getRuntime().maxMemory();
        for (long made = 0; made < enough && Memory.released() == before; made += GARBAGE) {
            sink = new byte[GARBAGE];
            if (made % (GARBAGE << 4) == 0) {
                Memory.drain();
            }
        }
        sink = null;
    }

    private static OutOfMemoryError exhausted(long bytes) {
        TensorTally tally = Memory.tally();
        return new OutOfMemoryError(bytes + " bytes do not fit the memory budget of " + Memory.max() + ": " + tally.bytes + " are in use by tensors, "
            + tally.dead + " by closed ones beside them, " + tally.pooled + " are pooled" + advice());
    }

    /**
     * Advice for the message of an {@link OutOfMemoryError}.
     *
     * @return the end of the message, beginning with a semicolon
     */
    public static String advice() {
        return "; close tensors, or raise the budget with -D" + Settings.MAX_MEMORY + "=<bytes, or with k, m, g>"
            + (DISABLED ? " (-XX:+DisableExplicitGC kept the library from asking for a collection)" : "");
    }
}
