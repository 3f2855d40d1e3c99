package io.tensornio.internal;

//#if buffer
import java.nio.FloatBuffer;
//#end

/** Elements by their positions: what a {@link FloatView} looks at. */
public interface FloatSource {
    /**
     * Reads an element.
     *
     * @param at its position, which there is
     * @return its value
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    float read(long at);

    /**
     * Writes an element, unless that is refused.
     *
     * @param value its new value
     * @param at its position, which there is
     * @throws java.nio.ReadOnlyBufferException if the elements cannot be written
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    void write(float value, long at);

    /**
     * Whether the elements refuse to be written.
     *
     * @return true if they do
     */
    boolean isReadOnly();

    /**
     * Checks before anything is read.
     *
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    void checkOpen();

    /**
     * Checks before anything is written.
     *
     * @throws java.nio.ReadOnlyBufferException if the elements cannot be written
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    void checkWritable();

    /**
     * What the elements are kept in, as an object that stands for it.
     *
     * @return null if nobody knows
     */
    Object memory();

    /**
     * Whether writing an array may change the elements, or the other way round.
     *
     * @param array any array
     * @return true if nobody knows
     */
    boolean mayShare(float[] array);

    //#if buffer
    /**
     * Whether writing a buffer may change the elements, or the other way round.
     *
     * @param buffer any buffer
     * @return true if nobody knows
     */
    boolean mayShare(FloatBuffer buffer);
    //#end

    //~string /**
    //~string  * The same elements, for one that reads most of them in order.
    //~string  *
    //~string  * @return elements for one thread, which may read ahead what can no longer change
    //~string  */
    //~string default StringSource inOrder() {
    //~string     return this;
    //~string }

    //~string /**
    //~string  * What an element is called in messages.
    //~string  *
    //~string  * @param at its position, which there is
    //~string  * @return its coordinates and whose they are, as far as somebody knows
    //~string  */
    //~string default String where(long at) {
    //~string     return "the element " + at;
    //~string }

    //~string /**
    //~string  * Checks a value before anything is written.
    //~string  *
    //~string  * @param value what {@link #write} will be given
    //~string  * @param at the position, which there is
    //~string  * @throws IllegalArgumentException if the value has an unpaired surrogate, or does not fit
    //~string  */
    //~string default void check(String value, long at) {
    //~string     StringElement.encode(value, this, at);
    //~string }

    //~string /**
    //~string  * Checks bytes before anything is written.
    //~string  *
    //~string  * @param bytes what {@link #writeBytes} will be given
    //~string  * @param at the position, which there is
    //~string  * @throws IllegalArgumentException if they do not fit
    //~string  * @throws java.io.UncheckedIOException if only text can be written, and they are none
    //~string  */
    //~string default void checkBytes(byte[] bytes, long at) {
    //~string     StringElement.decode(bytes, this, at);
    //~string }

    //~string /**
    //~string  * Reads an element as bytes, which may be no text.
    //~string  *
    //~string  * @param at its position, which there is
    //~string  * @return a new array
    //~string  * @throws io.tensornio.TensorClosedException if the tensor is closed
    //~string  */
    //~string default byte[] readBytes(long at) {
    //~string     return StringElement.encode(read(at), this, at);
    //~string }

    //~string /**
    //~string  * Writes an element as bytes, which may be no text.
    //~string  *
    //~string  * @param bytes its new value; they are copied
    //~string  * @param at its position, which there is
    //~string  * @throws java.nio.ReadOnlyBufferException if the elements cannot be written
    //~string  * @throws io.tensornio.TensorClosedException if the tensor is closed
    //~string  */
    //~string default void writeBytes(byte[] bytes, long at) {
    //~string     write(StringElement.decode(bytes, this, at), at);
    //~string }

    //~string /**
    //~string  * Reads an element, text or not.
    //~string  *
    //~string  * @param at its position, which there is
    //~string  * @return a {@code String}, or a {@link RawString} if the bytes are no UTF-8
    //~string  * @throws io.tensornio.TensorClosedException if the tensor is closed
    //~string  */
    //~string default Object readAny(long at) {
    //~string     return read(at);
    //~string }
}
