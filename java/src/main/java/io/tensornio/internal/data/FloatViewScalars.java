package io.tensornio.internal.data;

//#if float boolean byte
import io.tensornio.FloatConsumer;
//#end
//#if float byte
import io.tensornio.FloatSupplier;
//#end
import io.tensornio.FloatTensorIterator;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.NoMoreElementsException;
import io.tensornio.internal.layout.Runs;
import java.util.Objects;
//~double import java.util.function.DoubleConsumer;
//~double import java.util.function.DoubleSupplier;
//~int import java.util.function.IntConsumer;
//~int import java.util.function.IntSupplier;
//~long import java.util.function.LongConsumer;
//~long import java.util.function.LongSupplier;
//~boolean import java.util.function.BooleanSupplier;

/** Iterates over the elements of a {@link FloatView}, row by row. */
final class FloatViewScalars implements FloatTensorIterator {
    private final FloatSource source;
    /** The source. */
    private final FloatSource reader;
    private final Layout layout;
    /** The end of the current row: the last axis, or one of its runs; then the list or the runs of the axis, or null. */
    private long n;
    private final long step;
    private final long[] list;
    private final Runs runs;
    private int run;
    /** The indices of the current row on the other axes, and its start. */
    private final long[] index;
    private long base;
    private long i;
    /** The number of rows after the current one. */
    private long rows;

    FloatViewScalars(FloatSource source, Layout layout) {
        this.source = source;
        reader = source.cursor(layout);
        this.layout = layout;
        int last = layout.rank() - 1;
        long total = layout.totalSize();
        runs = last < 0 || total == 0 ? null : layout.runs(last);
        long length = total == 0 ? 0 : last < 0 ? 1 : layout.size(last);
        n = runs == null ? length : runs.end(0);
        step = runs != null ? runs.stride() : last < 0 ? 1 : layout.stride(last);
        list = last < 0 ? null : layout.list(last);
        rows = n == 0 ? 0 : total / length * (runs == null ? 1 : runs.count()) - 1;
        index = new long[Math.max(last, 0)];
        base = layout.offset() + (runs == null ? 0 : runs.base(0));
        for (int d = 0; d < index.length && n > 0; d++) {
            base += layout.distance(d, 0);
        }
    }

    @Override
    public boolean hasMoreElements() {
        return i < n || rows > 0;
    }

    /** The position of the next element, without moving past it. */
    private long next() {
        if (i >= n) {
            if (rows == 0) {
                throw new NoMoreElementsException(layout.totalSize());
            }
            if (runs != null && nextRun()) {
                return base + i * step;
            }
            int d = index.length - 1;
            while (index[d] + 1 == layout.size(d)) {
                base -= layout.distance(d, index[d]) - layout.distance(d, 0);
                index[d--] = 0;
            }
            base += layout.distance(d, index[d] + 1) - layout.distance(d, index[d]);
            index[d]++;
            rows--;
            i = 0;
        }
        return base + (list == null ? i * step : list[(int) i]);
    }

    /** Advances to the next run, or back to the first at the end of the axis. */
    private boolean nextRun() {
        int next = run + 1 < runs.count() ? run + 1 : 0;
        base += runs.base(next) - runs.base(run);
        run = next;
        n = runs.end(next);
        rows -= next > 0 ? 1 : 0;
        return next > 0;
    }

    /** Returns the position of the next element, and moves past it. */
    long skip() {
        long at = next();
        i++;
        return at;
    }

    @Override
    public float get() {
        if (!hasMoreElements()) {
            source.checkOpen();
        }
        float value = reader.read(next());
        i++;
        return value;
    }

    @Override
    public FloatTensorIterator put(float value) {
        if (layout.isReadOnly() || !hasMoreElements()) {
            FloatView.checkWritable(source, layout);
        }
        source.write(value, next());
        i++;
        return this;
    }

    @Override
    public void forEach(FloatConsumer consumer) {
        Objects.requireNonNull(consumer, "consumer");
        source.checkOpen();
        while (hasMoreElements()) {
            float value = reader.read(next());
            i++;
            consumer.accept(value);
        }
    }

    @Override
    public void onEach(FloatSupplier supplier) {
        Objects.requireNonNull(supplier, "supplier");
        FloatView.checkWritable(source, layout);
        while (hasMoreElements()) {
            float value = supplier.getAsFloat();
            source.write(value, next());
            i++;
        }
    }
}
