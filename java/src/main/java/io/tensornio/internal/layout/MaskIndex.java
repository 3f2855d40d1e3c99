package io.tensornio.internal.layout;

import io.tensornio.BooleanTensorData;
import io.tensornio.BooleanTensorIterator;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongConsumer;

/** The positions at which data is true, at the time of the slice. */
public final class MaskIndex extends AxisIndex {
    private final BooleanTensorData mask;

    /**
     * Makes the index.
     *
     * @param mask of rank 1, as long as the axis
     */
    public MaskIndex(BooleanTensorData mask) {
        this.mask = Objects.requireNonNull(mask, "mask");
    }

    @Override
    void checkOpen() {
        OpenCheck.check(mask);
    }

    @Override
    AxisIndex settled(long size) {
        return fits(size) ? PositionsIndex.incl(positions(size)) : this;
    }

    private boolean fits(long size) {
        OpenCheck.check(mask);          // before its shape
        long[] shape = mask.shape();
        return shape.length == 1 && shape[0] == size;
    }

    @Override
    void apply(Slicer slicer) {
        if (!fits(slicer.size())) {
            throw new IllegalArgumentException("a mask of shape " + Arrays.toString(mask.shape()) + " for " + slicer.axisName()
                + ": it must have rank 1 and that length");
        }
        slicer.pick(positions(slicer.size()));
    }

    private long[] positions(long size) {
        Kept kept = new Kept(size);             // not the shape, which is the caller's array
        if (!(mask instanceof TrueElements) || !((TrueElements) mask).eachTrue(kept)) {
            BooleanTensorIterator scalars = Objects.requireNonNull(mask.scalars(), "scalars() gave null");
            for (long at = 0; at < kept.size; at++) {
                if (scalars.get()) {
                    kept.accept(at);
                }
            }
        }
        return Arrays.copyOf(kept.positions, kept.count);
    }

    /** The positions so far. */
    private static final class Kept implements LongConsumer {
        final long size;
        long[] positions = new long[16];
        int count;

        Kept(long size) {
            this.size = size;
        }

        @Override
        public void accept(long at) {
            if (count == positions.length) {
                positions = Arrays.copyOf(positions, (int) Math.min(size, ArrayLength.doubled(count, Positions.count(count + 1L))));
            }
            positions[count++] = at;
        }
    }

    @Override
    public String toString() {
        return "mask(...)";
    }
}
