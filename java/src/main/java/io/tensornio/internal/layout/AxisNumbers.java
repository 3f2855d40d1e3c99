package io.tensornio.internal.layout;

import java.util.concurrent.atomic.AtomicLong;

/** Numbers of axes that have no name of their own. */
public final class AxisNumbers {
    private static final AtomicLong LAST = new AtomicLong();

    private AxisNumbers() {
    }

    /** A number that no other axis has. */
    public static long next() {
        return LAST.incrementAndGet();
    }
}
