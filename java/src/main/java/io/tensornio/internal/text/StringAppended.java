package io.tensornio.internal.text;

import io.tensornio.internal.element.RawString;
import io.tensornio.internal.element.StringElement;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.IntFunction;

/** Values whose bytes were appended to a store, all of them or none, and are no element's yet. */
public final class StringAppended {
    /** Strings that are encoded at a time, and characters. */
    private static final int BATCH = 256;
    private static final int LONGEST_BATCH = 1 << 14;

    private final StringStore store;
    private final long[] starts;
    private final int[] lengths;

    private StringAppended(StringStore store, int n) {
        this.store = store;
        starts = new long[n];
        lengths = new int[n];
    }

    /**
     * Appends values: many at once where they are texts of ASCII.
     *
     * @param store gets the bytes
     * @param n how many values there are
     * @param from an array of strings, or of {@link RawString} where they are no texts
     * @param at the place of the first
     * @param where what the element of each is called in messages
     * @throws NullPointerException if one is null
     * @throws IllegalArgumentException if one has an unpaired surrogate; then the store is as it was
     * @throws OutOfMemoryError if the heap has no room for them; then, too
     */
    public static StringAppended of(StringStore store, int n, Object[] from, int at, IntFunction<String> where) {
        long mark = store.mark();
        try {
            StringAppended all = new StringAppended(store, n);
            all.append(from, at, where);
            return all;
        } catch (OutOfMemoryError e) {
            store.rewind(mark);
            boolean isTold = e.getCause() != null;          // by the store
            throw isTold ? e : store.noHeap((Long.BYTES + Integer.BYTES) * (long) n + " bytes and those of " + n + " texts", e);
        } catch (Throwable e) {
            store.rewind(mark);
            throw e;
        }
    }

    private void append(Object[] from, int at, IntFunction<String> where) {
        Object[] batch = new Object[Math.min(BATCH, starts.length)];        // the caller's array may change meanwhile
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < starts.length;) {
            int first = i;
            boolean isText = true;
            joined.setLength(0);
            while (i < starts.length && i - first < BATCH && joined.length() < LONGEST_BATCH) {
                Object value = Objects.requireNonNull(from[at + i], "null among the values");
                batch[i++ - first] = value;
                isText &= value instanceof String;
                if (isText) {
                    lengths[i - 1] = ((String) value).length();
                    joined.append((String) value);
                }
            }
            long start = isText ? appendAscii(joined.toString()) : -1;
            for (int k = first; k < i; k++) {
                if (start >= 0) {
                    starts[k] = start;
                    start += lengths[k];
                } else {
                    append(k, batch[k - first], where);
                }
            }
        }
    }

    private void append(int k, Object value, IntFunction<String> where) {
        byte[] bytes = value instanceof RawString ? ((RawString) value).bytes : StringElement.encode((String) value);
        if (bytes == null) {
            throw StringElement.unpaired((String) value, where.apply(k));
        }
        starts[k] = store.append(bytes);
        lengths[k] = bytes.length;
    }

    /** Appends a text and gives where it begins; -1, and nothing is appended, if it is not all ASCII. */
    private long appendAscii(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        boolean isAscii = bytes.length == text.length() && new String(bytes, StandardCharsets.UTF_8).equals(text);
        return isAscii ? store.append(bytes) : -1;
    }

    /** Makes a value an element of the store. */
    public void set(int at, int i) {
        store.set(at, starts[i], lengths[i]);
    }
}
