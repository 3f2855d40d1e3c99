package io.tensornio.internal.string;

import io.tensornio.internal.element.ShortByteCopies;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;

/** The elements of one dense STRING tensor, in one of the two forms that they have in memory. */
public abstract class StringBlock extends Block implements StringSource {
    /** Reads; null once the tensor is closed. */
    public ByteBuffer rd;
    /** Reads ahead; null while the strings can still change, and once the tensor is closed. */
    private StringReadAhead ahead;
    /** What elements are called in messages; null if the shape says that. */
    private LongFunction<String> places;

    /** Takes over the shape and the storage. */
    public StringBlock(long[] shape, Storage storage) {
        super(StringElement.TYPE, shape, storage);
        rd = storage.view();
    }

    /** Memory for the strings of a tensor of some shape. */
    public static Storage allocate(long[] shape, long bytes, boolean zeroed) {
        if (bytes > Integer.MAX_VALUE) {
            throw tooLarge(shape, bytes);
        }
        return Storage.allocate(bytes, zeroed);
    }

    /** For more than one buffer can hold. */
    public static OutOfMemoryError tooLarge(long[] shape, long bytes) {
        return new OutOfMemoryError("the STRING tensor of shape " + java.util.Arrays.toString(shape) + " needs " + bytes
            + " bytes; one tensor can have " + Integer.MAX_VALUE);
    }

    /** A published block of another shape with as many elements that shares, and co-owns, the memory of this one. */
    public abstract StringBlock share(long[] shape);

    @Override
    public final void namePlaces(LongFunction<String> byPosition) {
        places = byPosition;
    }

    /** From now on nothing changes any more. */
    public final void readAhead() {
        ahead = new StringReadAhead(this);
    }

    @Override
    public void stopAccess() {
        rd = null;
        ahead = null;
    }

    @Override
    public final String read(long at) {
        StringPrefetch piece = find(at);
        String text = piece == null ? null : piece.text((int) at);
        return text == null ? readAlone(at) : text;
    }

    @Override
    public final byte[] readBytes(long at) {
        StringPrefetch piece = find(at);
        return piece == null ? readBytesAlone(at) : piece.bytes((int) at);
    }

    @Override
    public final Object readAny(long at) {
        StringPrefetch piece = find(at);
        String text = piece == null ? null : piece.text((int) at);
        return text == null ? StringElement.any(readBytesAlone(at)) : text;
    }

    private StringPrefetch find(long at) {
        StringReadAhead a = ahead;
        return a == null ? null : a.find((int) at);
    }

    /** Reads an element out of the memory. */
    public abstract String readAlone(long at);

    /** The same, as bytes. */
    public abstract byte[] readBytesAlone(long at);

    /**
     * Copies elements.
     *
     * @param at the first
     * @param most how many, if they are so many and not too long
     * @return the first and maybe others after it; null if that one is too long itself
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public abstract StringPrefetch piece(int at, int most);

    /** Copies bytes of an open tensor; what a close has made of them is not given. */
    public final byte[] copy(ByteBuffer from, int at, int n) {
        byte[] bytes = new byte[n];
        copy(from, at, bytes, n);
        return bytes;
    }

    /** As above, to the start of an array; returns whether they are known to be ASCII. */
    public final boolean copy(ByteBuffer from, int at, byte[] bytes, int n) {
        boolean isAscii = ShortByteCopies.get(from, at, bytes, n);
        // The mark is set before the pages go: as long as it is not there, the bytes were the tensor's.
        if (isClosedAfterRead()) {
            throw closedException();
        }
        return isAscii;
    }

    /** The memory, if it is still there. */
    public final ByteBuffer open() {
        ByteBuffer b = rd;
        if (b == null) {
            throw closedException();
        }
        return b;
    }

    @Override
    public long numBytes() {
        return storage.bytes();
    }

    @Override
    public final String where(long at) {
        return places == null ? StringElement.where(shape(), at) : places.apply(at);
    }

    @Override
    public final void checkOpen() {
        if (rd == null) {
            throw closedException();
        }
    }

    @Override
    public final Object memory() {
        return storage;
    }
}
