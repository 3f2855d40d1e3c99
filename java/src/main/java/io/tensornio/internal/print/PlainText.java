package io.tensornio.internal.print;

import io.tensornio.TensorFormat;

/** Elements printed by {@code toString}, right-aligned: integers and truth values. */
abstract class PlainText extends ElementText {
    private int width;

    /** Texts of at least {@code width} characters. */
    PlainText(int count, int width) {
        super(count);
        this.width = width;
    }

    abstract String plain(int n);

    @Override
    final void measure(TensorFormat format) {
        for (int n = 0; n < count; n++) {
            width = Math.max(width, plain(n).length());
        }
    }

    @Override
    final String text(int n) {
        String plain = plain(n);
        StringBuilder text = new StringBuilder(width);
        pad(text, width - plain.length());
        return text.append(plain).toString();
    }
}
