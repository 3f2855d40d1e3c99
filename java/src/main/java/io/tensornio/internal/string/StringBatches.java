package io.tensornio.internal.string;

import io.tensornio.internal.element.NonUtf8String;
import io.tensornio.internal.element.StringElement;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Encodes values many at once, where they are short texts: their characters are copied one after the other, and an encoder, which is strict where
 * {@code String.getBytes} is not, goes over all of them. If as many bytes as characters came out, all is ASCII; else the bytes of each text are
 * counted.
 *
 * <p>Invariant: until they are encoded, the {@code size} texts that wait have, one after the other, {@code lengths[k]} of the first {@code used}
 * characters each.
 */
final class StringBatches {
    /** Values of a batch at most. */
    static final int BATCH = 32;
    /** Characters of a batch at most; half of them in one text, or it is encoded alone. */
    private static final int CHARS = 1 << 12;
    /** Bytes of a character at most: one of a pair of surrogates has half of 4. */
    private static final int BYTES = 3;
    /** Bytes of a batch at most. */
    static final int LONGEST = BYTES * CHARS;
    /** So few values are encoded one by one. */
    private static final int FEW = 4;

    private final StringSink to;
    private final IntFunction<String> where;
    private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    private final String[] texts;
    private final int[] lengths;
    private char[] chars;
    private CharBuffer in;
    private ByteBuffer out;
    private int used;
    private int size;
    /** How many values the sink was given. */
    private int done;

    private StringBatches(int n, StringSink to, IntFunction<String> where) {
        this.to = to;
        this.where = where;
        texts = new String[Math.min(BATCH, n)];
        lengths = new int[texts.length];
        grow(texts.length);
    }

    private void grow(int n) {
        chars = chars == null ? new char[n] : Arrays.copyOf(chars, n);
        in = CharBuffer.wrap(chars);
        out = ByteBuffer.allocate(BYTES * n);
    }

    /**
     * Gives values to a sink.
     *
     * @param values has at least {@code n} more
     * @param where what the element of each is called in messages
     * @throws NullPointerException if one is null; then the sink has some of those before
     * @throws IllegalArgumentException if one has an unpaired surrogate; then, too
     */
    static void send(StringValues values, int n, StringSink to, IntFunction<String> where) {
        if (n <= FEW) {
            for (int i = 0; i < n; i++) {
                to.put(encode(values.next(), i, where));
            }
            return;
        }
        StringBatches batch = new StringBatches(n, to, where);
        for (int i = 0; i < n; i++) {
            batch.add(values.next());
        }
        batch.flush();
    }

    private void add(Object value) {
        if (!(value instanceof String) || ((String) value).length() > CHARS / 2) {
            flush();
            putAlone(value);
            return;
        }
        String text = (String) value;
        int n = text.length();
        if (size == texts.length || n > chars.length - used) {
            reserve(n);
        }
        text.getChars(0, n, chars, used);
        used += n;
        texts[size] = text;
        lengths[size++] = n;
    }

    private void putAlone(Object value) {
        to.put(encode(value, done++, where));
    }

    /** Reserves capacity for one more text of {@code n} characters. */
    private void reserve(int n) {
        if (size == texts.length || used + n > CHARS) {
            flush();
        }
        if (n > chars.length - used) {
            grow(Math.min(CHARS, Math.max(texts.length * n, 2 * (used + n))));
        }
    }

    /** Passes the batch on to the sink. */
    private void flush() {
        if (size == 0) {
            return;
        }
        in.limit(used);
        in.position(0);
        out.clear();
        // An unpaired surrogate at the very end may be reported by flush only, as by Android's encoder.
        boolean isValid = encoder.reset().encode(in, out, true).isUnderflow() && encoder.flush(out).isUnderflow();
        if (!isValid || out.position() > used && !count()) {
            putEach();
            return;
        }
        int n = size;
        used = 0;
        size = 0;
        done += n;
        to.putAll(out.array(), out.position(), lengths, n);
    }

    /** Has the bytes of each text for its length; returns false if one ends with half a pair of surrogates, of which the next may have the other. */
    private boolean count() {
        boolean isWhole = true;
        for (int k = 0, at = 0; k < size; k++) {
            int n = lengths[k];
            int end = at + n;
            isWhole &= n == 0 || !Character.isHighSurrogate(chars[end - 1]);
            for (; at < end; at++) {
                char c = chars[at];
                n += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
            lengths[k] = n;
        }
        return isWhole;
    }

    /** Gives the sink what waits one by one, so that it sees all texts before the first that has an unpaired surrogate. */
    private void putEach() {
        int n = size;
        used = 0;
        size = 0;
        for (int k = 0; k < n; k++) {
            putAlone(texts[k]);
        }
    }

    private static byte[] encode(Object value, int i, IntFunction<String> where) {
        if (value == null) {
            throw StringElement.missing(where.apply(i));
        }
        byte[] bytes = value instanceof NonUtf8String ? ((NonUtf8String) value).bytes : StringElement.encode((String) value);
        if (bytes == null) {
            throw StringElement.unpaired((String) value, where.apply(i));
        }
        return bytes;
    }
}
