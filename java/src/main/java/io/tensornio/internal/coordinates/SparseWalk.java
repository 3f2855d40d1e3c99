package io.tensornio.internal.coordinates;

import io.tensornio.internal.layout.Layout;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * Walks through the stored ones among the elements that a layout selects of {@link Sparse} ones, in row-major order of the selection. What lies
 * between is leapt over, on each axis at once where the axis has a stride: the cost is that of the entries found, and of a few more.
 */
public final class SparseWalk {
    private final Sparse sparse;
    /** The axes of more than one position, of which those that follow each other without gaps are one. */
    private final int rank;
    private final long[] sizes;
    private final long[] strides;
    private final long[][] lists;
    /** For each axis, the lowest and highest distance that the axes behind it add, and how many elements these have. */
    private final long[] lowest;
    private final long[] highest;
    private final long[] inner;
    /**
     * For each axis, the position to look at next; then the place, and the number in the selection, of the first element at the positions of the
     * axes before.
     */
    private final long[] next;
    private final long[] base;
    private final long[] first;
    /** The axis that is being looked at; -1 at the end. */
    private int axis;
    private final SparsePlace place;
    private int entry;
    private long number;

    /** Starts before the first stored element of a slice. */
    public SparseWalk(Sparse sparse, Layout layout) {
        this.sparse = sparse;
        place = new SparsePlace(sparse);
        int all = layout.rank();
        sizes = new long[all];
        strides = new long[all];
        lists = new long[all][];
        long offset = layout.offset();
        boolean isEmpty = sparse.n == 0;
        int axes = 0;
        for (int d = 0; d < all; d++) {
            long size = layout.size(d);
            isEmpty |= size == 0;
            if (size == 1) {
                offset += layout.distance(d, 0);
            } else if (axes > 0 && layout.list(d) == null && lists[axes - 1] == null && strides[axes - 1] == layout.stride(d) * size) {
                sizes[axes - 1] *= size;
                strides[axes - 1] = layout.stride(d);
            } else {
                sizes[axes] = size;
                strides[axes] = layout.stride(d);
                lists[axes++] = layout.list(d);
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
        long low = 0;
        long high = 0;
        for (int d = rank - 1; d >= 0 && !isEmpty; d--) {
            inner[d] = count;
            lowest[d] = low;
            highest[d] = high;
            count *= sizes[d];
            low += lists[d] == null ? Math.min(0, (sizes[d] - 1) * strides[d]) : Arrays.stream(lists[d]).min().getAsLong();
            high += lists[d] == null ? Math.max(0, (sizes[d] - 1) * strides[d]) : Arrays.stream(lists[d]).max().getAsLong();
        }
    }

    /** The number, in the selection, of the element that {@link #next} has found. */
    public long number() {
        return number;
    }

    /**
     * Moves on to the next element that is stored.
     *
     * @return its entry, or -1 if there is none
     */
    public int next(LongBuffer coordinates) {
        if (rank == 0) {
            int found = axis < 0 ? -1 : sparse.find(coordinates, base[0]);
            axis = -1;
            return found;
        }
        while (axis >= 0) {
            int d = axis;
            long i = stored(coordinates, d, next[d]);
            if (i >= sizes[d]) {
                axis--;
                continue;
            }
            next[d] = i + 1;
            if (d == rank - 1) {
                number = first[d] + i;
                return entry;
            }
            base[d + 1] = base[d] + distance(d, i);
            first[d + 1] = first[d] + i * inner[d];
            next[d + 1] = 0;
            axis++;
        }
        return -1;
    }

    private long distance(int d, long i) {
        return lists[d] == null ? i * strides[d] : lists[d][(int) i];
    }

    /**
     * The first position of an axis, from one on, where an entry lies between the lowest and the highest place of what is behind it; the size if
     * there is none. After a close the keys may be any: each step must lead onwards, and to an entry that there is.
     */
    private long stored(LongBuffer coordinates, int d, long from) {
        long size = sizes[d];
        long stride = lists[d] == null ? strides[d] : 0;
        for (long i = from; i < size; ) {
            long at = base[d] + distance(d, i);
            long low = at + lowest[d];
            long high = at + highest[d];
            long steps;
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
            } else {
                place.moveTo(coordinates, low);
                entry = place.entry;
                if (entry == sparse.n && stride > 0) {
                    return size;
                }
                if (entry < sparse.n && place.key <= high) {
                    return i;
                }
                steps = stride == 0 ? 1 : (place.key - high + stride - 1) / stride;
            }
            i += Math.max(1, steps);
        }
        return size;
    }
}
