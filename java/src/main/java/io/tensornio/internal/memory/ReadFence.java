package io.tensornio.internal.memory;

import java.util.concurrent.locks.StampedLock;

/** A load fence: orders preceding reads before subsequent ones. Not to be loaded on Android before API level 24, which has no {@code StampedLock}. */
final class ReadFence {
    /** Never locked: {@code validate} is used as the fence. */
    private static final StampedLock READS = new StampedLock();
    private static final long STAMP = READS.tryOptimisticRead();

    private ReadFence() {
    }

    static void pass() {
        READS.validate(STAMP);
    }
}
