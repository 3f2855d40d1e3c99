package io.tensornio.internal.compute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An affine index: the sum of loops and lengths of axes with non-zero coefficients, a constant, and at most one look-up. Loops are {@link Name}s in
 * comprehensions that users build, numbers in the steps of expressions with named axes; lengths are {@link Term}s. Immutable.
 */
public final class Affine {
    /** {@code ...}, which is no part of a sum. */
    public static final Affine REST = new Affine(new Object[0], new long[0], 0, Term.of("..."));

    /** The loops, then the lengths. */
    private final Object[] terms;
    private final long[] coefficients;
    private final long constant;
    private final Term lookUp;

    private Affine(Object[] terms, long[] coefficients, long constant, Term lookUp) {
        this.terms = terms;
        this.coefficients = coefficients;
        this.constant = constant;
        this.lookUp = lookUp;
    }

    /** A constant. */
    public static Affine of(long constant) {
        return new Affine(new Object[0], new long[0], constant, null);
    }

    /** A loop, or the length of an axis. */
    public static Affine of(Object term) {
        return new Affine(new Object[] {term}, new long[] {1}, 0, null);
    }

    /** The element of a tensor. */
    public static Affine lookUp(Term access) {
        return new Affine(new Object[0], new long[0], 0, access);
    }

    /** The number of loops and lengths. */
    public int count() {
        return terms.length;
    }

    /** A loop or length, by its number. */
    public Object term(int n) {
        return terms[n];
    }

    /** The coefficient of a loop or length, by the number of that. */
    public long coefficient(int n) {
        return coefficients[n];
    }

    /** The constant summand. */
    public long constant() {
        return constant;
    }

    /**
     * The sum.
     *
     * @throws IllegalArgumentException if both have a look-up, one is {@link #REST}, or a coefficient does not fit a {@code long}
     */
    public Affine plus(Affine other) {
        refuseRest();
        other.refuseRest();
        if (lookUp != null && other.lookUp != null) {
            throw new IllegalArgumentException("(" + this + ") + (" + other + "): an index has at most one look-up");
        }
        List<Object> sum = new ArrayList<>(Arrays.asList(terms));
        long[] factors = Arrays.copyOf(coefficients, terms.length + other.terms.length);
        for (int n = 0; n < other.terms.length; n++) {
            int at = sum.indexOf(other.terms[n]);
            if (at < 0) {
                at = sum.size();
                sum.add(other.terms[n]);
            }
            factors[at] = exact(factors[at], other.coefficients[n], other, false);
        }
        return cleared(sum, factors, exact(constant, other.constant, other, false), lookUp != null ? lookUp : other.lookUp);
    }

    /**
     * The product with a number.
     *
     * @throws IllegalArgumentException if this has a look-up and the factor is not 1, is {@link #REST}, or a coefficient does not fit a {@code long}
     */
    public Affine times(long factor) {
        refuseRest();
        if (lookUp != null && factor != 1) {
            throw new IllegalArgumentException("(" + this + ") * " + factor + ": a look-up has the coefficient 1");
        }
        long[] factors = new long[terms.length];
        for (int n = 0; n < factors.length; n++) {
            factors[n] = exact(coefficients[n], factor, this, true);
        }
        return cleared(Arrays.asList(terms), factors, exact(constant, factor, this, true), lookUp);
    }

    private void refuseRest() {
        if (this == REST) {
            throw new IllegalArgumentException("... stands for any number of indices, alone in brackets: it is no part of a sum");
        }
    }

    /** A sum without terms whose coefficient is 0, loops first. */
    private static Affine cleared(List<Object> terms, long[] coefficients, long constant, Term lookUp) {
        Object[] cleared = new Object[terms.size()];
        long[] factors = new long[cleared.length];
        int count = 0;
        for (boolean isLength : new boolean[] {false, true}) {
            for (int n = 0; n < cleared.length; n++) {
                if (coefficients[n] != 0 && terms.get(n) instanceof Term == isLength) {
                    cleared[count] = terms.get(n);
                    factors[count++] = coefficients[n];
                }
            }
        }
        return new Affine(Arrays.copyOf(cleared, count), Arrays.copyOf(factors, count), constant, lookUp);
    }

    private static long exact(long a, long b, Affine in, boolean isProduct) {
        try {
            return isProduct ? Math.multiplyExact(a, b) : Math.addExact(a, b);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(a + (isProduct ? " * " : " + ") + b + " in the index " + in + " does not fit 64 bits", e);
        }
    }

    /** The sum as it is written. */
    public Term term() {
        List<Object> parts = new ArrayList<>();
        for (int n = 0; n < terms.length; n++) {
            sign(parts, coefficients[n] < 0);
            if (Math.abs(coefficients[n]) != 1) {
                parts.add(digits(coefficients[n]) + "*");
            }
            parts.add(terms[n] instanceof Integer ? "i" + terms[n] : terms[n]);
        }
        if (lookUp != null) {
            sign(parts, false);
            parts.add(lookUp);
        }
        if (constant != 0 || parts.isEmpty()) {
            sign(parts, constant < 0);
            parts.add(digits(constant));
        }
        return Term.of(parts.toArray());
    }

    private static void sign(List<Object> parts, boolean isMinus) {
        if (isMinus || !parts.isEmpty()) {
            parts.add(parts.isEmpty() ? "-" : isMinus ? " - " : " + ");
        }
    }

    /** The magnitude, without a sign. */
    private static String digits(long number) {
        return Long.toString(number).replace("-", "");
    }

    @Override
    public String toString() {
        return term().toString();
    }
}
