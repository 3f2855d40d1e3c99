package io.tensornio.internal.data;

import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.StringCursor;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.NoMoreElementsException;
import io.tensornio.internal.layout.Runs;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Iterates over the elements of a {@link StringView}, row by row. */
final class StringViewScalars implements StringCursor {
    private final StringSource source;
    /** The source. */
    private final StringSource reader;
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

    StringViewScalars(StringSource source, Layout layout) {
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
    public String get() {
        if (!hasMoreElements()) {
            source.checkOpen();
        }
        String value = reader.read(next());
        i++;
        return value;
    }

    @Override
    public long position() {
        long at = next();
        i++;
        return at;
    }

    @Override
    public Object getAny() {
        if (!hasMoreElements()) {
            source.checkOpen();
        }
        Object value = reader.readAny(next());
        i++;
        return value;
    }

    @Override
    public StringTensorIterator put(String value) {
        Objects.requireNonNull(value, "value");
        if (layout.isReadOnly() || !hasMoreElements()) {
            StringView.checkWritable(source, layout);
        }
        source.write(value, next());
        i++;
        return this;
    }

    @Override
    public void forEach(Consumer<String> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        source.checkOpen();
        while (hasMoreElements()) {
            String value = reader.read(next());
            i++;
            consumer.accept(value);
        }
    }

    @Override
    public void onEach(Supplier<String> supplier) {
        Objects.requireNonNull(supplier, "supplier");
        StringView.checkWritable(source, layout);
        while (hasMoreElements()) {
            String value = Objects.requireNonNull(supplier.get(), () -> "null from the supplier for " + source.where(next()));
            source.write(value, next());
            i++;
        }
    }
}
