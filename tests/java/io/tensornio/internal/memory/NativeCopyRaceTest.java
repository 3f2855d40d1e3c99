package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryStats;
import io.tensornio.internal.data.NativeCopies;
import io.tensornio.support.Expect;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Native copies, without a pin, from and to memory that other threads close and create meanwhile. */
class NativeCopyRaceTest {
    private static final int THREADS = 8;
    private static final int PASSES = 6;
    /** How often in the usual time what was dropped is looked for. */
    private static final int COLLECTIONS = 20;

    /** A tensor, as those see it that race for it. */
    private static final class Known {
        final Storage storage;
        final ByteBuffer view;
        final long stamp;

        Known(Storage storage, long stamp) {
            this.storage = storage;
            this.stamp = stamp;
            view = storage.view();
        }

        int longs() {
            return view.capacity() / Long.BYTES;
        }
    }

    /** What all threads share. */
    private static final class Arena {
        final AtomicReferenceArray<Known> slots;
        final int least;
        final int most;
        /** How many tensors are created in the usual time. */
        final int creations;
        final AtomicLong stamps = new AtomicLong();
        final AtomicLong passes = new AtomicLong();
        volatile boolean stop;

        Arena(int creations, int slots, int least, int most) {
            this.creations = creations;
            this.slots = new AtomicReferenceArray<>(slots);
            this.least = least;
            this.most = most;
        }

        /** Puts new tensors in place of old ones, which are closed, or now and then dropped. */
        void create(ThreadLocalRandom random) {
            long bytes = random.nextInt(8) == 0 ? most : random.nextInt(least, most + 1) & -Long.BYTES;
            // No byte is zero, and neighbours differ in most.
            long number = stamps.incrementAndGet();
            Known made = new Known(Storage.allocate(bytes, true), number * 0x0002_0406_080a_0c0eL | 0x0101_0101_0101_0101L);
            Stamp.check(made.view, 0, "fresh memory");
            Stamp.write(made.view, made.stamp);
            Known old = slots.getAndSet(random.nextInt(slots.length()), made);
            if (old != null && random.nextInt(16) != 0) {
                assertTrue(old.storage.close());
            }
            if (number % (creations / COLLECTIONS) == 0) {
                System.gc();
            }
        }

        /** Whether each byte is its tensor's or zero: the processor may stop a copy within an element, and go on when the pages have gone. */
        private static boolean isOwnOrZero(long found, long stamp) {
            for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
                long b = found >>> shift & 0xff;
                if (b != 0 && b != (stamp >>> shift & 0xff)) {
                    return false;
                }
            }
            return true;
        }

        void copy(Known known) {
            long[] geometry = {known.longs(), 1, 1};
            long[] own = new long[known.longs()];
            NativeCopies.copy(known.view.asLongBuffer(), 0, own, 0, geometry, Long.BYTES);
            for (int i = 0; i < own.length; i++) {
                if (!isOwnOrZero(own[i], known.stamp)) {
                    throw new AssertionError("native copy: at " + i + " of " + own.length + " is " + own[i] + ", not of " + known.stamp);
                }
                own[i] = known.stamp;
            }
            NativeCopies.copy(own, 0, known.view.asLongBuffer(), 0, geometry, Long.BYTES);
        }

        void work(int number) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            // Whether anybody copies meanwhile is up to the scheduler.
            while (!stop && (stamps.get() < (long) creations * Expect.depth() || passes.get() == 0)) {
                if (number % 4 == 0) {
                    create(random);
                    continue;
                }
                Known known = slots.get(random.nextInt(slots.length()));
                for (int pass = 0; known != null && pass < PASSES; pass++) {
                    if (number % 4 == 3) {
                        Stamp.check(known.view, known.stamp, 0, "a reader");
                    } else {
                        copy(known);
                    }
                    passes.incrementAndGet();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "large", "mixed"})
    void copiesSeeTheirOwnValuesOrZeros(String sizes) {
        MemoryStats before = MemoryWatch.settled();
        Arena arena = sizes.equals("small") ? new Arena(12_000, 256, 8, 12_000)
            : sizes.equals("large") ? new Arena(2000, 8, 64 << 10, 1 << 20) : new Arena(4000, 32, 8, 200_000);
        Workers.run(THREADS, number -> {
            try {
                arena.work(number);
            } catch (Throwable e) {
                arena.stop = true;          // one failure is enough
                throw e;
            }
        });
        for (int i = 0; i < arena.slots.length(); i++) {
            Known last = arena.slots.getAndSet(i, null);
            if (last != null) {
                assertTrue(last.storage.close());
            }
        }
        Garbage.settle();
        MemoryWatch.assertBalanced(before);
    }
}
