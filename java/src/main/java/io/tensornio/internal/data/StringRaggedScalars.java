package io.tensornio.internal.data;

import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.StringCursor;
import io.tensornio.internal.layout.NoMoreElementsException;
import io.tensornio.internal.ragged.RaggedLayout;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Iterates over the elements of {@link StringRagged} data, row by row. */
final class StringRaggedScalars implements StringCursor {
    private final StringRaggedViewed data;
    private final RaggedLayout layout;
    private final long end;
    /** The node of the next row. */
    private long node;
    /** The number of elements after the current row. */
    private long after;
    private StringTensorIterator row;

    StringRaggedScalars(StringRaggedViewed data) {
        this.data = data;
        layout = data.tree();
        node = layout.begin(layout.depth());
        end = layout.end(layout.depth());
        after = data.totalSize();
    }

    @Override
    public boolean hasMoreElements() {
        return after > 0 || row != null && row.hasMoreElements();
    }

    /** The iterator of the row that has the next element; at the end that of the last row, or null. */
    private StringTensorIterator row() {
        while ((row == null || !row.hasMoreElements()) && after > 0 && node < end) {
            node = Math.min(layout.nextRow(node, end), end - 1);           // a close may make all rows read as empty: reading the last one throws
            StringData next = data.row(node);
            row = next.scalars();
            node++;
            after -= next.totalSize();
        }
        return row;
    }

    @Override
    public String get() {
        if (!hasMoreElements()) {
            data.checkOpen();
            throw new NoMoreElementsException(data.totalSize());
        }
        return row().get();
    }

    @Override
    public long position() {
        return ((StringCursor) row()).position();
    }

    @Override
    public Object getAny() {
        if (!hasMoreElements()) {
            data.checkOpen();
            throw new NoMoreElementsException(data.totalSize());
        }
        return ((StringCursor) row()).getAny();
    }

    @Override
    public StringTensorIterator put(String value) {
        Objects.requireNonNull(value, "value");
        data.checkWritable();
        if (!hasMoreElements()) {
            throw new NoMoreElementsException(data.totalSize());
        }
        row().put(value);
        return this;
    }

    @Override
    public void forEach(Consumer<? super String> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        data.checkOpen();
        while (hasMoreElements()) {
            row().forEach(consumer);
        }
    }

    @Override
    public void onEach(Supplier<String> supplier) {
        Objects.requireNonNull(supplier, "supplier");
        data.checkWritable();
        while (hasMoreElements()) {
            row().onEach(supplier);
        }
    }
}
