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

    /**
     * The form of attention: {@code {value}} is 1 divided by the square root of the number of features, which are the last axis.
     *
     * @throws IllegalArgumentException if there is no axis
     */
    public static Form attention(Tensor<?> q) {
        return number(1 / Math.sqrt(q.size(axis(-1, q.rank()))));
    }

    /**
     * The form of a loss of two operands that broadcast: {@code {value}} is the number of elements.
     *
     * @throws IllegalArgumentException if they do not broadcast
     */
    public static Form count(Tensor<?> a, Tensor<?> b) {
        int rank = Math.max(a.rank(), b.rank());
        double count = 1;
        for (int d = 1; d <= rank; d++) {
            long one = d <= a.rank() ? a.size(a.rank() - d) : 1;
            long other = d <= b.rank() ? b.size(b.rank() - d) : 1;
            count *= one == 1 ? other : one;
        }
        return number(count);
    }

    @Override
    String word(String word) {
        return "count".equals(word) ? Long.toString(count) : text(epsilon);
    }
}
