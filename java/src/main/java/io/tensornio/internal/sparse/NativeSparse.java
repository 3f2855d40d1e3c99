package io.tensornio.internal.sparse;

import io.tensornio.internal.memory.NativeMemory;

/**
 * The native methods about sparse tensors. As those of {@link NativeMemory}, they check their arguments.
 *
 * <p>Each side is a direct buffer in native byte order, of which the whole capacity is used, or an array ({@code long} for coordinates;
 * {@code float double int long boolean byte} for values); it may be longer than needed. Coordinates are {@code (n, r)} {@code long}, row-major,
 * {@code r} being the rank. Outputs are direct buffers, which overlap no other side.
 *
 * <p>An error found before anything is written changes nothing; if a coordinate is outside, the outputs may hold anything. Work on a few MiB and
 * more is shared by the threads of the library, and done when the call returns. Intermediate results count against the budget.
 */
public final class NativeSparse {
    static {
        NativeMemory.load();
    }

    private NativeSparse() {
    }

    /**
     * Puts the entries of a sparse tensor into row-major order; of those with equal coordinates the last stays.
     *
     * @param coordinates {@code n} coordinates in any order
     * @param linear whether these are row-major positions, one number each
     * @param values {@code n} values
     * @param n how many entries there are
     * @param shape the dense shape
     * @param elementBytes how many bytes a value has
     * @param outIndices a direct buffer for the coordinates, {@code n * r} numbers
     * @param outValues a direct buffer for the values, {@code n} of them
     * @return how many entries are left
     * @throws IllegalArgumentException if {@code n} or a size is negative, the product of the sizes is above {@link Long#MAX_VALUE}, a side is too
     *     short or neither a buffer nor an array of such elements, or a side that is written overlaps another one
     * @throws IndexOutOfBoundsException if a coordinate is outside the shape
     * @throws OutOfMemoryError if the budget, or the system, has no memory for intermediate results
     */
    public static native long build(Object coordinates, boolean linear, Object values, long n, long[] shape, int elementBytes,
        Object outIndices, Object outValues);

    /**
     * Writes a sparse tensor to dense memory: all of it, zeros where no entry is.
     *
     * @param indices {@code (n, r)} coordinates in row-major order without duplicates
     * @param values {@code n} values
     * @param n how many entries there are
     * @param shape the dense shape
     * @param elementBytes how many bytes a value has
     * @param dense a direct buffer of at least as many elements as the shape has
     * @throws IllegalArgumentException as for {@link #build}; if the coordinates are not in order, when part of the memory may be written
     * @throws IndexOutOfBoundsException if a coordinate is outside the shape; part of the memory may be written then
     * @throws OutOfMemoryError if the budget, or the system, has no memory for intermediate results, which arrays of coordinates and values need
     */
    public static native void toDense(Object indices, Object values, long n, long[] shape, int elementBytes, Object dense);

    /**
     * Counts the elements that are not zero: those with any bit set, of floating-point numbers any but the sign.
     *
     * @param dense a direct buffer or an array
     * @param n how many elements of it to look at
     * @param elementBytes how many bytes an element has
     * @param floating whether the elements are floating-point numbers
     * @return how many are not zero
     * @throws IllegalArgumentException as for {@link #build}
     */
    public static native long count(Object dense, long n, int elementBytes, boolean floating);

    /**
     * Writes the elements that {@link #count} counts, with their coordinates, in row-major order.
     *
     * @param dense a direct buffer or an array
     * @param n how many elements it has, the product of the shape
     * @param shape the dense shape
     * @param elementBytes how many bytes an element has
     * @param floating whether the elements are floating-point numbers
     * @param outIndices a direct buffer for the coordinates
     * @param outValues a direct buffer for the values
     * @return how many were written
     * @throws IllegalArgumentException as for {@link #build}; if there are more of them than the outputs have capacity for, which may be
     *     written then
     */
    public static native long fromDense(Object dense, long n, long[] shape, int elementBytes, boolean floating, Object outIndices,
        Object outValues);

    /**
     * Counts the entries of a sparse matrix in front of each row: the row pointers of CSR.
     *
     * @param indices {@code (n, 2)} coordinates in row-major order
     * @param n how many entries there are
     * @param rows how many rows the matrix has
     * @param pointers a direct buffer of at least {@code rows + 1} numbers
     * @throws IllegalArgumentException as for {@link #build}; if the rows are not in order, when part of the pointers may be written
     * @throws IndexOutOfBoundsException if an entry has no such row; part of the pointers may be written then
     * @throws OutOfMemoryError if the budget, or the system, has no memory for intermediate results, which an array of coordinates needs
     */
    public static native void rowPointers(Object indices, long n, long rows, Object pointers);
}
