package io.tensornio.compute;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sum of loops and lengths of axes with non-zero coefficients, a constant, and at most one look-up. */
final class Affine extends Index {
    private final Map<LoopIndex, Long> coefficients = new LinkedHashMap<>();
    private final Map<Bound, Long> lengths = new LinkedHashMap<>();
    private long constant;
    private LookUp lookUp;

    Affine(long constant) {
        this.constant = constant;
    }

    Affine(LoopIndex loop) {
        coefficients.put(loop, 1L);
    }

    Affine(Bound length) {
        lengths.put(length, 1L);
    }

    Affine(LookUp lookUp) {
        this.lookUp = lookUp;
    }

    @Override
    Affine affine() {
        return this;
    }

    Affine plus(Affine other) {
        if (lookUp != null && other.lookUp != null) {
            throw new IllegalArgumentException("(" + this + ") + (" + other + "): an index has at most one look-up");
        }
        Affine sum = new Affine(exact(constant, other.constant, other, false));
        sum.lookUp = lookUp != null ? lookUp : other.lookUp;
        add(sum.coefficients, coefficients, 1, other);
        add(sum.coefficients, other.coefficients, 1, other);
        add(sum.lengths, lengths, 1, other);
        add(sum.lengths, other.lengths, 1, other);
        return sum;
    }

    Affine multiplied(long factor) {
        if (lookUp != null && factor != 1) {
            throw new IllegalArgumentException("(" + this + ") * " + factor + ": a look-up has the coefficient 1");
        }
        Affine product = new Affine(exact(constant, factor, this, true));
        product.lookUp = lookUp;
        add(product.coefficients, coefficients, factor, this);
        add(product.lengths, lengths, factor, this);
        return product;
    }

    /** Adds multiples of terms. */
    private static <T> void add(Map<T, Long> to, Map<T, Long> terms, long factor, Index in) {
        for (Map.Entry<T, Long> term : terms.entrySet()) {
            Long before = to.get(term.getKey());
            long coefficient = exact(before == null ? 0 : before, exact(term.getValue(), factor, in, true), in, false);
            if (coefficient == 0) {
                to.remove(term.getKey());
            } else {
                to.put(term.getKey(), coefficient);
            }
        }
    }

    private static long exact(long a, long b, Index in, boolean isProduct) {
        try {
            return isProduct ? Math.multiplyExact(a, b) : Math.addExact(a, b);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(a + (isProduct ? " * " : " + ") + b + " in the index " + in + " does not fit 64 bits", e);
        }
    }

    @Override
    Object[] parts() {
        List<Object> parts = new ArrayList<>();
        write(coefficients, parts);
        write(lengths, parts);
        if (lookUp != null) {
            sign(parts, false);
            parts.add(lookUp);
        }
        if (constant != 0 || parts.isEmpty()) {
            sign(parts, constant < 0);
            parts.add(digits(constant));
        }
        return parts.toArray();
    }

    private static void write(Map<? extends Term, Long> terms, List<Object> parts) {
        for (Map.Entry<? extends Term, Long> term : terms.entrySet()) {
            sign(parts, term.getValue() < 0);
            if (Math.abs(term.getValue()) != 1) {
                parts.add(digits(term.getValue()) + "*");
            }
            parts.add(term.getKey());
        }
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
}
