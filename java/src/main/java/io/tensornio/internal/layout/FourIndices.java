package io.tensornio.internal.layout;

import java.util.Arrays;

/** Up to four indices passed as separate arguments, so that element access allocates no array. */
public final class FourIndices {
    /** The maximum number of indices. */
    public static final int MOST = 4;

    private FourIndices() {
    }

    /** The index at {@code d}, 0 to 3. */
    public static int get(int d, int i, int j, int k, int l) {
        return d == 0 ? i : d == 1 ? j : d == 2 ? k : l;
    }

    /** The index at {@code d} in an array, 0 if the array is shorter. */
    public static int of(int[] indices, int d) {
        return d < indices.length ? indices[d] : 0;
    }

    /** The first {@code n} indices as an array, for messages. */
    public static int[] array(int n, int i, int j, int k, int l) {
        return Arrays.copyOf(new int[] {i, j, k, l}, n);
    }
}
