package io.tensornio.internal.layout;

import java.util.concurrent.atomic.AtomicLong;

/** Unique numbers for axes without a name. */
public final class AxisNumbers {
    private static final AtomicLong LAST = new AtomicLong();

    private AxisNumbers() {
    }

    /** A number that no other axis has. */
    public static long next() {
        return LAST.incrementAndGet();
    }
}
