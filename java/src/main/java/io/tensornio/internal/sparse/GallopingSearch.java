package io.tensornio.internal.sparse;

import java.nio.LongBuffer;

/**
 * A cursor over {@link Sparse} entries, for one thread, that is moved by galloping search from the current entry: near
 * targets are cheap. After many far moves it searches a sample of the keys, which avoids a cache miss at each step.
 */
final class GallopingSearch {
    /** Moves over at least this many entries are far: samples are faster. */
    private static final int FAR = 1 << 8;

    private final Sparse sparse;
    /** The number of far moves so far, and whether the last one was far. */
    private int jumps;
    private boolean wasFar;
    /** The first entry at or after the current position; the number of entries if there is none. */
    int entry;
    /** The key of that entry, or {@code Long.MAX_VALUE}, and that of the previous entry, or -1. */
    long key;
    long keyBefore = -1;

    /** A cursor before the first entry. */
    GallopingSearch(Sparse sparse) {
        this.sparse = sparse;
        key = -1;           // less than any position: the first move searches
    }

    /** Moves to a position; {@code coordinates} are the coordinates of the entries. */
    void moveTo(LongBuffer coordinates, long position) {
        if (position > key) {
            if (key >= 0) {             // usually it is the next entry
                keyBefore = key;
                key = keyOf(coordinates, ++entry);
            }
            if (position > key || key < 0) {
                search(coordinates, position);
            }
        } else if (position <= keyBefore) {
            search(coordinates, position);
        }
    }

    private void search(LongBuffer coordinates, long position) {
        int before = entry;
        int near = !sparse.hasSamples(jumps) ? Integer.MAX_VALUE : wasFar ? 1 : FAR;
        entry = sparse.seek(coordinates, position, before, near);
        wasFar = Math.abs(entry - before) >= FAR;
        jumps += wasFar ? 1 : 0;
        key = keyOf(coordinates, entry);
        keyBefore = entry == 0 ? -1 : sparse.key(coordinates, entry - 1);
    }

    private long keyOf(LongBuffer coordinates, int k) {
        return k < sparse.n ? sparse.key(coordinates, k) : Long.MAX_VALUE;
    }
}
