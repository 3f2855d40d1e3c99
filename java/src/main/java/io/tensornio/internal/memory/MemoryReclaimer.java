package io.tensornio.internal.memory;

/**
 * What to do when a block does not fit the budget: release what is unreachable, ask the collector to find more, and wait for it. One thread
 * at a time, since one collection serves all.
 */
public final class MemoryReclaimer {
    /** Waits between two looks, in milliseconds: they double from the first, and start again with each collection. */
    private static final int FIRST_WAIT = 1;
    private static final int LAST_WAIT = 128;
    /** Collections to ask for before giving up. */
    private static final int ROUNDS = 4;
    /** Short-lived garbage of this many heaps makes the collector run where it may not be asked. */
    private static final int HEAPS_OF_GARBAGE = 2;
    private static final int GARBAGE = 64 << 10;
    private static final boolean DISABLED = Settings.isExplicitGcDisabled();

    /** Keeps the compiler from leaving the garbage out. */
    private static volatile Object sink;
    /** How many threads have begun to collect so far; written under the lock. */
    private static volatile long begun;
    /** The latest of them that found too little memory. Guarded by the lock. */
    private static long failed;

    private MemoryReclaimer() {
    }

    /**
     * Takes a block that did not fit.
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
     * Collects until that much of the budget is free, or all of it. Another thread may take it first.
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

    /** Takes a block once it fits; 0 if it does not after all collections, or never can. */
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
        return NativeMemory.allocate(bytes, zeroed);          // which says so where it is the system that has nothing
    }

    /** Lets the log go on; a failure of that gives back what was taken, which nobody would know of. */
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

    /** As {@link #collect}; {@code before} is how many threads had begun when this one came. */
    private static synchronized long inRounds(long bytes, boolean zeroed, long before) {
        if (failed > before) {
            // All its collections came after what this thread has dropped. Else each of many threads would wait as long again, one after the other.
            Slabs.retireEmpty();        // what other threads have closed since
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
                    // Whether or not there was something to drain: other threads drain, and close.
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

    /** Waits; returns whether the thread was interrupted, a state that is restored in the end. */
    private static boolean pause(int millis) {
        try {
            Thread.sleep(millis);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /**
     * Has all garbage collected where {@code System.gc()} is disabled: new garbage makes some collectors collect the young generation alone, in which
     * long-lived tensors are not. A pause is better than no memory.
     *
     * @return false if this Java cannot do it
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

    /** Makes the collector run by giving it something to do, until a block is released. */
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
     * What can be done about an {@link OutOfMemoryError}.
     *
     * @return the end of a message, from its semicolon on
     */
    public static String advice() {
        return "; close tensors, or raise the budget with -D" + Settings.MAX_MEMORY + "=<bytes, or with k, m, g>"
            + (DISABLED ? " (-XX:+DisableExplicitGC kept the library from asking for a collection)" : "");
    }
}
