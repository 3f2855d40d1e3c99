package io.tensornio.internal.sparse;

import io.tensornio.internal.layout.ArrayLength;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Runs;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * Iterates over the entries of {@link Sparse} elements that a layout selects. Everything between is skipped by galloping search, on each axis: the
 * cost grows with the entries found, not with the selection. A list that does not ascend is scanned once before it is sorted and searched, too.
 *
 * <p>That is so where the axes are in the order of their strides, as entries are. Of other selections, a transposed one above all, the axes are gone
 * through in that order nevertheless, and what is found is sorted.
 */
public final class SparseSliceIterator {
    private final Sparse sparse;
    private final boolean inOrder;
    /** What goes through the axes in the order of their strides, if the selection has them in another and is to be in order; then null. */
    private SparseSliceIterator unordered;
    /** The numbers of what that has found, each with its entry, in order; null before. */
    private long[] hits;
    private int hit;
    /** The axes of more than one position, with adjacent ones merged where they can be. */
    private final int rank;
    private final long[] sizes;
    private final long[] strides;
    private final SparseIndexList[] lists;
    private final Runs[] runs;
    /** For each axis with runs, that of the position that was looked at last. */
    private final int[] run;
    /** For each axis, the lowest and highest distance that the axes after it add, and how many elements these have. */
    private final long[] lowest;
    private final long[] highest;
    private final long[] inner;
    /**
     * For each axis, the position to look at next, or its rank in a list; then the place, and the number in the selection, of the first element at
     * the positions of the axes before.
     */
    private final long[] next;
    private final long[] base;
    private final long[] first;
    /** The axis that is being looked at; -1 at the end. */
    private int axis;
    private final GallopingSearch place;
    private int entry;
    private long number = -1;

    /** Starts before the first stored element of a slice, to go through them in row-major order of the selection. */
    public SparseSliceIterator(Sparse sparse, Layout layout) {
        this(sparse, layout, true);
    }

    private SparseSliceIterator(Sparse sparse, Layout layout, boolean inOrder) {
        this.sparse = sparse;
        this.inOrder = inOrder;
        place = new GallopingSearch(sparse);
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
            } else if (count <= Integer.MAX_VALUE) {
                unordered = new SparseSliceIterator(sparse, layout, false);
            }
        }
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

    /** The stride of an axis, of a list on average. */
    private long step(int d) {
        return lists[d] == null ? Math.abs(strides[d]) : (lists[d].highest() - lists[d].lowest()) / (sizes[d] - 1);
    }

    /** Whether the steps only become smaller; those of 0 do not matter. */
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

    /** Finds all entries, and puts them into the order of their numbers. */
    private void sortEntries(LongBuffer coordinates) {
        long[] found = new long[16];
        int n = 0;
        for (int one = unordered.next(coordinates); one >= 0; one = unordered.next(coordinates)) {
            if (n == found.length) {
                found = Arrays.copyOf(found, ArrayLength.doubled(n, n + 1));
            }
            found[n++] = unordered.number << 32 | one;
        }
        hits = Arrays.copyOf(found, n);
        Arrays.sort(hits);
        unordered = null;
    }

    /** {@link #next(LongBuffer, long)} among what was sorted. */
    private int nextHit(long until) {
        if (hit == hits.length) {
            number = Long.MAX_VALUE;
            return -1;
        }
        long at = hits[hit] >>> 32;
        if (at > until) {
            number = at - 1;
            return -1;
        }
        number = at;
        return (int) hits[hit++];
    }

    /** A walk in whatever order costs least. */
    public static SparseSliceIterator inAnyOrder(Sparse sparse, Layout layout) {
        return new SparseSliceIterator(sparse, layout, false);
    }

    private boolean isStrided(int d) {
        return lists[d] == null && runs[d] == null;
    }

    /** The number, in the selection, of the element that was found last; -1 before the first. No other up to it is stored that was not found. */
    public long number() {
        return number;
    }

    /**
     * Moves on to the next element that is stored.
     *
     * @return its entry, or -1 if there is none
     */
    public int next(LongBuffer coordinates) {
        return next(coordinates, Long.MAX_VALUE);
    }

    /**
     * Moves on to the next element that is stored, in row-major order, but not much further than to some number.
     *
     * @return its entry; -1 if there was none up to {@link #number}, which is that number at least
     */
    public int next(LongBuffer coordinates, long until) {
        if (unordered != null) {
            sortEntries(coordinates);
        }
        if (hits != null) {
            return nextHit(until);
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
                next[d] = i;            // where there may be nothing
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

    /** The next position of an axis with a stride or runs that may have entries, or one beyond a bound; -1 if there is none. */
    private long stored(LongBuffer coordinates, int d, long until) {
        long i = findPosition(coordinates, d, next[d], until);
        next[d] = i + 1;
        return i < sizes[d] ? i : -1;
    }

    /**
     * The next position of an axis with a list that may have entries; -1 if there is none. If the order of the selection counts and the list does not
     * ascend, all hits are found before the first is returned.
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

    /** The first rank of a list, from one on, where {@link #findPosition} would find something. */
    private int findRank(LongBuffer coordinates, int d, int from) {
        SparseIndexList list = lists[d];
        int size = (int) sizes[d];
        for (int rank = from; rank < size; ) {
            long at = base[d] + list.ranked(rank);
            place.moveTo(coordinates, at + lowest[d]);
            entry = place.entry;
            if (entry < sparse.n && place.key <= at + highest[d]) {
                return rank;
            }
            if (!list.isSorted()) {
                rank++;
            } else if (entry == sparse.n) {
                return size;
            } else {
                rank = list.first(place.key - highest[d] - base[d], rank + 1);
            }
        }
        return size;
    }

    /**
     * The first position of an axis, from one on, where an entry lies between the lowest and the highest place of what is after it, or whose number
     * is beyond one; the size, or more, if there is none. After a close the keys may be any: each step must lead onwards, and to an entry that there
     * is.
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
            long reached;           // the distance that an element must have to lie at the entry, or after it
            if (stride < 0) {
                place.moveTo(coordinates, high + 1);
                entry = place.entry - 1;
                if (entry < 0) {
                    return size;
                }
                if (place.keyBefore >= low) {
                    return i;
                }
                steps = (low - place.keyBefore - stride - 1) / -stride;
                reached = place.keyBefore - lowest[d] - base[d];
            } else {
                place.moveTo(coordinates, low);
                entry = place.entry;
                if (entry == sparse.n) {
                    return size;
                }
                if (place.key <= high) {
                    return i;
                }
                if (stride == 0 && runs[d] == null) {
                    return size;            // all positions are one
                }
                steps = (place.key - high + stride - 1) / stride;
                reached = place.key - highest[d] - base[d];
            }
            long next = i + Math.max(1, steps);
            i = runs[d] == null || next < runs[d].end(run[d]) ? next : Math.max(i + 1, runs[d].first(reached));
        }
        return i;
    }
}
