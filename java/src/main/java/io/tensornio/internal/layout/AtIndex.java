package io.tensornio.internal.layout;

/** An index that selects one position and drops the axis. */
public final class AtIndex extends AxisIndex {
    private final long i;

    /**
     * Makes the index.
     *
     * @param i the position; negative ones count from the end
     */
    public AtIndex(long i) {
        this.i = i;
    }

    @Override
    void apply(Slicer slicer) {
        long at = position(slicer.size());
        if (at < 0) {
            throw slicer.outside(this);
        }
        slicer.drop(at);
    }

    /** The position as the caller gave it: negative ones count from the end. */
    public long asked() {
        return i;
    }

    /** The position on an axis of the given size, or -1 if it is outside. */
    public long position(long size) {
        long at = fromEnd(i, size);
        return at >= 0 && at < size ? at : -1;
    }

    @Override
    public String toString() {
        return "at(" + i + ")";
    }
}
