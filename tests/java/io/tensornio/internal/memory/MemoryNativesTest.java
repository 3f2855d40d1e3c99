package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tensornio.support.Expect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The natives of memory: what a block is, what is no block, and what is counted. */
class MemoryNativesTest {
    /** Gives back what a test took; nobody may use the root afterwards. */
    private static void free(ByteBuffer root, long address) {
        NativeMemory.close(root);
        NativeMemory.release(address);
    }

    @Test
    void aBlockIsZeroedAlignedAndOfTheSizeAskedFor() {
        for (int bytes : new int[] {1, 7, 4096, 65_537, 1 << 20}) {
            long address = NativeMemory.allocate(bytes, true);
            assertEquals(0, address % 64);
            ByteBuffer root = NativeMemory.wrap(address);
            assertTrue(root.isDirect() && !root.isReadOnly());
            assertEquals(bytes, root.capacity());
            for (int i = 0; i < bytes; i++) {
                assertEquals(0, root.get(i));
                root.put(i, (byte) i);
            }
            free(root, address);
        }
    }

    @Test
    void anAliasIsOverTheSameMemoryAndNothingElse() {
        ByteBuffer memory = ByteBuffer.allocateDirect(16).put(7, (byte) 5);
        ByteBuffer alias = NativeMemory.alias(memory, 4, 8);
        assertEquals(8, alias.capacity());
        assertEquals(5, alias.get(3));
        assertEquals(NativeMemory.addressOf(memory) + 4, NativeMemory.addressOf(alias));
        assertEquals(0, NativeMemory.alias(memory, 16, 0).capacity());
        for (long[] part : new long[][] {{-1, 4}, {0, 17}, {13, 4}, {17, 0}, {0, -1}, {Long.MIN_VALUE, 4}, {Long.MAX_VALUE, 4}}) {
            Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.alias(memory, part[0], (int) part[1]), "16");
        }
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.alias(ByteBuffer.allocate(16), 0, 4), "heap");
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.addressOf(ByteBuffer.allocate(16)), "heap");
        Expect.exactly(NullPointerException.class, () -> NativeMemory.alias(null, 0, 4));
        Expect.exactly(NullPointerException.class, () -> NativeMemory.addressOf(null));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aBlockOfNoBytesIsRefused(long bytes) {
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.allocate(bytes, true), Long.toString(bytes));
    }

    @Test
    void whatDoesNotFitTheBudgetIsNoBlock() {
        long before = budget();
        NativeMemory.setMaxMemory(1 << 20);
        try {
            assertEquals(0, NativeMemory.allocate(2 << 20, true));
            assertEquals(0, NativeMemory.allocate(1 << 30, false));
            if (Forked.has64Bits()) {
                assertEquals(0, NativeMemory.allocate(1L << 40, true));
                assertEquals(0, NativeMemory.allocate(1L << 61, false));
            }
            assertEquals(1 << 20, budget());
        } finally {
            NativeMemory.setMaxMemory(before);
        }
    }

    @Test
    void whatNoAddressSpaceHoldsIsOutOfMemory() {
        long[] sizes = Forked.has64Bits() ? new long[] {Long.MAX_VALUE} : new long[] {Integer.MAX_VALUE, 1L << 32, 1L << 40, Long.MAX_VALUE};
        for (long bytes : sizes) {
            Expect.exactly(OutOfMemoryError.class, () -> NativeMemory.allocate(bytes, false), Long.toString(bytes));
        }
    }

    private static long budget() {
        long[] memory = new long[8];
        NativeMemory.memory(memory);
        return memory[5];
    }

    @Test
    void aNegativeBudgetIsRefused() {
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.setMaxMemory(-1), "-1");
    }

    @Test
    void aNegativeIdleTimeIsRefused() {
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.trim(-1), "-1");
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
        NativeMemory.setMaxMemory(8L << 30);
        try {
            for (long bytes : new long[] {Integer.MAX_VALUE + 1L, 3L << 30}) {
                long address = NativeMemory.allocate(bytes, false);
                assertNotEquals(0, address);
                Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.wrap(address), Long.toString(bytes));
                NativeMemory.release(address);
            }
        } finally {
            NativeMemory.trim(0);
            NativeMemory.setMaxMemory(before);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 64, 0x7fff_ffff_ffff_0000L, Long.MIN_VALUE})
    void anAddressThatIsNoBlockIsRefused(long address) {
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.wrap(address));
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.release(address));
    }

    @Test
    void anAddressInsideABlockIsRefused() {
        long address = NativeMemory.allocate(1 << 20, false);
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.wrap(address + 64));
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.release(address + 4096));
        free(NativeMemory.wrap(address), address);
    }

    @Test
    void nullIsNoRoot() {
        Expect.exactly(NullPointerException.class, () -> NativeMemory.close(null), "root is null");
        Expect.exactly(NullPointerException.class, () -> NativeMemory.discard(null, 0, 0), "root is null");
    }

    @Test
    void aHeapBufferIsNoRoot() {
        ByteBuffer heap = ByteBuffer.allocate(10);
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.close(heap), "heap buffer");
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.discard(heap, 0, 10), "heap buffer");
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.close(heap.asReadOnlyBuffer()), "heap buffer");
    }

    @Test
    void aForeignBufferIsNoRoot() {
        ByteBuffer foreign = ByteBuffer.allocateDirect(1 << 16);
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.close(foreign));
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.discard(foreign, 0, 1 << 16));
    }

    @Test
    void aPartOfARootIsNoRoot() {
        long address = NativeMemory.allocate(1 << 17, true);
        ByteBuffer root = NativeMemory.wrap(address);
        root.put(5, (byte) 5);
        ByteBuffer head = ((ByteBuffer) root.duplicate().limit(1 << 16)).slice();
        ByteBuffer tail = ((ByteBuffer) root.duplicate().position(1 << 16)).slice();
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.close(head), Integer.toString(1 << 16));
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.close(tail));
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.discard(tail, 0, 10));
        assertEquals(5, root.get(5));
        free(root, address);
    }

    @Test
    void aBlockIsClosedOnce() {
        long address = NativeMemory.allocate(1 << 16, true);
        ByteBuffer root = NativeMemory.wrap(address);
        NativeMemory.close(root);
        Expect.exactly(IllegalStateException.class, () -> NativeMemory.close(root));
        NativeMemory.release(address);
    }

    @Test
    void aBlockIsReleasedOnce() {
        long address = NativeMemory.allocate(1 << 16, true);
        free(NativeMemory.wrap(address), address);
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.release(address));
    }

    @Test
    void aClosedBlockReadsZerosAndTakesWrites() {
        long address = NativeMemory.allocate(1 << 20, true);
        ByteBuffer root = NativeMemory.wrap(address).order(ByteOrder.nativeOrder());
        for (int i = 0; i < root.capacity(); i += 8) {
            root.putLong(i, 0x0123_4567_89ab_cdefL);
        }
        NativeMemory.close(root);
        for (int i = 0; i < root.capacity(); i += 8) {
            assertEquals(0, root.getLong(i));
        }
        root.putLong(0, 1);
        NativeMemory.release(address);
    }

    @Test
    void discardedPagesReadZerosAndTheirNeighboursStay() {
        int bytes = 1 << 18;
        long address = NativeMemory.allocate(bytes, true);
        ByteBuffer root = NativeMemory.wrap(address);
        for (int i = 0; i < bytes; i++) {
            root.put(i, (byte) 1);
        }
        int from = (1 << 16) + 100;
        int to = 3 << 16;
        NativeMemory.discard(root, from, to);
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
        long address = NativeMemory.allocate(1 << 18, true);
        ByteBuffer root = NativeMemory.wrap(address);
        root.put(1 << 17, (byte) 1);
        int[][] parts = {{-1, 1 << 18}, {0, (1 << 18) + 1}, {1 << 18, 0}, {0, -1}, {Integer.MIN_VALUE, Integer.MAX_VALUE}};
        for (int[] part : parts) {
            Expect.exactly(IndexOutOfBoundsException.class, () -> NativeMemory.discard(root, part[0], part[1]));
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
        NativeMemory.memory(longer);
        assertEquals(77, longer[8]);
    }

    @Test
    void memoryNeedsRoom() {
        Expect.exactly(NullPointerException.class, () -> NativeMemory.memory(null), "out is null");
        long[] small = new long[7];
        Expect.exactly(IllegalArgumentException.class, () -> NativeMemory.memory(small), "7");
        for (long value : small) {
            assertEquals(0, value);
        }
    }
}
