package io.tensornio.internal.element;

import io.tensornio.DataType;
import io.tensornio.internal.layout.Layout;

/** Elements by position: the source of a {@code FloatView}. */
public interface FloatSource extends Source {
    /**
     * The type of the elements.
     *
     * @return the type, which {@code float} carries
     */
    default DataType type() {
        return FloatElement.TYPE;
    }

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
}
