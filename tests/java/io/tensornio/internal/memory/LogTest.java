package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Rust and Java log arrives in the application's logger, here that of {@code java.util.logging}. */
@Tag("faults")
class LogTest {
    private static final int LOG = 20;
    private static final int LOG_IN_THREAD = 30;
    private static final int LOG_WHILE_PENDING = 31;
    private static final int LOG_IN_CRITICAL = 32;

    private final Logger logger = Logger.getLogger("io.tensornio");
    private final List<LogRecord> records = Collections.synchronizedList(new ArrayList<>());
    /** Takes what the tests log: the thread that looks after memory may log at any time. */
    private final Handler collector = new Handler() {
        @Override
        public void publish(LogRecord record) {
            if (!Thread.currentThread().getName().equals("tensornio-memory")) {
                records.add(record);
            }
        }

        @Override
        public void flush() {
        }

        @Override
        public void close() {
        }
    };

    @BeforeEach
    void listen() {
        assertEquals(Version.VERSION, NativeMemory.version());
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.ALL);
        logger.addHandler(collector);
        NativeMemory.setLogLevel(Log.TRACE);
        records.clear();            // the first time it says how pages are recycled
    }

    @AfterEach
    void stopListening() {
        for (Handler handler : logger.getHandlers()) {
            logger.removeHandler(handler);
        }
        logger.setLevel(null);
        logger.setUseParentHandlers(true);
        NativeMemory.setLogLevel(Log.level());
    }

    private LogRecord only() {
        assertEquals(1, records.size());
        return records.get(0);
    }

    @Test
    void recordsUnderALockComeOnceTheLastOneIsLetGo() {
        Log.hold();
        Log.log(Log.INFO, "first", null);
        Log.hold();
        NativeFaults.provoke(LOG + Log.WARNING, "second");
        Log.deliver();
        assertEquals(Collections.emptyList(), messages());
        Log.deliver();
        assertEquals(Arrays.asList("first", "tensornio: second"), messages());
        Log.log(Log.INFO, "third", null);
        assertEquals(Arrays.asList("first", "tensornio: second", "third"), messages());
    }

    private List<String> messages() {
        return Stream.of(records.toArray(new LogRecord[0])).map(LogRecord::getMessage).collect(Collectors.toList());
    }

    @ParameterizedTest
    @CsvSource({"1, SEVERE", "2, WARNING", "3, INFO", "4, FINE", "5, FINER"})
    void everyLevelOfRustArrives(int level, String name) {
        NativeFaults.provoke(LOG + level, "Größe \ud83d\ude80 {0} %s");
        assertEquals(Level.parse(name), only().getLevel());
        assertEquals("tensornio: Größe \ud83d\ude80 {0} %s", only().getMessage());
        assertEquals("io.tensornio", only().getLoggerName());
    }

    @ParameterizedTest
    @CsvSource({"1, SEVERE", "2, WARNING", "3, INFO", "4, FINE", "5, FINER"})
    void everyLevelOfJavaArrives(int level, String name) {
        Throwable thrown = new IllegalStateException("x");
        Log.log(level, "plain {0}", thrown);
        assertEquals(Level.parse(name), only().getLevel());
        assertEquals("plain {0}", only().getMessage());
        assertSame(thrown, only().getThrown());
    }

    @ParameterizedTest
    @CsvSource({"1, SEVERE", "2, WARNING", "3, INFO", "4, FINE", "5, FINER"})
    void everyLevelArrivesWithoutSystemLogger(int level, String name) {
        Throwable thrown = new IllegalStateException("x");
        Log.UtilLogging plain = new Log.UtilLogging();
        plain.log(level, "plain {0}", thrown);
        assertEquals(Level.parse(name), only().getLevel());
        assertEquals("plain {0}", only().getMessage());
        assertSame(thrown, only().getThrown());
        logger.setLevel(Level.parse(name));
        assertTrue(plain.isLoggable(level));
        assertTrue(level == Log.TRACE || !plain.isLoggable(level + 1));
    }

    @Test
    void systemLoggerIsUsedWhereItIs() throws ReflectiveOperationException {
        Method sink = Log.class.getDeclaredMethod("sink");
        sink.setAccessible(true);
        boolean java8 = System.getProperty("java.specification.version").startsWith("1.");
        assertEquals(java8 ? "UtilLogging" : "SystemLogger", sink.invoke(null).getClass().getSimpleName());
    }

    @Test
    void rustLogsNothingBelowItsLevel() {
        for (int max = 0; max <= Log.TRACE; max++) {
            NativeMemory.setLogLevel(max);
            records.clear();
            for (int level = Log.ERROR; level <= Log.TRACE; level++) {
                NativeFaults.provoke(LOG + level, "x");
            }
            assertEquals(max, records.size());
        }
    }

    @Test
    void levelsOutsideOfTheScaleAreItsEnds() {
        NativeMemory.setLogLevel(Integer.MAX_VALUE);
        NativeFaults.provoke(LOG + Log.TRACE, "x");
        assertEquals(1, records.size());
        NativeMemory.setLogLevel(Integer.MIN_VALUE);
        NativeFaults.provoke(LOG + Log.ERROR, "x");
        assertEquals(1, records.size());
    }

    @ParameterizedTest
    @CsvSource({"OFF, 0", "SEVERE, 1", "WARNING, 2", "INFO, 3", "CONFIG, 3", "FINE, 4", "FINER, 5", "ALL, 5"})
    void theLevelIsWhatTheLoggerPrints(String name, int level) {
        logger.setLevel(Level.parse(name));
        assertEquals(level, Log.level());
    }

    @Test
    void aLibraryStartsAtTheLevelOfTheLogger() throws Throwable {
        logger.setLevel(Level.FINE);
        try (SeparateLibrary library = SeparateLibrary.load()) {
            records.clear();
            library.provoke(LOG + Log.DEBUG, "the logger was not asked yet: it might use the library");
            assertEquals(0, records.size());
            library.useMemory();
            // The thread that maintains its memory asks the logger.
            for (int n = 0; n < 1000 && records.isEmpty(); n++) {
                Thread.sleep(10);
                library.provoke(LOG + Log.DEBUG, "known");
            }
            logger.setLevel(Level.ALL);
            library.provoke(LOG + Log.DEBUG, "x");
            library.provoke(LOG + Log.TRACE, "x");
            library.setLogLevel(Log.WARNING);       // its thread lives on for a while, and may log at any time
        }
        List<Level> levels = new ArrayList<>();
        for (LogRecord record : records.toArray(new LogRecord[0])) {
            if (record.getMessage().equals("tensornio: x")) {
                levels.add(record.getLevel());
            }
        }
        assertEquals(Collections.singletonList(Level.FINE), levels);
    }

    @Test
    void aThreadThatTheJvmDoesNotKnowLogs() {
        for (int i = 0; i < 20; i++) {
            NativeFaults.provoke(LOG_IN_THREAD, "from afar");
        }
        assertEquals(20, records.size());
        for (LogRecord record : records) {
            assertEquals("tensornio: from afar", record.getMessage());
        }
    }

    @Test
    void threadsThatLoggedAreForgotten() {
        int before = Thread.activeCount();
        for (int i = 0; i < 20; i++) {
            NativeFaults.provoke(LOG_IN_THREAD, "from afar");
        }
        // Each leaves its group only when it has said all.
        Garbage.collectUntil(() -> Thread.activeCount() <= before);
    }

    @Test
    void aPendingExceptionSurvivesLogging() {
        Error thrown = assertThrows(NoClassDefFoundError.class, () -> NativeFaults.provoke(LOG_WHILE_PENDING, "in between"));
        assertTrue(thrown.getMessage().contains("NoSuchClass"), thrown.getMessage());
        assertEquals("tensornio: in between", only().getMessage());
    }

    @Test
    void aPendingExceptionSurvivesALoggerThatThrows() {
        String printed = printedBy(() -> {
            failWith(new IllegalStateException("the logger's"));
            assertThrows(NoClassDefFoundError.class, () -> NativeFaults.provoke(LOG_WHILE_PENDING, "in between"));
        });
        assertTrue(printed.contains("in between"), printed);
    }

    @Test
    void nothingIsLoggedInACriticalSection() {
        NativeFaults.provoke(LOG_IN_CRITICAL, "x");
        assertEquals(0, records.size());
        NativeFaults.provoke(LOG + Log.ERROR, "x");
        assertEquals(1, records.size());
    }

    private interface Fault {
        void occur();
    }

    private void fail(Fault fault) {
        logger.addHandler(new Handler() {
            @Override
            public void publish(LogRecord record) {
                fault.occur();
            }

            @Override
            public void flush() {
            }

            @Override
            public void close() {
            }
        });
    }

    private void failWith(Throwable thrown) {
        fail(() -> LogTest.<RuntimeException>sneak(thrown));
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static String printedBy(Runnable body) {
        PrintStream before = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true));
        try {
            body.run();
        } finally {
            System.setErr(before);
        }
        return printed.toString();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLoggerThatThrowsDisturbsNobody(boolean asOnJava8) throws ReflectiveOperationException {
        Field sink = Log.class.getDeclaredField("sink");
        sink.setAccessible(true);
        Object before = sink.get(null);
        if (asOnJava8) {
            sink.set(null, new Log.UtilLogging());
        }
        try {
            loggersThatThrow();
        } finally {
            sink.set(null, before);
        }
    }

    private void loggersThatThrow() {
        Throwable[] faults = {new IllegalStateException("runtime"), new Exception("checked"), new AssertionError("error"),
            new StackOverflowError("deep")};
        for (Throwable fault : faults) {
            String printed = printedBy(() -> {
                failWith(fault);
                NativeFaults.provoke(LOG + Log.ERROR, "of Rust");
                NativeFaults.provoke(LOG_IN_THREAD, "of a thread");
                Log.log(Log.ERROR, "of Java", null);
            });
            for (String part : new String[] {"of Rust", "of a thread", "of Java", fault.getMessage()}) {
                assertTrue(printed.contains(part), part + " in: " + printed);
            }
            logger.removeHandler(logger.getHandlers()[1]);
        }
        assertEquals(3 * faults.length, records.size());
    }

    @Test
    void aLoggerAndItsExceptionThatThrowDisturbNobody() {
        failWith(new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String toString() {
                throw new IllegalStateException("not even this");
            }
        });
        NativeFaults.provoke(LOG + Log.ERROR, "x");
        assertEquals(1, records.size());
    }

    @Test
    void aLoggerThatCallsTheLibraryIsNotCalledByItAgain() {
        fail(() -> {
            NativeFaults.provoke(LOG + Log.ERROR, "from the logger");
            assertThrows(IllegalStateException.class, () -> NativeFaults.provoke(2, "from the logger"));
        });
        NativeFaults.provoke(LOG + Log.ERROR, "from outside");
        NativeFaults.provoke(LOG + Log.ERROR, "from outside");
        assertEquals(2, records.size());
    }

    @Test
    void manyThreadsLogAtOnce() throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 250; k++) {
                    NativeFaults.provoke(k % 10 == 0 ? LOG_IN_THREAD : LOG + Log.INFO, me + "/" + k);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(1000, records.stream().map(LogRecord::getMessage).distinct().count());
        assertNotNull(records.get(0));
    }
}
