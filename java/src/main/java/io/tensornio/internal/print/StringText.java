package io.tensornio.internal.print;

import io.tensornio.StringTensorData;
import io.tensornio.TensorData;
import io.tensornio.TensorFormat;
import io.tensornio.internal.element.NonUtf8String;
import io.tensornio.internal.element.NullElementException;
import io.tensornio.internal.element.StringElement;
import java.util.Locale;

/** The texts of strings: in quotes and with escapes, as Python writes them, and as NumPy does not aligned. Very long ones are abridged. */
final class StringText extends ElementText {
    /** How many characters of a longer string are shown, half of them from its end. */
    private static final int MOST_SHOWN = 1000;

    private final String[] texts;

    StringText(int count) {
        super(count);
        texts = new String[count];
    }

    @Override
    void read(int n, TensorData<?> data) {
        try {
            Object value = StringElement.next(((StringTensorData) data).scalars());
            texts[n] = value instanceof NonUtf8String ? quote((NonUtf8String) value) : quote((String) value);
        } catch (NullElementException e) {
            texts[n] = "null";          // as Arrays.toString has it: an array that is yet to be filled can be looked at
        }
    }

    @Override
    void read(int n, TensorData<?> row, int i) {
        read(n, row.slice(i));
    }

    @Override
    void measure(TensorFormat format) {
        // Strings are not padded to a common width.
    }

    @Override
    String text(int n) {
        return texts[n];
    }

    private static String quote(String value) {
        if (value.length() > MOST_SHOWN) {
            int head = value.offsetByCodePoints(0, MOST_SHOWN / 2);
            int tail = value.offsetByCodePoints(value.length(), -MOST_SHOWN / 2);
            if (head < tail) {
                String end = quote(value.substring(tail), '\'');
                return quote(value.substring(0, head), '\'').replaceAll("'$", "...") + end.substring(1);
            }
        }
        return quote(value, value.indexOf('\'') >= 0 && value.indexOf('"') < 0 ? '"' : '\'');
    }

    private static String quote(String value, char quote) {
        StringBuilder text = new StringBuilder(value.length() + 2).append(quote);
        for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
            append(text, value.codePointAt(i), quote);
        }
        return text.append(quote).toString();
    }

    private static String quote(NonUtf8String value) {
        StringBuilder text = new StringBuilder();
        boolean isLong = value.bytes.length > MOST_SHOWN;
        int edge = isLong ? MOST_SHOWN / 2 : value.bytes.length;
        boolean single = false;
        boolean twice = false;
        for (byte b : value.bytes) {
            single |= b == '\'';
            twice |= b == '"';
        }
        char quote = single && !twice && !isLong ? '"' : '\'';
        text.append('b').append(quote);
        for (int i = 0; i < value.bytes.length; i++) {
            if (i == edge) {
                text.append("...");
                i = value.bytes.length - edge;
            }
            int b = value.bytes[i] & 0xff;
            if (b < 0x7f) {
                append(text, b, quote);
            } else {
                text.append(String.format(Locale.ROOT, "\\x%02x", b));
            }
        }
        return text.append(quote).toString();
    }

    private static void append(StringBuilder text, int c, char quote) {
        switch (c) {
            case '\n': text.append("\\n"); return;
            case '\r': text.append("\\r"); return;
            case '\t': text.append("\\t"); return;
            case '\\': text.append("\\\\"); return;
            default:
        }
        if (c == quote) {
            text.append('\\').append(quote);
        } else if (isPrintable(c)) {
            text.appendCodePoint(c);
        } else {
            text.append(String.format(Locale.ROOT, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c));
        }
    }

    /** What Python finds printable. */
    private static boolean isPrintable(int c) {
        switch (Character.getType(c)) {
            case Character.CONTROL:
            case Character.FORMAT:
            case Character.SURROGATE:
            case Character.PRIVATE_USE:
            case Character.UNASSIGNED:
            case Character.LINE_SEPARATOR:
            case Character.PARAGRAPH_SEPARATOR:
                return false;
            case Character.SPACE_SEPARATOR:
                return c == ' ';
            default:
                return true;
        }
    }
}
