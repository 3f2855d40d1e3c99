package io.tensornio.internal.memory;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Prints the library's records, each between brackets with its level. */
final class LogPrinter extends Handler {
    /** Held, or its level would be forgotten. */
    static final Logger LOGGER = Logger.getLogger("io.tensornio");

    private int printed;

    private LogPrinter() {
    }

    /** The one that gets the records from now on, and alone. */
    static LogPrinter install() {
        LogPrinter printer = new LogPrinter();
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(printer);
        return printer;
    }

    /** How many records it has printed. */
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
