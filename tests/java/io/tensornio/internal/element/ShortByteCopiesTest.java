package io.tensornio.internal.element;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Copies by words: every length around a word and around a bulk copy, at every place in a word. */
class ShortByteCopiesTest {
    private static final int MOST = 130;
    private static final byte AROUND = 99;

    /** Letters, other than what is around them. */
    private static byte[] text(int n) {
        byte[] text = new byte[n];
        for (int i = 0; i < n; i++) {
            text[i] = (byte) ('A' + i % 26);
        }
        return text;
    }

    private static ByteBuffer memory() {
        ByteBuffer memory = ByteBuffer.allocateDirect(MOST + 16).order(ByteOrder.nativeOrder());
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, AROUND);
        }
        return memory;
    }

    @Test
    void oneByteWithASignIsNotAscii() {
        for (int n = 0; n <= MOST; n++) {
            byte[] text = text(n);
            assertTrue(ShortByteCopies.isAscii(text));
            for (int at = 0; at < n; at++) {
                text[at] = (byte) (at % 2 == 0 ? 0x80 : 0xff);
                assertFalse(ShortByteCopies.isAscii(text));
                text[at] = 0x7f;
            }
            assertTrue(ShortByteCopies.isAscii(text));
        }
    }

    @Test
    void bytesGoThereAndBack() {
        for (int n = 0; n <= MOST; n++) {
            for (int at = 1; at <= 9; at++) {
                ByteBuffer memory = memory();
                ShortByteCopies.put(text(n), memory, at);
                for (int i = 0; i < memory.capacity(); i++) {
                    assertEquals(i >= at && i < at + n ? text(n)[i - at] : AROUND, memory.get(i), n + " bytes at " + at + ", place " + i);
                }
                byte[] back = new byte[n + 2];
                Arrays.fill(back, AROUND);
                ShortByteCopies.get(memory, at, back, n);
                assertArrayEquals(text(n), Arrays.copyOf(back, n));
                assertEquals(AROUND, back[n]);
                assertEquals(AROUND, back[n + 1]);
            }
        }
    }

    @Test
    void whatIsNotAsciiIsSeenAtEachPlace() {
        for (int n = 0; n <= MOST; n++) {
            ByteBuffer memory = memory();
            ShortByteCopies.put(text(n), memory, 3);
            boolean few = ShortByteCopies.get(memory, 3, new byte[n], n);
            assertEquals(n < 128, few, "many bytes are not looked at");
            for (int i = 0; i < n; i++) {
                memory.put(3 + i, (byte) 0x80);
                assertFalse(ShortByteCopies.get(memory, 3, new byte[n], n), n + " bytes, place " + i);
                memory.put(3 + i, (byte) 'a');
            }
        }
    }

    @Test
    void aQuestionMarkIsSeenAtEachPlaceAndNothingElseIsOne() {
        for (int n = 0; n <= MOST; n++) {
            byte[] bytes = text(n);
            assertFalse(ShortByteCopies.hasMark(bytes));
            for (int i = 0; i < n; i++) {
                for (int b = -128; b < 128; b++) {
                    bytes[i] = (byte) b;
                    assertEquals(b == '?', ShortByteCopies.hasMark(bytes), b + " at " + i + " of " + n);
                }
                bytes[i] = 'a';
            }
        }
    }
}
