package io.tensornio.internal.layout;

import java.util.Arrays;

/**
 * The positions of an axis as a few runs with a common stride: what remains of many positions if some are excluded.
 * Distances are ascending or descending throughout. Immutable.
 */
public final class Runs {
    private final long size;
    private final long stride;
    /** The first index of each run. */
    private final long[] starts;
    /** For each run, the distance added to {@code i * stride}. */
    private final long[] bases;

    private Runs(long size, long stride, long[] starts, long[] bases) {
        this.size = size;
        this.stride = stride;
        this.starts = starts;
        this.bases = bases;
    }

    /** A strided axis as one run. */
    static Runs of(long size, long stride) {
        return new Runs(size, stride, new long[] {0}, new long[] {0});
    }

    /** The number of runs. */
    public int count() {
        return starts.length;
    }

    /** The number of positions. */
    long size() {
        return size;
    }

    /** The stride of all runs. */
    public long stride() {
        return stride;
    }

    /** The distance that one of the runs adds to {@code i * stride()}. */
    public long base(int run) {
        return bases[run];
    }

    /** The index after the last of a run. */
    public long end(int run) {
        return run + 1 < starts.length ? starts[run + 1] : size;
    }

    /** The run that contains an index, by binary search. */
    public int run(long i) {
        int found = Arrays.binarySearch(starts, i);
        return found < 0 ? -found - 2 : found;
    }

    /** The run that contains an index; tries {@code near} and the next one first. */
    public int run(long i, int near) {
        if (i >= starts[near]) {
            if (i < end(near)) {
                return near;
            }
            if (near + 1 < starts.length && i < end(near + 1)) {
                return near + 1;
            }
        }
        return run(i);
    }

    /** The distance from the offset of the layout for a valid index. */
    public long distance(long i) {
        return bases[run(i)] + i * stride;
    }

    /**
     * The first index whose distance is not before the given one, in the direction of the stride; the size if there is
     * none. The stride is not 0; the distance may be any.
     */
    public long first(long distance) {
        int low = 0;
        int high = starts.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            long last = bases[middle] + (end(middle) - 1) * stride;
            if (stride > 0 ? last < distance : last > distance) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == starts.length) {
            return size;
        }
        long start = starts[low];
        long to = distance - (bases[low] + start * stride);
        boolean isReached = stride > 0 ? bases[low] + start * stride >= distance : bases[low] + start * stride <= distance;
        return isReached ? start : start - Math.floorDiv(-to, stride);
    }

    /** Selects valid indices: for each {@code n}, {@code counts[n]} indices from {@code firsts[n]} on, with the given step. */
    Runs pick(long step, long[] firsts, long... counts) {
        long[] newStarts = new long[firsts.length];
        long[] newBases = new long[firsts.length];
        int runs = 0;
        long n = 0;
        for (int p = 0; p < firsts.length; p++) {
            for (long k = 0; k < counts[p]; ) {
                long at = firsts[p] + k * step;
                int run = run(at);
                long base = bases[run] + (at - n * step) * stride;
                if (runs == 0 || newBases[runs - 1] != base) {
                    if (runs == newStarts.length) {
                        newStarts = Arrays.copyOf(newStarts, 2 * runs);
                        newBases = Arrays.copyOf(newBases, 2 * runs);
                    }
                    newStarts[runs] = n;
                    newBases[runs++] = base;
                }
                long more = 1 + (step > 0 ? (end(run) - 1 - at) / step : (at - starts[run]) / -step);
                long taken = Math.min(more, counts[p] - k);
                k += taken;
                n += taken;
            }
        }
        return new Runs(n, step * stride, Arrays.copyOf(newStarts, runs), Arrays.copyOf(newBases, runs));
    }

    /** The distances of all positions. */
    long[] list() {
        long[] list = new long[Positions.count(size)];
        for (int run = 0, i = 0; run < starts.length; run++) {
            for (; i < end(run); i++) {
                list[i] = bases[run] + i * stride;
            }
        }
        return list;
    }
}
