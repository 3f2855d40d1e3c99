package io.tensornio.internal.sparse;

import io.tensornio.internal.layout.ArrayLength;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Runs;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * Iterates over the entries of {@link Sparse} elements that a layout selects. Gaps are skipped by galloping search on each axis: the cost grows with
 * the entries found, not with the size of the selection. A list that is not ascending is scanned once, and then sorted and searched.
 *
 * <p>This requires axes with descending strides, the order of the entries. Other selections, such as transposed ones,
 * are iterated in that order nevertheless, and the entries found are sorted.
 */
public final class SparseSliceIterator {
    private final Sparse sparse;
    private final Layout layout;
    private final boolean inOrder;
    /** Iterates with descending strides, if the selection has another order and is to be in row-major order; null once its entries are sorted. */
    private SparseSliceIterator unordered;
    /** The numbers of what that has found, in order, each with its entry if one number has room for both; null before. */
    private long[] hits;
    private final boolean hasEntries;
    private int hit;
    /** The number of axes of more than one index, with adjacent ones merged if possible. */
    private final int rank;
    private final long[] sizes;
    private final long[] strides;
    private final SparseIndexList[] lists;
    private final Runs[] runs;
    /** For each axis with runs, the current run. */
    private final int[] run;
    /** For each axis, the lowest and highest distance that the axes after it add, and their number of elements. */
    private final long[] lowest;
    private final long[] highest;
    private final long[] inner;
    /**
     * For each axis, the next index, or its rank in a list; then the position, and the number in the selection, of the
     * first element at the current indices of the preceding axes.
     */
    private final long[] next;
    private final long[] base;
    private final long[] first;
    /** The current axis; -1 at the end. */
    private int axis;
    private final GallopingSearch cursor;
    private int entry;
    private long number = -1;

    /** Starts before the first entry of a slice; entries are returned in row-major order of the selection. */
    public SparseSliceIterator(Sparse sparse, Layout layout) {
        this(sparse, layout, true);
    }

    private SparseSliceIterator(Sparse sparse, Layout layout, boolean inOrder) {
        this.sparse = sparse;
        this.layout = layout;
        this.inOrder = inOrder;
        cursor = new GallopingSearch(sparse);
        int all = layout.rank();
        sizes = new long[all];
        strides = new long[all];
        lists = new SparseIndexList[all];
        runs = new Runs[all];
        run = new int[all];
        long offset = layout.offset();
        boolean isEmpty = sparse.n == 0;
        int axes = 0;
        for (int d = 0; d < all; d++) {
            long size = layout.size(d);
            isEmpty |= size == 0;
            if (size == 1) {
                offset += layout.distance(d, 0);
            } else if (axes > 0 && isStrided(axes - 1) && layout.list(d) == null && layout.runs(d) == null
                && strides[axes - 1] == layout.stride(d) * size) {
                sizes[axes - 1] *= size;
                strides[axes - 1] = layout.stride(d);
            } else {
                sizes[axes] = size;
                lists[axes] = size == 0 || layout.list(d) == null ? null : new SparseIndexList(layout.list(d));
                runs[axes] = layout.runs(d);
                strides[axes] = runs[axes] == null ? layout.stride(d) : runs[axes].stride();
                axes++;
            }
        }
        rank = axes;
        lowest = new long[rank];
        highest = new long[rank];
        inner = new long[rank];
        next = new long[rank];
        base = new long[rank + 1];
        first = new long[rank + 1];
        base[0] = offset;
        axis = isEmpty ? -1 : 0;
        long count = 1;
        for (int d = rank - 1; d >= 0; d--) {
            inner[d] = count;
            count *= sizes[d];
        }
        if (!isEmpty && !isInOrderOfStrides()) {
            if (!inOrder) {
                sortAxes();
            } else if (count <= Integer.MAX_VALUE || !isRepeated()) {
                unordered = new SparseSliceIterator(sparse, layout, false);
            }
        }
        hasEntries = count <= Integer.MAX_VALUE;
        long low = 0;
        long high = 0;
        for (int d = rank - 1; d >= 0 && !isEmpty; d--) {
            lowest[d] = low;
            highest[d] = high;
            long begin = distance(d, 0);
            long end = distance(d, sizes[d] - 1);
            low += lists[d] == null ? Math.min(begin, end) : lists[d].lowest();
            high += lists[d] == null ? Math.max(begin, end) : lists[d].highest();
        }
    }

    /** The stride of an axis; for a list the average. */
    private long step(int d) {
        return lists[d] == null ? Math.abs(strides[d]) : (lists[d].highest() - lists[d].lowest()) / (sizes[d] - 1);
    }

    /** Whether the strides, other than 0, are descending. */
    private boolean isInOrderOfStrides() {
        long last = Long.MAX_VALUE;
        for (int d = 0; d < rank; d++) {
            long step = step(d);
            if (step > last) {
                return false;
            }
            last = step == 0 ? last : step;
        }
        return true;
    }

    /** Whether each entry is found as often as an axis is long. */
    private boolean isRepeated() {
        for (int d = 0; d < rank; d++) {
            if (step(d) == 0) {
                return true;
            }
        }
        return false;
    }

    /** Puts the axes with the longest steps first; the numbers of elements stay what they are. */
    private void sortAxes() {
        for (int d = 1; d < rank; d++) {
            for (int k = d; k > 0 && step(k) > step(k - 1); k--) {
                swap(sizes, k);
                swap(strides, k);
                swap(inner, k);
                SparseIndexList list = lists[k];
                lists[k] = lists[k - 1];
                lists[k - 1] = list;
                Runs some = runs[k];
                runs[k] = runs[k - 1];
                runs[k - 1] = some;
            }
        }
    }

    private static void swap(long[] array, int k) {
        long value = array[k];
        array[k] = array[k - 1];
        array[k - 1] = value;
    }

    /** Finds all entries, and sorts them by number in the selection. */
    private void sortEntries(LongBuffer coordinates) {
        long[] found = new long[16];
        int n = 0;
        for (int one = unordered.next(coordinates); one >= 0; one = unordered.next(coordinates)) {
            if (n == found.length) {
                found = Arrays.copyOf(found, ArrayLength.doubled(n, n + 1));
            }
            found[n++] = hasEntries ? unordered.number << 32 | one : unordered.number;
        }
        hits = Arrays.copyOf(found, n);
        Arrays.sort(hits);
        unordered = null;
    }

    /** {@link #next(LongBuffer, long)} among what was sorted. */
    private int nextHit(LongBuffer coordinates, long until) {
        if (hit == hits.length) {
            number = Long.MAX_VALUE;
            return -1;
        }
        long at = hasEntries ? hits[hit] >>> 32 : hits[hit];
        if (at > until) {
            number = at - 1;
            return -1;
        }
        number = at;
        long found = hits[hit++];
        return hasEntries ? (int) found : sparse.find(coordinates, place(at));
    }

    /** Where the element of a number is. */
    private long place(long element) {
        long at = layout.offset();
        long rest = element;
        for (int d = layout.rank() - 1; d >= 0; d--) {
            at += layout.distance(d, rest % layout.size(d));
            rest /= layout.size(d);
        }
        return at;
    }

    /** An iterator in the cheapest order. */
    public static SparseSliceIterator inAnyOrder(Sparse sparse, Layout layout) {
        return new SparseSliceIterator(sparse, layout, false);
    }

    private boolean isStrided(int d) {
        return lists[d] == null && runs[d] == null;
    }

    /** The row-major number in the selection of the last entry found; -1 before the first. All entries up to it were found. */
    public long number() {
        return number;
    }

    /**
     * Advances to the next entry.
     *
     * @return the entry, or -1 if there is none
     */
    public int next(LongBuffer coordinates) {
        return next(coordinates, Long.MAX_VALUE);
    }

    /**
     * Advances to the next entry in row-major order, but not much further than to a number in the selection.
     *
     * @return the entry; -1 if there was none up to {@link #number}, which is at least {@code until}
     */
    public int next(LongBuffer coordinates, long until) {
        if (unordered != null) {
            sortEntries(coordinates);
        }
        if (hits != null) {
            return nextHit(coordinates, until);
        }
        if (rank == 0) {
            int found = axis < 0 ? -1 : sparse.find(coordinates, base[0]);
            number = axis < 0 ? Long.MAX_VALUE : 0;
            axis = -1;
            return found;
        }
        while (axis >= 0) {
            int d = axis;
            long i = lists[d] == null ? stored(coordinates, d, until) : listed(coordinates, d);
            if (i < 0) {
                axis--;
                continue;
            }
            long at = first[d] + i * inner[d];
            if (at > until && lists[d] == null) {
                next[d] = i;            // there may be no entry
                number = at - 1;
                return -1;
            }
            if (d == rank - 1) {
                number = at;
                return entry;
            }
            base[d + 1] = base[d] + distance(d, i);
            first[d + 1] = at;
            next[d + 1] = 0;
            axis++;
            if (at > until) {
                number = at - 1;
                return -1;
            }
        }
        number = Long.MAX_VALUE;
        return -1;
    }

    private long distance(int d, long i) {
        if (runs[d] != null) {
            run[d] = runs[d].run(i, run[d]);
            return runs[d].base(run[d]) + i * strides[d];
        }
        return lists[d] == null ? i * strides[d] : lists[d].distance(i);
    }

    /** The next index of a strided axis, or one with runs, that may have entries, or one beyond a bound; -1 if there is none. */
    private long stored(LongBuffer coordinates, int d, long until) {
        long i = findPosition(coordinates, d, next[d], until);
        next[d] = i + 1;
        return i < sizes[d] ? i : -1;
    }

    /**
     * The next index of an axis with a list that may have entries; -1 if there is none. If the selection is iterated in
     * order and the list is not ascending, all hits are found before the first is returned.
     */
    private long listed(LongBuffer coordinates, int d) {
        SparseIndexList list = lists[d];
        if (next[d] == 0) {
            list.begin();
            if (inOrder && list.isPermuted()) {
                list.clearHits();
                for (int rank = findRank(coordinates, d, 0); rank < sizes[d]; rank = findRank(coordinates, d, rank + 1)) {
                    list.addHit(rank, entry);
                }
                list.sortHits();
            }
        }
        if (inOrder && list.isPermuted()) {
            int hit = (int) next[d]++;
            if (hit == list.hits()) {
                return -1;
            }
            entry = list.hitEntry(hit);
            return list.hitPosition(hit);
        }
        int rank = findRank(coordinates, d, (int) next[d]);
        next[d] = rank + 1L;
        return rank < sizes[d] ? list.position(rank) : -1;
    }

    /** Like {@link #findPosition} for the ranks of a list. */
    private int findRank(LongBuffer coordinates, int d, int from) {
        SparseIndexList list = lists[d];
        int size = (int) sizes[d];
        for (int rank = from; rank < size; ) {
            long at = base[d] + list.ranked(rank);
            cursor.moveTo(coordinates, at + lowest[d]);
            entry = cursor.entry;
            if (entry < sparse.n && cursor.key <= at + highest[d]) {
                return rank;
            }
            if (!list.isSorted()) {
                rank++;
            } else if (entry == sparse.n) {
                return size;
            } else {
                rank = list.first(cursor.key - highest[d] - base[d], rank + 1);
            }
        }
        return size;
    }

    /**
     * The first index of an axis, starting at {@code from}, for which an entry lies between the lowest and the highest
     * position of the axes after it, or whose number is beyond {@code until}; the size, or more, if there is none.
     * During a close the keys may be arbitrary: each step must advance, and stay within the entries.
     */
    private long findPosition(LongBuffer coordinates, int d, long from, long until) {
        long size = sizes[d];
        long stride = strides[d];
        long i = from;
        while (i < size && first[d] + i * inner[d] <= until) {
            long at = base[d] + distance(d, i);
            long low = at + lowest[d];
            long high = at + highest[d];
            long steps;
            long reached;           // the distance needed to reach the entry
            if (stride < 0) {
                cursor.moveTo(coordinates, high + 1);
                entry = cursor.entry - 1;
                if (entry < 0) {
                    return size;
                }
                if (cursor.keyBefore >= low) {
                    return i;
                }
                steps = (low - cursor.keyBefore - stride - 1) / -stride;
                reached = cursor.keyBefore - lowest[d] - base[d];
            } else {
                cursor.moveTo(coordinates, low);
                entry = cursor.entry;
                if (entry == sparse.n) {
                    return size;
                }
                if (cursor.key <= high) {
                    return i;
                }
                if (stride == 0 && runs[d] == null) {
                    return size;            // all indices have one position
                }
                steps = (cursor.key - high + stride - 1) / stride;
                reached = cursor.key - highest[d] - base[d];
            }
            long next = i + Math.max(1, steps);
            i = runs[d] == null || next < runs[d].end(run[d]) ? next : Math.max(i + 1, runs[d].first(reached));
        }
        return i;
    }
}
