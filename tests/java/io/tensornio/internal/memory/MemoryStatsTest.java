package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.interop.Foreign;
import io.tensornio.io.Npy;
import io.tensornio.support.Expect;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the statistics say of tensors that are known. */
class MemoryStatsTest {
    private static final int ATTEMPTS = 50;

    private MemoryStats before;

    @BeforeEach
    void settle() {
        Garbage.settle();
        before = MemoryStats.current();
    }

    private static Tensor<Float> floats(long... shape) {
        return Tensors.denseFloat(shape, data -> { });
    }

    /** Checks what is in use beyond what was before the test. */
    private void assertInUse(long bytes, long tensors) {
        MemoryStats now = MemoryStats.current();
        assertEquals(bytes, now.bytesInUse() - before.bytesInUse());
        assertEquals(tensors, now.tensorsAlive() - before.tensorsAlive());
        assertTrue(now.peakBytes() >= now.bytesInUse());
        assertTrue(now.peakBytes() >= before.peakBytes());
        assertEquals(Memory.max(), now.maxMemory());
    }

    /** Small tensors share a block, which nobody else keeps once none is made for a while. */
    @Test
    void whatWasDroppedCountsNoMoreAfterCollections() throws InterruptedException {
        Runnable work = () -> {
            for (int n = 0; n < 50; n++) {
                Tensor<Float> dropped = floats(n * n);
                if (n % 3 == 0) {
                    dropped.close();
                }
            }
        };
        Thread other = new Thread(work);
        other.start();
        other.join();
        work.run();
        Garbage.collectUntil(() -> {
            MemoryStats now = MemoryStats.current();
            return now.tensorsAlive() <= before.tensorsAlive() && now.bytesInUse() <= before.bytesInUse();
        });
    }

    @Test
    void tensorsCountUntilTheyAreClosed() {
        Tensor<Float> large = floats(1000, 1000);
        assertInUse(4_000_000, 1);
        Tensor<Float> limit = floats(16_384);
        assertInUse(4_000_000 + 65_536, 2);
        Tensor<Float> small = floats(17);
        assertInUse(4_000_000 + 65_536 + 128, 3);
        Tensor<Float> none = floats(0, 5);
        assertInUse(4_000_000 + 65_536 + 128 + 64, 4);
        Tensor<Float> scalar = floats();
        assertInUse(4_000_000 + 65_536 + 128 + 128, 5);
        large.close();
        assertInUse(65_536 + 128 + 128, 4);
        large.close();
        assertInUse(65_536 + 128 + 128, 4);
        scalar.close();
        small.close();
        assertInUse(65_536 + 64, 2);
        none.close();
        limit.close();
        assertInUse(0, 0);
    }

    /** Allocates blocks up to the peak so far, and this many bytes beyond it. */
    private static List<Storage> fill(long beyondPeak) {
        long bytes = MemoryStats.current().peakBytes() - MemoryStats.current().bytesInUse() + beyondPeak;
        assumeTrue(Forked.has64Bits() || bytes < 256 << 20, "with 32 bits there are no addresses for as much as tests before had in use");
        int count = (int) (bytes >> 28) + 1;
        List<Storage> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(Storage.allocate(bytes / count, false));
        }
        return all;
    }

    @Test
    void thePeakIsOfOneMomentAndSoWithinTheBudget() {
        String printed = Forked.with("-Dtensornio.maxMemory=64m").run(ClosingProgram.class, "peak", Integer.toString(48 << 20), "400000");
        assertTrue(printed.contains("small 25600000, peak 50331648, budget 67108864"), printed);
    }

    /** Each thread has at most one tensor of 16,384 bytes: they hand each other nothing, so that a sum over different moments shows. */
    @Test
    void whatIsInUseIsNeverMoreThanAtOneMoment() throws InterruptedException {
        int threads = 3;
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Thread thread = new Thread(() -> {
                while (!stop.get()) {
                    Storage.allocate(16_384, true).close();
                }
            });
            thread.start();
            all.add(thread);
        }
        try {
            for (int i = 0; i < 5000 * Expect.depth(); i++) {
                long now = MemoryStats.current().bytesInUse() - before.bytesInUse();
                assertTrue(now <= threads * 16_384L, () -> now + " bytes");
            }
        } finally {
            stop.set(true);
            for (Thread thread : all) {
                thread.join();
            }
        }
    }

    @Test
    void thePeakStays() {
        long peak = MemoryStats.current().peakBytes();
        List<Storage> all = fill(1 << 20);
        long highest = MemoryStats.current().bytesInUse();
        assertTrue(highest > peak);
        assertEquals(highest, MemoryStats.current().peakBytes());
        all.forEach(Storage::close);
        assertInUse(0, 0);
        assertEquals(highest, MemoryStats.current().peakBytes());
    }

    @Test
    void smallTensorsCount() {
        List<Tensor<Float>> all = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            all.add(floats(100));
        }
        assertInUse(10_000 * 448, 10_000);
        all.forEach(Tensor::close);
        assertInUse(0, 0);
    }

    @Test
    void smallTensorsPeak() {
        List<Storage> blocks = fill(0);
        long peak = MemoryStats.current().peakBytes();
        List<Tensor<Float>> all = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            all.add(floats(100));
        }
        long highest = MemoryStats.current().bytesInUse();
        assertTrue(highest > peak);
        all.forEach(Tensor::close);
        assertEquals(highest, MemoryStats.current().peakBytes());
        blocks.forEach(Storage::close);
        assertEquals(highest, MemoryStats.current().peakBytes());
    }

    @Test
    void whatAPinKeepsAwaits() {
        Storage storage = Storage.allocate(1 << 20, true);
        long awaiting = MemoryStats.current().bytesAwaitingCollection();
        assertTrue(storage.pin());
        storage.close();
        assertInUse(0, 0);
        assertEquals(awaiting + (1 << 20), MemoryStats.current().bytesAwaitingCollection());
        storage.unpin();
        assertInUse(0, 0);
        assertEquals(awaiting, MemoryStats.current().bytesAwaitingCollection());
    }

    @Test
    void closedSmallTensorsAwaitThoseBesideThem() {
        List<Tensor<Float>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(floats(16));
        }
        long awaiting = MemoryStats.current().bytesAwaitingCollection();
        all.subList(1, 100).forEach(Tensor::close);
        assertEquals(awaiting + 99 * 64, MemoryStats.current().bytesAwaitingCollection());
        all.get(0).close();
    }

    @Test
    void memoryThatNobodyReachesIsPooled() {
        long bytes = 4 << 20;
        long pooled = 0;
        // Who is interrupted for a second finds that the pool has been released.
        for (int attempt = 0; attempt < ATTEMPTS && pooled < bytes; attempt++) {
            NativeMemory.trim(0);
            long released = Memory.released();
            Storage.allocate(bytes, false);
            Garbage.collectUntil(() -> Memory.released() > released);
            pooled = MemoryStats.current().bytesPooled();
        }
        assertTrue(pooled >= bytes, "pooled " + pooled);
        NativeMemory.trim(0);
        long left = MemoryStats.current().bytesPooled();
        assertTrue(left < bytes, "pooled after all was released " + left);
    }

    @Test
    void aTensorWhoseInitThrowsDoesNotCount() {
        for (long n : new long[] {10, 100_000}) {
            assertThrows(IllegalStateException.class, () -> Tensors.denseFloat(new long[] {n}, data -> {
                throw new IllegalStateException("init");
            }));
            assertInUse(0, 0);
        }
    }

    @Test
    void droppedBlocksAreFound() {
        for (int i = 0; i < 20; i++) {
            floats(100_000);
        }
        Garbage.collectUntil(() -> MemoryStats.current().tensorsAlive() <= before.tensorsAlive());
        assertTrue(MemoryStats.current().bytesInUse() <= before.bytesInUse());
    }

    @Test
    void manyThreadsBalance() {
        Workers.run(8, n -> {
            for (int i = 0; i < 2000; i++) {
                floats(n + i % 50 * 20).close();
                if (i % 20 == 0) {
                    floats(20_000 + i).close();
                }
            }
        });
        assertInUse(0, 0);
    }

    @Test
    void theBeanShowsTheSame(@TempDir Path folder) throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("io.tensornio:type=Memory");
        String[] attributes = {"BytesInUse", "PeakBytes", "TensorsAlive", "BytesPooled", "BytesAwaitingCollection", "ForeignBytes", "MappedBytes",
            "MaxMemory"};
        Storage pinned = Storage.allocate(3 << 20, false);
        assertTrue(pinned.pin());
        pinned.close();
        ByteBuffer lent = ByteBuffer.allocateDirect(4_711);
        Path file = folder.resolve("x.npy");
        Npy.write(file, FloatTensorData.constant(1, 1_001));
        try (Tensor<Float> tensor = floats(2_000_000); Tensor<?> foreign = Foreign.adopt(DataType.UINT8, new long[] {4_711}, lent, () -> { });
            Tensor<?> mapped = Npy.map(file)) {
            assertEquals(1_001, mapped.size(0));
            assertEquals(4_711, foreign.numBytes());
            assertEquals(2_000_000, tensor.size(0));
            // The library's thread registers it.
            Garbage.collectUntil(() -> server.isRegistered(name));
            List<Long> expected = null;
            List<Long> shown = null;
            // The library's thread may change the numbers while they are read.
            for (int attempt = 0; attempt < ATTEMPTS && (expected == null || !expected.equals(numbers())); attempt++) {
                long released = Memory.released();
                Storage.allocate(4 << 20, false);                   // will be pooled
                Garbage.collectUntil(() -> Memory.released() > released);
                expected = numbers();
                shown = new ArrayList<>();
                for (String attribute : attributes) {
                    shown.add((Long) server.getAttribute(name, attribute));
                }
            }
            assertEquals(expected, shown, () -> Arrays.toString(attributes));
            assertEquals(attributes.length, expected.stream().filter(number -> number > 0).distinct().count(), expected::toString);
            assertEquals(attributes.length, server.getMBeanInfo(name).getAttributes().length);
        } finally {
            pinned.unpin();
        }
    }

    private static List<Long> numbers() {
        MemoryStats now = MemoryStats.current();
        return Arrays.asList(now.bytesInUse(), now.peakBytes(), now.tensorsAlive(), now.bytesPooled(), now.bytesAwaitingCollection(),
            now.foreignBytes(), now.mappedBytes(), now.maxMemory());
    }

    @Test
    void theTextHasTheNumbers() {
        try (Tensor<Float> tensor = floats(10)) {
            assertEquals(1, tensor.rank());
            MemoryStats now = MemoryStats.current();
            assertEquals("MemoryStats[" + now.bytesInUse() + " bytes in use by " + now.tensorsAlive() + " tensors (peak " + now.peakBytes() + "), "
                + now.bytesPooled() + " pooled, " + now.bytesAwaitingCollection() + " awaiting collection, of " + now.maxMemory() + "; "
                + now.foreignBytes() + " bytes of others, " + now.mappedBytes() + " mapped]", now.toString());
        }
    }
}
