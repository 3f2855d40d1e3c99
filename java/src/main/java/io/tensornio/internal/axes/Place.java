package io.tensornio.internal.axes;

/**
 * The index of an operand on one of its axes: {@code constant + sum of factor * loop}, over the loops of the step that
 * reads it; or the element of a list at one loop, or the quotient or remainder of one loop.
 */
final class Place {
    final int[] loops;
    final long[] factors;
    final long constant;
    /** Whether indices outside of the axis read as 0. */
    final boolean guarded;
    /** The operand of the step that is the list in which the only loop is looked up, or -1. */
    final int list;
    /** The index is {@code loop / divisor % modulus}, unless the divisor is 0. */
    final long divisor;
    final long modulus;

    private Place(int[] loops, long[] factors, long constant, boolean guarded, int list, long divisor, long modulus) {
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
        return sum(new int[] {loop}, new long[] {factor}, constant, guarded);
    }

    static Place at(long constant) {
        return sum(new int[0], new long[0], constant, false);
    }

    static Place sum(int[] loops, long[] factors, long constant, boolean guarded) {
        return new Place(loops, factors, constant, guarded, -1, 0, 0);
    }

    static Place list(int loop, int operand) {
        return new Place(new int[] {loop}, new long[] {1}, 0, false, operand, 0, 0);
    }

    static Place quotient(int loop, long divisor, long modulus) {
        return new Place(new int[] {loop}, new long[] {1}, 0, false, -1, divisor, modulus);
    }

    /** Whether it is a single loop of the step. */
    boolean isLoop() {
        return loops.length == 1 && factors[0] == 1 && constant == 0 && !guarded && list < 0 && divisor == 0;
    }

    /** Places that are single loops, one for each axis. */
    static Place[] loops(int... loops) {
        Place[] places = new Place[loops.length];
        for (int n = 0; n < places.length; n++) {
            places[n] = loop(loops[n]);
        }
        return places;
    }

    /** The sum in the text of a comprehension, where loop n is named {@code in}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int n = 0; n < loops.length; n++) {
            if (factors[n] != 0) {
                term(factors[n], "i" + loops[n], text);
            }
        }
        if (constant != 0 || text.length() == 0) {
            term(constant, null, text);
        }
        return text.toString();
    }

    private static void term(long factor, String loop, StringBuilder text) {
        text.append(text.length() == 0 ? factor < 0 ? "-" : "" : factor < 0 ? " - " : " + ");
        String digits = Long.toString(factor).replace("-", "");
        text.append(loop == null ? digits : digits.equals("1") ? loop : digits + "*" + loop);
    }
}
