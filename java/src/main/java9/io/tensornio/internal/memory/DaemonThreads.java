package io.tensornio.internal.memory;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Makes the thread of the {@link Janitor}, which takes nothing from the thread that allocates first, and would keep for good: neither its
 * thread group, whose owner may interrupt or wait for what is in it, nor the class loaders of its callers, which are in the context of access
 * control, nor its inheritable thread-locals.
 */
final class DaemonThreads {
    private DaemonThreads() {
    }

    /** A daemon thread, not yet started. */
    static Thread make(Runnable work, String name) {
        try {
            return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> makeIn(systemGroup(), work, name));
        } catch (SecurityException | LinkageError e) {
            Log.log(Log.DEBUG, "the thread that maintains memory is one of its first caller's group", e);
            return makeIn(null, work, name);
        }
    }

    /** The group of the JVM's own threads. */
    private static ThreadGroup systemGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    private static Thread makeIn(ThreadGroup group, Runnable work, String name) {
        Thread made = new Thread(group, work, name, 0, false);
        made.setDaemon(true);
        made.setContextClassLoader(null);
        return made;
    }
}
