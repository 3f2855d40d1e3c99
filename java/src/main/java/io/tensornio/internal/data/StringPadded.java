package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.internal.element.ByteBulk;
import io.tensornio.internal.element.StringCursor;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Storage;
import io.tensornio.internal.string.Ascii;
import io.tensornio.internal.string.StagedStrings;
import io.tensornio.internal.string.StringBlock;
import io.tensornio.internal.string.StringHeap;
import io.tensornio.internal.string.StringPaddedSink;
import io.tensornio.internal.string.StringPadding;
import io.tensornio.internal.string.StringPrefetch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Strings of a fixed length in bytes, in place, each followed by its padding. */
public final class StringPadded extends StringBlock implements StringTensorBuilder, StringPaddedSink.Elements {
    private final StringPadding form;
    /** Writes; null once the tensor is published or closed. */
    private ByteBuffer wr;

    /**
     * Takes memory, which is filled with padding.
     *
     * @param shape a checked shape, which this object keeps
     * @throws OutOfMemoryError if the memory is not available, or one buffer cannot hold it
     */
    StringPadded(long[] shape, StringPadding form) {
        super(shape, allocate(shape, Shapes.product(shape) * form.length, form.padding == 0));
        this.form = form;
        wr = rd;
        if (form.padding != 0) {
            form.fill(wr, 0, (int) storage.bytes());
        }
    }

    private StringPadded(long[] shape, Storage storage, StringPadding form) {
        super(shape, storage);
        this.form = form;
    }

    @Override
    public long origin() {
        return 0;
    }

    StringPadding form() {
        return form;
    }

    /** Packs what was collected, and was checked then. */
    public static StringPadded of(long[] shape, StringPadding form, StringHeap strings) {
        StringPadded block = new StringPadded(shape, form);
        try {
            int count = (int) Shapes.product(shape);
            strings.length(0, count);
            for (int at = 0; at < count; at++) {
                byte[] bytes = strings.bytes(at);   // a copy, of one length
                ByteBulk.put(block.wr, at * form.length, bytes, 0, bytes.length);
            }
            return block;
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    @Override
    public StringTensorData data() {
        return StringView.of(this, shape());
    }

    @Override
    public StringBlock finish() {
        return this;
    }

    @Override
    public StringPadded share(long[] shape) {
        Storage shared = share();
        try {
            return new StringPadded(shape, shared, form);
        } catch (Throwable e) {
            shared.close();         // one owner fewer
            throw e;
        }
    }

    @Override
    public String readAlone(long at) {
        byte[] bytes = new byte[form.length];
        boolean isAscii = copy(open(), (int) at * form.length, bytes, form.length);
        int n = form.stripped(bytes);
        return isAscii ? new String(bytes, 0, n, StandardCharsets.ISO_8859_1) : StringElement.decode(bytes, n, this, at);
    }

    @Override
    public StringPrefetch piece(int at, int most) {
        int l = form.length;
        int count = Math.min(Math.min(most, (int) Shapes.product(shape()) - at), StringPrefetch.LARGEST / Math.max(1, l));
        return count == 0 ? null : StringPrefetch.padded(at, count, form, copy(open(), at * l, count * l));
    }

    @Override
    public byte[] readBytesAlone(long at) {
        return form.strip(copy(open(), (int) at * form.length, form.length));
    }

    @Override
    public void check(String value, long at) {
        checkBytes(StringElement.encode(value, this, at), at);
    }

    @Override
    public void checkBytes(byte[] bytes, long at) {
        form.check(bytes, this, at);
    }

    @Override
    public void write(String value, long at) {
        ByteBuffer b = writable();
        if (Ascii.isShort(value)) {
            form.checkAscii(value, this, at);
            form.writeAscii(value, b, (int) at * form.length);
        } else {
            writeBytes(StringElement.encode(value, this, at), at);
        }
    }

    @Override
    public void writeBytes(byte[] bytes, long at) {
        ByteBuffer b = writable();
        form.check(bytes, this, at);
        form.write(bytes, b, (int) at * form.length);
    }

    /** Whether some elements are all empty. */
    boolean isEmpty(int at, int n) {
        return form.isEmpty(writable(), at * form.length, n * form.length);
    }

    /** Writes values to places; they were checked. */
    void write(StagedStrings values, int n, StringCursor cursor) {
        for (int i = 0; i < n; i++) {
            form.write(values, i, writable(), (int) cursor.position() * form.length);
        }
    }

    /** Copies {@code n} elements to the places from another one on, as if through a copy of all, a piece at a time. */
    void copyWithin(int from, int to, int n) {
        int bytes = n * form.length;
        byte[] piece = new byte[Math.min(bytes, StringPrefetch.LARGEST)];
        for (int done = 0; done < bytes;) {
            int some = Math.min(piece.length, bytes - done);
            int at = from < to ? bytes - done - some : done;        // what is written must have been read
            ByteBulk.get(open(), from * form.length + at, piece, 0, some);
            ByteBulk.put(writable(), to * form.length + at, piece, 0, some);
            done += some;
        }
    }

    @Override
    public ByteBuffer writable() {
        ByteBuffer b = wr;
        if (b == null) {
            throw notWritableException();
        }
        return b;
    }

    @Override
    public boolean isReadOnly() {
        return wr == null;
    }

    @Override
    public void checkWritable() {
        writable();
    }

    @Override
    public void stopWrites() {
        wr = null;
        readAhead();
    }

    @Override
    public void stopAccess() {
        wr = null;
        super.stopAccess();
    }
}
