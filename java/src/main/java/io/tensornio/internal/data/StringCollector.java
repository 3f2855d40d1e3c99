package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.TensorClosedException;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.string.Ascii;
import io.tensornio.internal.string.SequentialStrings;
import io.tensornio.internal.string.StringAccumulator;
import io.tensornio.internal.string.StringBlock;
import io.tensornio.internal.string.StringHeap;
import io.tensornio.internal.string.StringPacked;
import io.tensornio.internal.string.StringPadding;

/**
 * The strings of a tensor that is being filled, of which nobody knows yet how much memory they need. It is what the data given to {@code init}
 * looks at: from {@link #finish} on, that is the tensor's own memory.
 */
public final class StringCollector implements StringSource, StringTensorBuilder {
    private final StringPadding form;
    private volatile long[] shape;
    /**
     * What was collected: in order until an element is put out of order, or there is no memory for it. Null once that is published or given up, or
     * about to be.
     */
    private volatile StringAccumulator collected;
    /** What is being packed, which nobody writes any more; then null. */
    private volatile StringAccumulator packing;
    /** The tensor's memory, once it is published. */
    private volatile StringBlock block;

    private StringCollector(long[] shape, StringPadding form, StringAccumulator empty) {
        this.shape = shape;
        this.form = form;
        collected = empty;
    }

    /**
     * For strings of any length.
     *
     * @param shape a checked shape, which this object keeps
     * @return a collector of empty strings
     * @throws OutOfMemoryError if one buffer cannot hold so many
     */
    public static StringCollector of(long... shape) {
        return new StringCollector(shape, null, new SequentialStrings(StringPacked.checkCount(shape), shape));
    }

    /** For a vector that is as long as what is {@linkplain #add added}; {@code form} is null for strings of any length. */
    static StringCollector growing(StringPadding form) {
        return new StringCollector(new long[] {0}, form, SequentialStrings.growing(-1));
    }

    @Override
    public StringTensorData data() {
        return StringView.of(this, shape);
    }

    @Override
    public StringBlock finish() {
        StringAccumulator all = stopWrites();
        StringBlock published = form == null ? all.pack(shape) : padded(all);
        published.publish();
        block = published;
        packing = null;
        if (form != null) {
            all.close();                // not before: until now it was read
        }
        return published;
    }

    /** Pads what was collected. Where there is no memory for a second copy of it beside the tensor's, it goes by the heap. */
    private StringBlock padded(StringAccumulator all) {
        long[] checked = Shapes.check(shape, Math.max(1, form.length));
        try {
            return StringPadded.of(checked, form, all);
        } catch (OutOfMemoryError e) {
            if (!(all instanceof SequentialStrings)) {
                throw e;
            }
        }
        StringHeap store = ((SequentialStrings) all).unwind();
        packing = store;
        all.close();
        return StringPadded.of(checked, form, store);
    }

    private synchronized StringAccumulator stopWrites() {
        StringAccumulator all = writable();
        packing = all;                  // before it goes: one of the three is always there to be read
        collected = null;
        return all;
    }

    /** Nothing can be read or written any more, unless this was published. */
    @Override
    public synchronized void close() {
        StringAccumulator all = readable();
        collected = null;
        packing = null;
        if (all != null) {
            all.close();
        }
    }

    /** Where the strings are read, if it is not in a block. */
    private StringAccumulator readable() {
        StringAccumulator all = collected;
        return all == null ? packing : all;
    }

    private TensorClosedException closedException() {
        return new TensorClosedException(StringElement.TYPE, shape);
    }

    /** The memory if this is published; else null. */
    StringBlock block() {
        return block;
    }

    /** Where the strings are. */
    private StringAccumulator writable() {
        StringAccumulator all = collected;
        if (all == null) {
            StringBlock b = block;
            throw b != null ? b.notWritableException()
                : packing != null ? new ReadOnlyTensorException(StringElement.TYPE, shape, "is being published")
                : closedException();
        }
        return all;
    }

    /** Where the element at a position can be put as that after the last; null if it is another one. Not to be kept. */
    public SequentialStrings sequence(long at) {
        StringAccumulator all = writable();
        SequentialStrings sequence = all instanceof SequentialStrings ? (SequentialStrings) all : null;
        return sequence != null && sequence.next() == at ? sequence : null;
    }

    /**
     * Where strings go in any order, from now on; not to be kept.
     *
     * @throws OutOfMemoryError if the heap is exhausted
     */
    StringHeap store() {
        StringAccumulator all = writable();
        return all instanceof StringHeap ? (StringHeap) all : unwind();
    }

    /** From now on strings come in any order. A thread that does so too late, as none should, does not undo the publication. */
    private synchronized StringHeap unwind() {
        StringAccumulator all = writable();
        if (all instanceof StringHeap) {
            return (StringHeap) all;           // another thread was faster
        }
        StringHeap store = ((SequentialStrings) all).unwind();
        collected = store;
        all.close();
        return store;
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
        SequentialStrings sequence = sequence(at);
        if (sequence == null || !sequence.add(bytes)) {
            store().add(bytes);
        }
        shape = new long[] {at + 1};
    }

    @Override
    public String where(long at) {
        long[] now = shape;
        return now.length == 1 && at >= now[0] ? "the element [" + at + "] of the shape [-1]" : StringElement.where(now, at);
    }

    @Override
    public String read(long at) {
        StringAccumulator all = readable();
        if (all == null) {
            return published().read(at);
        }
        String text = all.text((int) at);
        if (text == null) {
            byte[] bytes = all.bytes((int) at);
            throw StringElement.malformed(bytes, 0, bytes.length, this, at);
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
        StringAccumulator all = readable();
        return all == null ? published().readBytes(at) : all.bytes((int) at);
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
        SequentialStrings sequence = sequence(at);
        if (form == null && Ascii.isShort(value)) {
            if (sequence == null || !sequence.putAscii(value)) {
                store().putAscii(value, (int) at);
            }
        } else {
            write(sequence, StringElement.encode(value, this, at), at);
        }
    }

    @Override
    public void writeBytes(byte[] bytes, long at) {
        write(sequence(at), bytes, at);
    }

    private void write(SequentialStrings sequence, byte[] bytes, long at) {
        if (sequence == null || !sequence.put(bytes)) {
            checkBytes(bytes, at);
            store().put(bytes, (int) at);
        }
    }

    @Override
    public boolean isReadOnly() {
        return collected == null;
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
}
