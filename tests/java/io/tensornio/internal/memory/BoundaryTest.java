package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.TensorNioInternalError;
import io.tensornio.internal.data.NativeCopies;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How errors and panics of native code arrive. */
@Tag("faults")
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
        Throwable thrown = assertThrows(type, () -> NativeFaults.provoke(what, detail));
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
        Throwable thrown = assertThrows(IllegalStateException.class, () -> NativeFaults.provoke(ILLEGAL_STATE, "a\ud83db"));
        assertEquals("a\ufffdb", thrown.getMessage());
    }

    @Test
    void theDetailMustNotBeNull() {
        Throwable thrown = assertThrows(NullPointerException.class, () -> NativeFaults.provoke(INTERNAL, null));
        assertEquals("detail is null", thrown.getMessage());
    }

    @Test
    void anUnknownFaultIsRefused() {
        Throwable thrown = assertThrows(IllegalArgumentException.class, () -> NativeFaults.provoke(-7, ""));
        assertTrue(thrown.getMessage().contains("-7"), thrown.getMessage());
    }

    private static void assertPanic(String message, int what) {
        Throwable thrown = assertThrows(TensorNioInternalError.class, () -> NativeFaults.provoke(what, "the détail"));
        assertSame(TensorNioInternalError.class, thrown.getClass());
        assertTrue(thrown.getMessage().startsWith("panic in native code: " + message + " (at "), thrown.getMessage());
        assertTrue(thrown.getMessage().matches("(?s).*\\(at \\S*faults\\.rs:[1-9][0-9]*\\)"), thrown.getMessage());
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
        String literal = assertThrows(TensorNioInternalError.class, () -> NativeFaults.provoke(PANIC_LITERAL, "")).getMessage();
        String number = assertThrows(TensorNioInternalError.class, () -> NativeFaults.provoke(PANIC_NUMBER, "")).getMessage();
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
                            assertThrows(TensorNioInternalError.class, () -> NativeFaults.provoke(PANIC_FORMATTED, detail)).getMessage();
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
                NativeCopies.copy("text", 0, new float[1], 0, new long[0], 4);
            } catch (IllegalArgumentException e) {
                illegal = e;
            }
            long address = NativeMemory.allocate(100, true);
            root = NativeMemory.wrap(address);
            NativeMemory.close(root);
            NativeMemory.release(address);
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
            NativeFaults.provoke(what, "x");
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    @Test
    void theVersionIsTheJars() {
        assertEquals(Version.VERSION, NativeMemory.version());
    }
}
