package io.tensornio.compute;

import io.tensornio.internal.compute.Affine;
import io.tensornio.internal.compute.Term;
import java.util.Objects;

/**
 * An index in brackets: an affine expression of loops with integer coefficients, such as {@code 2*y + r - 1}, plus at most one look-up. Immutable;
 * made from {@link LoopIndex}, {@link #of(long)} and {@link TensorName#index}.
 */
public class Index {
    /**
     * {@code ...} in brackets: an index for each axis that the access does not name, once in each. In sums it is refused.
     */
    public static final Index REST = new Index(Affine.REST);

    private final Affine affine;

    Index(Affine affine) {
        this.affine = affine;
    }

    /** The index as it is written. */
    final Term term() {
        return affine.term();
    }

    /**
     * A constant position.
     *
     * @param position the position
     * @return the index
     */
    public static Index of(long position) {
        return new Index(Affine.of(position));
    }

    /**
     * The length of an axis as a position or an offset, as in {@code h[size(h, 0) - 1]}. It determines no range of a loop.
     *
     * @param length the length, by {@link TensorName#size} or {@link TensorName#len}
     * @return the index
     */
    public static Index of(Bound length) {
        return new Index(Affine.of(Objects.requireNonNull(length, "length").term));
    }

    /**
     * The sum.
     *
     * @param other the other summand
     * @return {@code this + other}
     * @throws IllegalArgumentException if both have a look-up, or a coefficient does not fit a {@code long}
     */
    public final Index plus(Index other) {
        return new Index(affine.plus(Objects.requireNonNull(other, "other").affine));
    }

    /**
     * The sum with a number.
     *
     * @param constant the other summand
     * @return {@code this + constant}
     * @throws IllegalArgumentException if the constant part does not fit a {@code long}
     */
    public final Index plus(long constant) {
        return plus(of(constant));
    }

    /**
     * The difference.
     *
     * @param other the subtrahend
     * @return {@code this - other}
     * @throws IllegalArgumentException if the other has a look-up, or a coefficient does not fit a {@code long}
     */
    public final Index minus(Index other) {
        return new Index(affine.plus(Objects.requireNonNull(other, "other").affine.times(-1)));
    }

    /**
     * The difference to a number.
     *
     * @param constant the subtrahend
     * @return {@code this - constant}
     * @throws IllegalArgumentException if the constant part does not fit a {@code long}
     */
    public final Index minus(long constant) {
        return minus(of(constant));
    }

    /**
     * The product with a number.
     *
     * @param factor the factor of all coefficients and the constant
     * @return {@code factor * this}
     * @throws IllegalArgumentException if this has a look-up and the factor is not 1, or a coefficient does not fit a {@code long}
     */
    public final Index times(long factor) {
        return new Index(affine.times(factor));
    }

    /**
     * The text in the language of {@link Comprehension}, with the original names of tensors and loops.
     *
     * @return the text
     */
    @Override
    public final String toString() {
        return affine.toString();
    }
}
