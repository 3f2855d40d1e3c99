package io.tensornio.internal.compute;

import java.util.function.Supplier;

/** How many threads share the work of a run, where its caller says so: by the thread, so that it holds for all runs within a call. */
public final class Threads {
    private static final ThreadLocal<Integer> MOST = new ThreadLocal<>();
    /** Whether somebody ever did: then runs ask for it. */
    private static volatile boolean limited;

    private Threads() {
    }

    /**
     * Calls something, all runs of which take at most so many threads, this one included.
     *
     * @param most how many, at least 1
     * @param work what runs
     * @param <R> its result
     * @return what it returns
     */
    public static <R> R atMost(int most, Supplier<R> work) {
        limited = true;
        Integer before = MOST.get();
        MOST.set(most);
        try {
            return work.get();
        } finally {
            if (before == null) {
                MOST.remove();
            } else {
                MOST.set(before);
            }
        }
    }

    /** What the caller said, or 0. */
    static int most() {
        Integer most = limited ? MOST.get() : null;
        return most == null ? 0 : most;
    }
}
