package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.NonUtf8String;
import io.tensornio.internal.element.StringArray;
import io.tensornio.internal.element.StringCursor;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.ArrayLength;
import io.tensornio.internal.layout.Positions;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.string.StagedStrings;
import io.tensornio.internal.string.StringBlock;
import io.tensornio.internal.string.StringHeap;
import io.tensornio.internal.string.StringPaddedSink;
import io.tensornio.internal.string.StringPadding;
import io.tensornio.internal.string.StringValues;
import java.util.Arrays;
import java.util.Objects;

/**
 * Copies strings in bulk, all of them or none: one that cannot be written leaves everything as it was, and data may be copied to data that it
 * overlaps. So all values are read and checked before the first is written, but where what was written can be taken back, and no value is read from
 * there. What a tensor has already is right, and copied within it without a copy of all.
 */
final class StringCopies {
    private StringCopies() {
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
        write(to, n, false, StringValues.of(from, at));
    }

    /** Copies data to other data of the same shape; to a row that grows, data of any length. */
    static void copy(StringTensorData from, StringTensorData to) {
        copy(from, to, from, true);
    }

    /** The same, of which one side, the first if {@code isRead}, is what the indices of a bulk call name in data: messages tell of these. */
    static void copy(StringTensorData from, StringTensorData to, StringTensorData named, boolean isRead, int... indices) {
        if (to instanceof StringRaggedBuilder) {
            to.put(from, new int[0]);
            return;
        }
        long[] shape = from.shape();
        shape = shape == null ? null : shape.clone();
        if (!Arrays.equals(shape, to.shape())) {
            throw SelectionText.otherShape(named, isRead, shape, to.shape(), indices);
        }
        boolean isRagged = RaggedShapes.isRagged(shape);
        if (isRagged) {
            RaggedRows.checkSame(from, to);
        }
        long n = isRagged ? from.totalSize() : Shapes.product(shape);
        if (to instanceof StringData) {
            ((StringData) to).checkCapacity(n);
            copy(from, (StringData) to, checkCount(n, shape));
        } else {
            String[] values = new String[checkCount(n, shape)];
            StringTensorIterator scalars = Objects.requireNonNull(from.scalars(), "scalars() gave null");
            for (int i = 0; i < values.length; i++) {
                values[i] = scalars.get();
            }
            StringTensorIterator target = Objects.requireNonNull(to.scalars(), "scalars() gave null");
            for (String value : values) {
                target.put(value);
            }
        }
    }

    /** A block with the elements of data, which shares the memory if the data is the whole of a published tensor. */
    static StringBlock share(StringTensorData data, long... shape) {
        StringBlock whole = StringView.whole(data);
        if (whole != null) {
            return whole.share(shape);
        }
        StringCollector copy = StringCollector.of(shape);
        try {
            copy(data, copy.data());
            return copy.finish();
        } catch (Throwable e) {
            copy.close();
            throw e;
        }
    }

    private static int checkCount(long n, long... shape) {
        if (n > ArrayLength.MOST) {
            throw new OutOfMemoryError("a copy of the shape " + Arrays.toString(shape) + " between data that may overlap needs a temporary of " + n
                + " strings; one can have " + ArrayLength.MOST);
        }
        return (int) n;
    }

    private static void copy(StringTensorData from, StringData to, int n) {
        Object memory = from instanceof StringData ? ((StringData) from).memory() : null;
        if (memory == null) {           // the user's own code may write what it is copied to
            Object[] values = values(from.scalars(), n);
            write(to, n, false, StringValues.of(values, 0));
            return;
        }
        boolean isWithin = memory == to.memory();
        if (!isWithin || !copyWithin((StringData) from, to, n)) {
            write(to, n, isWithin, inOrder((StringData) from));
        }
    }

    /** All elements in order; of an array directly, without an iterator. */
    private static StringValues inOrder(StringData from) {
        if (from.source() instanceof StringArray && from.layout().isContiguous()) {
            StringArray array = (StringArray) from.source();
            long[] next = {from.layout().offset()};
            return () -> array.read(next[0]++);
        }
        return StringValues.of(from.scalars());
    }

    /** Copies elements of a tensor to others of it; returns false, and does nothing, where that is no easier than any copy. */
    private static boolean copyWithin(StringData from, StringData to, int n) {
        StringSource source = to.source();
        if (n == 0 || source != from.source()) {
            return n == 0;
        }
        if (source instanceof StringCollector) {
            StringHeap store = ((StringCollector) source).writable();
            set(to, n, StagedStrings.of(store, n, places(from)));
            store.tidy();
            return true;
        }
        if (source instanceof StringPadded && from.layout().isContiguous() && to.layout().isContiguous()) {
            ((StringPadded) source).copyWithin((int) from.layout().offset(), (int) to.layout().offset(), n);
            return true;
        }
        return false;
    }

    private static Object[] values(StringTensorIterator scalars, int n) {
        Objects.requireNonNull(scalars, "scalars() gave null");
        Object[] values = new Object[n];
        for (int i = 0; i < n; i++) {
            values[i] = StringElement.next(scalars);
        }
        return values;
    }

    /** All elements, each a {@code String} or a {@link NonUtf8String}. */
    static Object[] values(StringTensorData data) {
        return values(data.scalars(), Positions.count(data.totalSize()));
    }

    /**
     * Writes values to the first elements.
     *
     * @param isWithin whether the values are elements of the same tensor
     * @param values gives them, from the first on
     */
    private static void write(StringData data, int n, boolean isWithin, StringValues values) {
        StringSource to = data.source();
        if (n == 0) {
            return;
        }
        if (to instanceof StringCollector) {
            StringCollector strings = (StringCollector) to;
            StringHeap store = strings.writable();
            if (data.layout().isContiguous()) {
                store.putAll((int) data.layout().offset(), n, values, check(data, strings.form()), i -> where(data, i));
            } else {
                set(data, n, append(data, n, values, store, strings.form()));
            }
            store.tidy();
        } else if (to instanceof StringPadded) {
            writePadded(data, (StringPadded) to, n, isWithin, values);
        } else if (to instanceof StringSparseBuilder) {
            StagedStrings all = append(data, n, values, new StringHeap(0), ((StringSparseBuilder) to).form());
            to.checkCapacity(data.layout(), n);             // again: the user's own data may have written it meanwhile
            StringCursor places = places(data);
            for (int i = 0; i < n; i++) {
                to.writeBytes(all.bytes(i), places.position());
            }
        } else {
            writeEach(data, to, n, values);
        }
    }

    private static void writePadded(StringData data, StringPadded to, int n, boolean isWithin, StringValues values) {
        int first = (int) data.layout().offset();
        if (data.layout().isContiguous() && !isWithin && to.isEmpty(first, n)) {
            StringPaddedSink.put(to.form(), to, first, n, values, i -> where(data, i));
        } else {
            to.write(append(data, n, values, new StringHeap(0), to.form()), n, places(data));
        }
    }

    private static void set(StringData data, int n, StagedStrings all) {
        StringCursor places = places(data);
        for (int i = 0; i < n; i++) {
            all.set((int) places.position(), i);
        }
    }

    /** Appends all values to a store, or none. */
    private static StagedStrings append(StringData data, int n, StringValues values, StringHeap store, StringPadding form) {
        return StagedStrings.of(store, n, values, check(data, form), i -> where(data, i));
    }

    /** What values have to pass for the first elements; null if there is nothing. */
    private static StagedStrings.Check check(StringData data, StringPadding form) {
        StringCursor places = form == null ? null : places(data);
        return form == null ? null : (length, last) -> form.check(length, last, data.source(), places.position());
    }

    /** Writes values to where the user keeps them. */
    private static void writeEach(StringData data, StringSource to, int n, StringValues values) {
        Object[] all = new Object[n];
        StringCursor places = places(data);
        for (int i = 0; i < n; i++) {
            Object value = values.next();
            long at = places.position();
            if (value == null) {
                throw StringElement.missing(to.where(at));
            }
            all[i] = value;
            if (value instanceof NonUtf8String) {
                to.checkBytes(((NonUtf8String) value).bytes, at);
            } else {
                to.check((String) value, at);
            }
        }
        places = places(data);
        for (Object value : all) {
            if (value instanceof NonUtf8String) {
                to.writeBytes(((NonUtf8String) value).bytes, places.position());
            } else {
                to.write((String) value, places.position());
            }
        }
    }
}
