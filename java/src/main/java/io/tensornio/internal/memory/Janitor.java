package io.tensornio.internal.memory;

import java.lang.ref.Reference;

/**
 * The thread that looks after memory when nobody allocates: it releases blocks that have become unreachable, gives back what is pooled and
 * idle, reports leaks, and asks for the collections that {@link Memory} wants. It runs only while there is something to look after, so that it keeps
 * no class loader alive.
 */
final class Janitor implements Runnable {
    /** How long pooled memory may be idle, and how long to wait for something to do; milliseconds. */
    private static final long IDLE = 1000;
    private static final long TICK = 250;
    /** After this many failures in a row the thread ends; the next block starts another. */
    private static final int MOST_FAILURES = 20;
    /** Between two collections that are asked for, in nanoseconds; twice as long each time that the last one did not help for long. */
    private static final long BETWEEN_COLLECTIONS = 1_000_000_000L;
    private static final long LONGEST_BETWEEN = 64 * BETWEEN_COLLECTIONS;

    /** The thread that runs, or null; guarded by the class. */
    private static Thread thread;
    /** Whether there is one: read without the lock at each block. */
    private static volatile boolean running;
    /** Whether it was said that no thread can be had; guarded by the class. */
    private static boolean complained;
    private static volatile boolean collectionWanted;

    static {
        // An application may close its class loader while the thread runs: by then it must have all that it needs.
        for (Class<?> needed : new Class<?>[] {Slabs.class, LeakDetector.class, MemoryBeanRegistration.class}) {
            try {
                Class.forName(needed.getName(), true, needed.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new NoClassDefFoundError(e.getMessage());
            }
        }
    }

    private Janitor() {
    }

    /** Starts the thread if it does not run. */
    static void start() {
        if (running) {
            return;
        }
        Log.hold();
        try {
            synchronized (Janitor.class) {
                if (thread == null) {
                    make();
                }
            }
        } finally {
            Log.deliver();
        }
    }

    private static void make() {
        Thread made;
        try {
            made = DaemonThreads.make(new Janitor(), "tensornio-memory");
            made.start();
        } catch (RuntimeException | Error e) {
            if (!complained) {
                complained = true;
                Log.log(Log.WARNING, "no thread to look after memory; blocks are released when others are taken", e);
            }
            return;
        }
        thread = made;
        running = true;
    }

    static void askForCollection() {
        collectionWanted = true;
    }

    @Override
    public void run() {
        try {
            try {
                MemoryBeanRegistration.register();       // here, since it takes a tenth of a second that nobody should wait for
            } catch (RuntimeException | Error e) {
                Log.log(Log.WARNING, "the thread that looks after memory cannot show its statistics", e);
            }
            lookAfterMemory();
        } finally {
            synchronized (Janitor.class) {
                if (thread == Thread.currentThread()) {
                    // Not even the log line of a failure went through: the next block starts another thread.
                    thread = null;
                    running = false;
                }
            }
        }
    }

    private static void lookAfterMemory() {
        long between = BETWEEN_COLLECTIONS;
        long collected = System.nanoTime() - LONGEST_BETWEEN;
        long trimmed = System.nanoTime();
        int failures = 0;
        while (failures < MOST_FAILURES) {
            try {
                Reference<?> reference = Memory.QUEUE.remove(TICK);
                if (reference != null) {
                    Memory.release((BlockReference) reference);
                    Memory.drain();
                }
                LeakDetector.report();
                long now = System.nanoTime();
                if (collectionWanted && now - collected >= between) {
                    between = now - collected < 2 * between ? Math.min(2 * between, LONGEST_BETWEEN) : BETWEEN_COLLECTIONS;
                    collected = now;
                    System.gc();
                    collectionWanted = false;
                }
                if (now - trimmed >= IDLE * 1_000_000) {
                    trimmed = now;
                    Slabs.retireIdle();
                    Memory.discardLateWrites();
                    NativeMemory.trim(IDLE);
                    if (ended()) {
                        return;
                    }
                    failures = 0;
                }
            } catch (InterruptedException e) {
                Log.log(Log.DEBUG, "somebody interrupted the thread that looks after memory; it goes on", e);
            } catch (RuntimeException | Error e) {
                failures++;
                Log.log(Log.ERROR, "a step of the thread that looks after memory failed", e);
            }
        }
    }

    /** Ends the thread if there is nothing to look after; taking a block after that starts another. */
    private static boolean ended() {
        synchronized (Janitor.class) {
            if (!Memory.isIdle() || LeakDetector.isWatching()) {
                return false;
            }
            running = false;
            thread = null;
        }
        // Without a lock: listeners to beans are the application's, and may wait for a thread that takes a block.
        boolean started;
        do {            // A thread that was started meanwhile may have found the bean still there, and may have ended, too.
            started = running;
            if (started) {
                MemoryBeanRegistration.register();
            } else {
                MemoryBeanRegistration.unregister();
            }
        } while (started != running);
        // A block that was taken between the look and the flag found the thread running.
        if (!Memory.isIdle() || LeakDetector.isWatching()) {
            start();
        }
        return true;
    }
}
