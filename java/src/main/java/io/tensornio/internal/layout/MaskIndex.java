package io.tensornio.internal.layout;

import java.util.Arrays;

/** An index that selects the positions at which BOOL data is true when the slice is made. */
public final class MaskIndex extends AxisIndex {
    private final IndexData mask;

    /**
     * Makes the index.
     *
     * @param mask of rank 1, as long as the axis; its positions are in ascending order
     */
    public MaskIndex(IndexData mask) {
        this.mask = mask;
    }

    @Override
    void checkOpen() {
        mask.checkOpen();
    }

    @Override
    AxisIndex settled(long size) {
        return fits(size) ? PositionsIndex.incl(mask.positions(size)) : this;
    }

    private boolean fits(long size) {
        checkOpen();                    // before the shape is checked
        long[] shape = mask.shape();
        return shape.length == 1 && shape[0] == size;
    }

    @Override
    void apply(Slicer slicer) {
        if (!fits(slicer.size())) {
            throw new IllegalArgumentException("a mask of shape " + Arrays.toString(mask.shape()) + " for " + slicer.axisName()
                + ": it must have rank 1 and that length");
        }
        slicer.pick(mask.positions(slicer.size()));
    }

    @Override
    public String toString() {
        return "mask(...)";
    }
}
