package io.tensornio.internal.sparse;

import io.tensornio.internal.memory.NativeMemory;

/**
 * The native methods for sparse tensors. Like those of {@link NativeMemory}, they check their arguments.
 *
 * <p>Each operand is a direct buffer in native byte order, from index 0 on, or an array ({@code long} for coordinates;
 * {@code float double int long boolean byte} for values); it may be longer than needed. Coordinates are {@code (n, r)} {@code long}, row-major,
 * {@code r} being the rank. Outputs are direct buffers that overlap no other operand.
 *
 * <p>Errors found before the first write change nothing; if a coordinate is out of bounds, the contents of the outputs are undefined. From a few MiB
 * on the work is divided among the threads of the library. Intermediate results count against the budget.
 */
public final class NativeSparse {
    static {
        NativeMemory.load();
    }

    private NativeSparse() {
    }

    /**
     * Sorts the entries of a sparse tensor into row-major order; of those with equal coordinates the last is kept.
     *
     * @param coordinates {@code n} coordinates in any order
     * @param linear whether these are linear indices in row-major order, one number each
     * @param values {@code n} values
     * @param n the number of entries
     * @param shape the dense shape
     * @param elementBytes the bytes of a value
     * @param outIndices a direct buffer for the coordinates, {@code n * r} numbers
     * @param outValues a direct buffer for the values, {@code n} of them
     * @return the number of distinct entries
     * @throws IllegalArgumentException if {@code n} or a size is negative, the product of the sizes is above {@link Long#MAX_VALUE}, an operand is
     *     too short or neither a buffer nor an array of such elements, or an output overlaps another operand
     * @throws IndexOutOfBoundsException if a coordinate is outside the shape
     * @throws OutOfMemoryError if there is no memory for intermediate results
     */
    public static native long build(Object coordinates, boolean linear, Object values, long n, long[] shape, int elementBytes,
        Object outIndices, Object outValues);

    /**
     * Writes a sparse tensor to dense memory, with zeros where there is no entry.
     *
     * @param indices {@code (n, r)} coordinates in row-major order without duplicates
     * @param values {@code n} values
     * @param n the number of entries
     * @param shape the dense shape
     * @param elementBytes the bytes of a value
     * @param dense a direct buffer of at least as many elements as the shape has
     * @throws IllegalArgumentException as for {@link #build}; if the coordinates are not sorted, in which case part of
     *     the memory may have been written
     * @throws IndexOutOfBoundsException if a coordinate is outside the shape; part of the memory may have been written
     * @throws OutOfMemoryError if there is no memory for intermediate results, which arrays of coordinates and values need
     */
    public static native void toDense(Object indices, Object values, long n, long[] shape, int elementBytes, Object dense);

    /**
     * Counts the elements that are not zero: those with any bit set, other than the sign of floating-point numbers.
     *
     * @param dense a direct buffer or an array
     * @param n the number of elements to examine
     * @param elementBytes the bytes of an element
     * @param floating whether the elements are floating-point numbers
     * @return the number of elements that are not zero
     * @throws IllegalArgumentException as for {@link #build}
     */
    public static native long count(Object dense, long n, int elementBytes, boolean floating);

    /**
     * Writes the elements that {@link #count} counts, with their coordinates, in row-major order.
     *
     * @param dense a direct buffer or an array
     * @param n the number of elements, the product of the shape
     * @param shape the dense shape
     * @param elementBytes the bytes of an element
     * @param floating whether the elements are floating-point numbers
     * @param outIndices a direct buffer for the coordinates
     * @param outValues a direct buffer for the values
     * @return the number of entries written
     * @throws IllegalArgumentException as for {@link #build}; if there are more than the capacity of the outputs, which may have been written
     */
    public static native long fromDense(Object dense, long n, long[] shape, int elementBytes, boolean floating, Object outIndices,
        Object outValues);

    /**
     * Computes the row pointers of CSR for a sparse matrix: the number of entries before each row.
     *
     * @param indices {@code (n, 2)} coordinates in row-major order
     * @param n the number of entries
     * @param rows the number of rows
     * @param pointers a direct buffer of at least {@code rows + 1} numbers
     * @throws IllegalArgumentException as for {@link #build}; if the rows are not sorted, in which case part of the pointers may have been written
     * @throws IndexOutOfBoundsException if the row of an entry is outside the shape; part of the pointers may have been written
     * @throws OutOfMemoryError if there is no memory for intermediate results, which an array of coordinates needs
     */
    public static native void rowPointers(Object indices, long n, long rows, Object pointers);

    /**
     * Writes the columns of the entries of a sparse matrix, 4 bytes each.
     *
     * @param indices {@code (n, 2)} coordinates
     * @param n the number of entries
     * @param columns the number of columns
     * @param narrow a direct buffer of at least {@code 4 * n} bytes, rounded up to whole long numbers
     * @throws IllegalArgumentException as for {@link #build}
     * @throws IndexOutOfBoundsException if the column of an entry is outside the shape, or exceeds 4 bytes; part of them may have been written
     * @throws OutOfMemoryError if there is no memory for intermediate results, which an array of coordinates needs
     */
    public static native void narrowColumns(Object indices, long n, long columns, Object narrow);
}
