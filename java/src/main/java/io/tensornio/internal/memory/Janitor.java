package io.tensornio.internal.memory;

import java.lang.ref.Reference;

/**
 * The background thread that maintains memory: it releases unreachable blocks, trims idle pooled memory, reports leaks, and requests the collections
 * that {@link Memory} wants. It runs only while there is memory to maintain, so that it does not keep a class loader alive.
 */
final class Janitor implements Runnable {
    /** How long pooled memory may be idle, and the interval between two runs; milliseconds. */
    private static final long IDLE = 1000;
    private static final long TICK = 250;
    /** After this many consecutive failures the thread ends; the next allocation starts another. */
    private static final int MOST_FAILURES = 20;
    /** The minimum time between two requested collections, in nanoseconds; doubled each time that the last one did not help for long. */
    private static final long BETWEEN_COLLECTIONS = 1_000_000_000L;
    private static final long LONGEST_BETWEEN = 64 * BETWEEN_COLLECTIONS;

    /** The running thread, or null; guarded by the class. */
    private static Thread thread;
    /** Whether there is a running thread: read without the lock at each allocation. */
    private static volatile boolean running;
    /** Whether it was logged that no thread can be started; guarded by the class. */
    private static boolean complained;
    private static volatile boolean collectionWanted;
    /** Whether the native library was told the level of the application's logger; written by the thread. */
    static volatile boolean knowsLogLevel;

    /** That of the thread whose allocation started this one, by which some loggers are chosen; null once the logger is found. */
    private ClassLoader application;

    static {
        // An application may close its class loader while the thread runs: the classes that it needs must be loaded before.
        for (Class<?> needed : new Class<?>[] {Slabs.class, LeakDetector.class, MemoryBeanRegistration.class}) {
            try {
                Class.forName(needed.getName(), true, needed.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new NoClassDefFoundError(e.getMessage());
            }
        }
        Log.sinks();
    }

    private Janitor() {
        application = knowsLogLevel ? null : Thread.currentThread().getContextClassLoader();
    }

    private void tellLogLevel() {
        if (!knowsLogLevel) {
            Thread.currentThread().setContextClassLoader(application);
            NativeMemory.setLogLevel(Log.level());
            Thread.currentThread().setContextClassLoader(null);
            knowsLogLevel = true;
        }
        application = null;
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
                Log.log(Log.WARNING, "cannot start the thread that maintains memory; unreachable blocks are released only at allocations", e);
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
            Log.deliverPostponed();
            // Both here, since they take 0.03 and 0.1 s, for which no caller should wait.
            tellLogLevel();
            try {
                MemoryBeanRegistration.register();
            } catch (RuntimeException | Error e) {
                Log.log(Log.WARNING, "cannot register the bean of memory statistics", e);
            }
            lookAfterMemory();
        } finally {
            synchronized (Janitor.class) {
                if (thread == Thread.currentThread()) {
                    // Not even a failure could be logged: the next allocation starts another thread.
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
                    Memory.collected(reference);
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
                Log.log(Log.DEBUG, "the thread that maintains memory was interrupted and ends; the next block starts another", null);
                end();
                return;
            } catch (RuntimeException | Error e) {
                failures++;
                Log.log(Log.ERROR, "a step of the thread that maintains memory failed", e);
            }
        }
    }

    /** Ends the thread if there is no memory to maintain; the next allocation starts another. */
    private static boolean ended() {
        synchronized (Janitor.class) {
            if (!Memory.isIdle() || LeakDetector.isWatching()) {
                return false;
            }
            running = false;
            thread = null;
        }
        unregister();
        // A block allocated between the check and the change of the flag found the thread running.
        if (!Memory.isIdle() || LeakDetector.isWatching()) {
            start();
        }
        return true;
    }

    /** Ends the thread, as its owner wants it: whoever interrupts all threads of an application, and waits for their end. */
    private static void end() {
        synchronized (Janitor.class) {
            running = false;
            thread = null;
        }
        unregister();
    }

    private static void unregister() {
        // Without a lock: listeners to beans belong to the application, and may wait for a thread that allocates.
        boolean started;
        do {            // A thread started meanwhile may have found the bean still registered, and may have ended, too.
            started = running;
            if (started) {
                MemoryBeanRegistration.register();
            } else {
                MemoryBeanRegistration.unregister();
            }
        } while (started != running);
    }
}
