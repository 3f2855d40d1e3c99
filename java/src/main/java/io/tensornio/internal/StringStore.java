package io.tensornio.internal;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Strings that are being collected, in any order: their bytes one behind the other in chunks on the heap, and for each element where they begin
 * and how many they are. What is written again leaves its old bytes behind, until these are more than those in use.
 */
final class StringStore {
    private static final int FIRST_CHUNK = 1 << 12;
    private static final int LAST_CHUNK = 1 << 18;

    /** The number of the chunk above, the place in it below. */
    private long[] starts;
    private int[] lengths;
    private int count;

    private byte[][] chunks = {new byte[FIRST_CHUNK]};
    private int last;
    private int place;
    /** Bytes in chunks, and those of them that an element has. */
    private long appended;
    private long used;

    /** So many elements, all of them empty. */
    StringStore(int count) {
        this.count = count;
        starts = new long[count];
        lengths = new int[count];
    }

    int count() {
        return count;
    }

    int length(int at) {
        return lengths[at];
    }

    /** Adds an element behind the last. */
    void add(byte[] bytes) {
        if (count == starts.length) {
            int more = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(16, count * 2L));
            starts = Arrays.copyOf(starts, more);
            lengths = Arrays.copyOf(lengths, more);
        }
        long start = append(bytes);
        count++;
        set(count - 1, start, bytes.length);
    }

    /** Appends bytes, which are no element's yet and may be those of several; gives where they begin. */
    long append(byte[] bytes) {
        int n = bytes.length;
        if (chunks[last].length - place < n) {
            int next = last == 0 && place == 0 ? 0 : last + 1;
            if (next == chunks.length) {
                chunks = Arrays.copyOf(chunks, 2 * next);
            }
            chunks[next] = new byte[Math.max(n, (int) Math.min(LAST_CHUNK, 2L * chunks[last].length))];
            last = next;
            place = 0;
        }
        System.arraycopy(bytes, 0, chunks[last], place, n);
        long start = (long) last << 32 | place;
        place += n;
        appended += n;
        return start;
    }

    /** Makes appended bytes those of an element. */
    void set(int at, long start, int length) {
        used += length - lengths[at];
        starts[at] = start;
        lengths[at] = length;
    }

    /** Writes an element. */
    void put(byte[] bytes, int at) {
        set(at, append(bytes), bytes.length);
        tidy();
    }

    /** Where the next bytes will be appended. */
    long mark() {
        return (long) last << 32 | place;
    }

    /** Forgets what was appended after a mark, and is no element's. */
    void rewind(long mark) {
        int chunk = (int) (mark >>> 32);
        Arrays.fill(chunks, chunk + 1, last + 1, null);
        last = chunk;
        place = (int) mark;
    }

    /** Drops the bytes that no element has, if they are the most; not between {@link #append} and {@link #set}. */
    void tidy() {
        if (appended <= LAST_CHUNK || appended / 2 <= used) {
            return;
        }
        byte[][] old = chunks;
        chunks = new byte[][] {new byte[LAST_CHUNK]};
        last = 0;
        place = 0;
        appended = 0;
        for (int at = 0; at < count; at++) {
            if (lengths[at] > 0) {
                int from = (int) starts[at];
                starts[at] = append(Arrays.copyOfRange(old[(int) (starts[at] >>> 32)], from, from + lengths[at]));
            }
        }
    }

    /** A copy of the bytes of an element. */
    byte[] bytes(int at) {
        return bytes(starts[at], lengths[at]);
    }

    /** A copy of appended bytes. */
    byte[] bytes(long start, int length) {
        int from = (int) start;
        return length == 0 ? new byte[0] : Arrays.copyOfRange(chunks[(int) (start >>> 32)], from, from + length);
    }

    /** The text of an element; null if it has none. */
    String text(int at) {
        return StringElement.decode(chunks[(int) (starts[at] >>> 32)], (int) starts[at], lengths[at]);
    }

    /**
     * Copies the bytes of all elements to the position of a buffer, as many as offsets say that were made of the lengths, one behind the other:
     * those that lie so already at once.
     */
    void copyTo(ByteBuffer out) {
        for (int at = 0; at < count;) {
            long start = starts[at];
            int n = lengths[at++];
            // An empty one may lie anywhere.
            while (at < count && (starts[at] == start + n || lengths[at] == 0) && n <= Integer.MAX_VALUE - lengths[at]) {
                n += lengths[at++];
            }
            if (n > 0) {
                out.put(chunks[(int) (start >>> 32)], (int) start, n);
            }
        }
    }
}
