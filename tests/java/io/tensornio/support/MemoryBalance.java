package io.tensornio.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryStats;
import io.tensornio.Tensors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Checks that a test closes every tensor that it makes, and that all tensors made by failing calls were closed, too: by their number, and by their
 * bytes, since others of an earlier test may be collected meanwhile.
 */
public final class MemoryBalance implements BeforeEachCallback, AfterEachCallback {
    private MemoryStats before;

    @Override
    public void beforeEach(ExtensionContext context) {
        before = MemoryStats.current();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        assertNoMoreThan(before);
    }

    /**
     * Fewer is no fault: a tensor that an earlier test dropped has been collected meanwhile. More may be what a thread that writes a batch ahead has
     * pinned as its graph is closed, and gives back in a moment.
     */
    public static void assertNoMoreThan(MemoryStats before) {
        MemoryStats after = MemoryStats.current();
        for (int n = 0; n < 50 && (after.tensorsAlive() > before.tensorsAlive() || after.bytesInUse() > before.bytesInUse()); n++) {
            pause();
            after = MemoryStats.current();
        }
        long tensors = after.tensorsAlive() - before.tensorsAlive();
        long bytes = after.bytesInUse() - before.bytesInUse();
        assertTrue(tensors <= 0 && bytes <= 0, () -> tensors + " tensors were left open, and " + bytes + " bytes left in use");
    }

    /** Has what earlier tests dropped collected, so that the number of tensors changes by what the test does alone. */
    public static void settle() {
        long alive = -1;
        for (int same = 0; same < 6; ) {
            System.gc();
            pause();
            long now = MemoryStats.current().tensorsAlive();
            same = now == alive ? same + 1 : 0;
            alive = now;
        }
    }

    /**
     * Has small tensors that were dropped collected, too. They share memory with others that some thread made, which is only given up once it is
     * full.
     */
    public static void settleSmall() {
        fillSmall();
        settle();
    }

    /**
     * Has the next small tensors share memory with none that were made before. All of a slab stay counted as long as one of its tensors is reachable,
     * closed or not: a test that drops tensors would depend on what earlier tests keep.
     */
    public static void fillSmall() {
        for (int t = 0; t < 16; t++) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 40; i++) {
                    Tensors.denseUInt8(new long[] {60_000}, data -> { }).close();
                }
            });
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Leaves the collector's helpers time to work. */
    public static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
