package io.tensornio.internal.sparse;

import java.util.Arrays;

/**
 * The index list of an axis, over which a {@link SparseSliceIterator} iterates again for each index of the axes before it. A list that ascends is
 * searched. Any other is scanned the first time, which costs no more than to sort it, and is sorted from then on.
 */
final class SparseIndexList {
    /** The distances of all positions. */
    private final long[] list;
    /** The distances in ascending order; null as long as they are in no order. */
    private long[] sorted;
    /** The position of each of these; null if they are in the order of their positions. */
    private int[] order;
    private boolean wasBegun;
    private long lowest = Long.MAX_VALUE;
    private long highest = Long.MIN_VALUE;
    /** The positions where something was found, each with an entry, as one number: so they are sorted by position. */
    private long[] hits = {};
    private int count;

    /** A list of at least one distance, which is not changed. */
    SparseIndexList(long... list) {
        this.list = list;
        boolean ascends = true;
        for (long distance : list) {
            ascends &= distance >= highest;
            lowest = Math.min(lowest, distance);
            highest = Math.max(highest, distance);
        }
        sorted = ascends ? list : null;
    }

    /** The lowest distance. */
    long lowest() {
        return lowest;
    }

    /** The highest distance. */
    long highest() {
        return highest;
    }

    /** The distance of a position. */
    long distance(long i) {
        return list[(int) i];
    }

    /** Announces an iteration over the list. */
    void begin() {
        if (wasBegun && sorted == null) {
            sort();
        }
        wasBegun = true;
    }

    /** Equal distances stay in the order of their positions. */
    private void sort() {
        int n = list.length;
        order = new int[n];
        sorted = list.clone();
        Arrays.sort(sorted);
        int[] used = new int[n];        // of each distance that comes first among equal ones, how many of these have their place
        for (int i = 0; i < n; i++) {
            int first = first(list[i], 0);
            order[first + used[first]++] = i;
        }
    }

    /** Whether the distances ascend from rank to rank. */
    boolean isSorted() {
        return sorted != null;
    }

    /** Whether that is another order than that of the positions. */
    boolean isPermuted() {
        return order != null;
    }

    /** The distance of a rank, of which there are as many as positions. */
    long ranked(int rank) {
        return (sorted == null ? list : sorted)[rank];
    }

    /** The position of a rank. */
    int position(int rank) {
        return order == null ? rank : order[rank];
    }

    /** The first rank from one on that is at a distance or after it, if the list is sorted; the number of all if there is none. */
    int first(long distance, int from) {
        int low = from;
        int step = 1;
        while (step <= sorted.length - low && sorted[low + step - 1] < distance) {
            low += step;
            step = Math.min(2 * step, 1 << 30);
        }
        int high = (int) Math.min(low + step - 1L, sorted.length);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < distance) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    // ---- What was found --------------------------------------------------------------------------------------------

    /** Forgets all hits. */
    void clearHits() {
        count = 0;
    }

    /** Keeps a hit; no rank has two. */
    void addHit(int rank, int entry) {
        if (count == hits.length) {
            hits = Arrays.copyOf(hits, (int) Math.min(list.length, Math.max(16, 2L * count)));
        }
        hits[count++] = (long) position(rank) << 32 | entry;
    }

    /** Puts the hits in the order of their positions. */
    void sortHits() {
        Arrays.sort(hits, 0, count);
    }

    /** How many hits there are. */
    int hits() {
        return count;
    }

    /** The position of a hit. */
    int hitPosition(int n) {
        return (int) (hits[n] >>> 32);
    }

    /** The entry of a hit. */
    int hitEntry(int n) {
        return (int) hits[n];
    }
}
