package io.tensornio.internal;

/**
 * Packed strings for one that reads most of them in order: as long as it does, their bytes are copied out of the memory in ever larger pieces. For
 * one thread.
 */
final class StringRun implements StringSource {
    private static final int LARGEST = 1 << 14;

    private final StringPacked strings;
    /** The part of the text that was copied. */
    private byte[] piece = {};
    private int start;
    private int end;
    /** The element that is next in order, and where it begins. */
    private long next = -1;
    private int begin;
    private int size;

    StringRun(StringPacked strings) {
        this.strings = strings;
    }

    /** Copies the bytes of an element, if they are not there yet; gives where they begin in the piece, and leaves their end in {@link #begin}. */
    private int fetch(long at) {
        boolean isNext = at == next;
        int from = isNext ? begin : strings.offset((int) at);
        int to = strings.offset((int) at + 1);
        if (from > to) {
            throw strings.closedException();
        }
        if (from < start || to > end) {
            size = isNext ? Math.min(LARGEST, 2 * size + 64) : 0;
            int n = Math.max(to - from, Math.min(size, strings.length() - from));
            piece = strings.copy(from, n);
            start = from;
            end = from + n;
        }
        next = at + 1;
        begin = to;
        return from - start;
    }

    /** Offsets were right if the tensor is not closed even now: its mark is set before the pages go. */
    private void checkOffsets() {
        if (strings.isClosed()) {
            throw strings.closedException();
        }
    }

    @Override
    public String read(long at) {
        int from = fetch(at);
        int n = begin - start - from;
        checkOffsets();
        String text = StringElement.decode(piece, from, n);
        if (text == null) {
            throw StringElement.malformed(piece, from, n, this, at);
        }
        return text;
    }

    @Override
    public byte[] readBytes(long at) {
        int from = fetch(at);
        checkOffsets();
        return java.util.Arrays.copyOfRange(piece, from, begin - start);
    }

    @Override
    public Object readAny(long at) {
        return StringElement.any(readBytes(at));
    }

    @Override
    public String where(long at) {
        return strings.where(at);
    }

    @Override
    public void write(String value, long at) {
        strings.write(value, at);
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public void checkOpen() {
        strings.checkOpen();
    }

    @Override
    public void checkWritable() {
        strings.checkWritable();
    }

    @Override
    public Object memory() {
        return strings.memory();
    }

    @Override
    public boolean mayShare(String[] array) {
        return false;
    }
}
