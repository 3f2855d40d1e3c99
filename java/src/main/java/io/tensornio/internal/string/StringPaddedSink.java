package io.tensornio.internal.string;

import io.tensornio.internal.element.ShortByteCopies;
import io.tensornio.internal.element.StringSource;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.function.IntFunction;

/**
 * Puts values to padded elements that lie one after the other, all of them or none. Batches go straight to the memory as long as the elements are
 * empty, as in a new tensor, and then need no padding; an error is answered by emptying them again. From the first batch on whose elements are not
 * empty, values are staged in a store, and written when all of them have been checked.
 */
public final class StringPaddedSink implements StringSink {
    /** How many values are written after a check that the tensor is not published: a thread that goes on, as none should, writes no more. */
    public static final int FEW = 64;

    private final StringPadding form;
    private final Elements elements;
    private final long first;
    private final int n;

    private int checked;
    /** How many values are in memory. */
    private int written;
    /** The staged values after them, and the sink that appends to these; null while there are none. */
    private StringHeap store;
    private StagedStrings others;
    private StringSink rest;

    private StringPaddedSink(StringPadding form, Elements elements, long first, int n) {
        this.form = form;
        this.elements = elements;
        this.first = first;
        this.n = n;
    }

    /** Where the elements are. */
    public interface Elements extends StringSource {
        /**
         * The memory of all of them.
         *
         * @throws IllegalStateException if the tensor is closed
         * @throws ReadOnlyBufferException if it is published
         */
        ByteBuffer writable();
    }

    /**
     * Puts values.
     *
     * @param first the first element
     * @param n how many there are
     * @param values gives as many, and reads none of the elements
     * @param where what the element of each value is called in messages
     * @throws NullPointerException if a value is null; then the elements are as they were
     * @throws IllegalArgumentException if a value has an unpaired surrogate, or does not fit; then, too
     * @throws OutOfMemoryError if the heap is exhausted; then, too
     */
    public static void put(StringPadding form, Elements elements, long first, int n, StringValues values, IntFunction<String> where) {
        StringPaddedSink sink = new StringPaddedSink(form, elements, first, n);
        try {
            StringBatches.send(values, n, sink, where);
        } catch (OutOfMemoryError e) {
            sink.undo(e);
            throw (sink.store == null ? new StringHeap(0) : sink.store).noHeap(n, e);
        } catch (Throwable e) {
            sink.undo(e);
            throw e;
        }
        sink.writeOthers();
    }

    @Override
    public boolean put(byte[] bytes) {
        check(bytes, 0, bytes.length);
        if (!goStraight(1)) {
            return rest.put(bytes);
        }
        ShortByteCopies.put(bytes, elements.writable(), place(written++));
        return true;
    }

    @Override
    public boolean putAll(byte[] bytes, int length, int[] lengths, int count) {
        for (int i = 0, from = 0; i < count; from += lengths[i++]) {
            check(bytes, from, lengths[i]);
        }
        if (!goStraight(count)) {
            return rest.putAll(bytes, length, lengths, count);
        }
        ByteBuffer to = elements.writable();
        int at = place(written);
        written += count;               // first, since what is written of them is to be undone
        if (length == count * form.length) {            // all of them fill their elements, since none is longer
            ShortByteCopies.put(bytes, 0, length, to, at);
        } else {
            for (int i = 0, from = 0; i < count; from += lengths[i++]) {
                ShortByteCopies.put(bytes, from, lengths[i], to, at + i * form.length);
            }
        }
        return true;
    }

    private void check(byte[] bytes, int from, int length) {
        form.check(bytes, from, length, elements, first + checked++);
    }

    /** Whether the next values go straight to memory. From the first that do not, all are staged. */
    private boolean goStraight(int count) {
        if (rest == null && !form.isEmpty(elements.writable(), place(written), count * form.length)) {
            store = new StringHeap(0);
            others = new StagedStrings(store, n - written);
            rest = others.sink(null);
        }
        return rest == null;
    }

    private int place(int value) {
        return (int) ((first + value) * form.length);
    }

    private void writeOthers() {
        for (int i = 0; i < n - written; i += FEW) {
            form.writeAll(others, i, Math.min(FEW, n - written - i), elements.writable(), place(written + i));
        }
    }

    /** Empties again what was written, unless the tensor was published meanwhile. */
    private void undo(Throwable cause) {
        try {
            for (int i = 0; i < written; i += FEW) {
                form.fill(elements.writable(), place(i), Math.min(FEW, written - i) * form.length);
            }
        } catch (IllegalStateException | ReadOnlyBufferException e) {
            cause.addSuppressed(e);
        }
    }
}
