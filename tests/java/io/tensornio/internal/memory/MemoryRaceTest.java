package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryStats;
import io.tensornio.support.Expect;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

/**
 * Storage under eight threads that create, close, read, write and pin it at the same time, none waiting for another. Whoever still uses the
 * buffer of a closed one finds its own values or zeros; whoever holds a pin finds its own values.
 */
class MemoryRaceTest {
    private static final int SLOTS = 24;
    /** How many times as long it takes at most. */
    private static final int MOST = 10;
    /** How often in the usual time what was dropped is looked for; that takes longer than all else. */
    private static final int COLLECTIONS = 20;

    /** Storage whose every number is the mark. */
    private static final class Marked {
        final Storage storage;
        final ByteBuffer view;
        final long mark;

        Marked(int bytes, long mark) {
            storage = Storage.allocate(bytes, true);
            view = storage.view();
            this.mark = mark;
            Stamp.check(view, 0, "fresh memory");
            Stamp.write(view, mark);
        }
    }

    private final AtomicReferenceArray<Marked> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicLong marks = new AtomicLong();
    private final AtomicLong pins = new AtomicLong();
    private final AtomicLong zeros = new AtomicLong();

    private void race(int creations, int... sizes) {
        MemoryStats before = MemoryWatch.settled();
        long last = (long) creations * Expect.depth();
        Workers.run(8, n -> {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            // Whether anybody is pinned or met is up to the scheduler.
            while (marks.get() < last || marks.get() < MOST * last && (pins.get() <= 100 || zeros.get() == 0)) {
                int slot = random.nextInt(SLOTS);
                if (n < 2) {
                    long mark = create(slot, sizes[random.nextInt(sizes.length)], random.nextInt(16) != 0);
                    if (mark % (creations / COLLECTIONS) == 0) {
                        System.gc();
                    }
                    continue;
                }
                Marked one = slots.get(slot);
                if (one == null) {
                    continue;
                }
                if (n < 4) {
                    read(one);
                } else if (n < 6) {
                    Stamp.write(one.view, one.mark);
                } else {
                    readPinned(one, random.nextInt(8) == 0);
                }
            }
        });
        for (int slot = 0; slot < SLOTS; slot++) {
            create(slot, 0, true);
        }
        for (int slot = 0; slot < SLOTS; slot++) {
            slots.getAndSet(slot, null).storage.close();
        }
        MemoryWatch.assertBalanced(before);
        assertTrue(pins.get() > 100, () -> "pinned " + pins);
        assertTrue(zeros.get() > 0, "no reader ever met a closed one");
    }

    /** Puts a new one in a slot; the old one is closed, or dropped. Gives the number of the new one. */
    private long create(int slot, int bytes, boolean close) {
        long mark = marks.incrementAndGet();
        Marked made = new Marked(bytes, 0x0101_0101_0000_0000L + (mark << 8 | 1));
        Marked old = slots.getAndSet(slot, made);
        if (old != null && close) {
            old.storage.close();
        }
        return mark;
    }

    private void read(Marked one) {
        for (int i = 0; i < 4; i++) {
            Stamp.check(one.view, one.mark, 0, "memory");
        }
        if (one.storage.isClosed() && one.view.capacity() > 0 && one.view.get(0) == 0) {
            zeros.incrementAndGet();
        }
    }

    private void readPinned(Marked one, boolean close) {
        if (!one.storage.pin()) {
            return;
        }
        pins.incrementAndGet();
        if (close) {
            one.storage.close();
        }
        Stamp.check(one.view, one.mark, "pinned memory");
        Stamp.check(one.storage.view(), one.mark, "pinned memory");
        one.storage.unpin();
    }

    @Test
    void blocks() {
        race(2000, 1 << 16, 100_000, 1 << 18, 1 << 20, 2 << 20, 3 << 20);
    }

    @Test
    void slabs() {
        race(10_000, 0, 8, 64, 1000, 4096, 20_000, 65_535);
    }

    @Test
    void both() {
        race(7000, 64, 1000, 65_535, 65_536, 1 << 18);
    }
}
