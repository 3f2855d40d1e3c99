package io.tensornio.internal.string;

import java.nio.ByteBuffer;

/**
 * Short texts of ASCII, which need no encoder. It would make an array, and looking through an array that was just made waits until all that was
 * written before is in the cache; looking through the text itself does not.
 */
public final class Ascii {
    /** Longer ones are encoded faster than they are looked through. */
    private static final int LONGEST = 32;

    private Ascii() {
    }

    /** Whether a text is such a one. */
    public static boolean isShort(String text) {
        int n = text.length();
        if (n > LONGEST || n > 0 && text.codePointBefore(1) >= 0x80) {      // most texts of other letters begin with one
            return false;
        }
        int all = 0;
        for (int i = 0; i < n; i++) {
            // charAt and codePointAt would do, but JDK 9 and later call others in them for Latin-1, which are not inlined where hardly any was met.
            all |= text.codePointBefore(i + 1);
        }
        return all < 0x80;
    }

    /** Writes the bytes of such a text to an array. */
    @SuppressWarnings("deprecation")            // since it drops the high bytes, which are zero here
    public static void copy(String text, byte[] to, int at) {
        text.getBytes(0, text.length(), to, at);
    }

    /** Writes the bytes of such a text to a buffer. */
    static void put(String text, ByteBuffer to, int at) {
        int n = text.length();
        for (int i = 0; i < n; i++) {
            to.put(at + i, (byte) text.codePointBefore(i + 1));
        }
    }
}
