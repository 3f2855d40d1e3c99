package io.tensornio.internal.axes;

import io.tensornio.internal.compute.Affine;

/**
 * The index of an operand on one of its axes: an affine index over the loops of the step that reads it, by their numbers; or the element of a list at
 * one loop, or the quotient or remainder of one loop.
 */
final class Place {
    /** Places that are single loops; most are. */
    private static final Place[] LOOPS = new Place[16];

    static {
        for (int loop = 0; loop < LOOPS.length; loop++) {
            LOOPS[loop] = new Place(loop, Affine.of((Object) loop), false, -1, 0, 0);
        }
    }

    /** The first loop. */
    final int loop;
    final Affine index;
    /** Whether indices outside of the axis read as 0. */
    final boolean guarded;
    /** The operand of the step that is the list in which the only loop is looked up, or -1. */
    final int list;
    /** The index is {@code loop / divisor % modulus}, unless the divisor is 0. */
    final long divisor;
    final long modulus;

    private Place(int loop, Affine index, boolean guarded, int list, long divisor, long modulus) {
        this.loop = loop;
        this.index = index;
        this.guarded = guarded;
        this.list = list;
        this.divisor = divisor;
        this.modulus = modulus;
    }

    static Place loop(int loop) {
        return loop < LOOPS.length ? LOOPS[loop] : new Place(loop, Affine.of((Object) loop), false, -1, 0, 0);
    }

    static Place affine(int loop, long factor, long constant, boolean guarded) {
        return sum(new int[] {loop}, new long[] {factor}, constant, guarded);
    }

    static Place at(long constant) {
        return sum(new int[0], new long[0], constant, false);
    }

    static Place sum(int[] loops, long[] factors, long constant, boolean guarded) {
        Affine sum = Affine.of(constant);
        for (int n = 0; n < loops.length; n++) {
            sum = sum.plus(Affine.of((Object) loops[n]).times(factors[n]));
        }
        return new Place(loops.length == 0 ? -1 : loops[0], sum, guarded, -1, 0, 0);
    }

    static Place list(int loop, int operand) {
        return new Place(loop, Affine.of((Object) loop), false, operand, 0, 0);
    }

    static Place quotient(int loop, long divisor, long modulus) {
        return new Place(loop, Affine.of((Object) loop), false, -1, divisor, modulus);
    }

    /** Whether it is a single loop of the step. */
    boolean isLoop() {
        return loop >= 0 && loop < LOOPS.length && this == LOOPS[loop];
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
