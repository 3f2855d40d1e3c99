package io.tensornio.internal;

import java.util.Arrays;

/** A copy of some strings of a tensor that follow one another. It never changes, so that any thread may read what another has copied. */
final class StringPiece {
    /** How many strings one has, and bytes, at most. */
    static final int MOST = 512;
    static final int LARGEST = 1 << 14;
    static final StringPiece NONE = new StringPiece(0, 0, new long[0], new long[0], 0, new byte[0]);

    private final int first;
    private final int count;
    /** Where the strings begin and end, in numbers that count from other places. */
    private final long[] starts;
    private final long[] ends;
    /** Where the end of the first string is in {@code ends}. */
    private final int shift;
    private final long base;
    private final byte[] bytes;
    /** All of it as text, if that is ASCII: to take a part of it costs less than to decode one. */
    private final String ascii;

    private StringPiece(int first, int count, long[] starts, long[] ends, int shift, byte[] bytes) {
        this.first = first;
        this.count = count;
        this.starts = starts;
        this.ends = ends;
        this.shift = shift;
        this.bytes = bytes;
        base = count == 0 ? 0 : starts[0];
        String text = StringElement.decode(bytes, 0, bytes.length);
        ascii = text != null && text.length() == bytes.length ? text : null;
    }

    /**
     * Strings one behind the other.
     *
     * @param first the number of the first string
     * @param offsets where each begins, and the last ends; more may follow. Kept
     * @param bytes theirs, kept
     */
    static StringPiece packed(int first, int count, long[] offsets, byte[] bytes) {
        return new StringPiece(first, count, offsets, offsets, 1, bytes);
    }

    /** Strings with padding between them; as above. */
    static StringPiece padded(int first, int count, long[] starts, long[] ends, byte[] bytes) {
        return new StringPiece(first, count, starts, ends, 0, bytes);
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

    /** Whether a string is the one behind its last. */
    boolean isFollowedBy(int at) {
        return at - first == count && this != NONE;
    }

    private int start(int at) {
        return (int) (starts[at - first] - base);
    }

    private int end(int at) {
        return (int) (ends[at - first + shift] - base);
    }

    /** The text of a string that it has; null if that is no UTF-8. */
    String text(int at) {
        int from = start(at);
        int to = end(at);
        return ascii != null ? ascii.substring(from, to) : StringElement.decode(bytes, from, to - from);
    }

    /** A copy of the bytes of a string that it has. */
    byte[] bytes(int at) {
        return Arrays.copyOfRange(bytes, start(at), end(at));
    }
}
