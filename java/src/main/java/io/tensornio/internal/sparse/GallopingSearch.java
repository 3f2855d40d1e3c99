package io.tensornio.internal.sparse;

import java.nio.LongBuffer;

/**
 * A place among {@link Sparse} elements that one thread moves: what is near costs little, all else a search that begins here; after many moves that
 * went far, one among samples, which does not wait for memory at each step.
 */
public final class GallopingSearch {
    /** Samples are quicker from so many entries on. */
    private static final int FAR = 1 << 8;

    private final Sparse sparse;
    /** How many moves went far, and whether the last one did. */
    private int jumps;
    private boolean wasFar;
    /** The first entry that is stored at the place or after it; the number of all if there is none. */
    public int entry;
    /** The key of that entry, or the highest number, and that of the entry before, or -1. */
    public long key;
    long keyBefore = -1;

    /** A place before the first stored element. */
    public GallopingSearch(Sparse sparse) {
        this.sparse = sparse;
        key = -1;           // less than any place: the first move looks
    }

    /** Moves to a position; {@code coordinates} are the coordinates of the entries. */
    public void moveTo(LongBuffer coordinates, long place) {
        if (place > key) {
            if (key >= 0) {             // mostly it is the next entry
                keyBefore = key;
                key = keyOf(coordinates, ++entry);
            }
            if (place > key || key < 0) {
                search(coordinates, place);
            }
        } else if (place <= keyBefore) {
            search(coordinates, place);
        }
    }

    private void search(LongBuffer coordinates, long place) {
        int before = entry;
        int near = !sparse.hasSamples(jumps) ? Integer.MAX_VALUE : wasFar ? 1 : FAR;
        entry = sparse.seek(coordinates, place, before, near);
        wasFar = Math.abs(entry - before) >= FAR;
        jumps += wasFar ? 1 : 0;
        key = keyOf(coordinates, entry);
        keyBefore = entry == 0 ? -1 : sparse.key(coordinates, entry - 1);
    }

    private long keyOf(LongBuffer coordinates, int k) {
        return k < sparse.n ? sparse.key(coordinates, k) : Long.MAX_VALUE;
    }
}
