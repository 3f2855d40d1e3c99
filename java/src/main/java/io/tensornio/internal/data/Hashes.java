package io.tensornio.internal.data;

/** Hashes of many elements, combined as those of lists are. */
final class Hashes {
    private Hashes() {
    }

    /** Combines a hash with {@code count} elements that have the same one, by repeated squaring of the affine map that combines one. */
    static int repeated(int before, int element, long count) {
        int hash = before;
        int factor = 31;
        int term = element;
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
