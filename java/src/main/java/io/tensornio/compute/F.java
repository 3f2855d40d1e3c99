package io.tensornio.compute;

import io.tensornio.DataType;
import io.tensornio.internal.compute.Cast;
import java.util.Objects;

/**
 * The functions of the language of {@link Comprehension}, for comprehensions that are built in Java. Meant to be imported: {@code F.relu(a.at(i))}.
 *
 * <p>Functions of reals, such as {@link #exp}, take FLOAT and DOUBLE alone.
 */
public class F {
    /** For classes that add functions. */
    protected F() {
    }

    private static Expr call(String function, Term... arguments) {
        Object[] checked = new Object[arguments.length];
        for (int n = 0; n < arguments.length; n++) {
            int which = n + 1;
            checked[n] = Objects.requireNonNull(arguments[n], () -> "argument " + which + " of " + function);
        }
        return new Compound(Expr.ALONE, function, Terms.list("(", ")", checked));
    }

    /**
     * The absolute value, for numbers of any type.
     *
     * @param x the argument
     * @return {@code abs(x)}
     */
    public static Expr abs(Expr x) {
        return call("abs", x);
    }

    /**
     * The square root.
     *
     * @param x the argument
     * @return {@code sqrt(x)}
     */
    public static Expr sqrt(Expr x) {
        return call("sqrt", x);
    }

    /**
     * The exponential function.
     *
     * @param x the argument
     * @return {@code exp(x)}
     */
    public static Expr exp(Expr x) {
        return call("exp", x);
    }

    /**
     * The natural logarithm.
     *
     * @param x the argument
     * @return {@code log(x)}
     */
    public static Expr log(Expr x) {
        return call("log", x);
    }

    /**
     * The sine of an angle in radians.
     *
     * @param x the argument
     * @return {@code sin(x)}
     */
    public static Expr sin(Expr x) {
        return call("sin", x);
    }

    /**
     * The cosine of an angle in radians.
     *
     * @param x the argument
     * @return {@code cos(x)}
     */
    public static Expr cos(Expr x) {
        return call("cos", x);
    }

    /**
     * The hyperbolic tangent.
     *
     * @param x the argument
     * @return {@code tanh(x)}
     */
    public static Expr tanh(Expr x) {
        return call("tanh", x);
    }

    /**
     * The logistic function {@code 1 / (1 + exp(-x))}.
     *
     * @param x the argument
     * @return {@code sigmoid(x)}
     */
    public static Expr sigmoid(Expr x) {
        return call("sigmoid", x);
    }

    /**
     * The positive part: the value if it is positive, else 0; NaN is propagated. For numbers of any type.
     *
     * @param x the argument
     * @return {@code relu(x)}
     */
    public static Expr relu(Expr x) {
        return call("relu", x);
    }

    /**
     * The error function.
     *
     * @param x the argument
     * @return {@code erf(x)}
     */
    public static Expr erf(Expr x) {
        return call("erf", x);
    }

    /**
     * The greatest integral value that is not greater; for integers the value itself.
     *
     * @param x the argument
     * @return {@code floor(x)}
     */
    public static Expr floor(Expr x) {
        return call("floor", x);
    }

    /**
     * The lowest integral value that is not less; for integers the value itself.
     *
     * @param x the argument
     * @return {@code ceil(x)}
     */
    public static Expr ceil(Expr x) {
        return call("ceil", x);
    }

    /**
     * The nearest integral value, the even one of a tie; for integers the value itself.
     *
     * @param x the argument
     * @return {@code round(x)}
     */
    public static Expr round(Expr x) {
        return call("round", x);
    }

    /**
     * -1, 0 or 1, as the value is negative, 0 or positive; NaN is propagated. For numbers of any type.
     *
     * @param x the argument
     * @return {@code sign(x)}
     */
    public static Expr sign(Expr x) {
        return call("sign", x);
    }

    /**
     * The greater of two values; NaN if one is.
     *
     * @param a a value
     * @param b another
     * @return {@code max(a, b)}
     */
    public static Expr max(Expr a, Expr b) {
        return call("max", a, b);
    }

    /**
     * The lesser of two values; NaN if one is.
     *
     * @param a a value
     * @param b another
     * @return {@code min(a, b)}
     */
    public static Expr min(Expr a, Expr b) {
        return call("min", a, b);
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
        return call("guard", inside(index, bound), value);
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
        return call("guard", inside(first, firstBound), inside(second, secondBound), value);
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
        parts[count] = Objects.requireNonNull(value, "value");
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
        return new Terms("0 <= ", Objects.requireNonNull(index, "index"), " < ", Objects.requireNonNull(bound, "bound"));
    }

    /**
     * The value of a loop. It takes the type of its context, by default INT64.
     *
     * @param loop the loop
     * @return the value, 0 in the first iteration
     */
    public static Expr value(LoopIndex loop) {
        return new Compound(Expr.ALONE, Objects.requireNonNull(loop, "loop"));
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
