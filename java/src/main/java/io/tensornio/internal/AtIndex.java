package io.tensornio.internal;

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
        long size = slicer.size();
        long at = fromEnd(i, size);
        if (at < 0 || at >= size) {
            throw slicer.outside(this);
        }
        slicer.drop(at);
    }

    @Override
    public String toString() {
        return "at(" + i + ")";
    }
}
