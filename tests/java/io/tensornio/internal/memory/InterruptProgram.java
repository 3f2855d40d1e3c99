package io.tensornio.internal.memory;

/** Interrupts the thread that maintains memory, as a container does that ends an application. */
final class InterruptProgram {
    private InterruptProgram() {
    }

    private static Thread find() throws InterruptedException {
        while (true) {
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().equals("tensornio-memory")) {
                    return thread;
                }
            }
            Thread.sleep(1);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Storage kept = Storage.allocate(100_000, true);
        Thread first = find();
        first.interrupt();
        first.join(20_000);
        if (first.isAlive()) {
            throw new AssertionError("it goes on");
        }
        Storage.allocate(100_000, true).close();
        Thread second = find();
        if (second == first) {
            throw new AssertionError("it is the same");
        }
        kept.close();
        System.out.println("ended, and came back");
    }
}
