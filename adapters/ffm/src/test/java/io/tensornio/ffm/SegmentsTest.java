package io.tensornio.ffm;

import static io.tensornio.support.Expect.depth;
import static io.tensornio.support.Expect.thrown;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.interop.Foreign;
import io.tensornio.interop.Pin;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tensors as segments, and segments as tensors. */
class SegmentsTest {
    private static final long GIB = 1L << 30;
    private long before;

    @BeforeEach
    void count() {
        before = MemoryStats.current().bytesInUse();
    }

    @AfterEach
    void everyTensorIsClosedAndEveryPinEnded() {
        eventually(() -> MemoryStats.current().bytesInUse() <= before, () -> MemoryStats.current() + " was " + before);
    }

    private static void eventually(BooleanSupplier holds, java.util.function.Supplier<String> message) {
        for (int n = 0; n < 200 && !holds.getAsBoolean(); n++) {
            System.gc();
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        assertTrue(holds.getAsBoolean(), message);
    }

    @Test
    void aSegmentIsTheTensorsMemoryAndReadOnly() {
        try (Tensor<Float> tensor = Tensors.ofNested(new float[][] {{1, 2, 3}, {4, 5, 6}}); Arena arena = Arena.ofConfined()) {
            MemorySegment segment = Segments.of(tensor, arena);
            try (Pin pin = Pin.of(tensor)) {
                assertEquals(pin.address(), segment.address());
            }
            assertEquals(24, segment.byteSize());
            assertTrue(segment.isReadOnly());
            assertArrayEquals(new float[] {1, 2, 3, 4, 5, 6}, segment.toArray(ValueLayout.JAVA_FLOAT));
            assertThrows(IllegalArgumentException.class, () -> segment.setAtIndex(ValueLayout.JAVA_FLOAT, 0, 7));
        }
    }

    @Test
    void everyTypeAndLayoutIsInPlace() {
        Object[] nested = {new double[] {1, -0.0}, new int[] {1, 2}, new long[] {1, 2}, new boolean[] {true, false}, new byte[] {1, -1}, 3f,
            new float[0]};
        long[] sizes = {16, 8, 16, 2, 2, 4, 0};
        for (int n = 0; n < nested.length; n++) {
            try (Tensor<?> tensor = Tensors.ofNested(nested[n]); Arena arena = Arena.ofConfined()) {
                assertEquals(sizes[n], Segments.of(tensor, arena).byteSize());
            }
        }
        TensorLayout layout = TensorLayout.columnMajor(2, 3);
        try (Tensor<Integer> columns = Tensors.denseInt(layout, data -> data.putNested(new int[][] {{1, 2, 3}, {4, 5, 6}}));
            Arena arena = Arena.ofConfined()) {
            assertArrayEquals(new int[] {1, 4, 2, 5, 3, 6}, Segments.of(columns, arena).toArray(ValueLayout.JAVA_INT));
        }
    }

    @Test
    void theTensorMayBeClosedBeforeTheArena() {
        Tensor<Long> tensor = Tensors.denseLong(new long[] {100_000}, data -> data.put(7, 99_999));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = Segments.of(tensor, arena);
            long open = MemoryStats.current().bytesInUse();
            tensor.close();
            assertEquals(7, segment.getAtIndex(ValueLayout.JAVA_LONG, 99_999));
            assertEquals(open, MemoryStats.current().bytesInUse());
        }
        assertTrue(MemoryStats.current().bytesInUse() <= before);
        try (Arena arena = Arena.ofConfined()) {
            assertThrows(TensorClosedException.class, () -> Segments.of(tensor, arena));
        }
    }

    @Test
    void afterTheArenaIsClosedTheSegmentThrowsAndTheTensorLives() {
        try (Tensor<Float> tensor = Tensors.ofNested(new float[] {1, 2})) {
            MemorySegment kept;
            try (Arena arena = Arena.ofConfined()) {
                kept = Segments.of(tensor, arena);
            }
            assertThrows(IllegalStateException.class, () -> kept.getAtIndex(ValueLayout.JAVA_FLOAT, 0));
            assertEquals(2, tensor.floatData().get(1));
        }
    }

    @Test
    void anAutomaticArenaPinsWhileASegmentIsReachable() {
        Tensor<Float> tensor = Tensors.denseFloat(new long[] {100_000}, data -> data.put(7, 5));
        MemorySegment part = Segments.of(tensor, Arena.ofAuto()).asSlice(20, 4);
        tensor.close();
        for (int n = 0; n < 5; n++) {
            System.gc();
        }
        assertTrue(MemoryStats.current().bytesInUse() >= before + 400_000);
        assertEquals(7, part.getAtIndex(ValueLayout.JAVA_FLOAT, 0));
    }

    @Test
    void arenasThatAreClosedGlobalOrOfAnotherThreadAreRefusedAndNothingStaysPinned() throws InterruptedException {
        Tensor<Float> tensor = Tensors.denseFloat(new long[] {100_000}, data -> { });
        Arena closed = Arena.ofConfined();
        closed.close();
        assertThrows(IllegalStateException.class, () -> Segments.of(tensor, closed));
        thrown(IllegalArgumentException.class, () -> Segments.of(tensor, Arena.global()), "global", "ofAuto");
        assertThrows(NullPointerException.class, () -> Segments.of(tensor, null));
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (Arena mine = Arena.ofConfined()) {
            assertThrows(NullPointerException.class, () -> Segments.of(null, mine));
            Thread other = new Thread(() -> {
                try {
                    Segments.of(tensor, mine);
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            other.start();
            other.join();
        }
        assertEquals(WrongThreadException.class, thrown.get().getClass());
        tensor.close();
        assertTrue(MemoryStats.current().bytesInUse() <= before);
    }

    @Test
    void sparseRaggedAndStringsOfAnyLengthAreRefused() {
        try (AnyTensor<Float> sparse = Tensors.sparseFloat(new long[] {3}, 1, data -> data.put(1, 0));
            AnyTensor<Float> ragged = Tensors.raggedOfNested(new float[][] {{1}, {}}); Tensor<String> strings = Tensors.ofNested(new String[] {"a"});
            Arena arena = Arena.ofConfined()) {
            thrown(IllegalArgumentException.class, () -> Segments.of(sparse, arena), "toDense()");
            thrown(IllegalArgumentException.class, () -> Segments.of(ragged, arena), "toDense()");
            thrown(IllegalArgumentException.class, () -> Segments.of(strings, arena), "offsets()");
        }
    }

    @Test
    @SuppressWarnings("restricted")
    void nativeCodeReadsTheTensor() throws Throwable {
        Linker linker = Linker.nativeLinker();
        var memcmp = linker.downcallHandle(linker.defaultLookup().find("memcmp").orElseThrow(),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
        try (Tensor<Integer> tensor = Tensors.ofNested(new int[] {1, 2, 3}); Tensor<Integer> equal = Tensors.ofNested(new int[] {1, 2, 3});
            Arena arena = Arena.ofConfined()) {
            assertEquals(0, (int) memcmp.invokeExact(Segments.of(tensor, arena), Segments.of(equal, arena), 12L));
        }
    }

    @Test
    void racingThreadsPinCloseAndReadOneTensor() throws InterruptedException {
        for (int round = 0; round < 200 * depth(); round++) {
            Tensor<Long> tensor = Tensors.denseLong(new long[] {1000}, data -> data.put(LongTensorData.constant(42, 1000)));
            AtomicReference<Throwable> failed = new AtomicReference<>();
            Thread[] team = new Thread[3];
            for (int n = 0; n < team.length; n++) {
                boolean closes = n == 0;
                team[n] = new Thread(() -> {
                    try (Arena arena = Arena.ofConfined()) {
                        if (closes) {
                            tensor.close();
                        } else {
                            assertEquals(42, Segments.of(tensor, arena).getAtIndex(ValueLayout.JAVA_LONG, 999));
                        }
                    } catch (TensorClosedException e) {
                        // the other thread was faster
                    } catch (Throwable e) {
                        failed.set(e);
                    }
                });
                team[n].start();
            }
            for (Thread member : team) {
                member.join();
            }
            assertEquals(null, failed.get());
        }
    }

    /** As long as it takes to write 6 GiB: where there is memory for them. */
    @Test
    void sixGibibytesAreOneSegment() throws IOException {
        long size = 6 * GIB;
        assumeTrue(available() > size + 2 * GIB && MemoryStats.current().maxMemory() > size + GIB, "there is no memory for 6 GiB");
        long n = size / Long.BYTES;
        int row = (int) (n / 6);
        try (Tensor<Long> tensor = Tensors.denseLong(new long[] {6, row}, data -> {
            data.put(7, 5, row - 1);
            data.put(5, 3, 0);
        }); Arena arena = Arena.ofConfined()) {
            MemorySegment segment = Segments.of(tensor, arena);
            assertEquals(size, segment.byteSize());
            assertEquals(7, segment.getAtIndex(ValueLayout.JAVA_LONG, n - 1));
            assertEquals(5, segment.getAtIndex(ValueLayout.JAVA_LONG, n / 2));
            assertEquals(0, segment.getAtIndex(ValueLayout.JAVA_LONG, n / 3));
            assertThrows(IndexOutOfBoundsException.class, () -> segment.getAtIndex(ValueLayout.JAVA_LONG, n));
        }
    }

    private static long available() throws IOException {
        Path info = Path.of("/proc/meminfo");
        return !Files.exists(info) ? 0 : Files.readAllLines(info).stream().filter(line -> line.startsWith("MemAvailable:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024).sum();
    }

    @Test
    void aSegmentIsAdoptedAndItsArenaClosedByTheRelease() {
        Arena arena = Arena.ofShared();
        MemorySegment segment = arena.allocate(12, 4);
        segment.setAtIndex(ValueLayout.JAVA_INT, 2, 42);
        AtomicInteger released = new AtomicInteger();
        Tensor<?> tensor = Foreign.adopt(DataType.INT32, new long[] {3}, segment.asByteBuffer().order(ByteOrder.nativeOrder()), () -> {
            released.incrementAndGet();
            arena.close();
        });
        segment.setAtIndex(ValueLayout.JAVA_INT, 0, 1);     // seen by the tensor: nothing was copied
        try (Arena reading = Arena.ofConfined()) {
            assertEquals(segment.address(), Segments.of(tensor, reading).address());
            tensor.close();
            assertEquals(0, released.get());                // the pin of the segment
            assertEquals(42, segment.getAtIndex(ValueLayout.JAVA_INT, 2));
        }
        assertEquals(1, released.get());
        assertFalse(arena.scope().isAlive());
    }

    @Test
    void adoptingFromAnArenaThatIsClosedIsRefused() {
        Arena arena = Arena.ofConfined();
        var buffer = arena.allocate(8, 4).asByteBuffer().order(ByteOrder.nativeOrder());
        arena.close();
        AtomicInteger released = new AtomicInteger();
        assertThrows(IllegalStateException.class,
            () -> Foreign.adopt(DataType.INT32, new long[] {2}, buffer, released::incrementAndGet));
        assertEquals(0, released.get());
    }

    @Test
    void anAdoptedTensorIsReadAfterItsCloseOnlyByWhomTheMemoryWaitsFor() {
        Arena arena = Arena.ofShared();
        AtomicInteger released = new AtomicInteger();
        Tensor<?> tensor = Foreign.adopt(DataType.INT32, new long[] {2}, arena.allocate(8, 4).asByteBuffer().order(ByteOrder.nativeOrder()), () -> {
            arena.close();
            released.incrementAndGet();
        });
        IntTensorData data = tensor.intData();
        tensor.close();
        assertThrows(TensorClosedException.class, () -> data.get(0));
        data.size(0);
        eventually(() -> released.get() == 1, () -> "the arena of data that is not reachable was not closed");
    }
}
