package io.tensornio.internal.string;

import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;

/**
 * Published strings for one that reads most of them in order: as long as it does, they are copied out of the memory in ever larger pieces. For one
 * thread.
 */
public final class SequentialStringReader implements StringSource {
    private final StringBlock strings;
    private StringPrefetch piece = StringPrefetch.NONE;
    /** The element that is next in order. */
    private int next = -1;
    private int size;

    /** Reads nothing yet. */
    public SequentialStringReader(StringBlock strings) {
        this.strings = strings;
    }

    /** A piece that has an element; null if that is better read alone. */
    private StringPrefetch find(int at) {
        strings.checkOpen();
        StringPrefetch found = piece.has(at) ? piece : copy(at);
        next = at + 1;
        return found;
    }

    private StringPrefetch copy(int at) {
        size = at == next ? Math.min(StringPrefetch.MOST, 2 * size + 4) : 0;
        StringPrefetch copied = size == 0 ? null : strings.piece(at, size);
        piece = copied == null ? StringPrefetch.NONE : copied;
        return copied;
    }

    @Override
    public String read(long at) {
        StringPrefetch found = find((int) at);
        String text = found == null ? null : found.text((int) at);
        return text == null ? strings.readAlone(at) : text;
    }

    @Override
    public byte[] readBytes(long at) {
        StringPrefetch found = find((int) at);
        return found == null ? strings.readBytes(at) : found.bytes((int) at);
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
}
