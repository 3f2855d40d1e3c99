package io.tensornio.internal.memory;

import io.tensornio.MemoryStats;
import java.util.function.BooleanSupplier;

/** Collections that tests ask for, and wait for. */
public final class Garbage {
    private static final int MOST = 500;
    /** So many looks without a change at least make a slab idle. */
    private static final int LOOKS = 100;

    private Garbage() {
    }

    /** Collects until a condition holds; fails when it never does. */
    public static void collectUntil(BooleanSupplier condition) {
        for (int i = 0; i < MOST; i++) {
            System.gc();
            Memory.drain();
            if (condition.getAsBoolean()) {
                return;
            }
            pause();
        }
        throw new AssertionError("not within " + MOST + " collections; " + MemoryStats.current());
    }

    /** Collects until no more tensors and bytes are in use than before: what was dropped is. */
    public static void collectUntilNoMoreThan(MemoryStats before) {
        collectUntil(() -> {
            MemoryStats now = MemoryStats.current();
            return now.tensorsAlive() <= before.tensorsAlive() && now.bytesInUse() <= before.bytesInUse();
        });
    }

    /** Collects until nothing more is found: from then on the numbers change by what the test does alone. */
    static void settle() {
        // Slabs that hand out would keep what earlier tests dropped in them until some later test fills them.
        for (int look = 0; look < LOOKS; look++) {
            Slabs.retireIdle();
        }
        long[] last = {-1, 0};
        collectUntil(() -> {
            long now = Memory.released();
            last[1] = now == last[0] ? last[1] + 1 : 0;
            last[0] = now;
            return last[1] == 3;
        });
    }

    /** Leaves the collector's helpers time to work. */
    static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
