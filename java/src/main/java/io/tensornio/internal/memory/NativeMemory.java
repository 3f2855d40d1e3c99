package io.tensornio.internal.memory;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * The native methods for memory and for the library itself; others are declared where they are used. All of them check their arguments: a wrong call
 * is an exception, never a crash. Unless stated otherwise, a null is a {@link NullPointerException}, and a failed call changes nothing.
 *
 * <p>The initialiser of this class loads the library, and {@code JNI_OnLoad} looks up no other class with native
 * methods: the look-up initialises the class, and another thread may be initialising it and waiting for this one. So
 * {@link #close}, {@link #release} and the others that {@code JNI_OnLoad} links are declared here.
 *
 * <p>The life of a block: {@link #allocate} makes it, {@link #wrap} makes its buffer, the root, {@link #close} or {@link #closeInPlace} releases
 * its pages, and {@link #release} its address range once the root is unreachable. A block of more bytes than one buffer can have has several roots;
 * where a method takes the root, it takes the first of them, which stands for the whole block, also in copies and computations.
 */
public final class NativeMemory {
    static {
        Log.hold();
        try {
            NativeLibrary.load();
        } finally {
            Log.postpone();
        }
    }

    private NativeMemory() {
    }

    /** Loads the native library, for the classes with native methods of other subjects. */
    public static void load() {
        // The initialiser of this class does it.
    }

    /**
     * Opens a regular file for native code to read by position.
     *
     * @param path its absolute path
     * @return its descriptor, its device, and its number there; null if it cannot be opened, or the system does not say which file it is
     */
    static native long[] openFile(String path);

    /**
     * Closes what {@link #openFile} has opened.
     *
     * @param descriptor the descriptor, which nobody uses any more
     */
    static native void closeFile(int descriptor);

    /**
     * The version of the native library.
     *
     * @return the version, such as {@code 0.1.0}
     */
    static native String version();

    /**
     * Sets the level at which native code logs.
     *
     * @param level the least important level that is logged: 0 none, 1 error, 2 warning, 3 information, 4 debug, 5 trace
     */
    static native void setLogLevel(int level);

    /**
     * The JVM's limit of direct buffers, which has no public name: read where JNI may, since asking a platform bean loads 100 classes.
     *
     * @return the bytes; 0 if this Java does not have it there
     */
    static native long maxDirectMemory();

    /**
     * Sets the budget for all blocks, including pooled ones and those not yet collected.
     *
     * @param bytes the budget
     * @throws IllegalArgumentException if it is negative
     */
    public static native void setMaxMemory(long bytes);

    /**
     * Sets how pages of closed blocks are recycled.
     *
     * @param moving whether they may be moved to the pool, if the system supports it; else they are returned to the system
     */
    static native void setMoving(boolean moving);

    /**
     * The number of processors of the process, which may be more than Java says to a thread that is bound to some of them.
     *
     * @param seen what Java says to this thread
     * @return at least as many
     */
    static native long processors(int seen);

    /**
     * Sets how many threads share the work of one call, the caller's included. The others, {@code tensornio-1} and so on, are started when work
     * is first shared, and end when the library is unloaded.
     *
     * @param threads how many
     * @throws IllegalArgumentException if it is less than 1
     */
    static native void setThreads(int threads);

    /**
     * Allocates a block.
     *
     * @param bytes its size, at least 1
     * @param zeroed whether the memory must be zeroed
     * @return its address, or 0 if it does not fit the budget, even without the pool
     * @throws IllegalArgumentException if the size is less than 1
     * @throws OutOfMemoryError if there is no address space for it, or the system refuses it
     */
    static native long allocate(long bytes, boolean zeroed);

    /**
     * Sets the bytes of the first root of a block that has several; to be called before the first block is made.
     *
     * @param bytes the bytes
     * @throws IllegalArgumentException if it is negative
     */
    static native void setFirstRoot(int bytes);

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
     * Makes one of the roots of a block that is larger than a buffer, a big-endian direct buffer; to be called once for each.
     *
     * @param address the block
     * @param from the first byte
     * @param bytes the number of bytes
     * @return the root
     * @throws IllegalArgumentException if there is no such block or part
     * @throws IllegalStateException if the block is closed
     */
    static native ByteBuffer wrapPart(long address, long from, int bytes);

    /**
     * Makes a big-endian direct buffer over memory of another one, which {@code java.nio} takes for no part of it: buffers derived from the alias
     * keep the alias reachable, and the alias does not keep the other. The caller does.
     *
     * @param memory a direct buffer, whose position and limit are ignored; the first root of a block larger than one buffer stands for all of it
     * @param from the first byte
     * @param bytes the number of bytes
     * @return the alias, which can be written even if the other is read-only
     * @throws IllegalArgumentException if the buffer is not direct, or has no such part
     */
    static native ByteBuffer alias(ByteBuffer memory, long from, int bytes);

    /**
     * The address of a direct buffer's first byte, at index 0.
     *
     * @param memory a direct buffer
     * @return the address
     * @throws IllegalArgumentException if the buffer is not direct
     */
    public static native long addressOf(ByteBuffer memory);

    /**
     * Releases the pages of a block, to the pool or to the system. From then on its addresses read as zeros, and writes
     * are lost. The root is an argument so that it stays reachable during the call.
     *
     * @param root the block's root
     * @throws IllegalArgumentException if this is no root: a heap buffer, a part of a root, somebody else's memory
     * @throws IllegalStateException if the block is closed already
     */
    static native void close(ByteBuffer root);

    /**
     * The same for a block over which the application has a buffer. The system may be reading its physical pages
     * (direct I/O), so they are not moved to the pool, from which another block would get them.
     *
     * @param root the block's root
     * @throws IllegalArgumentException as above
     * @throws IllegalStateException as above
     */
    static native void closeInPlace(ByteBuffer root);

    /**
     * Releases a block to the pool with its pages and its addresses: the next one may get both. No buffer but the root may have been handed out, and
     * the root must not be used any more.
     *
     * @param root the block's root
     * @throws IllegalArgumentException if this is no root
     * @throws IllegalStateException if the block is closed
     */
    static native void recycle(ByteBuffer root);

    /**
     * Releases the address range of a block. The root and all buffers derived from it must be unreachable.
     *
     * @param address the block; if it was never closed, its pages go to the pool
     * @throws IllegalArgumentException if there is no such block
     */
    static native void release(long address);

    /**
     * Returns the whole pages inside a part of a block to the system. The part must not be in use: its values are lost,
     * and it no longer counts, even if it is written again.
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
     * Discards late writes to a closed block, by threads that have not noticed the close. Does nothing if it is not closed.
     *
     * @param address the block, which must not be released during this call
     * @throws IllegalArgumentException if there is no such block
     */
    static native void discardStale(long address);

    /**
     * Returns pooled blocks to the system.
     *
     * @param idleMillis the minimum time that a block was in the pool; 0 for all
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
     * Called from native code to log a message.
     *
     * @param level 1 error, 2 warning, 3 information, 4 debug, 5 trace
     * @param target the module that logs
     * @param message what it says
     */
    private static void log(int level, String target, String message) {
        Log.log(level, target + ": " + message, null);
    }

    /**
     * Casts a run of elements as comprehensions do: the casts between a type that is stored narrow and the one that carries it.
     *
     * @param from a direct buffer in native order, of elements as wide as the type
     * @param fromStart the first element
     * @param to another one, which the run does not overlap
     * @param toStart the first element
     * @param n the number of elements
     * @param fromType the code of the type of the elements, its ordinal
     * @param toType the code of the type of the results
     * @throws IllegalArgumentException if a side is no such buffer or has no such elements, the runs overlap, or there is no such cast
     */
    public static native void cast(Buffer from, long fromStart, Buffer to, long toStart, int n, int fromType, int toType);
}
