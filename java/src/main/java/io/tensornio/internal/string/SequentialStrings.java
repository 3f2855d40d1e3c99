package io.tensornio.internal.string;

import io.tensornio.TensorClosedException;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.Shapes;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Strings that are put in order, one after the other, as most are: they go straight to the {@linkplain PackedStringMemory memory} that the tensor
 * will have, through a staging buffer (the piece) or a batch at a time.
 *
 * <p>Invariants: elements 0 to {@code next - 1} have come. The first {@code written} of these are in memory, and nothing else is; the ends of the
 * others in {@code piece} are the first {@code next - written} of {@code ends}, their text its first {@code place} bytes. No text is partly here and
 * partly there.
 *
 * <p>One thread puts. Another that does so too, as none should, may spoil what is on the heap: so that is checked on its way to memory, where the
 * ends never go down, nor beyond the text. Memory that was handed to a block, or released, is never written.
 */
public final class SequentialStrings implements StringAccumulator, StringSink {
    private static final int FIRST_PIECE = 1 << 8;
    /** Not less than {@link StringBatches#LONGEST}, so that a batch can have a place in one. */
    static final int PIECE = 1 << 14;
    /** Not less than {@link StringBatches#BATCH}, where there are as many elements. */
    private static final int FIRST_ENDS = StringBatches.BATCH;
    /** As many at most. */
    private static final int ENDS = 1 << 11;

    private static final int FIRST_COUNT = 1 << 10;

    private final long[] shape;
    private final PackedStringMemory memory;
    /** How many elements there can be. */
    private int count;
    /** Whether there are only as many elements as have come. */
    private boolean grows;

    private int next;
    private byte[] piece;
    private int place;
    private int[] ends;
    private int written;

    /**
     * Takes no memory yet.
     *
     * @param shape a checked shape of {@code count} elements, for messages
     */
    public SequentialStrings(int count, long... shape) {
        this.count = count;
        this.shape = shape;
        memory = new PackedStringMemory(count, shape);
        piece = new byte[FIRST_PIECE];
        ends = new int[Math.min(count, FIRST_ENDS)];
    }

    /** Those of a vector to which elements are {@linkplain #add added}; it has none yet. */
    public static SequentialStrings growing(long... shape) {
        SequentialStrings sequence = new SequentialStrings(FIRST_COUNT, shape);
        sequence.grows = true;
        return sequence;
    }

    /**
     * Adds an element to a vector that grows, of which there are fewer than {@link StringPacked#MOST}.
     *
     * @return false, and nothing is added, if the memory is not available, as for {@link #put}, or the ends of the other elements leave no capacity
     *     for it
     * @throws OutOfMemoryError if one buffer cannot hold the text
     */
    public boolean add(byte[] bytes) {
        long text = (long) memory.length() + place + bytes.length;
        if (StringPacked.base(next + 1) + text > Integer.MAX_VALUE) {
            throw StringBlock.tooLarge(shape, StringPacked.base(next + 1) + text);
        }
        return (next < count || grow(text)) && StringPacked.base(count) + text <= Integer.MAX_VALUE && put(bytes);
    }

    /** Doubles the number of elements that fit, but to no more than fit if the rest are as long as these. */
    private synchronized boolean grow(long text) {
        if (!grows) {
            throw StringHeap.changed();
        }
        double most = (Integer.MAX_VALUE - 2 * StringPacked.ALIGNMENT) / (Long.BYTES + (double) text / (next + 1));
        int n = (int) Math.min(Math.min(2L * count, StringPacked.MOST), Math.max(next + 1, most));
        return StringPacked.base(n) + text <= Integer.MAX_VALUE && resize(n, memory.capacity());
    }

    /** Has places for as many elements as have come, since no more will; returns false, and changes nothing, if the memory is not available. */
    private boolean end() {
        if (grows && !resize(next, (long) memory.length() + place)) {
            return false;
        }
        grows = false;
        return true;
    }

    private boolean resize(int n, long text) {
        if (!memory.resize(n, text, written)) {
            return false;
        }
        count = n;
        return true;
    }

    /** The element that can be put: that after the last that was. */
    public int next() {
        return next;
    }

    /**
     * Puts the next element, of which there is one, by a text that {@link Ascii#isShort} has found to be so.
     *
     * @return false, and nothing is put, if the memory is not available: there have to be two of them for a while, so that a store may go on
     * @throws OutOfMemoryError if one buffer cannot hold the text
     */
    public boolean putAscii(String text) {
        int n = text.length();
        if ((n > piece.length - place || next - written == ends.length) && !reserve(n, 1)) {
            return false;
        }
        Ascii.copy(text, piece, place);
        add(n);
        return true;
    }

    /** As above, by its bytes. */
    @Override
    public boolean put(byte[] bytes) {
        int n = bytes.length;
        if ((n > piece.length - place || next - written == ends.length) && !reserve(n, 1)) {
            return false;
        }
        if (n > piece.length - place) {
            return putAlone(bytes);
        }
        System.arraycopy(bytes, 0, piece, place, n);
        add(n);
        return true;
    }

    /**
     * Puts the next {@code n} elements, or none.
     *
     * @param where what the element of each value is called in messages
     * @return false, and nothing is put, if the memory is not available, as above
     * @throws NullPointerException if a value is null; nothing is put then
     * @throws IllegalArgumentException if a value has an unpaired surrogate; then, too
     * @throws OutOfMemoryError if one buffer cannot hold the texts; then, too
     */
    public boolean putAll(int n, StringValues values, IntFunction<String> where) {
        long mark = mark();
        long held = memory.held();
        try {
            boolean isDone = StringBatches.send(values, n, this, where);
            if (!isDone) {
                rewind(mark);           // and no more: where memory is scarce, a store goes on
            }
            return isDone;
        } catch (Throwable e) {
            rewind(mark);
            shrink(held);
            throw e;
        }
    }

    private synchronized void shrink(long held) {
        memory.shrink(held, written);
    }

    @Override
    public boolean putAll(byte[] bytes, int size, int[] lengths, int n) {
        if (n == StringBatches.BATCH && written > 0) {      // few strings never need more than the piece
            return putBatch(bytes, size, lengths);
        }
        if ((size > piece.length - place || n > ends.length - (next - written)) && !reserve(size, n)) {
            return false;
        }
        System.arraycopy(bytes, 0, piece, place, size);
        place = setEnds(next - written, place, lengths, n);
        next += n;
        return true;
    }

    /** Puts a whole batch, which is worth going to memory directly, after the contents of the piece. */
    private synchronized boolean putBatch(byte[] bytes, int size, int... lengths) {
        int text = place;
        if (!memory.reserve(text + size, next + StringBatches.BATCH, written)) {
            return false;
        }
        flush(text);
        if (written > count - StringBatches.BATCH) {
            throw StringHeap.changed();
        }
        setEnds(0, 0, lengths, StringBatches.BATCH);
        memory.append(bytes, size, written, StringBatches.BATCH, ends);
        written += StringBatches.BATCH;
        next = written;
        return true;
    }

    /** Sets the ends of {@code n} elements from the {@code first} in the piece on, which begin at a place there; returns the last. */
    private int setEnds(int first, int start, int[] lengths, int n) {
        int[] all = ends;
        int end = start;
        for (int i = 0; i < n; i++) {
            end += lengths[i];
            all[first + i] = end;
        }
        return end;
    }

    /** The elements that have come, and below that their bytes. */
    private synchronized long mark() {
        return (long) next << Integer.SIZE | memory.length() + place & 0xffff_ffffL;
    }

    /**
     * Forgets the elements that have come since a mark, unless the memory is a block's by now.
     *
     * @throws IllegalStateException if another thread has forgotten, or written, what was before the mark
     */
    private synchronized void rewind(long mark) {
        int elements = (int) (mark >>> Integer.SIZE);
        if (memory.isOver()) {
            return;
        }
        if (elements > next || elements - written > ends.length) {
            throw StringHeap.changed();
        }
        if (elements > written) {
            place = ends[elements - written - 1];
        } else {                        // they were written, with those before
            memory.rewind(elements, (int) mark);
            written = elements;
            place = 0;
        }
        next = elements;
    }

    private void add(int n) {
        place += n;
        ends[next - written] = place;
        next++;
    }

    /** Reserves {@code more} ends, at most a batch, and {@code n} bytes in the piece; it is flushed if they do not fit. */
    private synchronized boolean reserve(int n, int more) {
        if (more > ends.length - (next - written) && ends.length < ENDS) {
            ends = Arrays.copyOf(ends, Math.min(ENDS, 4 * ends.length + more));
        }
        if (n > piece.length - place && piece.length < PIECE) {
            piece = Arrays.copyOf(piece, Math.min(PIECE, Math.max(4 * piece.length, n)));
        }
        if (n > piece.length - place || more > ends.length - (next - written)) {
            int text = place;
            if (!memory.reserve(text, next, written)) {
                return false;
            }
            flush(text);
        }
        return true;
    }

    /** Puts an element that is longer than a piece, while the piece is empty. */
    private synchronized boolean putAlone(byte[] bytes) {
        if (!memory.reserve(bytes.length, next, written)) {
            return false;
        }
        int at = next;
        if (at != written || at >= count) {
            throw StringHeap.changed();
        }
        memory.append(bytes, bytes.length, at, 1, bytes.length);
        next = at + 1;                  // from the local value: another thread may have changed it, whose end is not here
        written = at + 1;
        return true;
    }

    /**
     * Moves the contents of the piece to memory, where capacity was reserved for them, or changes nothing.
     *
     * @param text how many bytes that is
     */
    private void flush(int text) {
        int n = next;
        int[] all = ends;
        if (n > count || n - written > all.length) {
            throw StringHeap.changed();
        }
        memory.append(piece, text, written, n - written, all);
        written = n;
        place = 0;
    }

    private int elements() {
        return grows ? next : count;
    }

    @Override
    public synchronized void checkCount(int n) {
        if (n != elements()) {
            throw StringHeap.changed();
        }
    }

    @Override
    public synchronized byte[] bytes(int at) {
        StringPacked block = memory.block();
        if (block != null) {
            return block.readBytes(at);         // which knows when the memory is no more
        }
        if (memory.isOver()) {
            throw new TensorClosedException(StringElement.TYPE, shape);
        }
        if (at >= next) {
            return new byte[0];
        }
        if (at >= written) {
            return Arrays.copyOfRange(piece, at == written ? 0 : ends[at - written - 1], ends[at - written]);
        }
        return memory.bytes(at);
    }

    @Override
    public String text(int at) {
        byte[] bytes = bytes(at);
        return StringElement.decode(bytes, 0, bytes.length);
    }

    /**
     * The same strings in a store, which takes them in any order.
     *
     * @throws OutOfMemoryError if the heap is exhausted
     */
    public synchronized StringHeap unwind() {
        StringHeap store;
        try {
            store = new StringHeap(elements()).named(shape);
        } catch (OutOfMemoryError e) {
            throw new StringHeap(0).named(shape).noHeap((Long.BYTES + Integer.BYTES) * (long) elements() + " bytes", e);
        }
        for (int at = 0; at < next; at++) {
            store.put(bytes(at), at);
        }
        return store;
    }

    @Override
    public synchronized StringPacked pack(long... shape) {
        int text = place;
        if (!end() || !memory.reserveExactly(text, written)) {
            StringHeap store = unwind();
            close();
            return store.pack(shape);
        }
        checkCount((int) Shapes.product(shape));
        flush(text);
        for (int at = written; at < count; at++) {
            memory.appendEmpty(at);
        }
        return memory.publish(shape);
    }

    @Override
    public synchronized void close() {
        memory.close();
    }
}
