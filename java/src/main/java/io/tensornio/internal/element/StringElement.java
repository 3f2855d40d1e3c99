package io.tensornio.internal.element;

import io.tensornio.DataType;
import io.tensornio.StringTensorIterator;
import io.tensornio.internal.layout.Shapes;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/** How a string lies in memory: as the bytes of its text in UTF-8. */
public final class StringElement {
    /** What the elements are. */
    public static final DataType TYPE = DataType.STRING;
    /** What reads where nothing was written. */
    public static final String ZERO = "";
    /** Bytes of one element beside its text: its offset. */
    public static final int BYTES = Long.BYTES;
    private static final char REPLACEMENT = '\uFFFD';

    private StringElement() {
    }

    /**
     * What an element of a tensor is called in messages.
     *
     * @param shape the shape of the whole
     * @param at the row-major position
     * @return its coordinates, and the shape
     */
    public static String where(long[] shape, long at) {
        return "the element " + Arrays.toString(Shapes.coordinates(shape, at)) + " of the shape " + Arrays.toString(shape);
    }

    /**
     * The bytes of a text.
     *
     * @throws IllegalArgumentException if it has an unpaired surrogate, which UTF-8 does not have
     */
    public static byte[] encode(String value, StringSource source, long at) {
        byte[] bytes = encode(value);
        if (bytes == null) {
            throw unpaired(value, source.where(at));
        }
        return bytes;
    }

    /**
     * The bytes of a value that becomes an element of a shape.
     *
     * @param value a {@code String}, or a {@link NonUtf8String}
     * @throws IllegalArgumentException if it has an unpaired surrogate, which UTF-8 does not have
     */
    public static byte[] bytes(Object value, long[] shape, long at) {
        if (value instanceof NonUtf8String) {
            return ((NonUtf8String) value).bytes;
        }
        byte[] bytes = encode((String) value);
        if (bytes == null) {
            throw unpaired((String) value, where(shape, at));
        }
        return bytes;
    }

    /** The bytes of a text; null if it has an unpaired surrogate. */
    public static byte[] encode(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return ShortByteCopies.hasMark(bytes) && unpairedAt(value) >= 0 ? null : bytes;
    }

    /** Where a text has its first unpaired surrogate; -1 if it has none. */
    public static int unpairedAt(String value) {
        int length = value.length();
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(value.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The exception for a text that has an unpaired surrogate.
     *
     * @param where what it was for
     */
    public static IllegalArgumentException unpaired(String value, String where) {
        int i = unpairedAt(value);
        return new IllegalArgumentException(unpairedSurrogate(value, i) + " of the string of " + value.length() + " characters for " + where
            + ": it has no UTF-8");
    }

    /**
     * Checks the value of missing elements.
     *
     * @return the padding
     * @throws IllegalArgumentException if it has an unpaired surrogate
     */
    public static String checkPadding(String padding) {
        if (encode(Objects.requireNonNull(padding, "padding")) == null) {
            throw unpaired(padding, "the padding");
        }
        return padding;
    }

    /** What a message calls the unpaired surrogate at an index of a text. */
    public static String unpairedSurrogate(String value, int i) {
        return "unpaired surrogate U+" + Integer.toHexString(value.charAt(i)).toUpperCase(Locale.ROOT) + " at index " + i;
    }

    /**
     * The exception for a null among values.
     *
     * @param where what it was for
     */
    public static NullPointerException missing(String where) {
        return new NullPointerException("null among the values, for " + where);
    }

    /**
     * The text of bytes.
     *
     * @throws UncheckedIOException if they are no UTF-8
     */
    public static String decode(byte[] bytes, StringSource source, long at) {
        return decode(bytes, bytes.length, source, at);
    }

    /** As above, of the first bytes of an array. */
    public static String decode(byte[] bytes, int n, StringSource source, long at) {
        String text = decode(bytes, 0, n);
        if (text == null) {
            throw malformed(bytes, 0, n, source, at);
        }
        return text;
    }

    /**
     * The text of bytes for an element that can be nothing else.
     *
     * @throws UncheckedIOException if they are no UTF-8
     */
    static String text(byte[] bytes, StringSource source, long at) {
        String text = decode(bytes, 0, bytes.length);
        if (text == null) {
            throw malformed(bytes, 0, bytes.length, " for " + source.where(at),
                "this data holds text only, tensors and StringTensorData.ofBytes take any bytes");
        }
        return text;
    }

    /** The text of a part of an array; null if it is no UTF-8. */
    public static String decode(byte[] bytes, int from, int n) {
        String text = new String(bytes, from, n, StandardCharsets.UTF_8);
        // A replacement may be part of the text, or stand for what is none.
        return text.indexOf(REPLACEMENT) >= 0 && malformedAt(bytes, from, n) >= 0 ? null : text;
    }

    /** A {@code String}, or a {@link NonUtf8String}, which keeps the array. */
    public static Object any(byte[] bytes) {
        String text = decode(bytes, 0, bytes.length);
        return text != null ? text : new NonUtf8String(bytes);
    }

    /** Where the first bytes are that are no UTF-8; -1 if all are. */
    private static int malformedAt(byte[] bytes, int from, int n) {
        ByteBuffer in = ByteBuffer.wrap(bytes, from, n);
        try {
            StandardCharsets.UTF_8.newDecoder().decode(in);         // which reports what is malformed
            return -1;
        } catch (CharacterCodingException e) {
            return in.position() - from;
        }
    }

    /** A number of bytes in words. */
    public static String bytes(int n) {
        return n == 1 ? "1 byte" : n + " bytes";
    }

    /** For an element that is read as text, and is none; {@code at} is its position. */
    public static UncheckedIOException malformed(byte[] bytes, int from, int n, StringSource source, long at) {
        return malformed(bytes, from, n, " of " + source.where(at), "getBytes and putBytes take any bytes");
    }

    private static UncheckedIOException malformed(byte[] bytes, int from, int n, String whose, String what) {
        int place = malformedAt(bytes, from, n);
        return new UncheckedIOException("the " + bytes(n) + whose + (n == 1 ? " is" : " are") + " no UTF-8 text: malformed from byte " + place
            + " on; " + what, new MalformedInputException(n - place));
    }

    /**
     * A value of the user's own array or data.
     *
     * @param owner what gave it, with its verb, for the message
     * @throws NullElementException if it is null
     */
    public static <V> V present(V value, String owner, StringSource source, long at) {
        if (value == null) {
            throw new NullElementException(owner + " null for " + source.where(at));
        }
        return value;
    }

    /** Whether two elements, text or not, are equal. */
    public static boolean equal(Object a, Object b) {
        return a.equals(b);
    }

    /** The hash of an element, text or not. */
    public static int hash(Object value) {
        return value.hashCode();
    }

    /** The next element, text or not. */
    public static Object next(StringTensorIterator scalars) {
        return scalars instanceof StringCursor ? ((StringCursor) scalars).getAny() : scalars.get();
    }
}
