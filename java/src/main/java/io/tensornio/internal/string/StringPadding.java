package io.tensornio.internal.string;

import io.tensornio.internal.element.ShortByteCopies;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** How strings of a fixed length are made as long as all others: by one more byte, again and again, which is stripped when they are read. */
public final class StringPadding {
    private static final int CHUNK = 1 << 12;

    /** The bytes of an element. */
    public final int length;
    /** What is after a shorter one. */
    public final byte padding;
    /** Some padding, to be copied; at least {@link ShortByteCopies#MANY} bytes. */
    private final byte[] some;

    /**
     * Checks a caller's numbers.
     *
     * @throws IllegalArgumentException if the length is negative, or the padding not in 0 to 127
     */
    public StringPadding(int length, int padding) {
        if (length < 0) {
            throw new IllegalArgumentException("the length " + length + " of elements is negative");
        }
        if (padding < 0 || padding > Byte.MAX_VALUE) {
            throw new IllegalArgumentException("the padding " + padding + " is not in 0 to 127");
        }
        this.length = length;
        this.padding = (byte) padding;
        some = new byte[Math.min(Math.max(length, ShortByteCopies.MANY), CHUNK)];
        Arrays.fill(some, this.padding);
    }

    /**
     * Checks bytes before they are written.
     *
     * @throws IllegalArgumentException if they do not fit
     */
    public void check(byte[] bytes, StringSource source, long at) {
        check(bytes, 0, bytes.length, source, at);
    }

    /** As above, {@code n} bytes from a place on. */
    void check(byte[] bytes, int from, int n, StringSource source, long at) {
        check(n, n == 0 ? -1 : bytes[from + n - 1], source, at);
    }

    /** As above, of {@code n} bytes, by the last of them; -1 if there is none. */
    public void check(int n, int last, StringSource source, long at) {
        if (n > length) {
            throw new IllegalArgumentException(StringElement.bytes(n) + " for " + source.where(at) + ", whose elements have " + length);
        }
        if (last == padding) {
            throw new IllegalArgumentException(StringElement.bytes(n) + " for " + source.where(at) + " with the padding " + padding
                + " at the end, which would be lost");
        }
    }

    /** As above, of a text that {@link Ascii#isShort} has found to be so. */
    public void checkAscii(String text, StringSource source, long at) {
        int n = text.length();
        check(n, n == 0 ? -1 : text.charAt(n - 1), source, at);
    }

    /** Writes an element, the padding too. */
    public void write(byte[] bytes, ByteBuffer to, int at) {
        ShortByteCopies.put(bytes, to, at);
        fill(to, at + bytes.length, length - bytes.length);
    }

    /** As above, by a text that {@link Ascii#isShort} has found to be so. */
    public void writeAscii(String text, ByteBuffer to, int at) {
        int n = text.length();
        Ascii.put(text, to, at);
        fill(to, at + n, length - n);
    }

    /** As above, by a value. */
    public void write(StagedStrings values, int i, ByteBuffer to, int at) {
        int n = values.length(i);
        values.copy(i, to, at);
        fill(to, at + n, length - n);
    }

    /** Whether {@code n} bytes are all padding. */
    public boolean isEmpty(ByteBuffer from, int at, int n) {
        long word = padding * 0x0101010101010101L;
        long others = 0;
        int i = 0;
        for (; i <= n - Long.BYTES; i += Long.BYTES) {
            others |= from.getLong(at + i) ^ word;
        }
        for (; i < n; i++) {
            others |= from.get(at + i) ^ padding;
        }
        return others == 0;
    }

    /** Writes {@code n} bytes of padding. */
    public void fill(ByteBuffer to, int at, int n) {
        for (int left = n; left > 0; left -= some.length) {         // counted down: up, it would overflow near 2 GiB
            ShortByteCopies.put(some, 0, Math.min(some.length, left), to, at + (n - left));
        }
    }

    /** Bytes without the padding after them. */
    public byte[] strip(byte[] bytes) {
        int n = stripped(bytes);
        return n == bytes.length ? bytes : Arrays.copyOf(bytes, n);
    }

    /** How many bytes there are without the padding after them. */
    public int stripped(byte[] bytes) {
        return stripped(bytes, 0, bytes.length);
    }

    /** As above, of an element that begins at a place of an array. */
    int stripped(byte[] bytes, int at) {
        return stripped(bytes, at, length);
    }

    private int stripped(byte[] bytes, int at, int length) {
        int n = length;
        while (n > 0 && bytes[at + n - 1] == padding) {
            n--;
        }
        return n;
    }
}
