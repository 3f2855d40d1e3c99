package io.tensornio.internal.data;

import io.tensornio.internal.element.EncodedSource;
import io.tensornio.internal.element.IntElement;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Storage;
import io.tensornio.internal.sparse.SparseBuilder;
import io.tensornio.internal.string.StringBlock;
import io.tensornio.internal.string.StringHeap;
import io.tensornio.internal.string.StringPacked;
import io.tensornio.internal.string.StringPadding;

/** The elements of a sparse {@code String} tensor under construction. Once published, it reads from the published tensor. */
public final class StringSparseBuilder extends SparseBuilder implements EncodedSource {
    /** The strings of the log; null from the end on. */
    private StringHeap values = new StringHeap(0).named(shape);
    /** Null for strings of any length. */
    private final StringPadding form;

    /**
     * Takes memory for strings of any length.
     *
     * @param shape the dense shape, checked, which this object keeps
     * @param numValues the number of distinct elements that will be put
     * @throws IllegalArgumentException if that is negative
     * @throws IllegalStateException if the shape has fewer elements
     * @throws OutOfMemoryError if the memory is not available, or one tensor cannot hold it
     */
    public StringSparseBuilder(long[] shape, int numValues) {
        this(shape, numValues, null);
    }

    private StringSparseBuilder(long[] shape, int numValues, StringPadding form) {
        super(StringElement.TYPE, shape, checkStrings(form, checkNumValues(StringElement.TYPE, shape, numValues)));
        this.form = form;
    }

    /**
     * Takes memory for strings of a fixed length.
     *
     * @param shape the caller's shape
     * @param numValues how many distinct elements will be put
     * @param elementLength the bytes of an element
     * @param padding what is after shorter ones, 0 to 127
     * @return an empty one
     * @throws IllegalArgumentException if a number is negative, or there are more elements, if it were dense, than a {@code long} can count; or if
     *     the length or the padding is out of range
     * @throws IllegalStateException if there are fewer elements
     * @throws OutOfMemoryError if the memory is not available, or one tensor cannot hold it
     */
    public static StringSparseBuilder of(long[] shape, int numValues, int elementLength, int padding) {
        StringPadding form = new StringPadding(elementLength, padding);
        return new StringSparseBuilder(Shapes.checkSparse(shape), numValues, form);
    }

    /** Checks that a tensor can have this many strings, before they are collected. */
    private static int checkStrings(StringPadding form, int numValues) {
        long bytes = form == null ? 0 : (long) numValues * form.length;
        if (bytes > Integer.MAX_VALUE) {
            throw StringBlock.tooLarge(new long[] {numValues}, bytes);
        }
        return StringPacked.checkCount(new long[] {numValues});
    }

    /** How strings are padded; null if they are not. */
    StringPadding form() {
        return form;
    }

    /** The published elements; null before. */
    StringSparse published() {
        return (StringSparse) result();
    }

    @Override
    public StringSource cursor(Layout layout) {
        StringSparse sparse = published();
        return sparse == null ? this : sparse.cursor(layout);
    }

    @Override
    public boolean readAll(Layout layout, String[] to, int at) {
        StringSparse sparse = published();
        return sparse != null && sparse.readAll(layout, to, at);
    }

    // ---- Elements --------------------------------------------------------------------------------------------------

    @Override
    public void write(String value, long at) {
        checkWritable();
        writeBytes(StringElement.encode(value, this, at), at);
    }

    @Override
    public void check(String value, long at) {
        checkBytes(StringElement.encode(value, this, at), at);
    }

    @Override
    public void checkBytes(byte[] bytes, long at) {
        if (form != null) {
            form.check(bytes, this, at);
        }
    }

    @Override
    public String where(long at) {
        return StringElement.where(shape, at);
    }

    @Override
    public void writeBytes(byte[] bytes, long at) {
        checkWritable();
        checkBytes(bytes, at);
        int entry = entryFor(at);
        open(values).write(bytes, entry);
        add(entry, at);
    }

    @Override
    protected void move(int from, int to) {
        values.move(from, to);
    }

    @Override
    public byte[] readBytes(long at) {
        StringSparse sparse = published();
        if (sparse != null) {
            return sparse.readBytes(at);
        }
        int entry = find(at);
        if (entry < 0) {
            return new byte[0];
        }
        byte[] bytes = open(values).bytes(entry);
        if (isClosedAfterRead()) {
            checkOpen();
            return published().readBytes(at);
        }
        return bytes;
    }

    // ---- The end ---------------------------------------------------------------------------------------------------

    @Override
    public StringSparse publish() {
        int entries = stop();
        int[] numbers = StringSparseTensors.numbers(entries);
        StringHeap all = values;
        StringSparse sparse = StringSparseTensors.make(shape, numValues, form, () -> all, (indices, sorted) ->
            checkDistinct(sort(numbers, entries, IntElement.BYTES, indices, IntCarrier.INT32.buffer(sorted, true))));
        publish(sparse);
        return sparse;
    }

    @Override
    public StringSparse sorted() {
        checkOpen();
        int entries = entries();
        Storage pinned = pin();
        try {
            StringHeap all = open(values);
            int[] numbers = StringSparseTensors.numbers(entries);
            return StringSparseTensors.make(shape, entries, form, () -> all, (indices, sorted) ->
                sort(numbers, entries, IntElement.BYTES, indices, IntCarrier.INT32.buffer(sorted, true)));
        } finally {
            pinned.unpin();
        }
    }

    @Override
    protected void closeValues() {
        values = null;
    }
}
