package io.tensornio.compute;

import io.tensornio.DataType;
import io.tensornio.internal.compute.Cast;
import io.tensornio.internal.compute.Term;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;

/**
 * The functions of the language of {@link Comprehension}, for comprehensions that are built in Java, {@code F.relu(a.at(i))}, and for symbolic
 * tensors of graphs, element by element, {@code F.relu(x)}. Meant to be imported.
 *
 * <p>Functions of reals, such as {@link #exp}, take FLOAT and DOUBLE alone.
 */
public final class F {
    private F() {
    }

    private static Expr call(String function, Expr... arguments) {
        return call(function, Arrays.stream(arguments).map(F::term).toArray(Term[]::new));
    }

    private static Term term(Expr value) {
        return value == null ? null : value.term;
    }

    private static Expr call(String function, Term... arguments) {
        for (int n = 0; n < arguments.length; n++) {
            int which = n + 1;
            Objects.requireNonNull(arguments[n], () -> "argument " + which + " of " + function);
        }
        return new Expr(Expr.ALONE, function, Term.list("(", ")", arguments));
    }

    private static <R extends Mappable<R>> R map(String function, Mappable<R> a, Mappable<R> b) {
        return Objects.requireNonNull(a, () -> "the first argument of " + function).map(function, Collections.singletonList(b));
    }

    /**
     * The value brought within bounds, {@code min(max(x, low), high)}.
     *
     * @param x the tensor of a graph
     * @param low the lower bounds
     * @param high the upper bounds, which win
     * @param <R> the tensors of a graph
     * @return a new tensor
     * @throws IllegalArgumentException if they are of different contexts, or of known ranks of which none is 0 and that differ
     */
    public static <R extends Mappable<R>> R clip(Mappable<R> x, Mappable<R> low, Mappable<R> high) {
        return Objects.requireNonNull(x, "x").map("clip", Arrays.asList(low, high));
    }

    //#functions

    /**
     * The length of an axis as a value. It takes the type of its context, by default INT64.
     *
     * @param tensor the tensor
     * @param axis which axis, from 0 on; a negative one counts from the end
     * @return {@code size(tensor, axis)}
     */
    public static Expr size(TensorName tensor, int axis) {
        return value(Objects.requireNonNull(tensor, "tensor").size(axis));
    }

    /**
     * The length of the axis after some indices as a value. It takes the type of its context, by default INT64.
     *
     * @param tensor the tensor
     * @param indices indices of its first axes, at least one
     * @return {@code len(tensor, indices)}
     * @throws IllegalArgumentException if there are none
     */
    public static Expr len(TensorName tensor, Index... indices) {
        return value(Objects.requireNonNull(tensor, "tensor").len(indices));
    }

    private static Expr value(Bound length) {
        return new Expr(Expr.ALONE, length.term);
    }

    /**
     * A value where an index is not negative, see {@link #guard(Index, Bound, Expr)}.
     *
     * @param index an index without a look-up
     * @param value the value
     * @return {@code guard(0 <= index, value)}
     */
    public static Expr guard(Index index, Expr value) {
        return call("guard", Term.of("0 <= ", Objects.requireNonNull(index, "index").term()), term(value));
    }

    /**
     * One of two values. Both are evaluated: every element that they read must exist.
     *
     * @param condition the condition, of type BOOL
     * @param a the value where the condition is true
     * @param b the value where it is false
     * @return {@code select(condition, a, b)}
     */
    public static Expr select(Expr condition, Expr a, Expr b) {
        return call("select", condition, a, b);
    }

    /**
     * A value where an index is inside of its bounds, 0 elsewhere. Elsewhere the value is never evaluated, so that its
     * reads may be out of bounds. Guards may be nested.
     *
     * @param index an index without a look-up
     * @param bound the exclusive upper bound of the index, whose lower bound is 0
     * @param value the value
     * @return {@code guard(0 <= index < bound, value)}
     */
    public static Expr guard(Index index, Bound bound, Expr value) {
        return call("guard", inside(index, bound), term(value));
    }

    /**
     * A value where an index is inside of its bounds, see {@link #guard(Index, Bound, Expr)}.
     *
     * @param index an index without a look-up
     * @param bound the exclusive upper bound of the index, whose lower bound is 0
     * @param value the value
     * @return {@code guard(0 <= index < bound, value)}
     * @throws IllegalArgumentException if the bound is negative
     */
    public static Expr guard(Index index, long bound, Expr value) {
        return guard(index, Bound.of(bound), value);
    }

    /**
     * A value where two indices are inside of their bounds, see {@link #guard(Index, Bound, Expr)}.
     *
     * @param first an index without a look-up
     * @param firstBound its exclusive upper bound
     * @param second an index without a look-up
     * @param secondBound its exclusive upper bound
     * @param value the value
     * @return {@code guard(0 <= first < firstBound, 0 <= second < secondBound, value)}
     */
    public static Expr guard(Index first, Bound firstBound, Index second, Bound secondBound, Expr value) {
        return call("guard", inside(first, firstBound), inside(second, secondBound), term(value));
    }

    /**
     * A value where two indices are inside of their bounds, see {@link #guard(Index, Bound, Expr)}.
     *
     * @param first an index without a look-up
     * @param firstBound its exclusive upper bound
     * @param second an index without a look-up
     * @param secondBound its exclusive upper bound
     * @param value the value
     * @return {@code guard(0 <= first < firstBound, 0 <= second < secondBound, value)}
     * @throws IllegalArgumentException if a bound is negative
     */
    public static Expr guard(Index first, long firstBound, Index second, long secondBound, Expr value) {
        return guard(first, Bound.of(firstBound), second, Bound.of(secondBound), value);
    }

    /**
     * A value where several indices are inside of their bounds, see {@link #guard(Index, Bound, Expr)}.
     *
     * @param indices indices without look-ups, at least one
     * @param bounds the exclusive upper bound of each
     * @param value the value
     * @return {@code guard(0 <= indices[0] < bounds[0], 0 <= indices[1] < bounds[1], ..., value)}
     * @throws IllegalArgumentException if there is no index, or there are more or fewer bounds
     */
    public static Expr guard(Index[] indices, Bound[] bounds, Expr value) {
        int count = Objects.requireNonNull(indices, "indices").length;
        if (count == 0 || Objects.requireNonNull(bounds, "bounds").length != count) {
            throw new IllegalArgumentException("a guard of " + count + " indices with " + Objects.requireNonNull(bounds, "bounds").length
                + " bounds: there is at least one index, and a bound for each");
        }
        Term[] parts = new Term[count + 1];
        for (int n = 0; n < count; n++) {
            parts[n] = inside(indices[n], bounds[n]);
        }
        parts[count] = Objects.requireNonNull(value, "value").term;
        return call("guard", parts);
    }

    /**
     * A value where several indices are inside of their bounds, see {@link #guard(Index[], Bound[], Expr)}.
     *
     * @param indices indices without look-ups, at least one
     * @param bounds the exclusive upper bound of each
     * @param value the value
     * @return {@code guard(0 <= indices[0] < bounds[0], 0 <= indices[1] < bounds[1], ..., value)}
     * @throws IllegalArgumentException if there is no index, there are more or fewer bounds, or one is negative
     */
    public static Expr guard(Index[] indices, long[] bounds, Expr value) {
        return guard(indices, Bound.of(Objects.requireNonNull(bounds, "bounds")), value);
    }

    private static Term inside(Index index, Bound bound) {
        return Term.of("0 <= ", Objects.requireNonNull(index, "index").term(), " < ", Objects.requireNonNull(bound, "bound").term);
    }

    /**
     * The value of a loop. It takes the type of its context, by default INT64.
     *
     * @param loop the loop
     * @return the value, 0 in the first iteration
     */
    public static Expr value(LoopIndex loop) {
        return new Expr(Expr.ALONE, Objects.requireNonNull(loop, "loop").name);
    }

    /**
     * A value cast to another type. Integers wrap; floating-point numbers are truncated towards 0 and saturate, NaN
     * becomes 0; anything but 0 is true.
     *
     * @param x a value of any type
     * @param type any type but STRING; those that are stored narrow only for all that is right of {@code =}
     * @return the value in that type
     * @throws IllegalArgumentException if the type is STRING
     */
    public static Expr cast(Expr x, DataType type) {
        return call(Cast.word(type), x);
    }
}
