package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.TensorClosedException;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.string.Ascii;
import io.tensornio.internal.string.StringBlock;
import io.tensornio.internal.string.StringHeap;
import io.tensornio.internal.string.StringPacked;
import io.tensornio.internal.string.StringPadding;

/**
 * The strings of a tensor that is being filled, of which nobody knows yet how much memory they need: they are gathered on the heap, and packed once.
 * It is what the data given to {@code init} looks at: from {@link #finish} on, that is the tensor's own memory.
 */
public final class StringCollector implements StringSource, StringTensorBuilder {
    private final StringPadding form;
    private volatile long[] shape;
    /** What was collected; null once that is published or given up. */
    private volatile StringHeap collected;
    /** Whether it is being packed, so that nobody may write any more. */
    private volatile boolean isPacking;
    /** The tensor's memory, once it is published. */
    private volatile StringBlock block;

    private StringCollector(long[] shape, StringPadding form, StringHeap empty) {
        this.shape = shape;
        this.form = form;
        collected = empty;
    }

    /**
     * For strings of any length.
     *
     * @param shape a checked shape, which this object keeps
     * @return a collector of empty strings
     * @throws OutOfMemoryError if one buffer cannot hold so many, or the heap is exhausted
     */
    public static StringCollector of(long... shape) {
        return new StringCollector(shape, null, StringHeap.of(shape));
    }

    /** For a vector that is as long as what is {@linkplain #add added}; {@code form} is null for strings of any length. */
    static StringCollector growing(StringPadding form) {
        return new StringCollector(new long[] {0}, form, new StringHeap(0).named(-1));
    }

    @Override
    public StringTensorData data() {
        return StringView.of(this, shape);
    }

    @Override
    public StringBlock finish() {
        StringHeap all = writable();
        isPacking = true;
        StringBlock published = form == null ? StringPacked.of(shape, all)
            : StringPadded.of(Shapes.check(shape, Math.max(1, form.length)), form, all);
        published.publish();
        block = published;              // before the heap goes: one of the two is always there to be read
        collected = null;
        return published;
    }

    /** Nothing can be read or written any more, unless this was published. */
    @Override
    public void close() {
        collected = null;
    }

    private TensorClosedException closedException() {
        return new TensorClosedException(StringElement.TYPE, shape);
    }

    /** The memory if this is published; else null. */
    StringBlock block() {
        return block;
    }

    private StringBlock published() {
        StringBlock b = block;
        if (b == null) {
            throw closedException();
        }
        return b;
    }

    /** Where strings go; not to be kept. */
    StringHeap writable() {
        StringHeap all = collected;
        if (all == null) {
            throw published().notWritableException();
        }
        if (isPacking) {
            throw new ReadOnlyTensorException(StringElement.TYPE, shape, "is being published");
        }
        return all;
    }

    /** How strings are padded; null if they are not. */
    StringPadding form() {
        return form;
    }

    /** How many elements a vector has now. */
    long count() {
        return shape[0];
    }

    /** Adds an element to a vector. */
    void add(String value) {
        long at = shape[0];
        byte[] bytes = StringElement.encode(value, this, at);
        checkBytes(bytes, at);
        if (at == StringPacked.MOST) {
            throw StringBlock.tooLarge(shape, (at + 2) * Long.BYTES);
        }
        writable().add(bytes);
        shape = new long[] {at + 1};
    }

    @Override
    public String where(long at) {
        long[] now = shape;
        return now.length == 1 && at >= now[0] ? "the element [" + at + "] of the shape [-1]" : StringElement.where(now, at);
    }

    @Override
    public String read(long at) {
        StringHeap all = collected;
        if (all == null) {
            return published().read(at);
        }
        String text = all.text((int) at);
        return text == null ? StringElement.decode(all.bytes((int) at), this, at) : text;
    }

    @Override
    public byte[] readBytes(long at) {
        StringHeap all = collected;
        return all == null ? published().readBytes(at) : all.bytes((int) at);
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
        StringHeap all = writable();
        if (form == null && Ascii.isShort(value)) {
            all.putAscii(value, (int) at);
        } else {
            writeBytes(StringElement.encode(value, this, at), at);
        }
    }

    @Override
    public void writeBytes(byte[] bytes, long at) {
        StringHeap all = writable();
        checkBytes(bytes, at);
        all.put(bytes, (int) at);
    }

    @Override
    public boolean isReadOnly() {
        return isPacking || collected == null;
    }

    @Override
    public void checkOpen() {
        if (collected == null) {
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
}
