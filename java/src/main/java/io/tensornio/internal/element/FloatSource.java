package io.tensornio.internal.element;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Slicer;

/** Elements by their positions: what a {@code FloatView} looks at. */
public interface FloatSource extends Source {
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
     * What one thread reads many elements through: a source that finds them faster near to the last one, where there is such a thing.
     *
     * @return a source of the same elements
     */
    default FloatSource cursor() {
        return this;
    }

    /**
     * The same for all elements of a layout, one after the other.
     *
     * @param layout which ones are read, in row-major order
     * @return a source of the same elements
     */
    default FloatSource cursor(Layout layout) {
        return cursor();
    }

    /**
     * Reads many elements, where that is faster at once than one after the other.
     *
     * @param layout which ones
     * @param to gets them in row-major order
     * @param at the index of the first; all of them fit
     * @return whether it was done; else nothing was
     */
    default boolean readAll(Layout layout, float[] to, int at) {
        return false;
    }

    /**
     * Writes many elements, where that is faster at once than one after the other.
     *
     * @param layout where they go
     * @param n how many, the first ones of the layout
     * @param from has them in row-major order
     * @param at the place of the first
     * @return whether it was done; else nothing was
     */
    default boolean writeFirst(Layout layout, int n, float[] from, int at) {
        return false;
    }

    /**
     * Whether strided elements are copied at once, so that it is worth to go row by row where rows are strided.
     *
     * @return true if they are
     */
    default boolean copiesAtOnce() {
        return false;
    }

    /**
     * The longest list of positions that slices should keep where a few runs say the same. Lists are found in faster, runs can be leapt over.
     *
     * @return a length
     */
    default long longestList() {
        return Slicer.LONGEST_LIST;
    }

    /**
     * Checks before several elements are read to where nothing may be written in vain.
     *
     * @param layout says where they are
     * @throws IndexOutOfBoundsException if one is in a row that has become shorter
     */
    default void checkReadable(Layout layout) {
        // Most sources never lose an element.
    }

    /**
     * Checks before several elements are written, of which there may be more than the source can have.
     *
     * @param layout says where they are
     * @param count how many of these are meant, the first ones
     * @throws IllegalStateException if they do not fit
     * @throws IndexOutOfBoundsException if one is in a row that has become shorter
     */
    default void checkCapacity(Layout layout, long count) {
        // Most sources store each of their elements.
    }
}
