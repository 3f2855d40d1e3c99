package io.tensornio.internal.memory;

/** Makes the thread of the {@link Janitor}: without the inheritable thread locals of whoever allocates first, which it would keep for good. */
final class DaemonThreads {
    private DaemonThreads() {
    }

    /** A daemon thread, not yet started. */
    static Thread make(Runnable work, String name) {
        Thread made = new Thread(null, work, name, 0, false);
        made.setDaemon(true);
        made.setContextClassLoader(null);
        return made;
    }
}
