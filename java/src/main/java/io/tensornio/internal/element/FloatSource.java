package io.tensornio.internal.element;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Slicer;

/** Elements by position: the source of a {@code FloatView}. */
public interface FloatSource extends Source {
    /**
     * Reads an element.
     *
     * @param at its position, which is valid
     * @return its value
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    float read(long at);

    /**
     * Writes an element, if this is writable.
     *
     * @param value its new value
     * @param at its position, which is valid
     * @throws java.nio.ReadOnlyBufferException if the elements cannot be written
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    void write(float value, long at);

    /**
     * Whether the elements cannot be written.
     *
     * @return true if they are read-only
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
     * A cursor for one thread that reads all elements of a layout in order: it may find those near the last one faster.
     *
     * @param layout the layout of the elements, which are read in row-major order
     * @return a source of the same elements
     */
    default FloatSource cursor(Layout layout) {
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
    default boolean readAll(Layout layout, float[] to, int at) {
        return false;
    }

    /**
     * Writes many elements, if there is a bulk operation that is faster than element by element.
     *
     * @param layout their layout
     * @param n the number of elements, the first ones of the layout
     * @param from the values in row-major order
     * @param at the index of the first in {@code from}
     * @return whether it was done; else nothing was
     */
    default boolean writeFirst(Layout layout, int n, float[] from, int at) {
        return false;
    }

    /**
     * Whether strided elements are copied in bulk, so that it is worthwhile to copy row by row where rows are strided.
     *
     * @return true if they are
     */
    default boolean copiesAtOnce() {
        return false;
    }

    /**
     * The maximum length of lists of positions in slices, where a few runs are equivalent. Lists are faster to index, runs can be skipped.
     *
     * @return the length
     */
    default long longestList() {
        return Slicer.LONGEST_LIST;
    }

    /**
     * Checks that several elements can be read, before the first is copied.
     *
     * @param layout their layout
     * @throws IndexOutOfBoundsException if one was in a row that was shortened
     */
    default void checkReadable(Layout layout) {
        // In most sources elements always exist.
    }

    /**
     * Checks that several elements can be written, before the first is: the source may have a capacity.
     *
     * @param layout their layout
     * @param count the number of elements, the first ones of the layout
     * @throws IllegalStateException if they exceed the capacity
     * @throws IndexOutOfBoundsException if one was in a row that was shortened
     */
    default void checkCapacity(Layout layout, long count) {
        // Most sources have memory for every element.
    }
}
