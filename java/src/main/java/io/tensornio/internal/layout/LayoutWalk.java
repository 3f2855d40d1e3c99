package io.tensornio.internal.layout;

/** The positions of the elements of a layout in row-major order, one by one, row by row. Allocates nothing on its way. */
public class LayoutWalk {
    protected final Layout layout;
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

    /** Begins at the first element. */
    public LayoutWalk(Layout layout) {
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

    /** Whether there is a next element. */
    public boolean hasMoreElements() {
        return i < n || rows > 0;
    }

    /** The position of the next element, without moving past it. */
    protected final long next() {
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

    /** Moves past the next element, whose position {@link #next} was asked for. */
    protected final void advance() {
        i++;
    }

    /** Returns the position of the next element, and moves past it. */
    public final long skip() {
        long at = next();
        i++;
        return at;
    }
}
