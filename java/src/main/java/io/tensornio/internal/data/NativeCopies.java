package io.tensornio.internal.data;

import io.tensornio.internal.memory.NativeMemory;

/** The native method that copies. As those of {@link NativeMemory}, it checks its arguments. */
public final class NativeCopies {
    static {
        NativeMemory.load();
    }

    private NativeCopies() {
    }

    /**
     * Copies a selection of elements to another of the same shape, which does not overlap it. Each side is a direct buffer in native byte order, or
     * one of them an array ({@code float double int long boolean byte}), with elements of the same number of bytes. The whole capacity of a buffer
     * is used: position, limit and read-only are for the caller to respect.
     *
     * @param from the side that is read
     * @param fromStart where its selection starts, in elements
     * @param to the side that is written
     * @param toStart where its selection starts, in elements
     * @param geometry the shape, then the strides of {@code from}, then those of {@code to}, in elements; its length is three times the rank
     * @param elementBytes how many bytes an element has
     * @throws IllegalArgumentException if the geometry is none, a side is neither a buffer nor an array of such elements, both are arrays, or neither
     *     selection, from its lowest element to its highest, lies in front of the other
     * @throws IndexOutOfBoundsException if a selection is not inside its side
     * @throws OutOfMemoryError if the JVM has no memory to pin an array, or for the geometry
     */
    public static native void copy(Object from, long fromStart, Object to, long toStart, long[] geometry, int elementBytes);
}
