package io.tensornio.internal.data;

import io.tensornio.internal.memory.NativeMemory;

/** The native method that copies. Like those of {@link NativeMemory}, it checks its arguments. */
public final class NativeCopies {
    static {
        NativeMemory.load();
    }

    private NativeCopies() {
    }

    /**
     * Copies a selection of elements to another of the same shape, which does not overlap it. Each side is a direct
     * buffer in native byte order; one may be an array ({@code float double int long boolean byte}). Elements have the
     * same number of bytes. The position, limit and read-only flag of a buffer are ignored.
     *
     * @param from the source
     * @param fromStart the offset of its selection, in elements
     * @param to the target
     * @param toStart the offset of its selection, in elements
     * @param geometry the shape, then the strides of {@code from}, then those of {@code to}, in elements; its length is three times the rank
     * @param elementBytes the bytes of an element
     * @throws IllegalArgumentException if the geometry is invalid, a side is neither a buffer nor an array of such
     *     elements, both are arrays, or the ranges of the selections from the lowest to the highest element overlap
     * @throws IndexOutOfBoundsException if a selection is not inside its side
     * @throws OutOfMemoryError if the JVM has no memory to pin an array, or for the geometry
     */
    public static native void copy(Object from, long fromStart, Object to, long toStart, long[] geometry, int elementBytes);
}
