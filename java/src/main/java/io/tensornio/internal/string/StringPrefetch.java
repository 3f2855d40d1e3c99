package io.tensornio.internal.string;

import io.tensornio.internal.element.ShortByteCopies;
import io.tensornio.internal.element.StringElement;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A copy of some strings of a tensor that follow one another. It never changes, so that any thread may read what another has copied. */
public final class StringPrefetch {
    /** How many strings one has at most. */
    static final int MOST = 512;
    /** How many bytes one has at most. */
    public static final int LARGEST = 1 << 14;
    /** Up to this many bytes, a string is made faster from a part of a text than from bytes. */
    private static final int SHORT = 128;
    static final StringPrefetch NONE = new StringPrefetch(0, 0, null, null, new byte[0]);

    private final int first;
    private final int count;
    /** Where each string begins in the whole text, and the last ends; null if all are as long as {@code form} says. */
    private final long[] offsets;
    private final StringPadding form;
    private final byte[] bytes;
    /** All of it as text, if that is ASCII, of short strings: to take a part of it costs less than to decode one. */
    private final String ascii;

    private StringPrefetch(int first, int count, long[] offsets, StringPadding form, byte[] bytes) {
        this.first = first;
        this.count = count;
        this.offsets = offsets;
        this.form = form;
        this.bytes = bytes;
        ascii = bytes.length <= SHORT * count && ShortByteCopies.isAscii(bytes) ? new String(bytes, StandardCharsets.ISO_8859_1) : null;
    }

    /**
     * Strings one after the other.
     *
     * @param first the number of the first string
     * @param offsets where each begins, and the last ends, from any place on; more may follow. Kept
     * @param bytes theirs, kept
     */
    static StringPrefetch packed(int first, int count, long[] offsets, byte[] bytes) {
        return new StringPrefetch(first, count, offsets, null, bytes);
    }

    /** Strings of a fixed length; as above. */
    public static StringPrefetch padded(int first, int count, StringPadding form, byte[] bytes) {
        return new StringPrefetch(first, count, null, form, bytes);
    }

    /** Whether it has a string. */
    boolean has(int at) {
        int k = at - first;
        return k >= 0 && k < count;
    }

    /** How many strings it has. */
    int count() {
        return count;
    }

    /** Whether a string is the one after its last. */
    boolean isFollowedBy(int at) {
        return at - first == count && this != NONE;
    }

    private int start(int at) {
        int k = at - first;
        return offsets == null ? k * form.length : (int) (offsets[k] - offsets[0]);
    }

    private int end(int at, int start) {
        return offsets == null ? start + form.stripped(bytes, start) : (int) (offsets[at - first + 1] - offsets[0]);
    }

    /** The text of a string that it has; null if that is no UTF-8. */
    String text(int at) {
        int from = start(at);
        int to = end(at, from);
        return ascii != null ? ascii.substring(from, to) : StringElement.decode(bytes, from, to - from);
    }

    /** A copy of the bytes of a string that it has. */
    byte[] bytes(int at) {
        int from = start(at);
        return Arrays.copyOfRange(bytes, from, end(at, from));
    }
}
