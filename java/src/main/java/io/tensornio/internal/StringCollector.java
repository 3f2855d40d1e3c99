package io.tensornio.internal;

import io.tensornio.StringTensorData;
import io.tensornio.TensorClosedException;

/**
 * The strings of a tensor that is being filled, whose memory can be taken only when all are known. It is what the data given to {@code init}
 * looks at: from {@link #finish} on, that is the tensor's own memory.
 */
public final class StringCollector implements StringSource, StringFilling {
    private final StringPadding form;
    private volatile long[] shape;
    /** What was collected; null once that is published or given up, or about to be. */
    private volatile StringStore store;
    /** What is being packed, which nobody writes any more; then null. */
    private volatile StringStore packing;
    /** The tensor's memory, once it is published. */
    private volatile StringBlock block;

    private StringCollector(long[] shape, int count, StringPadding form) {
        this.shape = shape;
        this.form = form;
        try {
            store = new StringStore(count).named(shape);
        } catch (OutOfMemoryError e) {
            OutOfMemoryError told = new OutOfMemoryError("filling the STRING tensor of shape " + java.util.Arrays.toString(shape) + " needs "
                + (Long.BYTES + Integer.BYTES) * (long) count + " bytes of the Java heap and those of the texts: " + e.getMessage());
            told.initCause(e);
            throw told;
        }
    }

    /**
     * For strings of any length.
     *
     * @param shape a checked shape, which this object keeps
     * @return a collector of empty strings
     * @throws OutOfMemoryError if one buffer cannot hold so many
     */
    public static StringCollector of(long... shape) {
        return new StringCollector(shape, StringPacked.checkCount(shape), null);
    }

    /** For a vector that is as long as what is {@linkplain #add added}; {@code form} is null for strings of any length. */
    static StringCollector growing(StringPadding form) {
        StringCollector all = new StringCollector(new long[] {0}, 0, form);
        all.store.named(-1);
        return all;
    }

    @Override
    public StringTensorData data() {
        return StringView.of(this, shape);
    }

    @Override
    public StringBlock finish() {
        StringStore all = writable();
        packing = all;                  // before the store goes: one of the three is always there to be read
        store = null;
        StringBlock published = form == null ? StringPacked.of(shape, all) : StringPadded.of(Shapes.check(shape, Math.max(1, form.length)), form, all);
        published.publish();
        block = published;
        packing = null;
        return published;
    }

    /** Nothing can be read or written any more, unless this was published. */
    @Override
    public void close() {
        store = null;
        packing = null;
    }

    /** Where the strings are read, if it is not in a block. */
    private StringStore readable() {
        StringStore s = store;
        return s == null ? packing : s;
    }

    private TensorClosedException closedException() {
        return new TensorClosedException(StringElement.TYPE, shape);
    }

    /** The memory if this is published; else null. */
    StringBlock block() {
        return block;
    }


    /** Where the strings go; not to be kept. */
    StringStore writable() {
        StringStore s = store;
        if (s == null) {
            StringBlock b = block;
            throw b != null ? b.notWritable()
                : packing != null ? new ReadOnlyTensorException(StringElement.TYPE, shape, "is being published")
                : closedException();
        }
        return s;
    }

    boolean isPadded() {
        return form != null;
    }

    /** How many elements a vector has now. */
    long count() {
        return shape[0];
    }

    /** Adds an element to a vector. */
    void add(String value) {
        StringStore s = writable();
        long at = s.count();
        byte[] bytes = StringElement.encode(value, this, at);
        checkBytes(bytes, at);
        if (at == Integer.MAX_VALUE / Long.BYTES - 64) {
            throw StringBlock.tooLarge(shape, (at + 2) * Long.BYTES);
        }
        s.add(bytes);
        shape = new long[] {at + 1};
    }

    @Override
    public String where(long at) {
        long[] now = shape;
        return now.length == 1 && at >= now[0] ? "the element [" + at + "] of the stream" : StringElement.where(now, at);
    }

    @Override
    public String read(long at) {
        StringStore s = readable();
        if (s == null) {
            return published().read(at);
        }
        String text = s.text((int) at);
        if (text == null) {
            throw StringElement.malformed(s.bytes((int) at), 0, s.length((int) at), this, at);
        }
        return text;
    }

    private StringBlock published() {
        StringBlock b = block;
        if (b == null) {
            throw closedException();
        }
        return b;
    }

    @Override
    public byte[] readBytes(long at) {
        StringStore s = readable();
        return s == null ? published().readBytes(at) : s.bytes((int) at);
    }

    @Override
    public StringSource cursor() {
        StringBlock b = block;
        return b == null ? this : b.cursor();
    }

    @Override
    public Object readAny(long at) {
        return StringElement.any(readBytes(at));
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
    public void write(String value, long at) {
        StringStore s = writable();
        if (form == null && Ascii.isShort(value)) {
            s.putAscii(value, (int) at);
            return;
        }
        byte[] bytes = StringElement.encode(value, this, at);
        checkBytes(bytes, at);
        s.put(bytes, (int) at);
    }

    @Override
    public void writeBytes(byte[] bytes, long at) {
        StringStore s = writable();
        checkBytes(bytes, at);
        s.put(bytes, (int) at);
    }

    @Override
    public boolean isReadOnly() {
        return store == null;
    }

    @Override
    public void checkOpen() {
        if (readable() == null) {
            published().checkOpen();
        }
    }

    @Override
    public void checkWritable() {
        writable();
    }

    @Override
    public Object memory() {
        StringBlock b = block;
        return b == null ? this : b.memory();
    }

    @Override
    public boolean mayShare(String[] array) {
        return false;
    }
}
