package io.tensornio.internal;

import java.nio.LongBuffer;

/** The stored elements that are not 0 among those that a layout selects of {@link FloatSparse}, one after the other. */
final class FloatSparseEntries {
    private final FloatSparse sparse;
    private final SparseWalk walk;
    private final long total;
    private final LongBuffer coordinates;
    private float value;

    FloatSparseEntries(FloatSparse sparse, Layout layout) {
        this.sparse = sparse;
        walk = new SparseWalk(sparse, layout);
        total = layout.totalSize();
        coordinates = sparse.open();
    }

    /** Moves on to the next element other than 0, if there is one. */
    boolean next() {
        for (int entry = walk.next(coordinates); entry >= 0; entry = walk.next(coordinates)) {
            value = sparse.stored().read(entry);
            if (!FloatElement.equal(value, FloatElement.ZERO)) {
                return true;
            }
        }
        return false;
    }

    /** The number of the element in the selection. */
    long number() {
        return walk.number();
    }

    float value() {
        return value;
    }

    /** Whether two selections of the same shape, neither of which has moved, have equal elements. */
    static boolean equal(FloatSparseEntries a, FloatSparseEntries b) {
        while (a.next()) {
            if (!b.next() || a.number() != b.number() || !FloatElement.equal(a.value, b.value)) {
                return false;
            }
        }
        return !b.next();
    }

    /** The hash that grows out of another one by all elements, if this has not moved. */
    int hash(int before) {
        int hash = before;
        long at = 0;
        while (next()) {
            hash = 31 * zeros(hash, number() - at) + FloatElement.hash(value);
            at = number() + 1;
        }
        return zeros(hash, total - at);
    }

    /** The hash after so many more zeros: the function that adds one is squared for each bit of their number. */
    private static int zeros(int before, long count) {
        int hash = before;
        int factor = 31;
        int term = FloatElement.hash(FloatElement.ZERO);
        for (long rest = count; rest > 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                hash = factor * hash + term;
            }
            term = factor * term + term;
            factor *= factor;
        }
        return hash;
    }
}
