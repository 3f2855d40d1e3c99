package io.tensornio.internal.op;

import io.tensornio.Tensor;

/** The size of the last axis, {@code {count}}, and the {@code {epsilon}} of a normalization along it. */
public final class Normalization extends Form {
    private final long count;
    private final double epsilon;

    private Normalization(long count, double epsilon) {
        super(count, Double.doubleToLongBits(epsilon));
        this.count = count;
        this.epsilon = epsilon;
    }

    /**
     * Makes the form.
     *
     * @throws IllegalArgumentException if there is no axis, or epsilon is negative or NaN
     */
    public static Form of(Tensor<?> x, double epsilon) {
        if (!(epsilon >= 0)) {
            throw new IllegalArgumentException("epsilon is " + epsilon + ": it must be 0 or more");
        }
        return new Normalization(x.size(axis(-1, x.rank())), epsilon);
    }

    @Override
    String word(String word) {
        return "count".equals(word) ? Long.toString(count) : text(epsilon);
    }
}
