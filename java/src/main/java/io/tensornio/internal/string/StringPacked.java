package io.tensornio.internal.string;

import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Storage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Strings of any length: n + 1 offsets of 64 bits, and at the next boundary of 64 bytes the bytes of all strings, one after the other: Arrow's
 * layout of large strings. They are there when the tensor is made, and never change.
 *
 * <p>The pages of a tensor that is closed read zeros. So each offset is read once, and checked before it is used.
 */
public final class StringPacked extends StringBlock {
    static final int ALIGNMENT = 64;

    /** As many strings can there be: one buffer has their offsets. */
    public static final int MOST = Integer.MAX_VALUE / Long.BYTES - ALIGNMENT;

    private final int count;
    /** Where the bytes begin, and how many they are. */
    private final int base;
    private final int length;

    private StringPacked(long[] shape, Storage storage, int count, int base, int length) {
        super(shape, storage);
        this.count = count;
        this.base = base;
        this.length = length;
        readAhead();
    }

    /** Where the bytes of {@code count} elements begin. */
    static long base(long count) {
        return ((count + 1) * Long.BYTES + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /**
     * Checks that one tensor can have this many strings.
     *
     * @throws OutOfMemoryError if one buffer cannot hold even their offsets
     */
    public static int checkCount(long[] shape) {
        long count = Shapes.product(shape);
        if (count > MOST) {
            throw tooLarge(shape, Math.min(count + 1, Long.MAX_VALUE / Long.BYTES) * Long.BYTES);
        }
        return (int) count;
    }

    /**
     * Packs what was collected.
     *
     * @param shape a checked shape of as many elements, which the block keeps
     * @throws OutOfMemoryError if the memory is not available, or one buffer cannot hold it
     * @throws IllegalStateException if it is being written meanwhile
     */
    public static StringPacked of(long[] shape, StringHeap strings) {
        int count = checkCount(shape);
        long base = base(count);
        long length = strings.length(0, count);
        Storage storage = allocate(shape, base + length, false);
        try {
            ByteBuffer bytes = storage.view().duplicate().order(ByteOrder.nativeOrder());
            bytes.position((int) base);
            bytes.limit((int) (base + length));             // the memory may have some more
            strings.copyTo(count, bytes.slice(), bytes);
            return new StringPacked(shape, storage, count, (int) base, (int) length);
        } catch (Throwable e) {
            storage.close();
            throw e;
        }
    }

    @Override
    public StringPacked share(long[] shape) {
        Storage shared = share();
        try {
            return new StringPacked(shape, shared, count, base, length);
        } catch (Throwable e) {
            shared.close();         // one owner fewer
            throw e;
        }
    }

    @Override
    public long numBytes() {
        return (count + 1L) * Long.BYTES + length;
    }

    /**
     * Where each string begins in {@link #text()}, and where the last ends.
     *
     * @return a new read-only buffer in native order
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public LongBuffer offsets() {
        return part(0, (count + 1) * Long.BYTES).asLongBuffer().asReadOnlyBuffer();
    }

    /**
     * The bytes of all strings.
     *
     * @return a new read-only buffer in native order
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public ByteBuffer text() {
        return part(base, length).asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    private ByteBuffer part(int from, int n) {
        Storage pinned = pin();
        try {
            pinned.handOut();
            ByteBuffer part = pinned.view().duplicate();
            part.limit(from + n);
            part.position(from);
            return part.slice().order(ByteOrder.nativeOrder());
        } finally {
            pinned.unpin();
        }
    }

    /** An offset, which is one of the text. */
    private int offset(ByteBuffer b, int at) {
        long offset = b.getLong(Long.BYTES * at);
        if (offset < 0 || offset > length) {
            throw closedException();            // else it would be
        }
        return (int) offset;
    }

    @Override
    public String readAlone(long at) {
        ByteBuffer b = open();
        int from = offset(b, (int) at);
        int n = offset(b, (int) at + 1) - from;
        if (n < 0) {
            throw closedException();
        }
        byte[] bytes = new byte[n];
        if (copy(b, base + from, bytes, n)) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
        return StringElement.decode(bytes, n, this, at);
    }

    @Override
    public byte[] readBytesAlone(long at) {
        ByteBuffer b = open();
        int from = offset(b, (int) at);
        int to = offset(b, (int) at + 1);
        if (from > to) {
            throw closedException();
        }
        return copy(b, base + from, to - from);
    }

    @Override
    public StringPrefetch piece(int at, int most) {
        ByteBuffer b = open();
        int n = Math.min(most, count - at);
        long[] offsets = new long[n + 1];
        ByteBuffer some = b.duplicate().order(ByteOrder.nativeOrder());
        some.position(Long.BYTES * at);
        some.asLongBuffer().get(offsets);
        if (isClosedAfterRead()) {
            throw closedException();            // else the offsets were the tensor's
        }
        while (n > 0 && offsets[n] - offsets[0] > StringPrefetch.LARGEST) {
            n /= 2;
        }
        return n == 0 ? null : StringPrefetch.packed(at, n, offsets, copy(b, base + (int) offsets[0], (int) (offsets[n] - offsets[0])));
    }

    @Override
    public void write(String value, long at) {
        throw notWritableException();
    }

    @Override
    public void writeBytes(byte[] bytes, long at) {
        throw notWritableException();
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public void checkWritable() {
        throw notWritableException();
    }

    @Override
    public void stopWrites() {
        // There never were any.
    }
}
