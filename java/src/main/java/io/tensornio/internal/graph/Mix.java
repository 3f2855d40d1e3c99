package io.tensornio.internal.graph;

/** SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): numbers that depend only on a seed. */
public final class Mix {
    private static final long INCREMENT = 0x9E3779B97F4A7C15L;

    private Mix() {
    }

    /** The number that follows a state: its increment, then the mix of its bits. */
    public static long mix(long state) {
        long z = state + INCREMENT;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** A number from 0 to below 1, for an element of a tensor. */
    public static double unit(long seed, int id, long element) {
        return (mix(mix(mix(seed) + id) + element) >>> 11) * 0x1p-53;
    }
}
