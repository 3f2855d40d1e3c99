package io.tensornio;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts for tests, and their bytes. */
public final class Texts {
    private Texts() {
    }

    /** The bytes of a text in UTF-8. */
    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
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
