package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.internal.data.StringPadded;
import io.tensornio.internal.data.StringRowArena;
import io.tensornio.support.Texts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is packed is what was counted, or nothing: bytes that nobody wrote never lie between two offsets. */
class StringHeapTest {
    private static void isTold(OutOfMemoryError e, String... parts) {
        assertTrue(e.getCause() instanceof OutOfMemoryError, "no cause: " + e);
        for (String part : parts) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
    }

    /** Out of order, with empty ones at both ends and between, one written twice. */
    private static StringHeap store() {
        StringHeap store = new StringHeap(6);
        store.put(Texts.utf8("cd"), 2);
        store.put(Texts.utf8("efg"), 4);
        store.put(Texts.utf8("old"), 1);
        store.put(Texts.utf8("ab"), 1);
        return store;
    }

    @Test
    void offsetsAreThoseOfTheBytes() {
        ByteBuffer text = ByteBuffer.allocate(7);
        ByteBuffer offsets = ByteBuffer.allocate(7 * Long.BYTES).order(ByteOrder.nativeOrder());
        store().copyTo(6, text, offsets);
        assertEquals("abcdefg", new String(text.array(), StandardCharsets.UTF_8));
        long[] expected = {0, 0, 2, 4, 4, 7, 7};
        for (int at = 0; at <= 6; at++) {
            assertEquals(expected[at], offsets.getLong(Long.BYTES * at), "offset " + at);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 6, 8, 100})
    void otherLengthsThanWereCountedAreRefused(int counted) {
        ByteBuffer text = ByteBuffer.allocate(counted);
        ByteBuffer offsets = ByteBuffer.allocate(7 * Long.BYTES);
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> store().copyTo(6, text, offsets));
        assertTrue(e.getMessage().contains("no write may go on when init returns"), e.getMessage());
    }

    @Test
    void moreElementsThanThereAreAreRefused() {
        assertThrows(IllegalStateException.class, () -> StringPacked.of(new long[] {7}, store()));
        assertThrows(IllegalStateException.class, () -> StringPadded.of(new long[] {7}, new StringPadding(3, 0), store()));
        assertThrows(IllegalStateException.class, () -> store().share(0, new StringHeap(2), 0, 3));
        assertThrows(IllegalStateException.class, () -> store().share(4, new StringHeap(3), 0, 3));
    }

    @Test
    void aStartThatNoChunkHasIsRefused() {
        StringHeap store = store();
        store.set(0, 4090, 7);
        assertThrows(IllegalStateException.class, () -> StringPacked.of(new long[] {6}, store));
        store.set(0, 1L << 32, 7);
        assertThrows(IllegalStateException.class, () -> StringPacked.of(new long[] {6}, store));
    }

    /** No array is as long as this, however large the heap is. */
    @Test
    void bytesThatExhaustTheHeapLeaveTheStoreAsItWas() {
        StringHeap store = store().named(2, 3);
        long mark = store.mark();
        isTold(assertThrows(OutOfMemoryError.class, () -> store.reserve(Integer.MAX_VALUE)), "[2, 3]", "6 elements", "needs 2147483647 bytes");
        assertEquals(mark, store.mark());
    }

    @Test
    void textsThatExhaustTheHeapLeaveTheStoreAsItWas() {
        StringHeap store = store().named(2, 3);
        long mark = store.mark();
        isTold(assertThrows(OutOfMemoryError.class, () -> StagedStrings.of(store, Integer.MAX_VALUE, new Object[0], 0, k -> "")), "[2, 3]",
            "2147483647 texts");
        assertEquals(mark, store.mark());
    }

    /** Else they would count as left behind, and all the others would be copied to be rid of them. */
    @Test
    void bytesThatAreForgottenAreNotCounted() {
        StringHeap store = store();
        long mark = store.mark();
        char[] many = new char[300_000];
        Arrays.fill(many, 'x');
        for (String text : new String[] {"text", "\u20ac", new String(many)}) {
            Object[] values = {text, text, "\ud800"};
            assertThrows(IllegalArgumentException.class, () -> StagedStrings.of(store, 3, values, 0, k -> ""));
            assertEquals(mark, store.mark());
            isTold(assertThrows(OutOfMemoryError.class, () -> store.reserve(Integer.MAX_VALUE)), "and 10 bytes of texts");
        }
    }

    @Test
    void rowsThatExhaustTheHeapStayWhereTheyAre() {
        StringRowArena arena = new StringRowArena(1, -1);
        arena.set(0, arena.append(1, new Object[] {"text"}, k -> ""), 1);
        isTold(assertThrows(OutOfMemoryError.class, () -> arena.compact(Integer.MAX_VALUE, arena.tree.snapshot(0, 0), 0)), "[1, -1]",
            "2147483647 elements");
        assertEquals("text", arena.read(0));
        arena.close();
    }

    /** Each time all elements are looked at: with most of them empty, one that is written again and again would cost far more than its bytes. */
    @ParameterizedTest
    @ValueSource(ints = {10_000, 300_000})
    void bytesOfOneElementAreTidiedOnlyWhenAsManyWereWrittenAsAllElementsTake(int size) {
        int count = 100_000;
        long elements = 12L * count;
        StringHeap store = new StringHeap(count);
        byte[] bytes = new byte[size];
        long written = 0;
        int tidied = 0;
        while (written < 10 * elements) {
            long before = store.appended();
            store.put(bytes, 3);
            written += size;
            tidied += store.appended() < before + size ? 1 : 0;
            assertTrue(tidied * elements <= written, tidied + " times after " + written + " bytes");
            assertTrue(store.appended() <= size + elements + size, store.appended() + " bytes are held");
        }
        assertTrue(tidied > 0, "never");
    }

    /** Among them one that is longer than a chunk, an empty one, and one that is longer than what is left of a chunk. */
    @Test
    void whatIsTidiedStaysAsItWas() {
        StringHeap store = new StringHeap(5);
        char[] texts = {'a', 'b', 'c', 'd', 'e'};
        int[] sizes = {300_000, 0, 200_000, 100_000, 7};
        for (int round = 0; round < 20; round++) {
            for (int at = 0; at < sizes.length; at++) {
                byte[] bytes = new byte[sizes[at]];
                Arrays.fill(bytes, (byte) (texts[at] + round % 3));
                store.put(bytes, at);
                for (int k = 0; k <= at; k++) {
                    String text = store.text(k);
                    assertEquals(sizes[k], text.length());
                    char expected = (char) (texts[k] + round % 3);
                    assertTrue(text.chars().allMatch(c -> c == expected));
                }
            }
        }
        assertEquals(600_007, store.length(0, 5));
    }
}
