package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.TensorNioInternalError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What native code refuses and how its faults arrive. */
class BoundaryTest {
    private static final int INDEX_OUT_OF_BOUNDS = 0;
    private static final int ILLEGAL_ARGUMENT = 1;
    private static final int ILLEGAL_STATE = 2;
    private static final int OUT_OF_MEMORY = 3;
    private static final int INTERNAL = 4;
    private static final int PANIC_LITERAL = 10;
    private static final int PANIC_FORMATTED = 11;
    private static final int PANIC_NUMBER = 12;
    private static final int PANIC_WHEN_DROPPED = 13;
    private static final int PANIC_DURING_PANIC = 14;
    private static final int PANIC_ON_ANOTHER_THREAD = 15;

    static Stream<Arguments> errors() {
        return Stream.of(
            Arguments.of(INDEX_OUT_OF_BOUNDS, IndexOutOfBoundsException.class),
            Arguments.of(ILLEGAL_ARGUMENT, IllegalArgumentException.class),
            Arguments.of(ILLEGAL_STATE, IllegalStateException.class),
            Arguments.of(OUT_OF_MEMORY, OutOfMemoryError.class),
            Arguments.of(INTERNAL, TensorNioInternalError.class));
    }

    private static void assertArrives(Class<? extends Throwable> type, int what, String detail) {
        Throwable thrown = assertThrows(type, () -> Native.provoke(what, detail));
        assertSame(type, thrown.getClass());
        assertEquals(detail, thrown.getMessage());
    }

    @ParameterizedTest
    @MethodSource("errors")
    void everyKindOfErrorArrivesAsItsClass(int what, Class<? extends Throwable> type) {
        assertArrives(type, what, "asked 5, possible 0 to 3");
    }

    @ParameterizedTest
    @MethodSource("errors")
    void messagesBeyondAsciiArriveWhole(int what, Class<? extends Throwable> type) {
        assertArrives(type, what, "Größe \u2260 \u5f20\u91cf, \ud83d\ude80, \u0001, % %s {0}");
    }

    @ParameterizedTest
    @MethodSource("errors")
    void aNulInAMessageDoesNotEndIt(int what, Class<? extends Throwable> type) {
        assertArrives(type, what, "before\0after\0");
    }

    @ParameterizedTest
    @MethodSource("errors")
    void longMessagesArriveWhole(int what, Class<? extends Throwable> type) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < 10_000; i++) {
            text.append(i % 3 == 0 ? "\ud83d\ude80" : i % 3 == 1 ? "ß" : "x");
        }
        assertArrives(type, what, text.toString());
    }

    @Test
    void anEmptyMessageArrives() {
        assertArrives(IllegalStateException.class, ILLEGAL_STATE, "");
    }

    @Test
    void anUnpairedSurrogateBecomesTheReplacementCharacter() {
        Throwable thrown = assertThrows(IllegalStateException.class, () -> Native.provoke(ILLEGAL_STATE, "a\ud83db"));
        assertEquals("a\ufffdb", thrown.getMessage());
    }

    @Test
    void theDetailMustNotBeNull() {
        Throwable thrown = assertThrows(NullPointerException.class, () -> Native.provoke(INTERNAL, null));
        assertEquals("detail is null", thrown.getMessage());
    }

    @Test
    void anUnknownFaultIsRefused() {
        Throwable thrown = assertThrows(IllegalArgumentException.class, () -> Native.provoke(-7, ""));
        assertTrue(thrown.getMessage().contains("-7"), thrown.getMessage());
    }

    private static void assertPanic(String message, int what) {
        Throwable thrown = assertThrows(TensorNioInternalError.class, () -> Native.provoke(what, "the détail"));
        assertSame(TensorNioInternalError.class, thrown.getClass());
        assertTrue(thrown.getMessage().startsWith("panic in native code: " + message + " (at "), thrown.getMessage());
        assertTrue(thrown.getMessage().matches("(?s).*\\(at \\S*boundary\\.rs:[1-9][0-9]*\\)"), thrown.getMessage());
    }

    @Test
    void aPanicWithALiteralArrivesWithItsPlace() {
        assertPanic("a literal", PANIC_LITERAL);
    }

    @Test
    void aFormattedPanicArrivesWithItsPlace() {
        assertPanic("formatted: the détail", PANIC_FORMATTED);
    }

    @Test
    void aPanicWithoutTextArrivesWithItsPlace() {
        assertPanic("its payload is no text", PANIC_NUMBER);
    }

    @Test
    void aPayloadThatPanicsWhenItIsDroppedIsSurvived() {
        assertPanic("its payload is no text", PANIC_WHEN_DROPPED);
        assertPanic("a literal", PANIC_LITERAL);
    }

    @Test
    void aPanicDuringAPanicIsSurvived() {
        assertPanic("the first: the détail", PANIC_DURING_PANIC);
    }

    @Test
    void aPanicOnAThreadThatSharesWorkArrivesWithItsPlace() {
        assertPanic("on another thread: the détail", PANIC_ON_ANOTHER_THREAD);
        assertPanic("a literal", PANIC_LITERAL);
    }

    @Test
    void eachPanicHasItsOwnPlace() {
        String literal = assertThrows(TensorNioInternalError.class, () -> Native.provoke(PANIC_LITERAL, "")).getMessage();
        String number = assertThrows(TensorNioInternalError.class, () -> Native.provoke(PANIC_NUMBER, "")).getMessage();
        assertNotEquals(literal.substring(literal.lastIndexOf(':')), number.substring(number.lastIndexOf(':')));
    }

    @Test
    void panicsInManyThreadsKeepTheirTexts() throws InterruptedException {
        Thread[] threads = new Thread[4];
        Throwable[] faults = new Throwable[threads.length];
        for (int i = 0; i < threads.length; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                try {
                    for (int k = 0; k < 200; k++) {
                        String detail = me + "/" + k;
                        String message =
                            assertThrows(TensorNioInternalError.class, () -> Native.provoke(PANIC_FORMATTED, detail)).getMessage();
                        assertTrue(message.startsWith("panic in native code: formatted: " + detail + " (at "), message);
                    }
                } catch (Throwable e) {
                    faults[me] = e;
                }
            });
            threads[i].start();
        }
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            assertSame(null, faults[i]);
        }
    }

    /** A context class loader that throws. */
    private static final class ThrowingLoader extends ClassLoader {
        @Override
        public Class<?> loadClass(String name) {
            throw new IllegalStateException("this loader loads nothing: " + name);
        }
    }

    /** A context class loader that answers with another class, whatever it is asked for. */
    private static final class WrongLoader extends ClassLoader {
        @Override
        public Class<?> loadClass(String name) {
            return Thread.class;
        }
    }

    static Stream<Arguments> loaders() {
        return Stream.of(
            Arguments.of("throwing", new ThrowingLoader()), Arguments.of("wrong", new WrongLoader()), Arguments.of("none", null));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("loaders")
    void aHostileContextClassLoaderDoesNotMatter(String name, ClassLoader loader) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        Throwable[] thrown = new Throwable[5];
        Throwable panic = null;
        Throwable illegal = null;
        ByteBuffer root;
        try {
            // Nothing of the test's own in here, which might need the context class loader.
            for (int what = INDEX_OUT_OF_BOUNDS; what <= INTERNAL; what++) {
                thrown[what] = caught(what);
            }
            panic = caught(PANIC_FORMATTED);
            try {
                Native.copy("text", 0, new float[1], 0, new long[0], 4);
            } catch (IllegalArgumentException e) {
                illegal = e;
            }
            long address = Native.allocate(100, true);
            root = Native.wrap(address);
            Native.close(root);
            Native.release(address);
        } finally {
            thread.setContextClassLoader(before);
        }
        assertEquals(100, root.capacity());
        assertSame(IndexOutOfBoundsException.class, thrown[INDEX_OUT_OF_BOUNDS].getClass());
        assertSame(IllegalArgumentException.class, thrown[ILLEGAL_ARGUMENT].getClass());
        assertSame(IllegalStateException.class, thrown[ILLEGAL_STATE].getClass());
        assertSame(OutOfMemoryError.class, thrown[OUT_OF_MEMORY].getClass());
        assertSame(TensorNioInternalError.class, thrown[INTERNAL].getClass());
        assertSame(TensorNioInternalError.class, panic.getClass());
        assertTrue(illegal.getMessage().contains("java.lang.String"), illegal.getMessage());
    }

    private static Throwable caught(int what) {
        try {
            Native.provoke(what, "x");
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    @Test
    void theVersionIsTheJars() {
        assertEquals(Version.VERSION, Native.version());
    }

    // ---- memory ----

    private static void assertRefused(Class<? extends Throwable> type, String part, Executable call) {
        Throwable thrown = assertThrows(type, call);
        assertSame(type, thrown.getClass());
        assertTrue(thrown.getMessage().contains(part), thrown.getMessage());
    }

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
        assertRefused(IllegalArgumentException.class, Long.toString(bytes), () -> Native.allocate(bytes, true));
    }

    @Test
    void whatDoesNotFitTheBudgetIsNoBlock() {
        long before = budget();
        Native.setMaxMemory(1 << 20);
        try {
            assertEquals(0, Native.allocate(1L << 40, true));
            assertEquals(0, Native.allocate(1L << 61, false));
            assertEquals(1 << 20, budget());
        } finally {
            Native.setMaxMemory(before);
        }
    }

    @Test
    void whatNoAddressSpaceHoldsIsOutOfMemory() {
        assertRefused(OutOfMemoryError.class, Long.toString(Long.MAX_VALUE), () -> Native.allocate(Long.MAX_VALUE, false));
    }

    private static long budget() {
        long[] memory = new long[8];
        Native.memory(memory);
        return memory[5];
    }

    @Test
    void aNegativeBudgetIsRefused() {
        assertRefused(IllegalArgumentException.class, "-1", () -> Native.setMaxMemory(-1));
    }

    @Test
    void aNegativeIdleTimeIsRefused() {
        assertRefused(IllegalArgumentException.class, "-1", () -> Native.trim(-1));
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
        long before = budget();
        Native.setMaxMemory(8L << 30);
        try {
            for (long bytes : new long[] {Integer.MAX_VALUE + 1L, 3L << 30}) {
                long address = Native.allocate(bytes, false);
                assertNotEquals(0, address);
                assertRefused(IllegalArgumentException.class, Long.toString(bytes), () -> Native.wrap(address));
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
        assertRefused(IllegalArgumentException.class, "", () -> Native.wrap(address));
        assertRefused(IllegalArgumentException.class, "", () -> Native.release(address));
    }

    @Test
    void anAddressInsideABlockIsRefused() {
        long address = Native.allocate(1 << 20, false);
        assertRefused(IllegalArgumentException.class, "", () -> Native.wrap(address + 64));
        assertRefused(IllegalArgumentException.class, "", () -> Native.release(address + 4096));
        free(Native.wrap(address), address);
    }

    @Test
    void nullIsNoRoot() {
        assertRefused(NullPointerException.class, "root is null", () -> Native.close(null));
        assertRefused(NullPointerException.class, "root is null", () -> Native.discard(null, 0, 0));
    }

    @Test
    void aHeapBufferIsNoRoot() {
        ByteBuffer heap = ByteBuffer.allocate(10);
        assertRefused(IllegalArgumentException.class, "heap buffer", () -> Native.close(heap));
        assertRefused(IllegalArgumentException.class, "heap buffer", () -> Native.discard(heap, 0, 10));
        assertRefused(IllegalArgumentException.class, "heap buffer", () -> Native.close(heap.asReadOnlyBuffer()));
    }

    @Test
    void aForeignBufferIsNoRoot() {
        ByteBuffer foreign = ByteBuffer.allocateDirect(1 << 16);
        assertRefused(IllegalArgumentException.class, "", () -> Native.close(foreign));
        assertRefused(IllegalArgumentException.class, "", () -> Native.discard(foreign, 0, 1 << 16));
    }

    @Test
    void aPartOfARootIsNoRoot() {
        long address = Native.allocate(1 << 17, true);
        ByteBuffer root = Native.wrap(address);
        root.put(5, (byte) 5);
        ByteBuffer head = ((ByteBuffer) root.duplicate().limit(1 << 16)).slice();
        ByteBuffer tail = ((ByteBuffer) root.duplicate().position(1 << 16)).slice();
        assertRefused(IllegalArgumentException.class, Integer.toString(1 << 16), () -> Native.close(head));
        assertRefused(IllegalArgumentException.class, "", () -> Native.close(tail));
        assertRefused(IllegalArgumentException.class, "", () -> Native.discard(tail, 0, 10));
        assertEquals(5, root.get(5));
        free(root, address);
    }

    @Test
    void aBlockIsClosedOnce() {
        long address = Native.allocate(1 << 16, true);
        ByteBuffer root = Native.wrap(address);
        Native.close(root);
        assertRefused(IllegalStateException.class, "", () -> Native.close(root));
        Native.release(address);
    }

    @Test
    void aBlockIsReleasedOnce() {
        long address = Native.allocate(1 << 16, true);
        free(Native.wrap(address), address);
        assertRefused(IllegalArgumentException.class, "", () -> Native.release(address));
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
            assertRefused(IndexOutOfBoundsException.class, "", () -> Native.discard(root, part[0], part[1]));
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
        assertRefused(NullPointerException.class, "out is null", () -> Native.memory(null));
        long[] small = new long[7];
        assertRefused(IllegalArgumentException.class, "7", () -> Native.memory(small));
        for (long value : small) {
            assertEquals(0, value);
        }
    }
}
