package io.tensornio.internal.layout;

/** One position of an axis, which is dropped. */
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

    /** The number that was asked for. */
    public long asked() {
        return i;
    }

    /** The position on an axis, or -1 if it has none such. */
    public long position(long size) {
        long at = fromEnd(i, size);
        return at >= 0 && at < size ? at : -1;
    }

    @Override
    public String toString() {
        return "at(" + i + ")";
    }
}
