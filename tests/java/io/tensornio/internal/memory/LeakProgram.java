package io.tensornio.internal.memory;

import io.tensornio.LeakMaker;
import io.tensornio.MemoryStats;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Prints what is logged while tensors leak; run by {@link LeakDetectorTest}. */
public final class LeakProgram {
    private static final Logger LOGGER = Logger.getLogger("io.tensornio");

    private LeakProgram() {
    }

    /** Prints records, each between brackets with its level. */
    private static final class Printer extends Handler {
        private int printed;

        synchronized int printed() {
            return printed;
        }

        @Override
        public synchronized void publish(LogRecord logged) {
            printed++;
            System.out.println("[" + logged.getLevel() + " " + logged.getMessage() + "]");
        }

        @Override
        public void flush() {
            System.out.flush();
        }

        @Override
        public void close() {
            flush();
        }
    }

    /** Runs the case named by the first argument; the second tells whether a leak will be reported. */
    public static void main(String[] arguments) {
        Printer printer = new Printer();
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(printer);
        switch (arguments[0]) {
            case "places":
                for (int i = 0; i < 12; i++) {
                    LeakMaker.forgetHere();
                    found();
                    // Whoever found the first may still be about to say so; a second one would be counted with it.
                    Garbage.collectUntil(() -> printer.printed() > 0 || arguments[1].equals("false"));
                }
                LeakMaker.forgetThere();
                found();
                break;
            case "closed":
                for (int i = 0; i < 50; i++) {
                    LeakMaker.close();
                    LeakMaker.fail();
                }
                found();
                break;
            case "many":
                for (int i = 0; i < 3 * 128; i++) {
                    LeakMaker.forgetHere();
                }
                found();
                break;
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
        Garbage.collectUntil(() -> !isReporting());
        System.out.println("done");
    }

    /** Waits until all that leaked was found. */
    private static void found() {
        Garbage.collectUntil(() -> MemoryStats.current().tensorsAlive() == 0 && !LeakDetector.isWatching());
    }

    /** Whether the thread that reports still runs. */
    private static boolean isReporting() {
        return Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().equals("tensornio-memory"));
    }
}
