package io.tensornio.internal;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Copies strings in bulk. All values are read and checked before the first is written, so that one that cannot be written leaves everything as it
 * was, and data may be copied to data that it overlaps.
 */
final class StringCopies {
    /** Strings that are encoded at a time, and characters. */
    private static final int BATCH = 256;
    private static final int LONGEST_BATCH = 1 << 14;

    private StringCopies() {
    }

    static void checkOpen(StringTensorData data) {
        if (data instanceof StringData) {
            ((StringData) data).checkOpen();
        }
    }

    static void checkWritable(StringTensorData data) {
        if (data instanceof StringData) {
            ((StringData) data).checkWritable();
        } else if (data.isReadOnly()) {
            throw new ReadOnlyTensorException(data.dataType(), data.shape(), "is read-only");
        }
    }

    /** Copies all elements to a place in an array. */
    static void read(StringSource source, Layout layout, String[] to, int at) {
        String[] texts = new String[(int) layout.totalSize()];
        if (!source.readAll(layout, texts, 0)) {
            StringViewScalars scalars = new StringViewScalars(source, layout);
            for (int i = 0; i < texts.length; i++) {
                texts[i] = scalars.get();
            }
        }
        System.arraycopy(texts, 0, to, at, texts.length);
    }

    /** Copies {@code n} values from a place in an array on to the first elements, which there are. */
    static void write(StringSource to, Layout layout, int n, String[] from, int at) {
        for (int i = at; i < at + n; i++) {
            Objects.requireNonNull(from[i], "null among the values");
        }
        if (to instanceof StringCollector && !((StringCollector) to).isPadded()) {
            collect((StringCollector) to, layout, n, from, at);
        } else {
            int[] next = {at};
            write(to, layout, n, () -> from[next[0]++]);
        }
    }

    /** As {@link #writeBytes}, but encodes many strings at once where their texts are ASCII. */
    private static void collect(StringCollector to, Layout layout, int n, String[] from, int at) {
        StringStore store = to.writable();
        long[] starts = new long[n];
        int[] lengths = new int[n];
        long mark = store.mark();
        try {
            StringViewScalars places = new StringViewScalars(to, layout);
            StringBuilder joined = new StringBuilder();
            for (int i = 0; i < n;) {
                int first = i;
                joined.setLength(0);
                while (i < n && i - first < BATCH && joined.length() < LONGEST_BATCH) {
                    String text = from[at + i];         // once: the caller's array may change meanwhile
                    lengths[i++] = text.length();
                    joined.append(text);
                }
                long start = appendAscii(store, joined.toString());
                for (int k = first; k < i; k++) {
                    long place = places.position();
                    if (start >= 0) {
                        starts[k] = start;
                        start += lengths[k];
                    } else {
                        byte[] bytes = StringElement.encode(from[at + k], to, place);
                        starts[k] = store.append(bytes);
                        lengths[k] = bytes.length;
                    }
                }
            }
        } catch (Throwable e) {
            store.rewind(mark);
            throw e;
        }
        StringViewScalars places = new StringViewScalars(to, layout);
        for (int i = 0; i < n; i++) {
            store.set((int) places.position(), starts[i], lengths[i]);
        }
        store.tidy();
    }

    /** Appends a text and gives where it begins; -1, and nothing is appended, if it is not all ASCII. */
    private static long appendAscii(StringStore store, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        boolean isAscii = bytes.length == text.length() && new String(bytes, StandardCharsets.UTF_8).equals(text);
        return isAscii ? store.append(bytes) : -1;
    }

    /** Copies data to other data of the same shape. */
    static void copy(StringTensorData from, StringTensorData to) {
        long[] shape = from.shape();
        shape = shape == null ? null : shape.clone();
        if (!Arrays.equals(shape, to.shape())) {
            throw new IllegalArgumentException("cannot copy the shape " + Arrays.toString(shape) + " to the shape " + Arrays.toString(to.shape()));
        }
        long n = Shapes.product(shape);
        if (n > Integer.MAX_VALUE - 8) {
            throw new OutOfMemoryError("a copy of the shape " + Arrays.toString(shape) + " between data that may overlap needs a temporary of " + n
                + " strings; one can have " + (Integer.MAX_VALUE - 8));
        }
        if (to instanceof StringData) {
            ((StringData) to).source().checkRoom(((StringData) to).layout(), n);
        }
        StringTensorIterator scalars = from.scalars();
        if (to instanceof StringData) {
            boolean isOwn = from instanceof StringData && ((StringData) from).memory() != null;
            write(((StringData) to).source(), ((StringData) to).layout(), (int) n, isOwn ? () -> StringElement.next(scalars) : all(scalars, (int) n));
        } else {
            String[] values = new String[(int) n];
            for (int i = 0; i < values.length; i++) {
                values[i] = scalars.get();
            }
            StringTensorIterator target = to.scalars();
            for (String value : values) {
                target.put(value);
            }
        }
    }

    /** Values that are read before the first is asked for: the user's own code may write what it is copied to. */
    private static Supplier<Object> all(StringTensorIterator scalars, int n) {
        Object[] values = new Object[n];
        for (int i = 0; i < n; i++) {
            values[i] = StringElement.next(scalars);
        }
        return Arrays.asList(values).iterator()::next;
    }

    private static void write(StringSource to, Layout layout, int n, Supplier<Object> values) {
        boolean isCollected = to instanceof StringCollector;
        if (isCollected || to instanceof StringPadded || to instanceof StringSparseFilling) {
            writeBytes(to, layout, n, values, isCollected ? ((StringCollector) to).writable() : new StringStore(0));
            return;
        }
        Object[] all = new Object[n];
        StringViewScalars places = new StringViewScalars(to, layout);
        for (int i = 0; i < n; i++) {
            all[i] = values.get();
            long at = places.position();
            if (all[i] instanceof RawString) {
                to.checkBytes(((RawString) all[i]).bytes, at);
            } else {
                to.check((String) all[i], at);
            }
        }
        places = new StringViewScalars(to, layout);
        for (Object value : all) {
            if (value instanceof RawString) {
                to.writeBytes(((RawString) value).bytes, places.position());
            } else {
                to.write((String) value, places.position());
            }
        }
    }

    /** Appends all values to a store, then makes them elements: of the store itself, if that is where a collector has them. */
    private static void writeBytes(StringSource to, Layout layout, int n, Supplier<Object> values, StringStore store) {
        long[] starts = new long[n];
        int[] lengths = new int[n];
        long mark = store.mark();
        try {
            StringViewScalars places = new StringViewScalars(to, layout);
            for (int i = 0; i < n; i++) {
                long at = places.position();
                byte[] bytes = StringElement.bytes(values.get(), to, at);
                to.checkBytes(bytes, at);
                starts[i] = store.append(bytes);
                lengths[i] = bytes.length;
            }
            to.checkRoom(layout, n);        // again: the user's own data may have written it meanwhile
        } catch (Throwable e) {
            store.rewind(mark);
            throw e;
        }
        StringViewScalars places = new StringViewScalars(to, layout);
        for (int i = 0; i < n; i++) {
            if (to instanceof StringCollector) {
                store.set((int) places.position(), starts[i], lengths[i]);
            } else {
                to.writeBytes(store.bytes(starts[i], lengths[i]), places.position());
            }
        }
        if (to instanceof StringCollector) {
            store.tidy();
        }
    }
}
