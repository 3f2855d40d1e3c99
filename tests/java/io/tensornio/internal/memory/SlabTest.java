package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryStats;
import io.tensornio.support.Expect;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Slabs: no unit twice, pages back as soon as nobody has a tensor on them, and not before. */
class SlabTest {
    /** A tensor, and what it was filled with. */
    private static final class Filled {
        final Storage storage;
        final ByteBuffer view;
        final long stamp;

        /** Of so many bytes, each with a value that is not 0. */
        Filled(int bytes, int value) {
            storage = Storage.allocate(bytes, true);
            view = storage.view();
            Stamp.check(view, 0, "fresh memory");
            stamp = value * 0x0101_0101_0101_0101L;
            Stamp.write(view, stamp);
        }

        void check() {
            Stamp.check(view, stamp, "open memory");
        }

        void close() {
            check();
            storage.close();
        }
    }

    @Test
    void countsHoldTheLargestSlab() {
        int capacity = Slab.LARGEST / Slab.UNIT;
        SlabCounts counts = new SlabCounts();
        for (int unit = 0; unit < capacity; unit++) {
            assertEquals(unit, counts.take(1, capacity));
        }
        assertEquals(-1, counts.take(1, capacity));
        assertEquals(capacity, SlabCounts.tensors(counts.get()));
        assertEquals(capacity, SlabCounts.liveUnits(counts.get()));
        assertEquals(capacity, SlabCounts.usedUnits(counts.get()));
        assertFalse(SlabCounts.isRetired(counts.retire()));
        assertTrue(SlabCounts.isRetired(counts.retire()));
        for (int left = capacity - 1; left >= 0; left--) {
            long now = counts.release(1);
            assertEquals(left, SlabCounts.tensors(now));
            assertEquals(left, SlabCounts.liveUnits(now));
            assertEquals(capacity, SlabCounts.usedUnits(now));
            assertTrue(SlabCounts.isRetired(now));
        }
    }

    @Test
    void aRetiredSlabHandsOutNoMore() {
        SlabCounts counts = new SlabCounts();
        assertEquals(0, counts.take(3, 100));
        counts.retire();
        assertEquals(-1, counts.take(1, 100));
        assertEquals(3, SlabCounts.usedUnits(counts.get()));
    }

    @Test
    void aTensorOfNoBytesHasAUnit() {
        assertEquals(1, Slab.units(0));
        assertEquals(1, Slab.units(1));
        assertEquals(1, Slab.units(Slab.UNIT));
        assertEquals(2, Slab.units(Slab.UNIT + 1));
        assertEquals(Slab.SMALLEST / Slab.UNIT, Slab.units(Slab.LIMIT - 1), "the largest tensor fits the smallest slab");
    }

    @Test
    void eightThreadsNeverMeetInMemory() {
        MemoryStats before = MemoryWatch.settled();
        Workers.run(8, n -> {
            Random random = new Random(n);
            List<Filled> live = new ArrayList<>();
            for (int i = 0; i < 1000 * Expect.depth(); i++) {
                if (live.size() < 60 && random.nextInt(5) < 3) {
                    int most = random.nextInt(20) == 0 ? Slab.LIMIT - 1 : random.nextInt(4) == 0 ? 5000 : 200;
                    live.add(new Filled(random.nextInt(most + 1), 1 + random.nextInt(120)));
                } else if (!live.isEmpty()) {
                    live.remove(random.nextInt(live.size())).close();
                }
            }
            live.forEach(Filled::close);
        });
        MemoryWatch.assertBalanced(before);
    }

    @Test
    void tensorsAreClosedByOtherThreadsThanTheirMakers() {
        MemoryStats before = MemoryWatch.settled();
        List<Filled> shared = Collections.synchronizedList(new ArrayList<>());
        Workers.run(8, n -> {
            Random random = new Random(n);
            for (int i = 0; i < 1000 * Expect.depth(); i++) {
                shared.add(new Filled(random.nextInt(1500), 1 + random.nextInt(120)));
                Filled other = null;
                synchronized (shared) {
                    if (shared.size() > 200) {
                        other = shared.remove(random.nextInt(shared.size()));
                    }
                }
                if (other != null) {
                    other.close();
                }
            }
        });
        shared.forEach(Filled::close);
        MemoryWatch.assertBalanced(before);
    }

    @Test
    void whenTheLastTensorGoesThePagesGo() {
        long grown = 0;
        // What earlier tests dropped may be collected meanwhile: then again.
        for (int attempt = 0; attempt < 5 && grown <= 19_000_000; attempt++) {
            MemoryWatch.settled();
            NativeMemory.trim(0);
            long before = MemoryWatch.reserved();
            List<Filled> all = fill(20_000, 1000);
            grown = MemoryWatch.reserved() - before;
            all.forEach(Filled::close);
            NativeMemory.trim(0);
            assertTrue(MemoryWatch.reserved() <= before + 8L * Slab.LARGEST, "all but the slabs in use: " + (MemoryWatch.reserved() - before));
        }
        assertTrue(grown > 19_000_000, grown + " bytes for 20,000,000");
    }

    @Test
    void pagesAroundASurvivorGoAndTheSurvivorStays() {
        MemoryStats before = MemoryWatch.settled();
        // Each 500th of 1 KiB: one or two in a slab of 1 MiB.
        List<Filled> all = fill(20_000, 1024);
        List<ByteBuffer> closed = new ArrayList<>();
        List<Filled> survivors = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (i % 500 == 0) {
                survivors.add(all.get(i));
            } else {
                closed.add(all.get(i).view);
                all.get(i).close();
            }
        }
        survivors.forEach(Filled::check);
        int kept = 0;
        for (ByteBuffer view : closed) {
            kept += Stamp.other(view, 0, 0) >= 0 ? view.capacity() : 0;
        }
        // For each survivor its page may stay, and as many again since the last sweep; the slab in use is not swept.
        long bound = survivors.size() * 2L * MemoryWatch.pageSize() + Slab.LARGEST;
        assertTrue(kept <= bound, kept + " bytes of closed tensors still have their pages");
        long awaiting = MemoryStats.current().bytesAwaitingCollection() - before.bytesAwaitingCollection();
        assertTrue(awaiting <= bound, awaiting + " bytes await collection");
        survivors.forEach(Filled::close);
        MemoryWatch.assertBalanced(before);
    }

    @Test
    void sweepsThatRaceWithClosesTakeNoLivePage() {
        MemoryStats before = MemoryWatch.settled();
        for (int round = 0; round < 10 * Expect.depth(); round++) {
            List<Filled> all = fill(4000, 700);
            Collections.shuffle(all, new Random(round));
            List<Filled> survivors = all.subList(0, 40);
            AtomicInteger next = new AtomicInteger(survivors.size());
            Workers.run(8, n -> {
                for (int i = next.getAndIncrement(); i < all.size(); i = next.getAndIncrement()) {
                    all.get(i).close();
                    if (i % 16 == 0) {
                        survivors.get(i / 16 % survivors.size()).check();
                    }
                }
            });
            survivors.forEach(Filled::close);
        }
        MemoryWatch.assertBalanced(before);
    }

    @Test
    void droppedTensorsGoWithTheirSlab() {
        MemoryStats before = MemoryWatch.settled();
        drop(30_000);
        MemoryWatch.assertBalanced(before);
    }

    private static void drop(int tensors) {
        for (int i = 0; i < tensors; i++) {
            new Filled(500, 5);
        }
    }

    private static List<Filled> fill(int tensors, int bytes) {
        List<Filled> all = new ArrayList<>();
        for (int i = 0; i < tensors; i++) {
            all.add(new Filled(bytes, 1 + i % 120));
        }
        return all;
    }
}
