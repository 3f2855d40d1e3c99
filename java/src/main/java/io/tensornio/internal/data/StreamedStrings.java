package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.string.StringBlock;
import io.tensornio.internal.string.StringPadding;
import java.io.InputStream;
import java.util.Objects;

/**
 * What fills a vector of the shape {@code [-1]}: empty until {@link #write} has read all strings of a stream, and from then on a vector of as many
 * elements.
 */
final class StreamedStrings extends StringData implements StringTensorBuilder {
    private static final String UNSIZED = "the shape [-1] takes its length from the stream of readFrom or write(InputStream)";

    private final StringCollector strings;
    private volatile StringView whole;
    /** Whether the length is known, or about to be. */
    private boolean isSized;
    private boolean isReading;

    /**
     * Makes the data.
     *
     * @param form how long the strings are; null for any length
     */
    StreamedStrings(StringPadding form) {
        strings = StringCollector.growing(form);
        whole = StringView.of(strings, 0);
    }

    @Override
    public StringTensorData data() {
        return this;
    }

    @Override
    public StringBlock finish() {
        if (!isSized) {
            throw new IllegalStateException(UNSIZED + ", which init did not call");
        }
        return strings.finish();
    }

    @Override
    public void close() {
        strings.close();
    }

    @Override
    public void write(InputStream in) {
        if (isSized && !isReading) {
            super.write(in);
            return;
        }
        Objects.requireNonNull(in, "in");
        strings.checkWritable();
        if (isReading) {
            // It has no elements yet, so that this stream would be dropped unread.
            throw new IllegalStateException("write was called while the STRING tensor of shape [-1] is being filled from another stream");
        }
        isSized = true;
        isReading = true;
        try {
            StringEncoding.writeAll(strings, in);
        } finally {
            isReading = false;
            whole = StringView.of(strings, strings.count());
        }
    }

    @Override
    public void checkOpen() {
        strings.checkOpen();
    }

    @Override
    void checkWritable() {
        strings.checkWritable();
        if (!isSized) {
            throw new IndexOutOfBoundsException("the STRING tensor has no elements to put yet: " + UNSIZED);
        }
    }

    /** The elements, to be written one by one. */
    private StringView writable() {
        checkWritable();
        return whole;
    }

    @Override
    OwnData<StringTensorData, String[]> part(long from, long n) {
        return whole.part(from, n);
    }

    @Override
    void readAll(String[] to, int at) {
        whole.readAll(to, at);
    }

    @Override
    void writeFirst(int n, String[] from, int at) {
        whole.writeFirst(n, from, at);
    }

    @Override
    StringSource source() {
        return strings;
    }

    @Override
    public Layout layout() {
        return whole.layout();
    }

    @Override
    public int rank() {
        return 1;
    }

    @Override
    public long size(int axis) {
        return whole.size(axis);
    }

    @Override
    public long totalSize() {
        return whole.totalSize();
    }

    @Override
    public long[] shape() {
        return whole.shape();
    }

    @Override
    public boolean isReadOnly() {
        return whole.isReadOnly();
    }

    /** By the one index that a vector has: no array is made for it. Other numbers of indices are refused, by way of the array. */
    @Override
    public String get(int i) {
        return whole.get(i);
    }

    @Override
    public String get(int... indices) {
        return whole.get(indices);
    }

    @Override
    public void put(String value, int i) {
        Objects.requireNonNull(value, "value");
        writable().put(value, i);
    }

    @Override
    public void put(String value, int... indices) {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(indices, "indices");
        writable().put(value, indices);
    }

    @Override
    public byte[] getBytes(int... indices) {
        return whole.getBytes(indices);
    }

    @Override
    public void putBytes(byte[] bytes, int... indices) {
        Objects.requireNonNull(bytes, "bytes");
        Objects.requireNonNull(indices, "indices");
        writable().putBytes(bytes, indices);
    }

    @Override
    public StringTensorData slice() {
        return whole.slice();
    }

    @Override
    public StringTensorData slice(int... indices) {
        return whole.slice(indices);
    }

    @Override
    public StringTensorData slice(TensorIndex... indices) {
        return whole.slice(indices);
    }

    @Override
    public StringTensorIterator scalars() {
        return whole.scalars();
    }
}
