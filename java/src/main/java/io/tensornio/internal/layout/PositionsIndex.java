package io.tensornio.internal.layout;

import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.TensorData;
import java.util.Objects;
import java.util.function.Supplier;

/** Positions in any order, repeated ones too: a caller's list, or what data has at the time of the slice. */
public final class PositionsIndex extends AxisIndex {
    private final String name;
    private final Supplier<long[]> positions;
    /** The data after them, or null: its rank 0 drops the axis. */
    private final TensorData<?> data;

    private PositionsIndex(String name, TensorData<?> data, Supplier<long[]> positions) {
        this.name = name;
        this.data = data;
        this.positions = positions;
    }

    /**
     * A list.
     *
     * @param positions the positions; negative ones count from the end
     * @return the index
     */
    public static PositionsIndex incl(long... positions) {
        long[] own = Objects.requireNonNull(positions, "positions").clone();
        return new PositionsIndex("incl", null, () -> own);
    }

    /**
     * Data.
     *
     * @param positions of rank 0 or 1; negative ones count from the end
     * @return the index
     */
    public static PositionsIndex take(IntTensorData positions) {
        return new PositionsIndex("take", Objects.requireNonNull(positions, "positions"), () -> Positions.read(positions, "for take"));
    }

    /**
     * Data.
     *
     * @param positions of rank 0 or 1; negative ones count from the end
     * @return the index
     */
    public static PositionsIndex take(LongTensorData positions) {
        return new PositionsIndex("take", Objects.requireNonNull(positions, "positions"), () -> Positions.read(positions, "for take"));
    }

    /** The positions that were asked for, as they are now: not to be changed. */
    public long[] asked() {
        return positions.get();
    }

    /** Whether this is one position that drops its axis, of those that were asked for. */
    public boolean drops(long... asked) {
        return data != null && asked.length == 1 && data.rank() == 0;
    }

    /** The position {@code asked[n]}, for a message. */
    public String text(int n, long... asked) {
        return "position " + asked[n] + " of " + name + "(" + Positions.text(asked) + ")";
    }

    @Override
    void checkOpen() {
        if (data != null) {
            OpenCheck.check(data);
        }
    }

    @Override
    AxisIndex settled(long size) {
        if (data == null) {
            return this;
        }
        long[] asked = positions.get();
        return drops(asked) ? new AtIndex(asked[0]) : incl(asked);
    }

    @Override
    void apply(Slicer slicer) {
        long[] asked = positions.get();
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
        return name + "(" + (data == null ? Positions.text(positions.get()) : "...") + ")";
    }
}
