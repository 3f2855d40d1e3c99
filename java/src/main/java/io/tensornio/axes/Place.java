package io.tensornio.axes;

/**
 * The index of an operand on one of its axes: {@code constant + sum of factor * loop}, over the loops of the step that
 * reads it; or such an index looked up in a list, or the quotient or remainder of one loop.
 */
final class Place {
    final int[] loops;
    final long[] factors;
    final long constant;
    /** Whether indices outside of the axis read as 0. */
    final boolean guarded;
    /** The list in which the value of the only loop is looked up, or null. */
    final long[] list;
    /** The index is {@code loop / divisor % modulus}, unless the divisor is 0. */
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

    /** Whether it is a single loop of the step. */
    boolean isLoop() {
        return loops.length == 1 && factors[0] == 1 && constant == 0 && !guarded && !isLookUp();
    }

    boolean isLookUp() {
        return list != null || divisor != 0;
    }

    /** Places that are single loops, one for each axis. */
    static Place[] loops(int... loops) {
        Place[] places = new Place[loops.length];
        for (int n = 0; n < places.length; n++) {
            places[n] = loop(loops[n]);
        }
        return places;
    }
}
