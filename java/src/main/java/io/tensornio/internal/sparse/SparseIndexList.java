package io.tensornio.internal.sparse;

import java.util.Arrays;

/**
 * The list of positions of an axis, over which a {@link SparseSliceIterator} iterates once for each index of the preceding axes. An ascending list is
 * searched. Any other is scanned the first time, which is cheaper than sorting it, and sorted for further iterations.
 */
final class SparseIndexList {
    /** The distances of all positions. */
    private final long[] list;
    /** The distances in ascending order; null if not sorted yet. */
    private long[] sorted;
    /** The index of each of these in the list; null if the list itself is ascending. */
    private int[] order;
    private boolean wasBegun;
    private long lowest = Long.MAX_VALUE;
    private long highest = Long.MIN_VALUE;
    /** The indices with an entry, each packed with the entry into one number that sorts by index. */
    private long[] hits = {};
    private int count;

    /** Keeps the list, of at least one distance. */
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

    /** The distance of an index. */
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

    /** A stable sort of the distances. */
    private void sort() {
        int n = list.length;
        order = new int[n];
        sorted = list.clone();
        Arrays.sort(sorted);
        int[] used = new int[n];        // for each first of equal distances, the number of these already placed
        for (int i = 0; i < n; i++) {
            int first = first(list[i], 0);
            order[first + used[first]++] = i;
        }
    }

    /** Whether the list is sorted, so that distances ascend with the rank. */
    boolean isSorted() {
        return sorted != null;
    }

    /** Whether sorting has changed the order. */
    boolean isPermuted() {
        return order != null;
    }

    /** The distance with a rank in the current order. */
    long ranked(int rank) {
        return (sorted == null ? list : sorted)[rank];
    }

    /** The index in the list with a rank. */
    int position(int rank) {
        return order == null ? rank : order[rank];
    }

    /** The first rank, from {@code from} on, with at least the given distance, if the list is sorted; the length if there is none. */
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

    // ---- Hits ------------------------------------------------------------------------------------------------------

    /** Removes all hits. */
    void clearHits() {
        count = 0;
    }

    /** Adds a hit, at most one for each rank. */
    void addHit(int rank, int entry) {
        if (count == hits.length) {
            hits = Arrays.copyOf(hits, (int) Math.min(list.length, Math.max(16, 2L * count)));
        }
        hits[count++] = (long) position(rank) << 32 | entry;
    }

    /** Sorts the hits by index in the list. */
    void sortHits() {
        Arrays.sort(hits, 0, count);
    }

    /** The number of hits. */
    int hits() {
        return count;
    }

    /** The index of a hit in the list. */
    int hitPosition(int n) {
        return (int) (hits[n] >>> 32);
    }

    /** The entry of a hit. */
    int hitEntry(int n) {
        return (int) hits[n];
    }
}
