package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tensornio.Expect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The natives of memory: what a block is, what is no block, and what is counted. */
class MemoryNativesTest {
    /** Gives back what a test took; nobody may use the root afterwards. */
    private static void free(ByteBuffer root, long address) {
        Native.close(root);
        Native.release(address);
    }

    @Test
    void aBlockIsZeroedAlignedAndOfTheSizeAskedFor() {
        for (int bytes : new int[] {1, 7, 4096, 65_537, 1 << 20}) {
            long address = Native.allocate(bytes, true);
            assertEquals(0, address % 64);
            ByteBuffer root = Native.wrap(address);
            assertTrue(root.isDirect() && !root.isReadOnly());
            assertEquals(bytes, root.capacity());
            for (int i = 0; i < bytes; i++) {
                assertEquals(0, root.get(i));
                root.put(i, (byte) i);
            }
            free(root, address);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aBlockOfNoBytesIsRefused(long bytes) {
        Expect.exactly(IllegalArgumentException.class, () -> Native.allocate(bytes, true), Long.toString(bytes));
    }

    @Test
    void whatDoesNotFitTheBudgetIsNoBlock() {
        long before = budget();
        Native.setMaxMemory(1 << 20);
        try {
            assertEquals(0, Native.allocate(2 << 20, true));
            assertEquals(0, Native.allocate(1 << 30, false));
            if (Forked.has64Bits()) {
                assertEquals(0, Native.allocate(1L << 40, true));
                assertEquals(0, Native.allocate(1L << 61, false));
            }
            assertEquals(1 << 20, budget());
        } finally {
            Native.setMaxMemory(before);
        }
    }

    @Test
    void whatNoAddressSpaceHoldsIsOutOfMemory() {
        long[] sizes = Forked.has64Bits() ? new long[] {Long.MAX_VALUE} : new long[] {Integer.MAX_VALUE, 1L << 32, 1L << 40, Long.MAX_VALUE};
        for (long bytes : sizes) {
            Expect.exactly(OutOfMemoryError.class, () -> Native.allocate(bytes, false), Long.toString(bytes));
        }
    }

    private static long budget() {
        long[] memory = new long[8];
        Native.memory(memory);
        return memory[5];
    }

    @Test
    void aNegativeBudgetIsRefused() {
        Expect.exactly(IllegalArgumentException.class, () -> Native.setMaxMemory(-1), "-1");
    }

    @Test
    void aNegativeIdleTimeIsRefused() {
        Expect.exactly(IllegalArgumentException.class, () -> Native.trim(-1), "-1");
    }

    @Test
    void trimmingTakesAnyTime() throws Throwable {
        try (SeparateLibrary library = SeparateLibrary.load()) {
            long address = library.allocate(1 << 20);
            library.close(library.wrap(address));
            library.trim(Long.MAX_VALUE);
            library.trim(0);
            assertEquals(0, library.memory()[1]);
            library.release(address);
        }
    }

    @Test
    void aBlockThatNoBufferCanHoldIsRefusedByWrap() {
        assumeTrue(Forked.has64Bits(), "with 32 bits there is no such block");
        long before = budget();
        Native.setMaxMemory(8L << 30);
        try {
            for (long bytes : new long[] {Integer.MAX_VALUE + 1L, 3L << 30}) {
                long address = Native.allocate(bytes, false);
                assertNotEquals(0, address);
                Expect.exactly(IllegalArgumentException.class, () -> Native.wrap(address), Long.toString(bytes));
                Native.release(address);
            }
        } finally {
            Native.trim(0);
            Native.setMaxMemory(before);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 64, 0x7fff_ffff_ffff_0000L, Long.MIN_VALUE})
    void anAddressThatIsNoBlockIsRefused(long address) {
        Expect.exactly(IllegalArgumentException.class, () -> Native.wrap(address));
        Expect.exactly(IllegalArgumentException.class, () -> Native.release(address));
    }

    @Test
    void anAddressInsideABlockIsRefused() {
        long address = Native.allocate(1 << 20, false);
        Expect.exactly(IllegalArgumentException.class, () -> Native.wrap(address + 64));
        Expect.exactly(IllegalArgumentException.class, () -> Native.release(address + 4096));
        free(Native.wrap(address), address);
    }

    @Test
    void nullIsNoRoot() {
        Expect.exactly(NullPointerException.class, () -> Native.close(null), "root is null");
        Expect.exactly(NullPointerException.class, () -> Native.discard(null, 0, 0), "root is null");
    }

    @Test
    void aHeapBufferIsNoRoot() {
        ByteBuffer heap = ByteBuffer.allocate(10);
        Expect.exactly(IllegalArgumentException.class, () -> Native.close(heap), "heap buffer");
        Expect.exactly(IllegalArgumentException.class, () -> Native.discard(heap, 0, 10), "heap buffer");
        Expect.exactly(IllegalArgumentException.class, () -> Native.close(heap.asReadOnlyBuffer()), "heap buffer");
    }

    @Test
    void aForeignBufferIsNoRoot() {
        ByteBuffer foreign = ByteBuffer.allocateDirect(1 << 16);
        Expect.exactly(IllegalArgumentException.class, () -> Native.close(foreign));
        Expect.exactly(IllegalArgumentException.class, () -> Native.discard(foreign, 0, 1 << 16));
    }

    @Test
    void aPartOfARootIsNoRoot() {
        long address = Native.allocate(1 << 17, true);
        ByteBuffer root = Native.wrap(address);
        root.put(5, (byte) 5);
        ByteBuffer head = ((ByteBuffer) root.duplicate().limit(1 << 16)).slice();
        ByteBuffer tail = ((ByteBuffer) root.duplicate().position(1 << 16)).slice();
        Expect.exactly(IllegalArgumentException.class, () -> Native.close(head), Integer.toString(1 << 16));
        Expect.exactly(IllegalArgumentException.class, () -> Native.close(tail));
        Expect.exactly(IllegalArgumentException.class, () -> Native.discard(tail, 0, 10));
        assertEquals(5, root.get(5));
        free(root, address);
    }

    @Test
    void aBlockIsClosedOnce() {
        long address = Native.allocate(1 << 16, true);
        ByteBuffer root = Native.wrap(address);
        Native.close(root);
        Expect.exactly(IllegalStateException.class, () -> Native.close(root));
        Native.release(address);
    }

    @Test
    void aBlockIsReleasedOnce() {
        long address = Native.allocate(1 << 16, true);
        free(Native.wrap(address), address);
        Expect.exactly(IllegalArgumentException.class, () -> Native.release(address));
    }

    @Test
    void aClosedBlockReadsZerosAndTakesWrites() {
        long address = Native.allocate(1 << 20, true);
        ByteBuffer root = Native.wrap(address).order(ByteOrder.nativeOrder());
        for (int i = 0; i < root.capacity(); i += 8) {
            root.putLong(i, 0x0123_4567_89ab_cdefL);
        }
        Native.close(root);
        for (int i = 0; i < root.capacity(); i += 8) {
            assertEquals(0, root.getLong(i));
        }
        root.putLong(0, 1);
        Native.release(address);
    }

    @Test
    void discardedPagesReadZerosAndTheirNeighboursStay() {
        int bytes = 1 << 18;
        long address = Native.allocate(bytes, true);
        ByteBuffer root = Native.wrap(address);
        for (int i = 0; i < bytes; i++) {
            root.put(i, (byte) 1);
        }
        int from = (1 << 16) + 100;
        int to = 3 << 16;
        Native.discard(root, from, to);
        for (int i = 0; i < bytes; i++) {
            if (i < from || i >= to) {
                assertEquals(1, root.get(i));
            }
        }
        assertEquals(0, root.get(1 << 17));
        free(root, address);
    }

    @Test
    void aPartThatIsNoneIsNotDiscarded() {
        long address = Native.allocate(1 << 18, true);
        ByteBuffer root = Native.wrap(address);
        root.put(1 << 17, (byte) 1);
        int[][] parts = {{-1, 1 << 18}, {0, (1 << 18) + 1}, {1 << 18, 0}, {0, -1}, {Integer.MIN_VALUE, Integer.MAX_VALUE}};
        for (int[] part : parts) {
            Expect.exactly(IndexOutOfBoundsException.class, () -> Native.discard(root, part[0], part[1]));
        }
        assertEquals(1, root.get(1 << 17));
        free(root, address);
    }

    @Test
    void memoryIsCounted() throws Throwable {
        // Of its own, so that nothing else is counted.
        try (SeparateLibrary library = SeparateLibrary.load()) {
            assertEquals(0, library.memory()[0]);
            assertEquals(0, library.memory()[4]);
            long address = library.allocate(64 << 20);
            assertEquals(64 << 20, library.memory()[0]);
            assertEquals(1, library.memory()[4]);
            assertEquals(0, library.memory()[6] + library.memory()[7]);
            library.close(library.wrap(address));
            assertEquals(0, library.memory()[0]);
            assertEquals(64 << 20, library.memory()[2]);
            assertEquals(0, library.memory()[4]);
            assertEquals(1, library.memory()[6] + library.memory()[7]);
            library.release(address);
            assertEquals(0, library.memory()[2]);
        }
    }

    @Test
    void theReportLeavesTheRestOfTheArray() {
        long[] longer = new long[9];
        longer[8] = 77;
        Native.memory(longer);
        assertEquals(77, longer[8]);
    }

    @Test
    void memoryNeedsRoom() {
        Expect.exactly(NullPointerException.class, () -> Native.memory(null), "out is null");
        long[] small = new long[7];
        Expect.exactly(IllegalArgumentException.class, () -> Native.memory(small), "7");
        for (long value : small) {
            assertEquals(0, value);
        }
    }
}
