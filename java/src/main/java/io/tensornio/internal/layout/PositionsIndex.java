package io.tensornio.internal.layout;

import java.util.Objects;

/** Positions in any order, with repetitions: a caller's list, or data that is read when the slice is made. */
public final class PositionsIndex extends AxisIndex {
    /** Null if the positions are data. */
    private final long[] list;
    /** Null if the positions are a list. Data of rank 0 drops the axis. */
    private final IndexData data;

    private PositionsIndex(long[] list, IndexData data) {
        this.list = list;
        this.data = data;
    }

    /**
     * An index with a list of positions.
     *
     * @param positions the positions; negative ones count from the end
     * @return the index
     */
    public static PositionsIndex incl(long... positions) {
        return new PositionsIndex(Objects.requireNonNull(positions, "positions").clone(), null);
    }

    /**
     * An index with positions from data.
     *
     * @param positions of rank 0 or 1; negative ones count from the end
     * @return the index
     */
    public static PositionsIndex take(IndexData positions) {
        return new PositionsIndex(null, positions);
    }

    /** The current positions, unresolved, as the caller gave them: not to be changed. */
    public long[] asked() {
        return data == null ? list : Positions.read(data, "for take");
    }

    /** Whether this is a single position that drops its axis; {@code asked} are the positions. */
    public boolean drops(long... asked) {
        return data != null && asked.length == 1 && data.shape().length == 0;
    }

    /** The position {@code asked[n]}, for a message. */
    public String text(int n, long... asked) {
        return "position " + asked[n] + " of " + name() + "(" + Positions.text(asked) + ")";
    }

    private String name() {
        return data == null ? "incl" : "take";
    }

    @Override
    void checkOpen() {
        if (data != null) {
            data.checkOpen();
        }
    }

    @Override
    AxisIndex settled(long size) {
        if (data == null) {
            return this;
        }
        long[] asked = asked();
        return drops(asked) ? new AtIndex(asked[0]) : incl(asked);
    }

    @Override
    void apply(Slicer slicer) {
        long[] asked = asked();
        long size = slicer.size();
        long[] found = new long[asked.length];
        for (int n = 0; n < found.length; n++) {
            found[n] = fromEnd(asked[n], size);
            if (found[n] < 0 || found[n] >= size) {
                throw slicer.outside(text(n, asked));
            }
        }
        if (drops(asked)) {
            slicer.drop(found[0]);
        } else {
            slicer.pick(found);
        }
    }

    @Override
    public String toString() {
        return name() + "(" + (data == null ? Positions.text(list) : "...") + ")";
    }
}
