package io.tensornio.internal;

import java.util.BitSet;
import java.util.Objects;

/** All positions but some. */
public final class ExceptIndex extends AxisIndex {
    private final long[] positions;

    /**
     * Makes the index.
     *
     * @param positions those left out; negative ones count from the end
     */
    public ExceptIndex(long... positions) {
        this.positions = Objects.requireNonNull(positions, "positions").clone();
    }

    /** The positions that are left out: not to be changed. */
    long[] positions() {
        return positions;
    }

    @Override
    void apply(Slicer slicer) {
        long size = slicer.size();
        for (long position : positions) {
            long at = fromEnd(position, size);
            if (at < 0 || at >= size) {
                throw slicer.outside("position " + position + " of " + this);
            }
        }
        if (positions.length == 0) {
            slicer.keep(0, size, 1);
            return;
        }
        int n = Positions.count(size);
        BitSet out = new BitSet();
        for (long position : positions) {
            out.set((int) fromEnd(position, size));
        }
        long[] kept = new long[n - out.cardinality()];
        int count = 0;
        for (int at = out.nextClearBit(0); at < n; at = out.nextClearBit(at + 1)) {
            kept[count++] = at;
        }
        slicer.pick(kept);
    }

    @Override
    public String toString() {
        return "excl(" + Positions.text(positions) + ")";
    }
}
