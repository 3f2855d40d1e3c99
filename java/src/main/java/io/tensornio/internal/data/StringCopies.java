package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.RawString;
import io.tensornio.internal.element.StringCursor;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Positions;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.rows.RaggedShapes;
import io.tensornio.internal.text.StringAppended;
import io.tensornio.internal.text.StringStore;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Copies strings in bulk. All values are read and checked before the first is written, so that one that cannot be written leaves everything as it
 * was, and data may be copied to data that it overlaps.
 */
final class StringCopies {
    private StringCopies() {
    }

    static void checkWritable(StringTensorData data) {
        if (data instanceof StringData) {
            ((StringData) data).checkWritable();
        } else if (data.isReadOnly()) {
            throw new ReadOnlyTensorException(data.dataType(), data.shape(), "is read-only");
        }
    }

    /** Where the elements are, one after the other. */
    private static StringCursor places(StringData to) {
        return (StringCursor) to.scalars();
    }

    private static String where(StringData to, int i) {
        StringCursor places = places(to);
        for (int k = 0; k < i; k++) {
            places.position();
        }
        return to.source().where(places.position());
    }

    /** Copies all elements to a place in an array. */
    static void read(StringData from, String[] to, int at) {
        String[] texts = new String[(int) from.totalSize()];
        if (!(from instanceof StringView) || !from.source().readAll(from.layout(), texts, 0)) {
            StringTensorIterator scalars = from.scalars();
            for (int i = 0; i < texts.length; i++) {
                texts[i] = scalars.get();
            }
        }
        System.arraycopy(texts, 0, to, at, texts.length);
    }

    /** Copies {@code n} values from a place in an array on to the first elements, which there are. */
    static void write(StringData to, int n, String[] from, int at) {
        for (int i = at; i < at + n; i++) {
            Objects.requireNonNull(from[i], "null among the values");
        }
        StringSource source = to.source();
        if (source instanceof StringCollector && !((StringCollector) source).isPadded()) {
            StringStore store = ((StringCollector) source).store();
            StringAppended all = StringAppended.of(store, n, from, at, i -> where(to, i));
            StringCursor places = places(to);
            for (int i = 0; i < n; i++) {
                all.set((int) places.position(), i);
            }
            store.tidy();
        } else {
            int[] next = {at};
            write(to, n, () -> from[next[0]++]);
        }
    }

    /** Copies data to other data of the same shape. */
    static void copy(StringTensorData from, StringTensorData to) {
        long[] shape = from.shape();
        shape = shape == null ? null : shape.clone();
        if (!Arrays.equals(shape, to.shape())) {
            throw new IllegalArgumentException("cannot copy the shape " + Arrays.toString(shape) + " to the shape " + Arrays.toString(to.shape()));
        }
        boolean isRagged = RaggedShapes.isRagged(shape);
        if (isRagged) {
            StringRagged.checkSameRows(from, to);
        }
        long n = isRagged ? from.totalSize() : Shapes.product(shape);
        if (n > Integer.MAX_VALUE - 8) {
            throw new OutOfMemoryError("a copy of the shape " + Arrays.toString(shape) + " between data that may overlap needs a temporary of " + n
                + " strings; one can have " + (Integer.MAX_VALUE - 8));
        }
        if (to instanceof StringData) {
            ((StringData) to).checkRoom(n);
        }
        StringTensorIterator scalars = from.scalars();
        if (to instanceof StringData) {
            boolean isOwn = from instanceof StringData && ((StringData) from).memory() != null;
            write((StringData) to, (int) n, isOwn ? () -> StringElement.next(scalars) : all(scalars, (int) n));
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
        return Arrays.asList(values(scalars, n)).iterator()::next;
    }

    private static Object[] values(StringTensorIterator scalars, int n) {
        Object[] values = new Object[n];
        for (int i = 0; i < n; i++) {
            values[i] = StringElement.next(scalars);
        }
        return values;
    }

    /** All elements, each a {@code String} or a {@link RawString}. */
    static Object[] values(StringTensorData data) {
        return values(data.scalars(), Positions.count(data.totalSize()));
    }

    private static void write(StringData data, int n, Supplier<Object> values) {
        StringSource to = data.source();
        boolean isCollected = to instanceof StringCollector;
        if (isCollected || to instanceof StringPadded || to instanceof StringSparseFilling) {
            writeBytes(data, n, values, isCollected ? ((StringCollector) to).store() : new StringStore(0));
            return;
        }
        Object[] all = new Object[n];
        StringCursor places = places(data);
        for (int i = 0; i < n; i++) {
            all[i] = values.get();
            long at = places.position();
            if (all[i] instanceof RawString) {
                to.checkBytes(((RawString) all[i]).bytes, at);
            } else {
                to.check((String) all[i], at);
            }
        }
        places = places(data);
        for (Object value : all) {
            if (value instanceof RawString) {
                to.writeBytes(((RawString) value).bytes, places.position());
            } else {
                to.write((String) value, places.position());
            }
        }
    }

    /** Appends all values to a store, then makes them elements: of the store itself, if that is where a collector has them. */
    private static void writeBytes(StringData data, int n, Supplier<Object> values, StringStore store) {
        StringSource to = data.source();
        long[] starts = new long[n];
        int[] lengths = new int[n];
        long mark = store.mark();
        try {
            StringCursor places = places(data);
            for (int i = 0; i < n; i++) {
                long at = places.position();
                byte[] bytes = StringElement.bytes(values.get(), to, at);
                to.checkBytes(bytes, at);
                starts[i] = store.append(bytes);
                lengths[i] = bytes.length;
            }
            if (to instanceof StringSparseFilling) {
                to.checkRoom(data.layout(), n);         // again: the user's own data may have written it meanwhile
            }
        } catch (Throwable e) {
            store.rewind(mark);
            throw e;
        }
        StringCursor places = places(data);
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
