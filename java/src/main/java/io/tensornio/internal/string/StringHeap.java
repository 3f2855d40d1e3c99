package io.tensornio.internal.string;

import io.tensornio.internal.element.IntBlock;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.ArrayLength;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Strings that are being collected, in any order: their bytes one after the other in chunks on the heap, and for each element how many they are, and
 * where they begin. What is written again leaves its old bytes behind, until these are more than those in use and than the starts and lengths
 * take.
 */
public final class StringHeap {
    private static final int FIRST_CHUNK = 1 << 12;
    private static final int LAST_CHUNK = 1 << 18;
    /** Bytes that an element takes, however short it is. */
    private static final int ELEMENT = Long.BYTES + Integer.BYTES;

    /**
     * Where the bytes of each element begin: see {@link #start(int, int)}. Null as long as nobody has asked, and the elements were written in their
     * order: then their bytes are all that the chunks have, one after the other.
     */
    private volatile long[] starts;
    /** The element after the last that was written, while there are no starts. */
    private int next;
    private int[] lengths;
    private int count;

    private byte[][] chunks = {new byte[FIRST_CHUNK]};
    /** How many bytes each chunk has before the last. */
    private int[] filled = new int[1];
    private int last;
    private int place;
    /** Bytes in all chunks, and how many of them belong to elements. */
    private long appended;
    private long used;
    /** The shape of the tensor that is filled, for messages; null if unknown. */
    private long[] shape;

    /** {@code count} elements, all of them empty. */
    public StringHeap(int count) {
        this.count = count;
        lengths = new int[count];
    }

    /**
     * The strings of a tensor, all of them empty.
     *
     * @param shape a checked shape
     * @throws OutOfMemoryError if one buffer cannot hold so many, or the heap is exhausted
     */
    public static StringHeap of(long... shape) {
        int count = StringPacked.checkCount(shape);
        try {
            return new StringHeap(count).named(shape);
        } catch (OutOfMemoryError e) {
            throw new StringHeap(0).named(shape).noHeap(Integer.BYTES * (long) count + " bytes", e);
        }
    }

    /** This store, which has the strings of a tensor of a shape. */
    public StringHeap named(long... tensor) {
        shape = tensor;
        return this;
    }

    /** How many strings there are. */
    public int count() {
        return count;
    }

    /** Where bytes begin, as one number: the chunk in its upper half, the place there in its lower. No chunk has 2^31 bytes. */
    private static long start(int chunk, int place) {
        return (long) chunk << 32 | place;
    }

    private static int chunkNumber(long start) {
        return (int) (start >>> 32);
    }

    /** The place in its chunk of the first byte. */
    static int place(long start) {
        return (int) start;
    }

    private int filled(int chunk) {
        return chunk == last ? place : filled[chunk];
    }

    /** The starts, which are looked for if there are none. */
    private long[] starts() {
        long[] known = starts;
        return known == null ? findStarts() : known;
    }

    private synchronized long[] findStarts() {
        if (starts == null) {
            long[] found;
            try {
                found = new long[lengths.length];
            } catch (OutOfMemoryError e) {
                throw noHeap(Long.BYTES * (long) lengths.length + " bytes", e);
            }
            int chunk = 0;
            int at = 0;
            for (int i = 0; i < next; i++) {
                while (lengths[i] > 0 && at == filled(chunk)) {
                    chunk++;
                    at = 0;
                }
                found[i] = start(chunk, at);
                at += lengths[i];
            }
            starts = found;
        }
        return starts;
    }

    int length(int at) {
        return lengths[at];
    }

    long start(int at) {
        return starts()[at];
    }

    /**
     * How many bytes some elements have.
     *
     * @throws IllegalStateException if there are not so many, since another thread has changed that
     */
    public long length(int from, int n) {
        int[] sizes = lengths;
        if (from > sizes.length - n) {
            throw changed();
        }
        long length = 0;
        for (int at = from; at < from + n; at++) {
            length += sizes[at];
        }
        return length;
    }

    /** Changes the number of elements, to at least the number of those that are not empty; new ones are empty. */
    public void resize(int n) {
        grow(n);
        count = n;
    }

    /** Changes the capacity to {@code n} elements, or changes nothing. */
    private void grow(int n) {
        long[] more = starts == null ? null : Arrays.copyOf(starts, n);
        lengths = Arrays.copyOf(lengths, n);
        starts = more;
    }

    /** Makes elements empty. */
    public void clear(int at, int n) {
        for (int i = at; i < at + n; i++) {
            set(i, 0, 0);
        }
    }

    /** Moves elements to where empty ones are. */
    public void move(int from, int to, int n) {
        long[] begins = starts();
        System.arraycopy(begins, from, begins, to, n);
        System.arraycopy(lengths, from, lengths, to, n);
        Arrays.fill(lengths, from, from + n, 0);
    }

    /** Copies elements to another store, which has none yet; both share the bytes from then on. */
    public void share(int from, StringHeap to, int at, int n) {
        long[] begins = starts();
        int[] sizes = lengths;
        if (from > begins.length - n || from > sizes.length - n || at > to.count - n) {
            throw changed();
        }
        to.chunks = chunks;
        System.arraycopy(begins, from, to.starts(), at, n);
        System.arraycopy(sizes, from, to.lengths, at, n);
    }

    /** Takes over the elements of another store, which are the non-empty ones of this one in other places. */
    public void take(StringHeap moved) {
        starts = moved.starts();
        lengths = moved.lengths;
        count = moved.count;
    }

    /** Adds an element after the last. */
    public void add(byte[] bytes) {
        if (count == lengths.length) {
            int more = ArrayLength.doubled(count, 16);
            try {
                grow(more);
            } catch (OutOfMemoryError e) {
                throw noHeap(ELEMENT * (long) more + " bytes", e);
            }
        }
        long start = append(bytes);
        count++;
        set(count - 1, start, bytes.length);
    }

    /** Appends bytes, to be assigned to one or more elements; returns where they begin. */
    public long append(byte[] bytes) {
        return append(bytes, 0, bytes.length);
    }

    /** As above, {@code n} bytes of an array. */
    long append(byte[] bytes, int from, int n) {
        long start = reserve(n);
        System.arraycopy(bytes, from, chunks[last], place(start), n);
        return start;
    }

    /** Reserves {@code n} bytes; returns where they begin. */
    long reserve(int n) {
        if (chunks[last].length - place < n) {
            nextChunk(n);
        }
        long start = start(last, place);
        place += n;
        appended += n;
        return start;
    }

    /** Goes on in a chunk of at least {@code n} bytes, or changes nothing. */
    private void nextChunk(int n) {
        int next = last == 0 && place == 0 ? 0 : last + 1;
        int size = Math.max(n, (int) Math.min(LAST_CHUNK, 2L * chunks[last].length));
        try {
            if (next == chunks.length) {
                filled = Arrays.copyOf(filled, 2 * next);
                chunks = Arrays.copyOf(chunks, 2 * next);
            }
            if (chunks[next] == null || chunks[next].length < n) {
                chunks[next] = new byte[size];
            }
        } catch (OutOfMemoryError e) {
            throw noHeap(size + " bytes", e);
        }
        filled[last] = next > last ? place : 0;
        last = next;
        place = 0;
    }

    /** Says what was asked for when there was no heap for it. */
    OutOfMemoryError noHeap(String asked, OutOfMemoryError cause) {
        OutOfMemoryError e = new OutOfMemoryError("filling "
            + (shape == null ? "STRING data" : "the STRING tensor of shape " + Arrays.toString(shape))
            + " needs " + asked + " of the Java heap more, beside room for " + count + " elements and " + appended + " bytes of texts: "
            + cause.getMessage());
        e.initCause(cause);
        return e;
    }

    /** As above, for the bytes of values and the list of them; an error that says so already is returned as it is. */
    OutOfMemoryError noHeap(int values, OutOfMemoryError cause) {
        boolean isTold = cause.getCause() != null;
        return isTold ? cause : noHeap(ELEMENT * (long) values + " bytes and those of " + values + " texts", cause);
    }

    /**
     * Writes elements one after the other, all of them or none.
     *
     * @param at the first
     * @param n how many there are
     * @param values gives as many, and reads none of the elements
     * @param check what each has to pass; null if there is nothing
     * @param where what the element of each value is called in messages
     * @throws NullPointerException if a value is null; then nothing is written
     * @throws IllegalArgumentException if a value has an unpaired surrogate; then, too
     * @throws OutOfMemoryError if the heap is exhausted; then, too
     */
    public void putAll(int at, int n, StringValues values, StagedStrings.Check check, IntFunction<String> where) {
        if (length(at, n) > 0) {
            StagedStrings all = StagedStrings.of(this, n, values, check, where);
            for (int i = 0; i < n; i++) {
                all.set(at + i, i);
            }
            return;
        }
        long before = appended;
        boolean isNext = isNext(at, 0);
        long[] begins = isNext ? null : starts();
        try {
            new StagedStrings(this, at, begins, lengths).append(n, values, check, where);       // what was empty needs no second place
        } catch (Throwable e) {
            if (!isNext) {
                Arrays.fill(begins, at, at + n, 0);
            }
            Arrays.fill(lengths, at, at + n, 0);
            throw e;
        }
        used += appended - before;
        next = at + n;
    }

    /** Whether an element comes after all that were written, and the last {@code length} bytes are the only ones that none of those has. */
    private boolean isNext(int at, int length) {
        return starts == null && at >= next && appended == used + length;
    }

    /** Assigns appended bytes to an element. */
    public void set(int at, long start, int length) {
        if (isNext(at, length)) {
            next = at + 1;
        } else {
            starts()[at] = start;
        }
        used += length - lengths[at];
        lengths[at] = length;
    }

    /** Writes an element. */
    public void put(byte[] bytes, int at) {
        set(at, append(bytes), bytes.length);
        tidy();
    }

    /** Writes an element that {@link Ascii#isShort} has found to be so. */
    public void putAscii(String text, int at) {
        long start = reserve(text.length());
        Ascii.copy(text, chunks[last], place(start));
        set(at, start, text.length());
        tidy();
    }

    /** Writes an element, or adds one after the last. */
    public void write(byte[] bytes, int at) {
        if (at == count) {
            add(bytes);
        } else {
            put(bytes, at);
        }
    }

    /** Moves the bytes of an element to another; the first becomes empty. */
    public void move(int from, int to) {
        set(to, starts()[from], lengths[from]);
        set(from, 0, 0);
    }

    /** Some elements in another order, which share their bytes with this store: neither may be written any more. */
    public StringHeap select(IntBlock numbers) {
        int n = (int) numbers.shape()[0];
        StringHeap some = new StringHeap(n);
        long[] from = starts();
        long[] to = some.starts();
        int[] sizes = lengths;
        some.chunks = chunks;
        for (int at = 0; at < n; at++) {
            int number = numbers.read(at);
            if (number >= from.length || number >= sizes.length) {
                throw changed();
            }
            to[at] = from[number];
            some.lengths[at] = sizes[number];
        }
        return some;
    }

    /** Where the next bytes will be appended. */
    public long mark() {
        return start(last, place);
    }

    /** How many bytes were appended so far, including bytes that belong to no element. */
    long appended() {
        return appended;
    }

    /** Forgets what was appended after a mark, and is no element's; {@code before} is what was {@link #appended} there. */
    void rewind(long mark, long before) {
        appended = before;
        int chunk = chunkNumber(mark);
        Arrays.fill(chunks, chunk + 1, last + 1, null);
        last = chunk;
        place = place(mark);
    }

    /** Drops the bytes that no element has, if they are many and there is memory for it; not between {@link #append} and {@link #set}. */
    public void tidy() {
        long free = appended - used;
        // All elements are looked at, and what they have is copied: that must be paid for by what was written.
        if (appended <= LAST_CHUNK || free <= used || free <= ELEMENT * (long) count) {
            return;
        }
        StringHeap tight;
        try {
            tight = reservedForAll();
        } catch (OutOfMemoryError e) {
            return;                     // what was to be written is: that more is held than need be is no reason to fail
        }
        long[] begins = starts();
        for (int at = 0; at < count; at++) {
            // An empty one must not begin in a chunk that is no more, either.
            begins[at] = lengths[at] == 0 ? 0 : tight.append(chunk(begins[at]), place(begins[at]), lengths[at]);
        }
        chunks = tight.chunks;
        filled = tight.filled;
        last = tight.last;
        place = tight.place;
        appended = tight.appended;
    }

    /** No elements, and all the chunks that the bytes of the elements will take in their order: to append them asks for no memory. */
    private StringHeap reservedForAll() {
        StringHeap tight = new StringHeap(0);
        tight.chunks[0] = new byte[LAST_CHUNK];
        for (int at = 0; at < count; at++) {
            if (lengths[at] > 0) {
                tight.reserve(lengths[at]);
            }
        }
        tight.last = 0;
        tight.place = 0;
        tight.appended = 0;
        return tight;
    }

    /** A copy of the bytes of an element. */
    public byte[] bytes(int at) {
        return bytes(starts()[at], lengths[at]);
    }

    /** A copy of appended bytes. */
    public byte[] bytes(long start, int length) {
        int from = place(start);
        return length == 0 ? new byte[0] : Arrays.copyOfRange(chunk(start), from, from + length);
    }

    /** The chunk that appended bytes are in, from {@link #place(long)} on. Not to be written. */
    byte[] chunk(long start) {
        return chunks[chunkNumber(start)];
    }

    /** The text of an element; null if it has none. */
    public String text(int at) {
        long start = starts()[at];
        return StringElement.decode(chunk(start), place(start), lengths[at]);
    }

    /**
     * Copies the bytes of elements one after the other, those that lie so already at once; and where each begins, and the last ends. Each length is
     * read once: a thread that goes on writing meanwhile, as none should, does not make an offset of what is not copied.
     *
     * @param n how many elements
     * @param text gets the bytes, which fill it, at its position
     * @param offsets gets the offsets in native order, n + 1, from byte 0 on; nothing else has the memory that it is over
     * @throws IllegalStateException if the lengths have changed since {@code text} was made for them
     */
    void copyTo(int n, ByteBuffer text, ByteBuffer offsets) {
        long[] from = starts;
        int[] sizes = lengths;
        byte[][] all = chunks;
        if (from != null && n > from.length || n > sizes.length) {
            throw changed();
        }
        if (from == null) {
            copyInOrder(n, text, offsets, sizes);
            return;
        }
        int offset = 0;
        for (int at = 0; at < n;) {
            long start = from[at];
            int length = 0;
            while (at < n) {
                int size = sizes[at];
                // An empty one may lie anywhere.
                if (size != 0 && length != 0 && from[at] != start + length) {
                    break;
                }
                start = length == 0 ? from[at] : start;
                if (size > text.remaining() - length) {
                    throw changed();
                }
                offsets.putLong(Long.BYTES * at++, offset + length);
                length += size;
            }
            if (length > 0) {
                text.put(part(all, start, length), place(start), length);
                offset += length;
            }
        }
        if (text.hasRemaining()) {
            throw changed();
        }
        offsets.putLong(Long.BYTES * n, offset);
    }

    /** As above, of elements that were written in their order. */
    private void copyInOrder(int n, ByteBuffer text, ByteBuffer offsets, int... sizes) {
        long offset = 0;
        for (int at = 0; at < n; at++) {
            offsets.putLong(Long.BYTES * at, offset);
            offset += sizes[at];
            if (offset > text.remaining()) {
                throw changed();
            }
        }
        offsets.putLong(Long.BYTES * n, offset);
        for (int chunk = 0, end = last; chunk <= end; chunk++) {
            int length = filled(chunk);
            if (length > text.remaining()) {
                throw changed();
            }
            text.put(part(chunks, start(chunk, 0), length), 0, length);
        }
        if (offset != text.position()) {
            throw changed();
        }
    }

    /** The chunk that has {@code length} bytes from a start on. */
    private static byte[] part(byte[][] chunks, long start, int length) {
        int chunk = chunkNumber(start);
        byte[] bytes = chunk < chunks.length ? chunks[chunk] : null;
        if (bytes == null || place(start) > bytes.length - length) {
            throw changed();
        }
        return bytes;
    }

    /** What is thrown if a thread goes on writing while others pack what was written. */
    static IllegalStateException changed() {
        return new IllegalStateException("a thread writes strings of a tensor that is being published: no write may go on when init returns");
    }
}
