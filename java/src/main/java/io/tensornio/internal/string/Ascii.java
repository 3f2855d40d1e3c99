package io.tensornio.internal.string;

import java.nio.ByteBuffer;

/**
 * Short ASCII strings, which are encoded without an encoder: that would allocate an array, and scanning an array just
 * written stalls on the preceding stores, while scanning the string does not.
 */
public final class Ascii {
    /** The maximum length; longer strings are faster to encode than to scan. */
    private static final int LONGEST = 32;

    private Ascii() {
    }

    /** Whether a string is short and ASCII. */
    public static boolean isShort(String text) {
        int n = text.length();
        if (n > LONGEST || n > 0 && text.codePointBefore(1) >= 0x80) {      // most strings in other scripts begin with a non-ASCII letter
            return false;
        }
        int all = 0;
        for (int i = 0; i < n; i++) {
            // Not charAt or codePointAt: in JDK 9 and later they call helpers for Latin-1, which are not inlined in rarely executed code.
            all |= text.codePointBefore(i + 1);
        }
        return all < 0x80;
    }

    /** Writes the bytes of such a string to an array. */
    @SuppressWarnings("deprecation")            // since it drops the high bytes, which are zero here
    public static void copy(String text, byte[] to, int at) {
        text.getBytes(0, text.length(), to, at);
    }

    /** Writes the bytes of such a string to a buffer. */
    static void put(String text, ByteBuffer to, int at) {
        int n = text.length();
        for (int i = 0; i < n; i++) {
            to.put(at + i, (byte) text.codePointBefore(i + 1));
        }
    }
}
