package io.tensornio.internal.string;

import java.util.Random;

/** Texts for random tests. */
final class StringPrograms {
    private static final String[] PIECES = {"?", "\0", "\u00e9", "\u20ac", "\ud83d\ude00", "\ufffd", " ", "abcdefgh", "'", "\n", "\uffff", "\u0800"};

    private StringPrograms() {
    }

    /** A text of at most {@code most} bytes, often a short one. */
    static String text(Random random, int most) {
        StringBuilder text = new StringBuilder();
        int bytes = 0;
        for (int n = random.nextInt(4) == 0 ? 0 : random.nextInt(6); n > 0; n--) {
            String piece = random.nextInt(3) == 0 ? PIECES[random.nextInt(PIECES.length)] : String.valueOf(random.nextInt(1000));
            bytes += piece.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
            if (bytes > most) {
                break;
            }
            text.append(piece);
        }
        return text.toString();
    }

    /** Any bytes, which may be text. */
    static byte[] bytes(Random random, int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return bytes;
    }
}
