package io.tensornio.internal.data;

import io.tensornio.internal.layout.Layout;

/** The library's own data, whatever its type: what its description and native code need. */
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

    /**
     * The elements for native code.
     *
     * @param write whether it writes them
     * @return null if native code must not touch them, or no strides say where they are
     */
    default StridedOperand operand(boolean write) {
        return null;
    }
}
