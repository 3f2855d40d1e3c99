package io.tensornio.internal.memory;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Logger;

/**
 * The application's logger, under the name {@code io.tensornio}: {@code System.Logger} where available (Java 9), else
 * {@code java.util.logging}; where neither works, warnings go to {@code System.err}. Exceptions of a logger are swallowed.
 *
 * <p>The application's logger may wait for another thread, which may wait for this one. So nothing is logged under a lock that all threads take
 * ({@link #hold}), nor in a class initialiser, which is such a lock ({@link #postpone}).
 */
final class Log {
    /** Something failed. */
    static final int ERROR = 1;
    /** Something unexpected that does not make a call fail. */
    static final int WARNING = 2;
    /** Something worth knowing. */
    static final int INFO = 3;
    /** For finding faults. */
    static final int DEBUG = 4;
    /** Every step. */
    static final int TRACE = 5;

    private static final String NAME = "io.tensornio";
    /** Null until the first record. */
    private static volatile Sink sink;
    /** Set while a thread looks up the logger. */
    private static final ThreadLocal<Boolean> FINDING = new ThreadLocal<>();
    /** Records deferred by a thread while it holds a lock. */
    private static final ThreadLocal<Held> HELD = new ThreadLocal<>();
    /** Records of class initialisers, until {@link #deliverPostponed}. */
    private static final Queue<Record> POSTPONED = new ConcurrentLinkedQueue<>();

    private Log() {
    }

    /** Where records go; exceptions come from the application. */
    private interface Sink {
        boolean isLoggable(int level) throws ReflectiveOperationException;

        void log(int level, String message, Throwable thrown) throws ReflectiveOperationException;
    }

    /**
     * Logs a record.
     *
     * @param level how important it is
     * @param message what it says
     * @param thrown what goes with it, or null
     */
    static void log(int level, String message, Throwable thrown) {
        try {
            Held held = HELD.get();
            if (held != null) {
                held.records.add(new Record(level, message, thrown));
                return;
            }
        } catch (RuntimeException | Error e) {
            report(message, e);
            return;
        }
        write(level, message, thrown);
    }

    /**
     * Defers this thread's records until a matching {@link #deliver}, while it holds a lock that all threads take: the application's logger may wait
     * for another thread, and that thread for the lock. If the heap is exhausted, records are logged at once.
     */
    static void hold() {
        try {
            Held held = HELD.get();
            if (held == null) {
                held = new Held();
                HELD.set(held);
            }
            held.depth++;
        } catch (OutOfMemoryError e) {
            return;         // closing a tensor must not fail because of logging
        }
    }

    /** Logs what was deferred, once the last lock is released. */
    static void deliver() {
        for (Record record : released()) {
            write(record.level, record.message, record.thrown);
        }
    }

    /**
     * Ends what {@link #hold} began, in a class initialiser: what was deferred waits for {@link #deliverPostponed}, since other threads wait for the
     * initialiser.
     */
    static void postpone() {
        POSTPONED.addAll(released());
    }

    /** Logs what class initialisers had to say. Called where memory is allocated, and by the thread that maintains it. */
    static void deliverPostponed() {
        for (Record record = POSTPONED.poll(); record != null; record = POSTPONED.poll()) {
            log(record.level, record.message, record.thrown);
        }
    }

    /** The deferred records of this thread, once the last lock is released; else none. */
    private static List<Record> released() {
        Held held = HELD.get();
        if (held == null || --held.depth > 0) {
            return Collections.emptyList();
        }
        HELD.remove();
        return held.records;
    }

    /** Deferred records, and the number of nested locks. */
    private static final class Held {
        private final List<Record> records = new ArrayList<>();
        private int depth;
    }

    private static final class Record {
        private final int level;
        private final String message;
        private final Throwable thrown;

        Record(int level, String message, Throwable thrown) {
            this.level = level;
            this.message = message;
            this.thrown = thrown;
        }
    }

    private static void write(int level, String message, Throwable thrown) {
        try {
            sink().log(level, message, thrown);
        } catch (Exception | Error e) {         // including checked ones: languages other than Java throw them undeclared
            report(message, cause(e));
        }
    }

    /**
     * The current level of the application's logger.
     *
     * @return the least important level, or 0 if it prints nothing
     */
    static int level() {
        try {
            int level = TRACE;
            while (level > 0 && !sink().isLoggable(level)) {
                level--;
            }
            return level;
        } catch (Exception | Error e) {
            report("cannot ask the logger for its level", cause(e));
            return WARNING;
        }
    }

    /** Reports that the logger failed; the caller is not affected. */
    private static void report(String message, Throwable fault) {
        try {
            System.err.println(NAME + ": " + message + " (the logger failed: " + fault + ")");
        } catch (RuntimeException | Error e) {
            // The exception's toString or System.err throws: there is nowhere left to report it.
            return;
        }
    }

    private static Throwable cause(Throwable e) {
        return e instanceof InvocationTargetException && e.getCause() != null ? e.getCause() : e;
    }

    /** The classes of loggers, loaded, but not initialised: a Java may lack what some of them need. */
    static Class<?>[] sinks() {
        return new Class<?>[] {SystemLogger.class, UtilLogging.class, ErrorStream.class};
    }

    /** Whether this thread is looking up the logger, whose finder may use the library. */
    static boolean isFinding() {
        return FINDING.get() != null;
    }

    /** The logger, looked up lazily: in the initialiser of this class all threads would wait for the application's finder. */
    private static Sink sink() {
        Sink known = sink;
        if (known == null && isFinding()) {
            return new ErrorStream();           // the logger finder itself uses the library
        }
        if (known == null) {
            FINDING.set(true);
            try {
                known = find();
                sink = known;
            } finally {
                FINDING.remove();
            }
        }
        return known;
    }

    private static Sink find() {
        try {
            return new SystemLogger();
        } catch (ClassNotFoundException e) {
            return findUtilLogging();
        } catch (ReflectiveOperationException | RuntimeException | Error e) {
            // The application's logger finder is broken.
            report("System.Logger is not used", cause(e));
            return findUtilLogging();
        }
    }

    private static Sink findUtilLogging() {
        try {
            return new UtilLogging();
        } catch (Exception | Error e) {
            report("java.util.logging is not used", e);
            return new ErrorStream();
        }
    }

    /** {@code System.Logger}, by reflection: this class is compiled for Java 8. */
    private static final class SystemLogger implements Sink {
        private final Object logger;
        private final Method isLoggable;
        private final Method log;
        private final Object[] levels = new Object[TRACE + 1];

        SystemLogger() throws ReflectiveOperationException {
            Class<?> type = Class.forName("java.lang.System$Logger");
            Class<?> level = Class.forName("java.lang.System$Logger$Level");
            String[] names = {"OFF", "ERROR", "WARNING", "INFO", "DEBUG", "TRACE"};
            for (int i = 0; i < names.length; i++) {
                levels[i] = level.getField(names[i]).get(null);
            }
            isLoggable = type.getMethod("isLoggable", level);
            log = type.getMethod("log", level, String.class, Throwable.class);
            logger = System.class.getMethod("getLogger", String.class).invoke(null, NAME);
        }

        @Override
        public boolean isLoggable(int level) throws ReflectiveOperationException {
            return (boolean) isLoggable.invoke(logger, levels[level]);
        }

        @Override
        public void log(int level, String message, Throwable thrown) throws ReflectiveOperationException {
            log.invoke(logger, levels[level], message, thrown);
        }
    }

    /** {@code java.util.logging}, loaded only if used: a runtime image may lack it. */
    static final class UtilLogging implements Sink {
        private static final java.util.logging.Level[] LEVELS = {
            java.util.logging.Level.OFF,
            java.util.logging.Level.SEVERE,
            java.util.logging.Level.WARNING,
            java.util.logging.Level.INFO,
            java.util.logging.Level.FINE,
            java.util.logging.Level.FINER,
        };
        /** A strong reference: java.util.logging itself only keeps loggers weakly, and with them their levels. */
        private final Logger logger = Logger.getLogger(NAME);

        @Override
        public boolean isLoggable(int level) {
            return logger.isLoggable(LEVELS[level]);
        }

        @Override
        public void log(int level, String message, Throwable thrown) {
            // An explicit caller avoids a stack walk; without parameters, braces in the message stay as they are.
            logger.logp(LEVELS[level], NAME, null, message, thrown);
        }
    }

    /** The fallback without any logger. */
    private static final class ErrorStream implements Sink {
        @Override
        public boolean isLoggable(int level) {
            return level <= WARNING;
        }

        @Override
        public void log(int level, String message, Throwable thrown) {
            if (isLoggable(level)) {
                System.err.println(NAME + ": " + message + (thrown == null ? "" : ": " + thrown));
            }
        }
    }
}
