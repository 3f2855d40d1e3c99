package io.tensornio.internal.layout;

import java.util.Arrays;

/** Up to four indices that are passed as numbers, since an array would be a new one for each element. */
public final class FourIndices {
    /** As many can be passed. */
    public static final int MOST = 4;

    private FourIndices() {
    }

    /** The index at {@code d}, 0 to 3. */
    public static int get(int d, int i, int j, int k, int l) {
        return d == 0 ? i : d == 1 ? j : d == 2 ? k : l;
    }

    /** The index at {@code d} in an array, 0 if that has none there. */
    public static int of(int[] indices, int d) {
        return d < indices.length ? indices[d] : 0;
    }

    /** The first {@code n} in an array, for messages. */
    public static int[] array(int n, int i, int j, int k, int l) {
        return Arrays.copyOf(new int[] {i, j, k, l}, n);
    }
}
