package io.tensornio.internal.element;

/**
 * What a {@link StringSource}, the one interface that extends this, has beside the sources of other types: its elements are bytes as well as text. A
 * source that keeps text has all of it from here.
 */
public interface TextSource {
    /**
     * Reads an element as text.
     *
     * @param at its position, which there is
     * @return its value
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     * @throws java.io.UncheckedIOException if it is no text
     */
    String read(long at);

    /**
     * Writes an element, unless that is refused.
     *
     * @param value its new value
     * @param at its position, which there is
     * @throws java.nio.ReadOnlyBufferException if the elements cannot be written
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    void write(String value, long at);

    /**
     * The name of an element in messages.
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
        StringElement.encode(value, (StringSource) this, at);
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
        StringElement.text(bytes, (StringSource) this, at);
    }

    /**
     * Reads an element as bytes, which may be no text.
     *
     * @param at its position, which there is
     * @return a new array
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    default byte[] readBytes(long at) {
        return StringElement.encode(read(at), (StringSource) this, at);
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
        StringSource source = (StringSource) this;
        source.checkWritable();         // which comes before what is wrong with the bytes
        write(StringElement.text(bytes, source, at), at);
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
}
