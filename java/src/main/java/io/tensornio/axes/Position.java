package io.tensornio.axes;

import java.util.Arrays;

/** An index in the text of a comprehension: loops of one statement, each with a factor, a constant, and at most one look-up. */
final class Position {
    private final long[] factors;
    private final long constant;
    private final String lookUp;

    private Position(long[] factors, long constant, String lookUp) {
        this.factors = factors;
        this.constant = constant;
        this.lookUp = lookUp;
    }

    /** The positions that are single loops of a statement. */
    static Position[] loops(int count) {
        Position[] loops = new Position[count];
        for (int n = 0; n < count; n++) {
            long[] factors = new long[n + 1];
            factors[n] = 1;
            loops[n] = new Position(factors, 0, null);
        }
        return loops;
    }

    static Position lookUp(String text) {
        return new Position(new long[0], 0, text);
    }

    /** Substitutes positions for the loops of a place. */
    static Position of(Place place, Position... loops) {
        if (place.loops.length == 1 && place.factors[0] == 1 && place.constant == 0) {
            return loops[place.loops[0]];
        }
        long[] sum = {};
        long constant = place.constant;
        String lookUp = null;
        for (int n = 0; n < place.loops.length; n++) {
            Position one = loops[place.loops[n]];
            long factor = place.factors[n];
            sum = Arrays.copyOf(sum, Math.max(sum.length, one.factors.length));
            for (int loop = 0; loop < one.factors.length; loop++) {
                sum[loop] = Math.addExact(sum[loop], Math.multiplyExact(factor, one.factors[loop]));
            }
            constant = Math.addExact(constant, Math.multiplyExact(factor, one.constant));
            lookUp = one.lookUp == null ? lookUp : one.lookUp;
        }
        return new Position(sum, constant, lookUp);
    }

    /** The loop if this is a single one, else -1. */
    int alone() {
        int found = -1;
        for (int loop = 0; loop < factors.length; loop++) {
            if (factors[loop] != 0) {
                if (found >= 0 || factors[loop] != 1) {
                    return -1;
                }
                found = loop;
            }
        }
        return constant == 0 && lookUp == null ? found : -1;
    }

    /** Appends it to a text. */
    void write(StringBuilder text) {
        int start = text.length();
        for (int loop = 0; loop < factors.length; loop++) {
            long factor = factors[loop];
            if (factor != 0) {
                sign(text, start, factor < 0);
                if (factor != 1 && factor != -1) {
                    text.append(Long.toString(factor).replace("-", "")).append("*");
                }
                text.append('i').append(loop);
            }
        }
        if (lookUp != null) {
            sign(text, start, false);
            text.append(lookUp);
        }
        if (constant != 0 || text.length() == start) {
            sign(text, start, constant < 0);
            text.append(Long.toString(constant).replace("-", ""));
        }
    }

    private static void sign(StringBuilder text, int start, boolean negative) {
        if (text.length() == start) {
            text.append(negative ? "-" : "");
        } else {
            text.append(negative ? " - " : " + ");
        }
    }
}
