package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the statistics say of tensors that are known. */
class MemoryStatsTest {
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

    @Test
    void thePeakStays() {
        long peak = MemoryStats.current().peakBytes();
        long room = peak - MemoryStats.current().bytesInUse();
        long bytes = room + (1 << 20);
        int count = (int) (bytes >> 28) + 1;
        List<Storage> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(Storage.allocate(bytes / count, false));
        }
        long highest = MemoryStats.current().bytesInUse();
        assertTrue(highest > peak);
        assertEquals(highest, MemoryStats.current().peakBytes());
        all.forEach(Storage::close);
        assertInUse(0, 0);
        assertEquals(highest, MemoryStats.current().peakBytes());
    }

    @Test
    void smallTensorsPeak() {
        List<Tensor<Float>> all = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            all.add(floats(100));
        }
        assertInUse(10_000 * 448, 10_000);
        all.forEach(Tensor::close);
        assertInUse(0, 0);
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
    void theBeanShowsTheSame() throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("io.tensornio:type=Memory");
        try (Tensor<Float> tensor = floats(1000)) {
            assertEquals(1000, tensor.size(0));
            // The library's thread registers it.
            while (!server.isRegistered(name)) {
                Garbage.pause();
            }
            MemoryStats now = MemoryStats.current();
            assertTrue(now.tensorsAlive() > 0);
            assertEquals(now.bytesInUse(), server.getAttribute(name, "BytesInUse"));
            assertEquals(now.peakBytes(), server.getAttribute(name, "PeakBytes"));
            assertEquals(now.tensorsAlive(), server.getAttribute(name, "TensorsAlive"));
            assertEquals(now.bytesAwaitingCollection(), server.getAttribute(name, "BytesAwaitingCollection"));
            assertEquals(now.maxMemory(), server.getAttribute(name, "MaxMemory"));
            assertTrue((long) server.getAttribute(name, "BytesPooled") >= 0);
            assertEquals(6, server.getMBeanInfo(name).getAttributes().length);
        }
    }

    @Test
    void theTextHasTheNumbers() {
        try (Tensor<Float> tensor = floats(10)) {
            assertEquals(1, tensor.rank());
            MemoryStats now = MemoryStats.current();
            assertEquals("MemoryStats[" + now.bytesInUse() + " bytes in use by " + now.tensorsAlive() + " tensors (peak " + now.peakBytes() + "), "
                + now.bytesPooled() + " pooled, " + now.bytesAwaitingCollection() + " awaiting collection, of " + now.maxMemory() + "]",
                now.toString());
        }
    }
}
