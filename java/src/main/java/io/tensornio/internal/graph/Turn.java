package io.tensornio.internal.graph;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A reentrant lock with deadlock detection, since it is held while user code runs: binders, which may call anything. A
 * thread whose wait would complete a cycle of waiting threads gets an exception instead.
 *
 * <p>A cycle is completed by the last of its threads that waits, when all others are registered as waiting, and keep
 * what they hold. So it suffices that each checks before it waits, and there are no false positives.
 */
final class Turn {
    /** Guards the waiting threads; no thread waits while it is held. */
    private static final Object GUARD = new Object();
    /** The waiting threads, and what each waits for; arrays, so that waiting allocates no object. */
    private static Thread[] waiting = new Thread[4];
    private static Held[] wanted = new Held[4];
    private static int count;

    private final Lock lock = new Lock();

    /** Something that a thread can wait for. */
    interface Held {
        /** The thread that holds it, or null. */
        Thread holder();

        /** Waits until it is free. */
        void await();
    }

    private static final class Lock extends ReentrantLock implements Held {
        private static final long serialVersionUID = 1;

        @Override
        public Thread holder() {
            return getOwner();
        }

        @Override
        public void await() {
            lock();
        }
    }

    /**
     * Acquires the lock.
     *
     * @throws IllegalStateException if its holder waits for this thread
     */
    void enter() {
        if (!lock.tryLock()) {
            await(lock);
        }
    }

    /** Releases the lock, to be called once for each {@link #enter}. */
    void leave() {
        lock.unlock();
    }

    /** Whether this thread holds it. */
    boolean isMine() {
        return lock.isHeldByCurrentThread();
    }

    /**
     * Waits for something that another thread holds.
     *
     * @param held what to wait for
     * @throws IllegalStateException if its holder waits for this thread
     */
    static void await(Held held) {
        Thread self = Thread.currentThread();
        synchronized (GUARD) {
            check(held, self);
            if (count == waiting.length) {
                waiting = Arrays.copyOf(waiting, 2 * count);
                wanted = Arrays.copyOf(wanted, 2 * count);
            }
            waiting[count] = self;
            wanted[count++] = held;
        }
        try {
            held.await();
        } finally {
            synchronized (GUARD) {
                int at = indexOf(self);
                count--;
                waiting[at] = waiting[count];
                wanted[at] = wanted[count];
                waiting[count] = null;
                wanted[count] = null;
            }
        }
    }

    /** The index of a thread among those that wait; -1 if it does not. */
    private static int indexOf(Thread thread) {
        int at = count - 1;
        while (at >= 0 && waiting[at] != thread) {
            at--;
        }
        return at;
    }

    private static void check(Held held, Thread self) {
        Held next = held;
        for (int n = 0; next != null && n <= count; n++) {
            Thread holder = next.holder();
            if (holder == self) {
                throw new IllegalStateException("this would wait for ever: a binder uses a graph or a training that another thread is using,"
                    + " which waits for the graph or training that the binder is called for");
            }
            int at = indexOf(holder);
            Held its = at < 0 ? null : wanted[at];
            next = its == null || its.holder() == holder ? null : its;      // the holder of what it waits for has changed: it is about to continue
        }
    }
}
