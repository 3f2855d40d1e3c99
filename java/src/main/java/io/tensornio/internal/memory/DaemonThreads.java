package io.tensornio.internal.memory;

/** Makes the thread of the {@link Janitor}. From Java 9 on the class in java9 replaces it, whose threads inherit no thread-locals. */
final class DaemonThreads {
    private DaemonThreads() {
    }

    /** A daemon thread, not yet started. */
    static Thread make(Runnable work, String name) {
        Thread made = new Thread(work, name);
        made.setDaemon(true);
        made.setContextClassLoader(null);
        return made;
    }
}
