package io.tensornio.support;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts for tests, and how they lie in memory. */
public final class Texts {
    private Texts() {
    }

    /** The bytes of a text in UTF-8. */
    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What a buffer of bytes has left, whose position stays. */
    public static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    /** What a buffer of offsets has left, whose position stays. */
    public static long[] longs(LongBuffer buffer) {
        long[] longs = new long[buffer.remaining()];
        buffer.duplicate().get(longs);
        return longs;
    }

    /** A character {@code n} times. */
    public static String repeat(char c, int n) {
        char[] all = new char[n];
        Arrays.fill(all, c);
        return new String(all);
    }

    /** A text {@code n} times. */
    public static String repeat(String text, int n) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < n; i++) {
            all.append(text);
        }
        return all.toString();
    }
}
