package io.tensornio.internal.layout;

/** Equidistant positions: all indices that only change the offset, size and stride of their axis. */
public final class RangeIndex extends AxisIndex {
    /** All positions. */
    public static final RangeIndex ALL = new RangeIndex(Form.EVERY, 0, 0, 1);
    /** All positions, in reverse. */
    public static final RangeIndex FLIP = new RangeIndex(Form.FLIP, 0, 0, -1);

    private enum Form { RANGE, EVERY, FLIP, FROM, TO }

    private final Form form;
    private final long start;
    private final long end;
    private final long step;

    private RangeIndex(Form form, long start, long end, long step) {
        this.form = form;
        this.start = start;
        this.end = end;
        this.step = step;
    }

    /**
     * The positions from {@code start} towards {@code end}, which is not included.
     *
     * @param start the first position; negative ones count from the end
     * @param end the first position that is not included; negative ones count from the end
     * @param step the distance between two positions, not 0
     */
    public RangeIndex(long start, long end, long step) {
        this(Form.RANGE, start, end, step);
    }

    /**
     * Every {@code step}-th position from {@code start} on; none if the axis ends before it.
     *
     * @param start the first position, not negative
     * @param step the distance, at least 1
     * @return the index
     */
    public static RangeIndex everyNth(long start, long step) {
        return new RangeIndex(Form.EVERY, start, 0, step);
    }

    /**
     * The positions from {@code start} on.
     *
     * @param start the first position; negative ones count from the end
     * @return the index
     */
    public static RangeIndex from(long start) {
        return new RangeIndex(Form.FROM, start, 0, 1);
    }

    /**
     * The positions before {@code end}.
     *
     * @param end the first position that is not included; negative ones count from the end
     * @return the index
     */
    public static RangeIndex to(long end) {
        return new RangeIndex(Form.TO, 0, end, 1);
    }

    @Override
    void apply(Slicer slicer) {
        long size = slicer.size();
        long count = count(size);
        if (count < 0) {
            throw slicer.outside(this);
        }
        // Without positions the offset, and with fewer than two the stride, could be out of bounds or overflow.
        slicer.keep(count == 0 ? 0 : first(size), count, count > 1 ? step : 1);
    }

    /** The first selected position of an axis of the given size. */
    public long first(long size) {
        return form == Form.FLIP ? size - 1 : fromEnd(start, size);
    }

    /** The number of selected positions of an axis of the given size, or -1 if the range is out of bounds. */
    public long count(long size) {
        switch (form) {
            case EVERY:
                return count(Math.max(size - start, 0), step);
            case FLIP:
                return size;
            case FROM:
                return inside(size - fromEnd(start, size), size);
            case TO:
                return inside(fromEnd(end, size), size);
            default:
                return between(fromEnd(start, size), fromEnd(end, size), size);
        }
    }

    /** The first selected position of a row, with both ends clamped to it. */
    public long cutFirst(long size) {
        switch (form) {
            case EVERY:
                return start;
            case FLIP:
                return size - 1;
            default:
                long first = fromEnd(start, size);
                return step > 0 ? Math.max(first, 0) : Math.min(first, size - 1);
        }
    }

    /** The number of selected positions of a row, with both ends clamped to it. */
    public long cutCount(long size) {
        long distance = step == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(step);
        switch (form) {
            case EVERY:
                return count(Math.max(size - start, 0), step);
            case FLIP:
                return size;
            case FROM:
                return Math.max(size - cutFirst(size), 0);
            default:
                long to = fromEnd(end, size);
                if (isEmpty(fromEnd(start, size), to)) {
                    return 0;
                }
                long length = step > 0 ? Math.min(to, size) - cutFirst(size) : cutFirst(size) - Math.max(to, -1);
                return count(Math.max(length, 0), distance);
        }
    }

    /** The step between consecutive positions. */
    public long step() {
        return step;
    }

    private static long inside(long count, long size) {
        return count >= 0 && count <= size ? count : -1;
    }

    /** Whether the range is empty, wherever its ends lie, as in NumPy. */
    private boolean isEmpty(long from, long to) {
        return step > 0 ? from >= to : from <= to;
    }

    private long between(long from, long to, long size) {
        if (isEmpty(from, to)) {
            return 0;
        }
        boolean inside = step > 0 ? from >= 0 && to <= size : from < size && to >= 0;
        if (!inside) {
            return -1;
        }
        // -Long.MIN_VALUE overflows; so large a step visits only one position anyway.
        long distance = step > 0 ? step : step == Long.MIN_VALUE ? Long.MAX_VALUE : -step;
        return count(Math.abs(to - from), distance);
    }

    /** How many multiples of {@code step} lie in 0 to {@code length - 1}. */
    private static long count(long length, long step) {
        return length == 0 ? 0 : (length - 1) / step + 1;
    }

    @Override
    public String toString() {
        switch (form) {
            case FLIP:
                return "flip()";
            case EVERY:
                return start != 0 ? "odd()" : step == 1 ? "all()" : "step(" + step + ")";
            case FROM:
                return "from(" + start + ")";
            case TO:
                return "to(" + end + ")";
            default:
                return "range(" + start + ", " + end + (step == 1 ? ")" : ", " + step + ")");
        }
    }
}
