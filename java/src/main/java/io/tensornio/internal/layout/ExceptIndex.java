package io.tensornio.internal.layout;

import java.util.Arrays;
import java.util.Objects;

/** All positions except some. */
public final class ExceptIndex extends AxisIndex {
    private final long[] positions;

    /**
     * Makes the index.
     *
     * @param positions the excluded positions; negative ones count from the end
     */
    public ExceptIndex(long... positions) {
        this.positions = Objects.requireNonNull(positions, "positions").clone();
    }

    /** The excluded positions: not to be changed. */
    public long[] positions() {
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
        long[] out = sorted(size);
        long rest = size - out.length;
        int leading = 0;
        while (leading < out.length && out[leading] == leading) {
            leading++;
        }
        if (leading == out.length || out[leading] == leading + rest) {
            slicer.keep(rest == 0 ? 0 : leading, rest, 1);      // contiguous: needs no list
            return;
        }
        if (slicer.prefersPieces(rest, out.length + 1L)) {
            keepPieces(slicer, size, out);
            return;
        }
        long[] kept = list(rest, size);
        int count = 0;
        long at = 0;
        for (int n = 0; n <= out.length; n++) {
            for (long end = n < out.length ? out[n] : size; at < end; at++) {
                kept[count++] = at;
            }
            at++;
        }
        slicer.pick(kept);
    }

    /** Keeps the runs before, between and after the excluded positions. */
    private static void keepPieces(Slicer slicer, long size, long... out) {
        long[] firsts = new long[out.length + 1];
        long[] counts = new long[out.length + 1];
        for (int n = 0; n <= out.length; n++) {
            firsts[n] = n > 0 ? out[n - 1] + 1 : 0;
            counts[n] = (n < out.length ? out[n] : size) - firsts[n];
        }
        slicer.keepPieces(firsts, counts);
    }

    private long[] list(long rest, long size) {
        if (rest <= ArrayLength.MOST) {
            try {
                return new long[(int) rest];
            } catch (OutOfMemoryError e) {
                OutOfMemoryError error = tooLong(rest, size, "the Java heap has no room for it");
                error.initCause(e);
                throw error;
            }
        }
        throw tooLong(rest, size, "an index can have " + ArrayLength.MOST);
    }

    private OutOfMemoryError tooLong(long rest, long size, String why) {
        return new OutOfMemoryError(this + " of an axis of size " + size + " is a list of " + rest + " positions; " + why);
    }

    /** The excluded positions, sorted, without duplicates, counted from the start. */
    private long[] sorted(long size) {
        return Arrays.stream(positions).map(position -> fromEnd(position, size)).sorted().distinct().toArray();
    }

    @Override
    public String toString() {
        return "excl(" + Positions.text(positions) + ")";
    }
}
