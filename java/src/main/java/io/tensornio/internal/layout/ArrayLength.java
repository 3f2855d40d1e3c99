package io.tensornio.internal.layout;

/** The longest arrays, and the lengths of arrays that grow. */
public final class ArrayLength {
    /** The longest array that every JVM makes: some need a few of the 2^31 - 1 for the header, and refuse the last ones whatever the heap has. */
    public static final int MOST = Integer.MAX_VALUE - 8;

    private ArrayLength() {
    }

    /**
     * The length of an array that takes the place of a full one.
     *
     * @param length that of the full one
     * @param needed the least that will do, at most {@link #MOST}: callers check, since they know what to say
     * @return twice the length as long as arrays can have that, and never less than needed
     */
    public static int doubled(int length, int needed) {
        return (int) Math.max(needed, Math.min(2L * length, MOST));
    }
}
