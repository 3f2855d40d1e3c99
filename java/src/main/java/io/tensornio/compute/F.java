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
     * {@code log(1 + x)}, precise near 0.
     *
     * @param x the argument
     * @return {@code log1p(x)}
     */
    public static Expr log1p(Expr x) {
        return call("log1p", x);
    }

    /**
     * {@code exp(x) - 1}, precise near 0.
     *
     * @param x the argument
     * @return {@code expm1(x)}
     */
    public static Expr expm1(Expr x) {
        return call("expm1", x);
    }

    /**
     * The logarithm to base 2.
     *
     * @param x the argument
     * @return {@code log2(x)}
     */
    public static Expr log2(Expr x) {
        return call("log2", x);
    }

    /**
     * 2 to the power of the value.
     *
     * @param x the argument
     * @return {@code exp2(x)}
     */
    public static Expr exp2(Expr x) {
        return call("exp2", x);
    }

    /**
     * The reciprocal of the square root.
     *
     * @param x the argument
     * @return {@code rsqrt(x)}
     */
    public static Expr rsqrt(Expr x) {
        return call("rsqrt", x);
    }

    /**
     * {@code 1 / x}.
     *
     * @param x the argument
     * @return {@code reciprocal(x)}
     */
    public static Expr reciprocal(Expr x) {
        return call("reciprocal", x);
    }

    /**
     * The product with itself, for numbers of any type.
     *
     * @param x the argument
     * @return {@code square(x)}
     */
    public static Expr square(Expr x) {
        return call("square", x);
    }

    /**
     * The integral part, for numbers of any type.
     *
     * @param x the argument
     * @return {@code trunc(x)}
     */
    public static Expr trunc(Expr x) {
        return call("trunc", x);
    }

    /**
     * The tangent of an angle in radians.
     *
     * @param x the argument
     * @return {@code tan(x)}
     */
    public static Expr tan(Expr x) {
        return call("tan", x);
    }

    /**
     * The inverse sine, in radians.
     *
     * @param x the argument
     * @return {@code asin(x)}
     */
    public static Expr asin(Expr x) {
        return call("asin", x);
    }

    /**
     * The inverse cosine, in radians.
     *
     * @param x the argument
     * @return {@code acos(x)}
     */
    public static Expr acos(Expr x) {
        return call("acos", x);
    }

    /**
     * The inverse tangent, in radians.
     *
     * @param x the argument
     * @return {@code atan(x)}
     */
    public static Expr atan(Expr x) {
        return call("atan", x);
    }

    /**
     * The hyperbolic sine.
     *
     * @param x the argument
     * @return {@code sinh(x)}
     */
    public static Expr sinh(Expr x) {
        return call("sinh", x);
    }

    /**
     * The hyperbolic cosine.
     *
     * @param x the argument
     * @return {@code cosh(x)}
     */
    public static Expr cosh(Expr x) {
        return call("cosh", x);
    }

    /**
     * The inverse hyperbolic sine.
     *
     * @param x the argument
     * @return {@code asinh(x)}
     */
    public static Expr asinh(Expr x) {
        return call("asinh", x);
    }

    /**
     * The inverse hyperbolic cosine.
     *
     * @param x the argument
     * @return {@code acosh(x)}
     */
    public static Expr acosh(Expr x) {
        return call("acosh", x);
    }

    /**
     * The inverse hyperbolic tangent.
     *
     * @param x the argument
     * @return {@code atanh(x)}
     */
    public static Expr atanh(Expr x) {
        return call("atanh", x);
    }

    /**
     * {@code log(1 + exp(x))}, without overflow.
     *
     * @param x the argument
     * @return {@code softplus(x)}
     */
    public static Expr softplus(Expr x) {
        return call("softplus", x);
    }

    /**
     * {@code x * sigmoid(x)}.
     *
     * @param x the argument
     * @return {@code silu(x)}
     */
    public static Expr silu(Expr x) {
        return call("silu", x);
    }

    /**
     * The logarithm of the absolute value of the gamma function.
     *
     * @param x the argument
     * @return {@code lgamma(x)}
     */
    public static Expr lgamma(Expr x) {
        return call("lgamma", x);
    }

    /**
     * The derivative of {@link #lgamma}; it has no gradient here.
     *
     * @param x the argument
     * @return {@code digamma(x)}
     */
    public static Expr digamma(Expr x) {
        return call("digamma", x);
    }

    /**
     * The inverse of the error function.
     *
     * @param x the argument
     * @return {@code erfinv(x)}
     */
    public static Expr erfinv(Expr x) {
        return call("erfinv", x);
    }

    /**
     * Whether the value is NaN; of FLOAT and DOUBLE, the result is BOOL.
     *
     * @param x the argument
     * @return {@code isnan(x)}
     */
    public static Expr isnan(Expr x) {
        return call("isnan", x);
    }

    /**
     * Whether the value is infinite; of FLOAT and DOUBLE, the result is BOOL.
     *
     * @param x the argument
     * @return {@code isinf(x)}
     */
    public static Expr isinf(Expr x) {
        return call("isinf", x);
    }

    /**
     * Whether the value is neither infinite nor NaN; of FLOAT and DOUBLE, the result is BOOL.
     *
     * @param x the argument
     * @return {@code isfinite(x)}
     */
    public static Expr isfinite(Expr x) {
        return call("isfinite", x);
    }

    /**
     * Whether an element of a sparse tensor is stored, zero or not; of a dense one true. The result is BOOL.
     *
     * @param x an element
     * @return {@code stored(x)}
     */
    public static Expr stored(Expr x) {
        return call("stored", x);
    }

    /**
     * All bits inverted, of an integer.
     *
     * @param x the argument
     * @return {@code bitnot(x)}
     */
    public static Expr bitnot(Expr x) {
        return call("bitnot", x);
    }

    /**
     * The angle of the point (x, y) in radians.
     *
     * @param y the ordinate
     * @param x the abscissa
     * @return {@code atan2(y, x)}
     */
    public static Expr atan2(Expr y, Expr x) {
        return call("atan2", y, x);
    }

    /**
     * The bits that both integers have.
     *
     * @param a an integer
     * @param b another
     * @return {@code bitand(a, b)}
     */
    public static Expr bitand(Expr a, Expr b) {
        return call("bitand", a, b);
    }

    /**
     * The bits that one of two integers has.
     *
     * @param a an integer
     * @param b another
     * @return {@code bitor(a, b)}
     */
    public static Expr bitor(Expr a, Expr b) {
        return call("bitor", a, b);
    }

    /**
     * The bits in which two integers differ.
     *
     * @param a an integer
     * @param b another
     * @return {@code bitxor(a, b)}
     */
    public static Expr bitxor(Expr a, Expr b) {
        return call("bitxor", a, b);
    }

    /**
     * An integer with its bits shifted to the left.
     *
     * @param x an integer
     * @param count by how many bits, modulo the width of the type
     * @return {@code shl(x, count)}
     */
    public static Expr shl(Expr x, Expr count) {
        return call("shl", x, count);
    }

    /**
     * An integer with its bits shifted to the right, filled with the sign.
     *
     * @param x an integer
     * @param count by how many bits, modulo the width of the type
     * @return {@code shr(x, count)}
     */
    public static Expr shr(Expr x, Expr count) {
        return call("shr", x, count);
    }

    /**
     * An integer with its bits shifted to the right, filled with zeros.
     *
     * @param x an integer
     * @param count by how many bits, modulo the width of the type
     * @return {@code ushr(x, count)}
     */
    public static Expr ushr(Expr x, Expr count) {
        return call("ushr", x, count);
    }

    /**
     * The value brought within bounds: {@code min(max(x, low), high)}, for numbers of any type.
     *
     * @param x the argument
     * @param low the lower bound
     * @param high the upper bound, which wins
     * @return {@code clip(x, low, high)}
     */
    public static Expr clip(Expr x, Expr low, Expr high) {
        return call("clip", x, low, high);
    }

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
        return new Compound(Expr.ALONE, length);
    }

    /**
     * A value where an index is not negative, see {@link #guard(Index, Bound, Expr)}.
     *
     * @param index an index without a look-up
     * @param value the value
     * @return {@code guard(0 <= index, value)}
     */
    public static Expr guard(Index index, Expr value) {
        return call("guard", new Terms("0 <= ", Objects.requireNonNull(index, "index")), value);
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
