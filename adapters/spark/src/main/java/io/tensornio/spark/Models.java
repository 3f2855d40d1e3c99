package io.tensornio.spark;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * The models of this JVM, by transform: copies that run, which tasks borrow, and which are closed some time after the last. What is here keeps a
 * class loader alive only until then: the thread that closes ends when nothing is left.
 */
final class Models {
    /** How long copies are kept that nobody uses, in milliseconds; the tests have less patience. */
    private static final long KEPT = Long.getLong("tensornio.spark.keepMillis", 60_000);
    /** Guarded by itself, as all that is in it. */
    private static final Map<String, Models> ALL = new HashMap<>();
    private static boolean isClosing;

    private final Deque<Model.Copy> idle = new ArrayDeque<>();
    private final boolean isShared;
    private int users;
    /** Since when there are no users, by {@link System#nanoTime}. */
    private long since;

    private Models(boolean isShared) {
        this.isShared = isShared;
    }

    /**
     * A copy for one task, until it gives it back. Several tasks that come at the same time wait for the one that makes a shared copy; copies that
     * are not shared are made at the same time.
     */
    static Borrowed borrow(String transform, Model model, String... outputs) throws Exception {
        Models own;
        synchronized (ALL) {
            own = ALL.computeIfAbsent(transform, key -> new Models(model.isShared()));
            own.users++;
        }
        try {
            return new Borrowed(own, own.copy(model, outputs));
        } catch (Throwable e) {
            own.end();
            throw e;
        }
    }

    private Model.Copy copy(Model model, String... outputs) throws Exception {
        if (!isShared) {
            synchronized (ALL) {
                if (!idle.isEmpty()) {
                    return idle.pop();
                }
            }
            return model.copy(outputs);
        }
        synchronized (this) {               // not ALL: loading a model takes its time
            if (idle.isEmpty()) {
                idle.push(model.copy(outputs));
            }
            return idle.peek();
        }
    }

    private void end() {
        synchronized (ALL) {
            users--;
            since = System.nanoTime();
            if (users == 0 && !isClosing) {
                Thread closing = new Thread(null, Models::closing, "tensornio-spark", 0);
                closing.setDaemon(true);
                closing.setContextClassLoader(null);
                closing.start();            // which may fail; it waits for ALL, so it does not see that there is none yet
                isClosing = true;
            }
        }
    }

    /** What the thread does: one that dies of an error leaves its place to that which the next end of a task starts. */
    private static void closing() {
        try {
            closeUnused();
        } catch (Throwable e) {
            synchronized (ALL) {
                isClosing = false;
            }
            throw e;
        }
    }

    /** Closes what nobody has used for a while, until nothing is left. */
    private static void closeUnused() {
        while (true) {
            Deque<Model.Copy> old = new ArrayDeque<>();
            synchronized (ALL) {
                if (ALL.isEmpty()) {
                    isClosing = false;
                    return;
                }
                for (Iterator<Models> all = ALL.values().iterator(); all.hasNext();) {
                    Models own = all.next();
                    if (own.users == 0 && System.nanoTime() - own.since >= KEPT * 1_000_000) {
                        old.addAll(own.idle);
                        all.remove();
                    }
                }
            }
            old.forEach(Models::close);
            try {
                Thread.sleep(Math.max(1, Math.min(1000, KEPT / 4)));
            } catch (InterruptedException e) {
                continue;                   // nobody has a reason to; there is more to close
            }
        }
    }

    private static void close(Model.Copy copy) {
        try {
            copy.close();
        } catch (Throwable e) {
            // What is not caught would end the executor: Spark's handler of that does so.
            LoggerFactory.getLogger(Models.class).warn("a model could not be closed", e);
        }
    }

    /** How many copies there are that no task has. */
    static int unused() {
        synchronized (ALL) {
            return ALL.values().stream().mapToInt(own -> own.idle.size()).sum();
        }
    }

    /** A copy that one task has. */
    static final class Borrowed implements AutoCloseable {
        final Model.Copy copy;
        private final Models from;
        private boolean isClosed;

        private Borrowed(Models from, Model.Copy copy) {
            this.from = from;
            this.copy = copy;
        }

        /** Gives it back. Closing again does nothing. */
        @Override
        public void close() {
            synchronized (ALL) {
                if (isClosed) {
                    return;
                }
                isClosed = true;
                if (!from.isShared) {
                    from.idle.push(copy);
                }
            }
            from.end();
        }
    }
}
