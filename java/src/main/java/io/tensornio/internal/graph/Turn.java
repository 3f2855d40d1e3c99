package io.tensornio.internal.graph;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is held while code of users runs: binders, which may call whatever they like. A thread that would have to wait for one that waits for
 * it, directly or by way of others, is refused instead. Reentrant.
 *
 * <p>A thread can only be the last of a circle that waits if all others of the circle are known to wait, and hold what they hold until then. So it is
 * enough that each looks before it waits, and it finds no circle where there is none.
 */
final class Turn {
    /** Guards the threads that wait; nothing is waited for while it is held. */
    private static final Object GUARD = new Object();
    /** The threads that wait, and what each waits for; arrays, so that waiting makes no object. */
    private static Thread[] waiting = new Thread[4];
    private static Held[] wanted = new Held[4];
    private static int count;

    private final Lock lock = new Lock();

    /** What a thread can wait for. */
    interface Held {
        /** Who has it, or null. */
        Thread holder();

        /** Waits until this thread can go on. */
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
     * Takes it, once no other thread has it.
     *
     * @throws IllegalStateException if the one that has it waits for this thread
     */
    void enter() {
        if (!lock.tryLock()) {
            await(lock);
        }
    }

    /** Gives it back, as often as it was taken. */
    void leave() {
        lock.unlock();
    }

    /** Whether this thread has it. */
    boolean isMine() {
        return lock.isHeldByCurrentThread();
    }

    /**
     * Waits for what a thread has.
     *
     * @param held what is waited for
     * @throws IllegalStateException if the one that has it waits for this thread
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

    /** Where a thread is among those that wait; -1 if it does not. */
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
            next = its == null || its.holder() == holder ? null : its;      // who has what it waited for is about to go on
        }
    }
}
