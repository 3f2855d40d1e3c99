package io.tensornio.internal.string;

import io.tensornio.internal.element.ShortByteCopies;
import io.tensornio.internal.element.StringSource;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.function.IntFunction;

/**
 * Puts values straight to padded elements that lie one after the other and are empty, as in a new tensor, so that they need no padding: all of them
 * or none, since an error is answered by emptying them again.
 */
public final class StringPaddedSink implements StringSink {
    private final StringPadding form;
    private final Elements elements;
    private final int first;
    private int written;

    private StringPaddedSink(StringPadding form, Elements elements, int first) {
        this.form = form;
        this.elements = elements;
        this.first = first;
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
     * @param n how many there are, all of them empty
     * @param values gives as many, and reads none of the elements
     * @param where what the element of each value is called in messages
     * @throws NullPointerException if a value is null; then the elements are empty
     * @throws IllegalArgumentException if a value has an unpaired surrogate, or does not fit; then, too
     * @throws OutOfMemoryError if the heap is exhausted; then, too
     */
    public static void put(StringPadding form, Elements elements, int first, int n, StringValues values, IntFunction<String> where) {
        StringPaddedSink sink = new StringPaddedSink(form, elements, first);
        try {
            StringBatches.send(values, n, sink, where);
        } catch (Throwable e) {
            sink.undo(e);
            throw e;
        }
    }

    @Override
    public void put(byte[] bytes) {
        form.check(bytes, elements, first + written);
        ShortByteCopies.put(bytes, elements.writable(), place(written++));
    }

    @Override
    public void putAll(byte[] bytes, int length, int[] lengths, int count) {
        for (int i = 0, from = 0; i < count; from += lengths[i++]) {
            form.check(bytes, from, lengths[i], elements, first + written + i);
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
    }

    private int place(int value) {
        return (first + value) * form.length;
    }

    /** Empties again what was written, unless the tensor was published meanwhile. */
    private void undo(Throwable cause) {
        try {
            for (int i = 0; i < written; i++) {
                form.fill(elements.writable(), place(i), form.length);
            }
        } catch (IllegalStateException | ReadOnlyBufferException e) {
            cause.addSuppressed(e);
        }
    }
}
