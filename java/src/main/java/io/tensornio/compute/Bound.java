package io.tensornio.compute;

import io.tensornio.internal.compute.Term;
import java.util.Objects;

/**
 * The end of a loop's range, of an axis of an output, or of a guard: an integer, or the length of an axis of a tensor, see {@link TensorName#size}.
 */
public final class Bound {
    /** {@code ...} in the shape of a target: the lengths of the axes that its left side does not name. */
    public static final Bound REST = new Bound("...");

    final Term term;

    /** Of strings, names and terms. */
    Bound(Object... parts) {
        term = Term.of(parts);
    }

    /**
     * An integer as a bound.
     *
     * @param length the number, not negative
     * @return the bound
     * @throws IllegalArgumentException if it is negative
     */
    public static Bound of(long length) {
        if (length < 0) {
            throw new IllegalArgumentException("a bound of " + length + ": a length is not negative");
        }
        return new Bound(Long.toString(length));
    }

    /**
     * A bound that depends on other loops, or on the length of a row, such as {@code i + 1}.
     *
     * @param bound an integer by way of loops and lengths
     * @return the bound
     */
    public static Bound of(Index bound) {
        return new Bound(Objects.requireNonNull(bound, "bound").term());
    }

    static Bound[] of(long... lengths) {
        Bound[] bounds = new Bound[lengths.length];
        for (int d = 0; d < lengths.length; d++) {
            bounds[d] = of(lengths[d]);
        }
        return bounds;
    }

    /**
     * The text in the language of {@link Comprehension}, with the original names of tensors and loops.
     *
     * @return the text
     */
    @Override
    public final String toString() {
        return term.toString();
    }
}
