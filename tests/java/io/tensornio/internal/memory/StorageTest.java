package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.TensorClosedException;
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.support.Expect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One tensor's memory: what it looks like, when it goes, and that it is nobody else's. */
class StorageTest {
    private static final int ROUNDS = 3000 * Expect.depth();
    private static final long STAMP = 0x1122_3344_5566_7788L;
    /** What is written to memory after its tensor was closed. */
    private static final long LATE = -1;

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 63, 64, 65, 65_535, 65_536, 65_537, 1 << 20, (2 << 20) - 1, 2 << 20, 3 << 20})
    void memoryIsDirectNativeZeroedExactAndAligned(long bytes) throws ReflectiveOperationException {
        for (int i = 0; i < 5; i++) {
            Storage storage = Storage.allocate(bytes, true);
            ByteBuffer view = storage.view();
            assertTrue(view.isDirect() && !view.isReadOnly());
            assertSame(ByteOrder.nativeOrder(), view.order());
            assertEquals(0, view.position());
            assertEquals(bytes, view.limit());
            assertEquals(bytes, view.capacity());
            assertEquals(bytes, storage.bytes());
            assertEquals(0, misalignment(view));
            Stamp.check(view, 0, "fresh memory");
            Stamp.write(view, STAMP);
            Stamp.check(storage.view(), STAMP, "another view");
            assertTrue(storage.close());
        }
    }

    /** Bytes beyond a multiple of 64; 0 on Java 8, which does not tell. */
    private static int misalignment(ByteBuffer view) throws ReflectiveOperationException {
        if (System.getProperty("java.version").startsWith("1.")) {
            return 0;
        }
        return (int) ByteBuffer.class.getMethod("alignmentOffset", int.class, int.class).invoke(view, 0, 64);
    }

    @ParameterizedTest
    @ValueSource(longs = {64, 1 << 20})
    void sharedMemoryGoesWithTheLastOfItsOwners(long bytes) {
        Storage storage = Storage.allocate(bytes, true);
        ByteBuffer view = storage.view();
        assertTrue(storage.share() && storage.share());
        Stamp.write(view, STAMP);
        assertTrue(storage.close() && storage.close());
        assertFalse(storage.isClosed());
        Stamp.check(view, STAMP, "memory with an owner left");
        assertThrows(IllegalStateException.class, storage::unpin, "owners are no pins");
        assertTrue(storage.pin());
        assertTrue(storage.close());
        assertTrue(storage.isClosed());
        Stamp.check(view, STAMP, "memory with a pin left");
        storage.unpin();
        assertFalse(storage.close() || storage.share() || storage.pin());
    }

    /** For Android before API level 24, which has no fence. */
    @Test
    void aCloseIsSeenWithoutAFence() {
        Block block = new FloatBlock(new long[] {2, 3});
        assertFalse(block.isClosedByExchange());
        assertFalse(block.isClosed() || block.isClosedAfterRead());
        block.close();
        assertTrue(block.isClosedByExchange());
        assertTrue(block.isClosed() && block.isClosedAfterRead() && block.storage.isClosed());
    }

    @Test
    void blocksOverOneMemoryCloseEachByItself() {
        FloatBlock first = new FloatBlock(new long[] {2, 3});
        first.write(5, 4);
        first.publish();
        FloatBlock second = new FloatBlock(first, new long[] {6});
        assertTrue(second.isReadOnly());
        assertSame(first.memory(), second.memory());
        first.close();
        first.close();                      // which must not take the other's
        assertThrows(TensorClosedException.class, () -> first.read(4));
        assertThrows(TensorClosedException.class, first::pin);
        assertThrows(TensorClosedException.class, () -> new FloatBlock(first, new long[] {6}));
        assertFalse(second.isClosed());
        assertEquals(5, second.read(4));
        second.close();
        assertTrue(second.isClosed() && second.storage.isClosed());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Integer.MAX_VALUE + 1L, Long.MAX_VALUE})
    void aSizeOutOfRangeIsRefused(long bytes) {
        Throwable thrown = assertThrows(IllegalArgumentException.class, () -> Storage.allocate(bytes, true));
        assertTrue(thrown.getMessage().contains(Long.toString(bytes)), thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 64, 65_535, 65_536, 3 << 20})
    void theFirstCloseCounts(long bytes) {
        Storage storage = Storage.allocate(bytes, true);
        assertFalse(storage.isClosed());
        assertTrue(storage.close());
        assertTrue(storage.isClosed());
        assertFalse(storage.close());
        assertTrue(storage.isClosed());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 64, 65_535, 65_536, 3 << 20})
    void aPinKeepsTheValuesUntilItEnds(long bytes) {
        Storage storage = Storage.allocate(bytes, true);
        Stamp.write(storage.view(), STAMP);
        assertTrue(storage.pin());
        assertTrue(storage.pin());
        assertTrue(storage.close());
        assertTrue(storage.isClosed());
        ByteBuffer view = storage.view();
        Stamp.check(view, STAMP, "pinned twice");
        storage.unpin();
        Stamp.check(storage.view(), STAMP, "pinned");
        assertFalse(storage.close());
        storage.unpin();
        Stamp.check(view, STAMP, 0, "closed");
        assertThrows(IllegalStateException.class, storage::unpin);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 64, 65_536, 3 << 20})
    void aPinAfterTheCloseFails(long bytes) {
        Storage open = Storage.allocate(bytes, true);
        assertTrue(open.close());
        assertFalse(open.pin());
        Storage pinned = Storage.allocate(bytes, true);
        assertTrue(pinned.pin());
        assertTrue(pinned.close());
        assertFalse(pinned.pin());
        pinned.unpin();
        assertFalse(pinned.pin());
    }

    @Test
    void aPinThatEndsBeforeTheCloseChangesNothing() {
        Storage storage = Storage.allocate(65_536, true);
        assertThrows(IllegalStateException.class, storage::unpin);
        Stamp.write(storage.view(), STAMP);
        assertTrue(storage.pin());
        storage.unpin();
        assertThrows(IllegalStateException.class, storage::unpin);
        Stamp.check(storage.view(), STAMP, "unpinned");
        assertFalse(storage.isClosed());
        assertTrue(storage.close());
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 4096, 65_535, 65_536, 1 << 20, 3 << 20})
    void viewsAfterTheCloseNeverFaultNorShowOthers(int bytes) {
        List<ByteBuffer> views = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Storage closed = Storage.allocate(bytes, true);
            ByteBuffer view = closed.view();
            Stamp.write(view, i + 1);
            closed.close();
            views.add(view);
            Storage next = Storage.allocate(bytes, true);
            Stamp.check(next.view(), 0, "fresh memory");
            Stamp.write(next.view(), STAMP);
            for (int k = 0; k <= i; k++) {
                Stamp.check(views.get(k), k + 1, 0, "closed memory");
            }
            // Writes are lost, or land in memory that nobody else has.
            Stamp.write(view, i + 1);
            Stamp.check(next.view(), STAMP, "the next tensor");
            next.close();
        }
    }

    @Test
    void closedBlocksReadZerosAtOnce() {
        Storage storage = Storage.allocate(1 << 20, true);
        ByteBuffer view = storage.view();
        Stamp.write(view, STAMP);
        storage.close();
        Stamp.check(view, 0, "closed memory");
    }

    /** Storage with what is known of it. */
    private static final class Known {
        final Storage storage;
        final ByteBuffer view;
        final long stamp;

        Known(Storage storage, long stamp) {
            this.storage = storage;
            this.stamp = stamp;
            view = storage.view();
        }
    }

    /** Creates, writes and closes at random, and writes to what is closed, too. */
    private static void live(Random random, AtomicLong stamps, int rounds) {
        List<Known> open = new ArrayList<>();
        List<Known> closed = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            int what = random.nextInt(10);
            if (open.isEmpty() || what < 4 && open.size() < 60) {
                long stamp = stamps.incrementAndGet() * 0x0001_0101_0101_0101L | 1;
                Known made = new Known(Storage.allocate(size(random), true), stamp);
                Stamp.check(made.view, 0, "fresh memory");
                Stamp.write(made.view, stamp);
                open.add(made);
            } else if (what < 7) {
                Known one = open.remove(random.nextInt(open.size()));
                Stamp.check(one.view, one.stamp, "open memory");
                if (random.nextInt(20) == 0) {
                    continue;       // dropped
                }
                boolean pinned = random.nextInt(4) == 0 && one.storage.pin();
                assertTrue(one.storage.close());
                if (pinned) {
                    Stamp.check(one.view, one.stamp, "pinned memory");
                    one.storage.unpin();
                }
                closed.add(one);
            } else if (what < 8) {
                Known one = open.get(random.nextInt(open.size()));
                Stamp.check(one.view, one.stamp, "open memory");
            } else if (!closed.isEmpty()) {
                Known one = closed.get(random.nextInt(closed.size()));
                int at = one.view.capacity() < Long.BYTES ? -1 : random.nextInt(one.view.capacity() / Long.BYTES) * Long.BYTES;
                long found = at < 0 ? 0 : one.view.getLong(at);
                assertTrue(found == 0 || found == one.stamp || found == LATE, () -> "closed memory of " + one.stamp + " has " + found);
                Stamp.write(one.view, LATE);
                if (closed.size() > 40) {
                    closed.remove(random.nextInt(closed.size()));
                }
            }
            if (round % 500 == 499) {
                System.gc();
            }
        }
        for (Known one : open) {
            Stamp.check(one.view, one.stamp, "open memory");
            one.storage.close();
        }
    }

    private static long size(Random random) {
        switch (random.nextInt(8)) {
            case 0:
                return random.nextInt(64);
            case 1:
                return 65_530 + random.nextInt(12);
            case 2:
                return 65_536 + random.nextInt(1 << 20);
            case 3:
                return (2 << 20) - 5 + random.nextInt(10);
            default:
                return random.nextInt(8000);
        }
    }

    @Test
    void noTwoTensorsShareMemory() {
        live(new Random(42), new AtomicLong(), ROUNDS);
    }

    @Test
    void noTwoTensorsOfEightThreadsShareMemory() {
        AtomicLong stamps = new AtomicLong();
        Workers.run(8, n -> live(new Random(n), stamps, ROUNDS / 4));
    }

    @Test
    void oneOfManyClosesCounts() {
        for (int i = 0; i < 200; i++) {
            Storage storage = Storage.allocate(i % 2 == 0 ? 100 : 1 << 17, true);
            AtomicLong closes = new AtomicLong();
            Workers.run(4, n -> {
                boolean pinned = n % 2 == 0 && storage.pin();
                if (storage.close()) {
                    closes.incrementAndGet();
                }
                if (pinned) {
                    storage.unpin();
                }
            });
            assertEquals(1, closes.get());
        }
    }
}
