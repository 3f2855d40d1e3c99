package io.tensornio.internal.memory;

import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.util.Arrays;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Uses the library for the first time while a handler logs: the handler waits, as one with a lock may, for a thread that uses the library for the
 * first time, too.
 */
final class InitialiserProgram {
    private InitialiserProgram() {
    }

    private static void use() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {3}, data -> data.put(1, 0))) {
            if (tensor.floatData().get(0) != 1) {
                throw new AssertionError("it is " + tensor);
            }
        }
    }

    /** Prints the records, and how long the other thread was waited for if that was too long. */
    private static final class Waiting extends Handler {
        @Override
        public void publish(LogRecord logged) {
            boolean initialises = Arrays.stream(new Throwable().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("<clinit>") && frame.getClassName().startsWith("io.tensornio."));
            System.out.println((initialises ? "in an initialiser: " : "") + logged.getMessage());
            Thread other = new Thread(InitialiserProgram::use);
            other.setDaemon(true);
            other.start();
            try {
                other.join(20_000);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (other.isAlive()) {
                System.out.println("the other thread waits for this one");
                System.exit(1);
            }
        }

        @Override
        public void flush() {
        }

        @Override
        public void close() {
        }
    }

    public static void main(String[] arguments) {
        Logger logger = Logger.getLogger("io.tensornio");
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.ALL);
        logger.addHandler(new Waiting());
        use();
        // The leak detector is asked about a tensor only: what it has to say comes with the next block.
        Storage.allocate(100_000, true).close();
    }
}
