package io.tensornio.internal.memory;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/**
 * A phantom reference to something lent: a pin or a buffer of one, by which others use the library's memory, or the root buffer over memory that
 * others lend the library. What has to happen once it is unreachable may be the application's code, which can take any time and any lock. So a thread
 * of its own does it, and neither an allocation nor the {@link Janitor} waits for it. The thread runs only while something is lent.
 */
abstract class Lent extends PhantomReference<Object> {
    private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    /** The list of all that is lent, which keeps the references reachable, and its lock. */
    private static final Lent ALL = new Head();
    /** How long the thread waits for more, in milliseconds, before it looks whether it is needed. */
    private static final long TICK = 1000;
    /** Whether the thread runs; guarded by the list. */
    private static boolean running;

    /** Neighbours in the list, which guards them; null once this is unlinked. */
    private Lent previous;
    private Lent next;

    Lent(Object referent) {
        super(referent, QUEUE);
    }

    /** The head of the list. */
    private Lent() {
        super(null, null);
        previous = this;
        next = this;
    }

    private static final class Head extends Lent {
        @Override
        void collected() {
            throw new AssertionError("the head of the list has no referent");
        }
    }

    /** Called by the thread once, when the referent has become unreachable while this was watched. */
    abstract void collected();

    /** Begins to watch; to be called once. */
    final void watch() {
        boolean start;
        synchronized (ALL) {
            next = ALL.next;
            previous = ALL;
            next.previous = this;
            ALL.next = this;
            start = !running;
            running = true;
        }
        if (start) {
            start();
        }
    }

    /** Ends watching. Doing it again does nothing. */
    final void forget() {
        clear();
        synchronized (ALL) {
            if (next != null) {
                previous.next = next;
                next.previous = previous;
                previous = null;
                next = null;
            }
        }
    }

    private static void start() {
        try {
            DaemonThreads.make(Lent::run, "tensornio-release").start();
        } catch (RuntimeException | Error e) {
            synchronized (ALL) {
                running = false;            // whoever lends next tries again
            }
            Log.log(Log.WARNING, "cannot start the thread that releases what was lent and forgotten", e);
        }
    }

    private static void run() {
        boolean needed = true;
        while (needed) {
            try {
                Reference<?> reference = QUEUE.remove(TICK);
                if (reference != null) {
                    ((Lent) reference).forget();
                    ((Lent) reference).collected();
                } else {
                    synchronized (ALL) {
                        needed = ALL.next != ALL;
                        running = needed;
                    }
                }
            } catch (InterruptedException e) {
                Log.log(Log.DEBUG, "the thread that releases what was lent was interrupted; it continues", e);
            } catch (RuntimeException | Error e) {
                Log.log(Log.ERROR, "something that was lent and forgotten cannot be released", e);
            }
        }
    }
}
