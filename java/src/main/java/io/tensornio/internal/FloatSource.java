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
}
