package io.tensornio.internal.element;

import io.tensornio.DataType;
import io.tensornio.internal.layout.Layout;

/**
 * Elements by their positions: what a {@code StringView} looks at. An element is bytes as well as text; a source that keeps text has all that
 * concerns bytes from here.
 */
public interface StringSource extends Source {
    /** The type of the elements. */
    default DataType type() {
        return DataType.STRING;
    }

    /**
     * Reads an element as text.
     *
     * @param at its position, which is valid
     * @return its value
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     * @throws java.io.UncheckedIOException if it is no text
     */
    String read(long at);

    /**
     * Writes an element, if this is writable.
     *
     * @param value its new value
     * @param at its position, which is valid
     * @throws java.nio.ReadOnlyBufferException if the elements cannot be written
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    void write(String value, long at);

    /**
     * What messages call an element.
     *
     * @param at its position, which there is
     * @return its coordinates and the tensor, as far as they are known
     */
    default String where(long at) {
        return "the element " + at;
    }

    /**
     * Checks a value before anything is written.
     *
     * @param value what {@link #write} will be given
     * @param at the position, which there is
     * @throws IllegalArgumentException if the value has an unpaired surrogate, or does not fit
     */
    default void check(String value, long at) {
        StringElement.encode(value, this, at);
    }

    /**
     * Checks bytes before anything is written.
     *
     * @param bytes what {@link #writeBytes} will be given
     * @param at the position, which there is
     * @throws IllegalArgumentException if they do not fit
     * @throws java.io.UncheckedIOException if only text can be written, and they are none
     */
    default void checkBytes(byte[] bytes, long at) {
        StringElement.text(bytes, this, at);
    }

    /**
     * Reads an element as bytes, which may be no text.
     *
     * @param at its position, which there is
     * @return a new array
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    default byte[] readBytes(long at) {
        return StringElement.encode(read(at), this, at);
    }

    /**
     * Writes an element as bytes, which may be no text.
     *
     * @param bytes its new value; they are copied
     * @param at its position, which there is
     * @throws java.nio.ReadOnlyBufferException if the elements cannot be written
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     * @throws java.io.UncheckedIOException if only text can be written, and they are none
     */
    default void writeBytes(byte[] bytes, long at) {
        checkWritable();        // which comes before what is wrong with the bytes
        write(StringElement.text(bytes, this, at), at);
    }

    /**
     * Reads an element, text or not.
     *
     * @param at its position, which there is
     * @return a {@code String}, or a {@link NonUtf8String} if the bytes are no UTF-8
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    default Object readAny(long at) {
        return read(at);
    }

    /**
     * A cursor for one thread that reads all elements of a layout in order: it may find those near the last one faster.
     *
     * @param layout the layout of the elements, which are read in row-major order
     * @return a source of the same elements
     */
    default StringSource cursor(Layout layout) {
        return this;
    }

    /**
     * Reads many elements, if there is a bulk operation that is faster than element by element.
     *
     * @param layout their layout
     * @param to receives them in row-major order
     * @param at the index of the first in {@code to}; all of them fit
     * @return whether it was done; else nothing was
     */
    default boolean readAll(Layout layout, String[] to, int at) {
        return false;
    }
}
