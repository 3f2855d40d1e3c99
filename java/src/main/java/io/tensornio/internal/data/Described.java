package io.tensornio.internal.data;

import io.tensornio.internal.layout.Layout;

/** The library's own data of any type, as specs and native code need it. */
public interface Described {
    /**
     * The layout of the elements.
     *
     * @return the layout
     */
    Layout layout();

    /**
     * The position at which the linear memory begins.
     *
     * @return {@link Layout#NOWHERE} if the elements have no positions in linear memory
     */
    long origin();

    /**
     * The identity of the memory of the elements, or of their source.
     *
     * @return the same object for the same memory
     */
    Object identity();

    /**
     * The composition of a complex view.
     *
     * @return null for all other data, including simple views of complex ones
     */
    Composition composition();

    /**
     * The elements as an operand of native code.
     *
     * @param write whether it writes them
     * @return null if native code must not access them, or they are not strided
     */
    default StridedOperand operand(boolean write) {
        return null;
    }
}
