package io.tensornio.internal.memory;

import java.nio.ByteBuffer;

/**
 * The native methods about memory and about the library itself; those of other subjects stand where they are used. All of them check
 * their arguments: a wrong call is an exception, never a crash. Unless stated otherwise, a null is {@link NullPointerException}, and an error
 * changes nothing.
 *
 * <p>The library is loaded by the initialisation of this class, and {@code JNI_OnLoad} finds this class alone, of those with native methods:
 * finding a class initialises it, and another thread may be initialising it, waiting for this one. So {@link #close}, {@link #release} and the
 * others that {@code JNI_OnLoad} links stay here.
 *
 * <p>Memory comes in blocks. A block is made by {@link #allocate}, gets its one buffer, the root, by {@link #wrap}, gives its pages back by
 * {@link #close} or {@link #closeInPlace}, and its address range by {@link #release} once the root is unreachable.
 */
public final class NativeMemory {
    static {
        NativeLibrary.load();
    }

    private NativeMemory() {
    }

    /** Loads the native library, for the classes with native methods of other subjects. */
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
     * Sets how many threads share the work of one call, the caller's included. The others, {@code tensornio-1} and so on, are started when work
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
     * @throws OutOfMemoryError if there is no address space for it, or the system refuses it
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
