package io.tensornio.internal.text;

import io.tensornio.internal.element.RawString;
import io.tensornio.internal.element.StringElement;
import java.util.function.IntFunction;

/**
 * Encodes values many at once, where they are short texts of ASCII: joined to one text, whose low bytes are copied, and are what it was made of if a
 * text of them equals it. That costs less for all of them than a look at the characters of each.
 */
final class StringBatches {
    /** Values of a batch: with these, their bytes and the texts made of them, all is in the cache nearest to the processor. */
    static final int BATCH = 32;
    /** Characters from which on a batch takes no more. It has at most one value more, which is no longer: less than twice as many. */
    static final int LONGEST = 1 << 12;

    private final Object[] values;
    private final int[] lengths;
    private StringBuilder joined = new StringBuilder();
    private byte[] bytes = new byte[BATCH];

    private StringBatches(int n) {
        values = new Object[Math.min(BATCH, n)];
        lengths = new int[values.length];
    }

    /**
     * Gives values to a sink.
     *
     * @param values has at least {@code n} more
     * @param where what the element of each is called in messages
     * @return false if the sink had no memory for one; then it has some of those before
     * @throws NullPointerException if one is null; then, too
     * @throws IllegalArgumentException if one has an unpaired surrogate; then, too
     */
    static boolean send(StringValues values, int n, StringSink to, IntFunction<String> where) {
        StringBatches batch = new StringBatches(n);
        for (int done = 0; done < n;) {
            int size = Math.min(batch.values.length, n - done);
            values.read(batch.values, size);
            if (!batch.send(done, size, to, where)) {
                return false;
            }
            done += size;
        }
        return true;
    }

    private boolean send(int done, int size, StringSink to, IntFunction<String> where) {
        for (int i = 0; i < size;) {
            int n = join(i, size);
            if (n > 0 && isAscii()) {
                if (!to.putAll(bytes, joined.length(), lengths, n)) {
                    return false;
                }
                i += n;
                continue;
            }
            joined = new StringBuilder();           // what has had a text beyond Latin-1 goes on with two bytes for each character
            for (int end = i + Math.max(1, n); i < end; i++) {
                if (!to.put(encode(values[i], done + i, where))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Joins values from one on as long as they are short texts; gives how many these are. */
    private int join(int i, int size) {
        joined.setLength(0);
        int n = 0;
        while (i + n < size && joined.length() < LONGEST && values[i + n] instanceof String) {
            String text = (String) values[i + n];
            if (text.length() > LONGEST) {
                break;
            }
            joined.append(text);
            lengths[n++] = text.length();
        }
        return n;
    }

    /** Whether what was joined is all ASCII: its bytes are in the array then. */
    private boolean isAscii() {
        if (bytes.length < joined.length()) {
            bytes = new byte[2 * joined.length()];
        }
        return Ascii.copyAll(joined.toString(), bytes);
    }

    private static byte[] encode(Object value, int i, IntFunction<String> where) {
        if (value == null) {
            throw new NullPointerException("null among the values, for " + where.apply(i));
        }
        byte[] bytes = value instanceof RawString ? ((RawString) value).bytes : StringElement.encode((String) value);
        if (bytes == null) {
            throw StringElement.unpaired((String) value, where.apply(i));
        }
        return bytes;
    }
}
