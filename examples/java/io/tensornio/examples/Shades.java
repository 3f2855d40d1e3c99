package io.tensornio.examples;

import io.tensornio.FloatTensorData;

/** Draws digits as text. */
final class Shades {
    private static final String INK = " .:-=+*#%@";
    private static final int ACROSS = 5;

    private Shades() {
    }

    /** Images of shape (n, 8, 8), values 0 to 16, some beside each other. */
    static String of(FloatTensorData images) {
        StringBuilder text = new StringBuilder();
        for (int from = 0; from < images.size(0); from += ACROSS) {
            for (int y = 0; y < Digits.SIDE; y++) {
                StringBuilder line = new StringBuilder();
                for (int n = from; n < from + ACROSS && n < images.size(0); n++) {
                    for (int x = 0; x < Digits.SIDE; x++) {
                        char ink = INK.charAt((int) (images.get(n, y, x) * (INK.length() - 1) / 16));
                        line.append(ink).append(ink);
                    }
                    line.append("  ");
                }
                text.append("  ").append(line.toString().replaceAll(" +$", "")).append(System.lineSeparator());
            }
            text.append(System.lineSeparator());
        }
        return text.toString().replaceAll("\\R+$", "");
    }
}
