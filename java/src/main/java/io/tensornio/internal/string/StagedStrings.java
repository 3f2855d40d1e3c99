package io.tensornio.internal.string;

import io.tensornio.internal.element.NonUtf8String;
import io.tensornio.internal.element.ShortByteCopies;
import io.tensornio.internal.element.StringCursor;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/** Values whose bytes were appended to a store, all or none, and are not assigned to elements yet. */
public final class StagedStrings {
    private final StringHeap store;
    /** Where the bytes of each value begin, if that is asked for, and how many they are, from an index on. */
    private final long[] starts;
    private final int[] lengths;
    private final int first;

    /** {@code n} values, which {@link #sink} is to be given. */
    StagedStrings(StringHeap store, int n) {
        this(store, 0, new long[n], new int[n]);
    }

    /** The same with the places for them. */
    StagedStrings(StringHeap store, int first, long[] starts, int... lengths) {
        this.store = store;
        this.first = first;
        this.starts = starts;
        this.lengths = lengths;
    }

    /** What a value is checked for before anything is written. */
    public interface Check {
        /**
         * Checks a value, in the order of the values.
         *
         * @param n how many bytes it has
         * @param last the last of them; -1 if there is none
         */
        void check(int n, int last);
    }

    /**
     * Appends values: many at once where they are short texts.
     *
     * @param store gets the bytes
     * @param n how many values there are
     * @param from an array of strings, or of {@link NonUtf8String} where they are no texts
     * @param at the place of the first
     * @param where what the element of each is called in messages
     * @throws NullPointerException if one is null; then the store is as it was
     * @throws IllegalArgumentException if one has an unpaired surrogate; then, too
     * @throws OutOfMemoryError if the heap is exhausted; then, too
     */
    public static StagedStrings of(StringHeap store, int n, Object[] from, int at, IntFunction<String> where) {
        return of(store, n, StringValues.of(from, at), null, where);
    }

    /**
     * As above, of other values.
     *
     * @param check what each has to pass, by an exception if it does not; null if there is nothing
     */
    public static StagedStrings of(StringHeap store, int n, StringValues values, Check check, IntFunction<String> where) {
        try {
            StagedStrings all = new StagedStrings(store, n);
            all.append(n, values, check, where);
            return all;
        } catch (OutOfMemoryError e) {
            throw store.noHeap(n, e);
        }
    }

    /** Appends values, as above. */
    void append(int n, StringValues values, Check check, IntFunction<String> where) {
        long mark = store.mark();
        long before = store.appended();
        try {
            StringBatches.send(values, n, sink(check), where);
        } catch (OutOfMemoryError e) {
            store.rewind(mark, before);
            throw store.noHeap(n, e);
        } catch (Throwable e) {
            store.rewind(mark, before);
            throw e;
        }
    }

    /**
     * The values of elements of the store: their bytes are there already, and may be shared.
     *
     * @param places gives at least {@code n} positions of elements
     * @throws OutOfMemoryError if the heap is exhausted
     */
    public static StagedStrings of(StringHeap store, int n, StringCursor places) {
        StagedStrings all;
        try {
            all = new StagedStrings(store, n);
        } catch (OutOfMemoryError e) {
            throw store.noHeap((Long.BYTES + Integer.BYTES) * (long) n + " bytes", e);
        }
        for (int i = 0; i < n; i++) {
            int at = (int) places.position();
            all.starts[i] = store.start(at);
            all.lengths[i] = store.length(at);
        }
        return all;
    }

    /**
     * What appends the values, from the first on.
     *
     * @param check what each has to pass; null if there is nothing
     */
    StringSink sink(Check check) {
        return new Sink(check);
    }

    private final class Sink implements StringSink {
        private final Check check;
        private int next = first;

        Sink(Check check) {
            this.check = check;
        }

        @Override
        public void put(byte[] bytes) {
            check(bytes, 0, bytes.length);
            add(store.append(bytes), bytes.length);
        }

        @Override
        public void putAll(byte[] bytes, int length, int[] sizes, int n) {
            for (int i = 0, from = 0; i < n && check != null; from += sizes[i++]) {
                check(bytes, from, sizes[i]);
            }
            long start = store.append(bytes, 0, length);
            for (int i = 0; i < n; start += sizes[i++]) {
                add(start, sizes[i]);
            }
        }

        private void check(byte[] bytes, int from, int n) {
            if (check != null) {
                check.check(n, n == 0 ? -1 : bytes[from + n - 1]);
            }
        }

        private void add(long start, int n) {
            if (starts != null) {
                starts[next] = start;
            }
            lengths[next++] = n;
        }
    }

    /** Makes a value an element of the store. */
    public void set(int at, int i) {
        store.set(at, starts[i], lengths[i]);
    }

    /** A copy of the bytes of a value. */
    public byte[] bytes(int i) {
        return store.bytes(starts[i], lengths[i]);
    }

    /** How many bytes a value has. */
    public int length(int i) {
        return lengths[i];
    }

    /** Copies the bytes of a value to a place in a buffer. */
    void copy(int i, ByteBuffer to, int at) {
        int n = lengths[i];
        if (n > 0) {
            ShortByteCopies.put(store.chunk(starts[i]), StringHeap.place(starts[i]), n, to, at);
        }
    }
}
