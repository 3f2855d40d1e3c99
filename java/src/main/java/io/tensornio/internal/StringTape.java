package io.tensornio.internal;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Strings that are put in order, one behind the other, as most are: they go straight to the memory that the tensor will have, a piece at a time. How
 * much that has to be is guessed from those that have come.
 *
 * <p>Invariants: elements 0 to {@code next - 1} have come. Of these the first {@code written} have their ends, and the first {@code length} bytes of
 * text, in memory; the ends of the others are the first {@code next - written} of {@code ends}, their text the first {@code place} bytes of
 * {@code piece}. No text is partly here and partly there.
 */
final class StringTape implements StringCollected {
    private static final int FIRST_PIECE = 1 << 8;
    private static final int PIECE = 1 << 14;
    private static final int FIRST_ENDS = 1 << 4;
    private static final int ENDS = 1 << 11;
    /** Memory for so many times what has come is asked for at most: those to come may be shorter. */
    private static final int FARTHEST = 16;
    /** Of so many bytes one may be left unused. */
    private static final int SLACK = 8;

    private final int count;
    private final long[] shape;
    private final int base;

    private int next;
    private byte[] piece;
    private int place;
    private int[] ends;

    /** Null until the first piece is full. */
    private Storage storage;
    private ByteBuffer memory;
    private int written;
    private int length;
    /** Whether the memory is a block's, or given back. */
    private boolean isOver;

    /**
     * Takes no memory yet.
     *
     * @param shape a checked shape of {@code count} elements, for messages
     */
    StringTape(int count, long... shape) {
        this.count = count;
        this.shape = shape;
        base = (int) StringPacked.base(count);
        piece = new byte[FIRST_PIECE];
        ends = new int[Math.min(count, FIRST_ENDS)];
    }

    /** The element that can be put: that behind the last that was. */
    int next() {
        return next;
    }

    /** Puts the next element, of which there is one, by a text that {@link Ascii#isShort} has found to be so. */
    void putAscii(String text) {
        int n = text.length();
        if (n > piece.length - place || next - written == ends.length) {
            makeRoom(n);
        }
        Ascii.copy(text, piece, place);
        add(n);
    }

    /** Puts the next element, of which there is one. */
    void put(byte[] bytes) {
        int n = bytes.length;
        if (n > piece.length - place || next - written == ends.length) {
            makeRoom(n);
        }
        if (n <= piece.length - place) {
            System.arraycopy(bytes, 0, piece, place, n);
            add(n);
        } else {
            putAlone(bytes);
        }
    }

    private void add(int n) {
        place += n;
        ends[next - written] = length + place;
        next++;
    }

    /** Makes room for an end, and for so many bytes if a piece can have them; else the piece is empty then. */
    private synchronized void makeRoom(int n) {
        if (next - written == ends.length && ends.length < ENDS) {
            ends = Arrays.copyOf(ends, Math.min(ENDS, 4 * ends.length));
        }
        if (n > piece.length - place && piece.length < PIECE) {
            piece = Arrays.copyOf(piece, Math.min(PIECE, Math.max(4 * piece.length, n)));
        }
        if (n > piece.length - place || next - written == ends.length) {
            reserve(place);
            flush();
        }
    }

    /** Puts an element that is longer than a piece, while the piece is empty. */
    private synchronized void putAlone(byte[] bytes) {
        reserve(bytes.length);
        ByteBulk.put(memory, base + length, bytes, 0, bytes.length);
        length += bytes.length;
        memory.putLong(Long.BYTES * ++next, length);
        written = next;
    }

    /** Moves what is in the piece to memory, which has room for it. */
    private void flush() {
        ByteBulk.put(memory, base + length, piece, 0, place);
        for (int at = written; at < next; at++) {
            memory.putLong(Long.BYTES * (at + 1), ends[at - written]);
        }
        written = next;
        length += place;
        place = 0;
    }

    /** Sees to it that so many bytes of text more have a place in memory, or changes nothing. */
    private void reserve(int n) {
        if (isOver) {
            throw StringStore.changed();
        }
        long text = (long) length + n;
        if (storage != null && base + text <= storage.bytes()) {
            return;
        }
        if (base + text > Integer.MAX_VALUE) {
            throw StringBlock.tooLarge(shape, base + text);
        }
        // As long as these are, and a little more; at least a quarter more each time, so that copying stays cheap.
        double all = 1.05 * text * count / Math.max(1, next) + PIECE;
        long guess = (long) Math.max(1.25 * text, Math.min(all, FARTHEST * text));
        try {
            moveTo(Math.min(Integer.MAX_VALUE, base + guess));
        } catch (OutOfMemoryError e) {
            moveTo(base + text);
        }
    }

    /** Goes on in other memory of so many bytes, or changes nothing. */
    private void moveTo(long bytes) {
        Storage more = StringBlock.allocate(shape, bytes, false);
        ByteBuffer to = more.view();
        try {
            to.putLong(0, 0);
            if (storage != null) {
                copy(memory, 0, to, Long.BYTES * (written + 1));
                copy(memory, base, to, length);
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

    /** Copies bytes to the same place of other memory. */
    private static void copy(ByteBuffer from, int at, ByteBuffer to, int n) {
        ByteBuffer some = from.duplicate();
        some.limit(at + n);
        some.position(at);
        ByteBuffer target = to.duplicate();
        target.position(at);
        target.put(some);
    }

    /** Where the text of an element ends; 0 for that before the first. */
    private int end(int at) {
        return at < 0 ? 0 : at >= written ? ends[at - written] : (int) memory.getLong(Long.BYTES * (at + 1));
    }

    @Override
    public synchronized byte[] bytes(int at) {
        if (at >= next) {
            return new byte[0];
        }
        int from = end(at - 1);
        int to = end(at);
        if (from < 0 || to < from || to > length + place) {
            throw StringStore.changed();        // or closed by another thread since
        }
        if (from >= length) {
            return Arrays.copyOfRange(piece, from - length, to - length);
        }
        byte[] bytes = new byte[to - from];
        ByteBulk.get(memory, base + from, bytes, 0, bytes.length);
        return bytes;
    }

    @Override
    public String text(int at) {
        byte[] bytes = bytes(at);
        return StringElement.decode(bytes, 0, bytes.length);
    }

    /**
     * The same strings in a store, which takes them in any order.
     *
     * @throws OutOfMemoryError if the heap has no room for it
     */
    synchronized StringStore unwind() {
        StringStore store;
        try {
            store = new StringStore(count).named(shape);
        } catch (OutOfMemoryError e) {
            throw new StringStore(0).named(shape).noHeap((Long.BYTES + Integer.BYTES) * (long) count + " bytes", e);
        }
        for (int at = 0; at < next; at++) {
            store.put(bytes(at), at);
        }
        return store;
    }

    @Override
    public synchronized StringPacked pack(long... shape) {
        reserveExactly();
        flush();
        for (int at = next; at < count; at++) {
            memory.putLong(Long.BYTES * (at + 1), length);
        }
        StringPacked block = StringPacked.of(shape, storage, length);
        isOver = true;
        return block;
    }

    /** Sees to it that there is memory for all text, and not much more. */
    private void reserveExactly() {
        if (isOver) {
            throw StringStore.changed();
        }
        long bytes = (long) base + length + place;
        if (storage == null || storage.bytes() < bytes || storage.bytes() - bytes > bytes / SLACK) {
            if (bytes > Integer.MAX_VALUE) {
                throw StringBlock.tooLarge(shape, bytes);
            }
            moveTo(bytes);
        }
    }

    @Override
    public synchronized void close() {
        if (!isOver) {
            isOver = true;
            if (storage != null) {
                storage.close();
            }
        }
    }
}
