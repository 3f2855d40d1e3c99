package io.tensornio.internal.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The generator of random numbers, by the vectors that its authors published with Random123, and the truth values that are made of it. */
class NoiseTest {
    private static void check(long[] counter, long first, long second, long... expected) {
        int[] words = new int[4];
        int[] wanted = new int[4];
        for (int n = 0; n < 4; n++) {
            words[n] = (int) counter[n];
            wanted[n] = (int) expected[n];
        }
        Noise.philox(words, (int) first, (int) second);
        assertArrayEquals(wanted, words);
    }

    @Test
    void philoxIsThatOfThePaper() {
        check(new long[] {0, 0, 0, 0}, 0, 0, 0x6627e8d5L, 0xe169c58dL, 0xbc57ac4cL, 0x9b00dbd8L);
        long ones = 0xffffffffL;
        check(new long[] {ones, ones, ones, ones}, ones, ones, 0x408f276dL, 0x41c83b0eL, 0xa20bc7c6L, 0x6d5451fdL);
        check(new long[] {0x243f6a88L, 0x85a308d3L, 0x13198a2eL, 0x03707344L}, 0xa4093822L, 0x299f31d0L, 0xd16cfe09L, 0x94fdccebL, 0x5001e420L,
            0x24126ea1L);
    }

    @Test
    void truthValuesAreThoseOfTheWordsWhereverMemoryIsCut() {
        Noise noise = new Noise(null, .25, 7);
        byte[] whole = new byte[1003];
        noise.fill(new ByteBuffer[] {ByteBuffer.wrap(whole)}, -5, 1L << 33, new int[4]);
        byte[] first = new byte[6];
        byte[] rest = new byte[997];
        noise.fill(new ByteBuffer[] {ByteBuffer.wrap(first), ByteBuffer.wrap(rest)}, -5, 1L << 33, new int[4]);
        int kept = 0;
        for (int n = 0; n < whole.length; n++) {
            int[] words = {n / 4, 0, 2, 7};
            Noise.philox(words, -5, -1);
            int expected = (words[n % 4] & 0xffffffffL) >= 1L << 30 ? 1 : 0;
            assertEquals(expected, whole[n]);
            assertEquals(expected, n < 6 ? first[n] : rest[n - 6]);
            kept += expected;
        }
        assertEquals(.75, kept / 1003., .05);
    }
}
