package io.tensornio.internal.memory;

import java.util.concurrent.locks.StampedLock;

/** Keeps reads of memory before the reads that come after it. Not to be loaded on Android before API level 24, which has no {@code StampedLock}. */
final class ReadFence {
    /** Never locked: its {@code validate} is there for the order of reads. */
    private static final StampedLock READS = new StampedLock();
    private static final long STAMP = READS.tryOptimisticRead();

    private ReadFence() {
    }

    static void pass() {
        READS.validate(STAMP);
    }
}
