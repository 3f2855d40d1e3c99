package io.tensornio.internal.element;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies the bytes of strings between arrays and buffers in native order. Most strings are short: for them the fixed
 * cost of a bulk copy dominates, and copying a few words is cheaper.
 */
public final class ShortByteCopies {
    /** From this number of bytes on a bulk copy is used. */
    public static final int MANY = 128;
    private static final long ONES = 0x0101010101010101L;
    private static final long SIGNS = 0x80 * ONES;
    private static final long MARKS = '?' * ONES;

    private ShortByteCopies() {
    }

    private static ByteBuffer words(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }

    /**
     * Copies {@code n} bytes from index {@code at} of a buffer to the start of an array.
     *
     * @return whether they are known to be ASCII
     */
    public static boolean get(ByteBuffer from, int at, byte[] to, int n) {
        if (n >= MANY) {
            ByteBulk.get(from, at, to, 0, n);
            return false;
        }
        ByteBuffer words = words(to);
        long all = 0;
        int i = 0;
        for (; i <= n - Long.BYTES; i += Long.BYTES) {
            long word = from.getLong(at + i);
            words.putLong(i, word);
            all |= word;
        }
        if ((n & Integer.BYTES) != 0) {
            int word = from.getInt(at + i);
            words.putInt(i, word);
            all |= word;
            i += Integer.BYTES;
        }
        for (; i < n; i++) {
            byte b = from.get(at + i);
            to[i] = b;
            all |= b;
        }
        return (all & SIGNS) == 0;
    }

    /** Copies an array to index {@code at} of a buffer. */
    public static void put(byte[] from, ByteBuffer to, int at) {
        put(from, 0, from.length, to, at);
    }

    /** Copies {@code n} bytes from index {@code place} of an array to index {@code at} of a buffer. */
    public static void put(byte[] from, int place, int n, ByteBuffer to, int at) {
        if (n >= MANY) {
            ByteBulk.put(to, at, from, place, n);
            return;
        }
        ByteBuffer words = words(from);
        int i = 0;
        for (; i <= n - Long.BYTES; i += Long.BYTES) {
            to.putLong(at + i, words.getLong(place + i));
        }
        if ((n & Integer.BYTES) != 0) {
            to.putInt(at + i, words.getInt(place + i));
            i += Integer.BYTES;
        }
        for (; i < n; i++) {
            to.put(at + i, from[place + i]);
        }
    }

    /** Whether all bytes are ASCII. */
    public static boolean isAscii(byte[] bytes) {
        int n = bytes.length;
        ByteBuffer words = words(bytes);
        long all = 0;
        int i = 0;
        for (; i <= n - Long.BYTES; i += Long.BYTES) {
            all |= words.getLong(i);
        }
        for (; i < n; i++) {
            all |= bytes[i];
        }
        return (all & SIGNS) == 0;
    }

    /** Whether there is a question mark. */
    static boolean hasMark(byte[] bytes) {
        int n = bytes.length;
        ByteBuffer words = words(bytes);
        long found = 0;
        int i = 0;
        for (; i <= n - Long.BYTES; i += Long.BYTES) {
            found |= mark(words.getLong(i));
        }
        if ((n & Integer.BYTES) != 0) {
            found |= mark(words.getInt(i));
            i += Integer.BYTES;
        }
        for (; i < n; i++) {
            found |= mark(bytes[i]);
        }
        return found != 0;
    }

    /** Not 0 if a byte of a word is a question mark. Bytes from sign extension never are. */
    private static long mark(long word) {
        long v = word ^ MARKS;          // question marks become zero bytes; subtracting 1 from each byte borrows at the first of them
        return v - ONES & ~v & SIGNS;
    }
}
