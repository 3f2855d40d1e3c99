package io.tensornio.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is packed is what was counted, or nothing: bytes that nobody wrote never lie between two offsets. */
class StringStoreTest {
    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Out of order, with empty ones at both ends and between, one written twice. */
    private static StringStore store() {
        StringStore store = new StringStore(6);
        store.put(utf8("cd"), 2);
        store.put(utf8("efg"), 4);
        store.put(utf8("old"), 1);
        store.put(utf8("ab"), 1);
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
        assertThrows(IllegalStateException.class, () -> store().share(0, new StringStore(2), 0, 3));
        assertThrows(IllegalStateException.class, () -> store().share(4, new StringStore(3), 0, 3));
    }

    @Test
    void aStartThatNoChunkHasIsRefused() {
        StringStore store = store();
        store.set(0, 4090, 7);
        assertThrows(IllegalStateException.class, () -> StringPacked.of(new long[] {6}, store));
        store.set(0, 1L << 32, 7);
        assertThrows(IllegalStateException.class, () -> StringPacked.of(new long[] {6}, store));
    }
}
