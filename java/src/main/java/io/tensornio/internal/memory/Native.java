package io.tensornio.internal.memory;

import java.nio.ByteBuffer;

/**
 * Every native method. They check all that they are given: a wrong call is an exception, never a crash. Where nothing else is
 * said, a null is {@link NullPointerException}, and an error leaves everything as it was.
 *
 * <p>Memory comes in blocks. A block is made by {@link #allocate}, gets its one buffer, the root, by {@link #wrap}, gives its pages back by
 * {@link #close} or {@link #closeInPlace}, and its address range by {@link #release} once the root is unreachable.
 */
public final class Native {
    static {
        NativeLibrary.load();
    }

    private Native() {
    }

    /** Loads the native library, which has the methods of other classes, too. */
    public static void load() {
        // Done once this class is initialised.
    }

    /**
     * The version of the native library.
     *
     * @return the version, such as {@code 0.1.0}
     */
    static native String version();

    /**
     * Says what native code logs.
     *
     * @param level the least important level that is logged: 0 none, 1 error, 2 warning, 3 information, 4 debug, 5 trace
     */
    static native void setLogLevel(int level);

    /**
     * Sets the budget for all blocks, pooled ones and those that await the collector included.
     *
     * @param bytes the budget
     * @throws IllegalArgumentException if it is negative
     */
    public static native void setMaxMemory(long bytes);

    /**
     * Sets how the pages of closed blocks are recycled.
     *
     * @param moving whether they may be moved to the pool, where the system can; else they are given back to it
     */
    static native void setMoving(boolean moving);

    /**
     * Sets how many threads share the work of one call, the one that calls included. The others, {@code tensornio-1} and so on, are started when work
     * is first shared, and end when the library is unloaded.
     *
     * @param threads how many
     * @throws IllegalArgumentException if it is less than 1
     */
    static native void setThreads(int threads);

    /**
     * Makes a block.
     *
     * @param bytes its size, at least 1
     * @param zeroed whether the memory must be zero
     * @return its address, or 0 if it does not fit the budget, even without the pool
     * @throws IllegalArgumentException if the size is less than 1
     * @throws OutOfMemoryError if no address space has room for it, or the system refuses it
     */
    static native long allocate(long bytes, boolean zeroed);

    /**
     * Makes the root, a big-endian direct buffer over the whole block; to be called once for a block.
     *
     * @param address the block
     * @return the root
     * @throws IllegalArgumentException if there is no such block or it has more than {@link Integer#MAX_VALUE} bytes
     * @throws IllegalStateException if the block is closed
     */
    static native ByteBuffer wrap(long address);

    /**
     * Gives the pages of a block back, to the pool or to the system. From now on its addresses read zeros; what is written there is lost.
     * The root stays reachable until this is done, since it is an argument.
     *
     * @param root the block's root
     * @throws IllegalArgumentException if this is no root: a heap buffer, a part of a root, somebody else's memory
     * @throws IllegalStateException if the block is closed already
     */
    static native void close(ByteBuffer root);

    /**
     * The same for a block over which the application has a buffer. The system may be reading its pages themselves (direct I/O), whatever becomes of
     * the addresses, so they are not moved to the pool, where another block would get them.
     *
     * @param root the block's root
     * @throws IllegalArgumentException as above
     * @throws IllegalStateException as above
     */
    static native void closeInPlace(ByteBuffer root);

    /**
     * Gives the address range of a block back. The root and all that was derived from it must be unreachable.
     *
     * @param address the block; one that was never closed goes to the pool
     * @throws IllegalArgumentException if there is no such block
     */
    static native void release(long address);

    /**
     * Gives back the whole pages inside a part of a block, where nothing may live any more: their values are gone, and they count no more, even if
     * they are written again.
     *
     * @param root the block's root
     * @param from the first byte of the part
     * @param to the byte after its last
     * @throws IllegalArgumentException if this is no root
     * @throws IllegalStateException if the block is closed
     * @throws IndexOutOfBoundsException if the part is not inside the block
     */
    static native void discard(ByteBuffer root, int from, int to);

    /**
     * Gives back what threads that have not noticed the close wrote to a block since. Nothing while it is not closed.
     *
     * @param address the block's, which is not released during this call
     * @throws IllegalArgumentException if there is no such block
     */
    static native void discardStale(long address);

    /**
     * Gives pooled blocks back to the system.
     *
     * @param idleMillis for how long a block must have been in the pool; 0 for all
     * @throws IllegalArgumentException if it is negative
     */
    static native void trim(long idleMillis);

    /**
     * Reports on memory.
     *
     * @param out gets, in this order: bytes of blocks that are not closed; bytes pooled; bytes of address space of closed blocks that are not
     *     released; those of them in blocks below 2 MiB; number of blocks that are not closed; the budget; number of blocks closed by moving their
     *     pages; number of blocks closed by discarding them
     * @throws IllegalArgumentException if it has fewer than 8 elements
     */
    public static native void memory(long[] out);

    /**
     * Copies a selection of elements to another of the same shape, which lies apart. Each side is a direct buffer in native byte order, or one of
     * them an array ({@code float double int long boolean byte}), with elements of the same number of bytes. Position, limit and read-only are the
     * caller's business: the whole capacity of a buffer is there.
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

    /**
     * Puts the entries of a sparse tensor into row-major order; of those with equal coordinates the last stays. In this and the following methods
     * each side is a direct buffer in native byte order, of which the whole capacity is there, or an array ({@code long} for coordinates;
     * {@code float double int long boolean byte} for values); there may be more than is used. Coordinates are {@code (n, r)} {@code long}, row-major,
     * {@code r} being the rank.
     *
     * <p>What goes wrong before anything is written changes nothing; if a coordinate is outside, the sides that are written may hold anything.
     * Work on a few MiB and more is shared by the threads of {@link #setThreads}, and done when this returns. Intermediate results count against the
     * budget.
     *
     * @param coordinates {@code n} coordinates in any order
     * @param linear whether these are row-major positions, one number each
     * @param values {@code n} values
     * @param n how many entries there are
     * @param shape the dense shape
     * @param elementBytes how many bytes a value has
     * @param outIndices a direct buffer for the coordinates, {@code n * r} numbers, apart from all others
     * @param outValues a direct buffer for the values, {@code n} of them, apart from all others
     * @return how many entries are left
     * @throws IllegalArgumentException if {@code n} or a size is negative, the product of the sizes is above {@link Long#MAX_VALUE}, a side is too
     *     short or neither a buffer nor an array of such elements, or a side that is written overlaps another one
     * @throws IndexOutOfBoundsException if a coordinate is outside the shape
     * @throws OutOfMemoryError if the budget, or the system, has no memory for intermediate results
     */
    public static native long sparseBuild(Object coordinates, boolean linear, Object values, long n, long[] shape, int elementBytes,
        Object outIndices, Object outValues);

    /**
     * Writes a sparse tensor to dense memory: all of it, zeros where no entry is.
     *
     * @param indices {@code (n, r)} coordinates in row-major order without duplicates
     * @param values {@code n} values
     * @param n how many entries there are
     * @param shape the dense shape
     * @param elementBytes how many bytes a value has
     * @param dense a direct buffer with room for the shape, apart from the others
     * @throws IllegalArgumentException as for {@link #sparseBuild}; if the coordinates are not in order, when part of the memory may be written
     * @throws IndexOutOfBoundsException if a coordinate is outside the shape; part of the memory may be written then
     * @throws OutOfMemoryError if the budget, or the system, has no memory for intermediate results, which arrays of coordinates and values need
     */
    public static native void sparseToDense(Object indices, Object values, long n, long[] shape, int elementBytes, Object dense);

    /**
     * Counts the elements that are not zero: those with any bit set, of floating-point numbers any but the sign.
     *
     * @param dense a direct buffer or an array
     * @param n how many elements of it to look at
     * @param elementBytes how many bytes an element has
     * @param floating whether the elements are floating-point numbers
     * @return how many are not zero
     * @throws IllegalArgumentException as for {@link #sparseBuild}
     */
    public static native long sparseCount(Object dense, long n, int elementBytes, boolean floating);

    /**
     * Writes the elements that {@link #sparseCount} counts, with their coordinates, in row-major order.
     *
     * @param dense a direct buffer or an array
     * @param n how many elements it has, the product of the shape
     * @param shape the dense shape
     * @param elementBytes how many bytes an element has
     * @param floating whether the elements are floating-point numbers
     * @param outIndices a direct buffer for the coordinates, apart from all others
     * @param outValues a direct buffer for the values, apart from all others
     * @return how many were written
     * @throws IllegalArgumentException as for {@link #sparseBuild}; if there are more of them than the outputs have room for, which may be written
     *     then
     */
    public static native long sparseFromDense(Object dense, long n, long[] shape, int elementBytes, boolean floating, Object outIndices,
        Object outValues);

    /**
     * Counts the entries of a sparse matrix in front of each row: the row pointers of CSR.
     *
     * @param indices {@code (n, 2)} coordinates in row-major order
     * @param n how many entries there are
     * @param rows how many rows the matrix has
     * @param pointers a direct buffer with room for {@code rows + 1} numbers, apart from {@code indices}
     * @throws IllegalArgumentException as for {@link #sparseBuild}; if the rows are not in order, when part of the pointers may be written
     * @throws IndexOutOfBoundsException if an entry has no such row; part of the pointers may be written then
     * @throws OutOfMemoryError if the budget, or the system, has no memory for intermediate results, which an array of coordinates needs
     */
    public static native void sparseRowPointers(Object indices, long n, long rows, Object pointers);

    /**
     * Makes something go wrong in native code, so that tests see how it arrives.
     *
     * <table>
     * <caption>What goes wrong</caption>
     * <tr><td>0 to 4</td><td>an error with the detail as its message: index out of bounds, illegal argument, illegal state,
     *     out of memory, internal</td></tr>
     * <tr><td>10, 11</td><td>a panic with a literal, with a formatted text that ends in the detail</td></tr>
     * <tr><td>12, 13</td><td>a panic with a number, with a value that panics again when it is dropped</td></tr>
     * <tr><td>14</td><td>a panic, during which another one is caught</td></tr>
     * <tr><td>15</td><td>a panic on one of the threads that share work, with a formatted text that ends in the detail</td></tr>
     * <tr><td>21 to 25</td><td>a log record with the detail: error, warning, information, debug, trace</td></tr>
     * <tr><td>30</td><td>an error's record from a thread that the JVM does not know</td></tr>
     * <tr><td>31</td><td>an error's record while {@link NoClassDefFoundError} is pending, which is thrown then</td></tr>
     * <tr><td>32</td><td>an error's record as inside of a critical section: it is dropped</td></tr>
     * </table>
     *
     * @param what the number of the fault; any other is {@link IllegalArgumentException}
     * @param detail a text to recognise it by
     */
    static native void provoke(int what, String detail);

    /**
     * Called from native code with what it logs.
     *
     * @param level 1 error, 2 warning, 3 information, 4 debug, 5 trace
     * @param target the module that logs
     * @param message what it says
     */
    private static void log(int level, String target, String message) {
        Log.log(level, target + ": " + message, null);
    }
}
