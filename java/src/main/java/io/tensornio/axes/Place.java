package io.tensornio.axes;

/**
 * Where an operand is read along one of its axes: {@code constant + sum of factor * loop}, over the loops of the step that reads it; or such a
 * position looked up in a list, or the quotient and remainder of one loop.
 */
final class Place {
    final int[] loops;
    final long[] factors;
    final long constant;
    /** Outside of the axis, 0 is read. */
    final boolean guarded;
    /** Which positions the only loop's rounds stand for, or null. */
    final long[] list;
    /** The place is {@code loop / divisor % modulus}, unless the divisor is 0. */
    final long divisor;
    final long modulus;

    private Place(int[] loops, long[] factors, long constant, boolean guarded, long[] list, long divisor, long modulus) {
        this.loops = loops;
        this.factors = factors;
        this.constant = constant;
        this.guarded = guarded;
        this.list = list;
        this.divisor = divisor;
        this.modulus = modulus;
    }

    static Place loop(int loop) {
        return affine(loop, 1, 0, false);
    }

    static Place affine(int loop, long factor, long constant, boolean guarded) {
        return new Place(new int[] {loop}, new long[] {factor}, constant, guarded, null, 0, 0);
    }

    static Place at(long constant) {
        return new Place(new int[0], new long[0], constant, false, null, 0, 0);
    }

    static Place sum(int[] loops, long[] factors, long constant, boolean guarded) {
        return new Place(loops, factors, constant, guarded, null, 0, 0);
    }

    static Place list(int loop, long... list) {
        return new Place(new int[] {loop}, new long[] {1}, 0, false, list, 0, 0);
    }

    static Place quotient(int loop, long divisor, long modulus) {
        return new Place(new int[] {loop}, new long[] {1}, 0, false, null, divisor, modulus);
    }

    /** Whether it is one loop of the step, as it is. */
    boolean isLoop() {
        return loops.length == 1 && factors[0] == 1 && constant == 0 && !guarded && !isLookUp();
    }

    boolean isLookUp() {
        return list != null || divisor != 0;
    }

    /** Places that are loops, one for each axis. */
    static Place[] loops(int... loops) {
        Place[] places = new Place[loops.length];
        for (int n = 0; n < places.length; n++) {
            places[n] = loop(loops[n]);
        }
        return places;
    }
}
