package io.tensornio.internal.data;

import io.tensornio.internal.layout.Layout;

/** The library's own data, as its description needs it. */
public interface Described {
    /**
     * Where the elements are.
     *
     * @return their positions
     */
    Layout layout();

    /**
     * The position at which linear memory begins.
     *
     * @return -1 if the elements have no positions in linear memory
     */
    long origin();

    /**
     * What stands for the memory of the elements, or for what makes them.
     *
     * @return the same object for the same memory
     */
    Object identity();

    /**
     * What a complex view is made of.
     *
     * @return null of all other data, simple views of complex ones too
     */
    Composition composition();
}
