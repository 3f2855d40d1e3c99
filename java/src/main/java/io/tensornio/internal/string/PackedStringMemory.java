package io.tensornio.internal.string;

import io.tensornio.internal.element.ByteBulk;
import io.tensornio.internal.memory.Storage;
import java.nio.ByteBuffer;

/**
 * The memory that {@link SequentialStrings} writes, laid out as the tensor will have it: offsets first, bytes after them. It moves to a larger range
 * as bytes arrive, whose size is extrapolated from them.
 *
 * <p>{@code SequentialStrings} knows how many elements are here, since it looks at that with each put, and holds its lock in all calls.
 */
final class PackedStringMemory {
    /** The most memory that is asked for, as a multiple of what has arrived: the rest may be shorter. */
    private static final int FARTHEST = 16;
    /** One byte in this many may be left unused. */
    private static final int SLACK = 8;

    private final long[] shape;
    private int count;
    /** Where the text begins, after the ends of {@code count} elements. */
    private int base;

    /** Null until something is to be written. */
    private Storage storage;
    private ByteBuffer memory;
    /** How many bytes of text are here. */
    private int length;
    /** Whether the memory was handed to a block, or released. */
    private boolean isOver;
    /** The block that it was handed to; null if none. */
    private StringPacked block;

    /** Takes no memory yet. */
    PackedStringMemory(int count, long... shape) {
        this.count = count;
        this.shape = shape;
        base = (int) StringPacked.base(count);
    }

    int length() {
        return length;
    }

    boolean isOver() {
        return isOver;
    }

    /** What the memory was published as; null if it was not. */
    StringPacked block() {
        return block;
    }

    // ---- Contents ----------------------------------------------------------------------------------------------

    /**
     * Adds elements, whose text fits the capacity.
     *
     * @param text their bytes, and after them others
     * @param size how many bytes they have
     * @param first the first element
     * @param n how many they are
     * @param ends where they end in the text
     * @throws IllegalStateException if ends fall, or the last is another one; then nothing is added
     */
    void append(byte[] text, int size, int first, int n, int... ends) {
        ByteBuffer to = memory;
        long before = length;
        int end = 0;
        for (int i = 0; i < n; i++) {
            int start = end;
            end = ends[i];
            if (end < start) {
                throw StringHeap.changed();
            }
            to.putLong(Long.BYTES * (first + i + 1), before + end);
        }
        if (end != size) {
            throw StringHeap.changed();
        }
        ByteBulk.put(to, base + length, text, 0, size);
        length += size;
    }

    /** Adds an element without text. */
    void appendEmpty(int at) {
        memory.putLong(Long.BYTES * (at + 1), length);
    }

    private int start(int at) {
        return at == 0 ? 0 : (int) memory.getLong(Long.BYTES * at);
    }

    byte[] bytes(int at) {
        int from = start(at);
        byte[] bytes = new byte[start(at + 1) - from];
        ByteBulk.get(memory, base + from, bytes, 0, bytes.length);
        return bytes;
    }

    /**
     * Truncates to the first elements.
     *
     * @param text how many bytes these had
     * @throws IllegalStateException if they have not now; nothing is forgotten then
     */
    void rewind(int elements, int text) {
        if (start(elements) != text) {
            throw StringHeap.changed();
        }
        length = text;
    }

    // ---- Capacity -----------------------------------------------------------------------------------------

    /**
     * Changes the number of elements whose ends fit, to at least those that are here.
     *
     * @param text the capacity for text in bytes: at least what is here
     * @param written how many elements are here
     * @return false, and nothing changes, if there is no memory for that beside what is held
     * @throws OutOfMemoryError if one buffer cannot hold the ends and what is here
     */
    boolean resize(int n, long text, int written) {
        checkNotOver();
        long start = StringPacked.base(n);
        if (start + length > Integer.MAX_VALUE) {
            throw StringBlock.tooLarge(shape, start + length);
        }
        if (storage != null) {
            try {
                moveTo(Math.min(Integer.MAX_VALUE, start + text), (int) start, written);
            } catch (OutOfMemoryError e) {
                return false;
            }
        }
        count = n;
        base = (int) start;
        return true;
    }

    /** How many bytes of text the memory can hold. */
    long capacity() {
        return storage == null ? 0 : storage.bytes() - base;
    }

    /**
     * Reserves capacity for {@code n} more bytes of text.
     *
     * @param come how many elements have come, these among them
     * @param written how many are here
     * @return false, and nothing changes, if there is no memory for them
     * @throws OutOfMemoryError if one buffer cannot hold them
     */
    boolean reserve(int n, int come, int written) {
        checkNotOver();
        long text = (long) length + n;
        if (storage != null && base + text <= storage.bytes()) {
            return true;
        }
        if (base + text > Integer.MAX_VALUE) {
            throw StringBlock.tooLarge(shape, base + text);
        }
        // As long as these are, and a little more; at least a quarter more each time, so that copying stays cheap.
        double all = 1.05 * text * count / Math.max(1, come) + SequentialStrings.PIECE;
        double least = 1.25 * text;
        double guess = Math.min(all, FARTHEST * text);
        return guess > least && tryToMove(guess, written) || tryToMove(least, written);
    }

    /**
     * Reserves capacity for {@code n} more bytes of text, which are the last, and little more.
     *
     * @param written how many elements are here
     * @return false, and nothing changes, if there would be memory but for what is held
     * @throws OutOfMemoryError if the memory is not available, or one buffer cannot hold them
     */
    boolean reserveExactly(int n, int written) {
        checkNotOver();
        long bytes = (long) base + length + n;
        if (bytes > Integer.MAX_VALUE) {
            throw StringBlock.tooLarge(shape, bytes);
        }
        if (storage == null) {
            moveTo(bytes, base, written);
        } else if (storage.bytes() < bytes) {
            return tryToMove(bytes - base, written);
        } else if (storage.bytes() - bytes > bytes / SLACK) {
            tryToMove(bytes - base, written);           // that more is held than need be is no reason to fail
        }
        return true;
    }

    /** How many bytes of memory there are. */
    long held() {
        Storage now = storage;
        return now == null ? 0 : now.bytes();
    }

    /**
     * Shrinks to the former capacity, or to the contents, if there is memory for both at a time.
     *
     * @param written how many elements are here
     */
    void shrink(long held, int written) {
        if (isOver || storage == null) {
            return;
        }
        long least = Math.max(held, (long) base + length);
        if (written == 0) {
            storage.close();
            storage = null;
            memory = null;
        } else if (storage.bytes() > least) {
            tryToMove(least - base, written);
        }
    }

    private void checkNotOver() {
        if (isOver) {
            throw StringHeap.changed();
        }
    }

    private boolean tryToMove(double text, int written) {
        try {
            moveTo(Math.min(Integer.MAX_VALUE, base + (long) text), base, written);
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    /** Goes on in other memory of {@code bytes} bytes, where text begins at {@code start}, or changes nothing. */
    private void moveTo(long bytes, int start, int written) {
        Storage more = StringBlock.allocate(shape, bytes, false);
        ByteBuffer to = more.view();
        try {
            to.putLong(0, 0);
            if (storage != null) {
                copy(memory, 0, to, 0, Long.BYTES * (written + 1));
                copy(memory, base, to, start, length);
            }
        } catch (Throwable e) {
            more.close();
            throw e;
        }
        Storage old = storage;
        storage = more;
        memory = to;
        if (old != null) {
            old.close();
        }
    }

    /** Copies bytes to a place of other memory. */
    private static void copy(ByteBuffer from, int at, ByteBuffer to, int place, int n) {
        ByteBuffer some = from.duplicate();
        some.limit(at + n);
        some.position(at);
        ByteBuffer target = to.duplicate();
        target.position(place);
        target.put(some);
    }

    // ---- The end ---------------------------------------------------------------------------------------------------

    /** Makes a block of the memory, in which all elements have their ends. */
    StringPacked publish(long... as) {
        block = StringPacked.of(as, storage, length);
        isOver = true;
        return block;
    }

    /** Releases the memory, unless it was handed to a block. */
    void close() {
        if (!isOver) {
            isOver = true;
            if (storage != null) {
                storage.close();
            }
        }
    }
}
