package io.tensornio.compute;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sum of loops with non-zero coefficients, a constant, and at most one look-up. */
final class Affine extends Index {
    private final Map<LoopIndex, Long> coefficients = new LinkedHashMap<>();
    private long constant;
    private LookUp lookUp;

    Affine(long constant) {
        this.constant = constant;
    }

    Affine(LoopIndex loop) {
        coefficients.put(loop, 1L);
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
        sum.coefficients.putAll(coefficients);
        for (Map.Entry<LoopIndex, Long> term : other.coefficients.entrySet()) {
            Long before = sum.coefficients.get(term.getKey());
            sum.put(term.getKey(), exact(before == null ? 0 : before, term.getValue(), other, false));
        }
        return sum;
    }

    Affine multiplied(long factor) {
        if (lookUp != null && factor != 1) {
            throw new IllegalArgumentException("(" + this + ") * " + factor + ": a look-up has the coefficient 1");
        }
        Affine product = new Affine(exact(constant, factor, this, true));
        product.lookUp = lookUp;
        for (Map.Entry<LoopIndex, Long> term : coefficients.entrySet()) {
            product.put(term.getKey(), exact(term.getValue(), factor, this, true));
        }
        return product;
    }

    private void put(LoopIndex loop, long coefficient) {
        if (coefficient == 0) {
            coefficients.remove(loop);
        } else {
            coefficients.put(loop, coefficient);
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
        for (Map.Entry<LoopIndex, Long> term : coefficients.entrySet()) {
            sign(parts, term.getValue() < 0);
            if (Math.abs(term.getValue()) != 1) {
                parts.add(digits(term.getValue()) + "*");
            }
            parts.add(term.getKey());
        }
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
