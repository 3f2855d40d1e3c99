package io.tensornio.internal.layout;

/** The maximum length of an array, and the growth of arrays. */
public final class ArrayLength {
    /** The longest array that every JVM can allocate: some reserve a few of the 2^31 - 1 elements for the header. */
    public static final int MOST = Integer.MAX_VALUE - 8;

    private ArrayLength() {
    }

    /**
     * The length of the array that replaces a full one: twice as long.
     *
     * @param length the length of the full array
     * @param needed the required length, at most {@link #MOST}: the caller checks this, and throws the exception
     * @return twice the length, at most {@link #MOST}, and at least {@code needed}
     */
    public static int doubled(int length, int needed) {
        return (int) Math.max(needed, Math.min(2L * length, MOST));
    }
}
