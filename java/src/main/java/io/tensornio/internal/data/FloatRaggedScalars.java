package io.tensornio.internal.data;

//#if float boolean byte
import io.tensornio.FloatConsumer;
//#end
//#if float byte
import io.tensornio.FloatSupplier;
//#end
import io.tensornio.FloatTensorIterator;
import io.tensornio.internal.layout.NoMoreElementsException;
import io.tensornio.internal.ragged.RaggedLayout;
import java.util.Objects;
//~double import java.util.function.DoubleConsumer;
//~double import java.util.function.DoubleSupplier;
//~int import java.util.function.IntConsumer;
//~int import java.util.function.IntSupplier;
//~long import java.util.function.LongConsumer;
//~long import java.util.function.LongSupplier;
//~boolean import java.util.function.BooleanSupplier;

/** Iterates over the elements of {@link FloatRagged} data, row by row. */
class FloatRaggedScalars implements FloatTensorIterator {
    private final FloatRagged data;
    private final RaggedLayout layout;
    private final long end;
    /** The node of the next row. */
    private long node;
    /** The number of elements after the current row. */
    private long after;
    private FloatTensorIterator row;

    FloatRaggedScalars(FloatRagged data) {
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
    final FloatTensorIterator row() {
        while ((row == null || !row.hasMoreElements()) && after > 0 && node < end) {
            node = Math.min(layout.nextRow(node, end), end - 1);           // a close may make all rows read as empty: reading the last one throws
            FloatData next = data.row(node);
            row = next.scalars();
            node++;
            after -= next.totalSize();
        }
        return row;
    }

    @Override
    public float get() {
        if (!hasMoreElements()) {
            data.checkOpen();
            throw new NoMoreElementsException(data.totalSize());
        }
        return row().get();
    }

    @Override
    public FloatTensorIterator put(float value) {
        data.checkWritable();
        if (!hasMoreElements()) {
            throw new NoMoreElementsException(data.totalSize());
        }
        row().put(value);
        return this;
    }

    @Override
    public void forEach(FloatConsumer consumer) {
        Objects.requireNonNull(consumer, "consumer");
        data.checkOpen();
        while (hasMoreElements()) {
            row().forEach(consumer);
        }
    }

    @Override
    public void onEach(FloatSupplier supplier) {
        Objects.requireNonNull(supplier, "supplier");
        data.checkWritable();
        while (hasMoreElements()) {
            row().onEach(supplier);
        }
    }
}
