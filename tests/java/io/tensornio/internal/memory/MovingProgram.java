package io.tensornio.internal.memory;

import java.util.logging.Level;

/** Closes a block with all logging on, and prints how many were closed by moving their pages; run by {@link SettingsTest}. */
final class MovingProgram {
    private MovingProgram() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        LogPrinter.install();
        LogPrinter.LOGGER.setLevel(Level.ALL);
        Storage.allocate(1, true).close();
        while (!Janitor.knowsLogLevel) {            // which the thread finds out that maintains memory, once there is some
            Thread.sleep(1);
        }
        Storage storage = Storage.allocate(1 << 20, true);
        storage.view().put(0, (byte) 1);
        storage.close();
        long[] numbers = new long[8];
        NativeMemory.memory(numbers);
        System.out.println("moved=" + numbers[6] + " discarded=" + numbers[7]);
    }
}
