package io.tensornio.graph;

import io.tensornio.internal.graph.Layers;
import java.util.Objects;

/** The functions of comprehensions, and their elementwise counterparts on symbolic tensors: {@code F.relu(x)}. */
public final class F extends io.tensornio.compute.F {
    private F() {
    }

    @SuppressWarnings("unchecked")      // of the same rank
    static <S extends Sym> S map(String function, S x) {
        return (S) Objects.requireNonNull(x, "x").context.made(x.rank(), made -> Layers.map(function, made, x.variable));
    }

    /**
     * The absolute value of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S abs(S x) {
        return map("abs", x);
    }

    /**
     * The square root of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S sqrt(S x) {
        return map("sqrt", x);
    }

    /**
     * The exponential function of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S exp(S x) {
        return map("exp", x);
    }

    /**
     * The natural logarithm of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S log(S x) {
        return map("log", x);
    }

    /**
     * The sine of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S sin(S x) {
        return map("sin", x);
    }

    /**
     * The cosine of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S cos(S x) {
        return map("cos", x);
    }

    /**
     * The hyperbolic tangent of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S tanh(S x) {
        return map("tanh", x);
    }

    /**
     * The sigmoid {@code 1 / (1 + exp(-x))} of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S sigmoid(S x) {
        return map("sigmoid", x);
    }

    /**
     * The positive part {@code max(x, 0)} of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S relu(S x) {
        return map("relu", x);
    }

    /**
     * The error function of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S erf(S x) {
        return map("erf", x);
    }

    /**
     * The greatest integer that is not above each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S floor(S x) {
        return map("floor", x);
    }

    /**
     * The lowest integer that is not below each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S ceil(S x) {
        return map("ceil", x);
    }

    /**
     * The integer nearest to each element, the even one of a tie.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S round(S x) {
        return map("round", x);
    }

    /**
     * The sign of each element: -1, 0 or 1.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S sign(S x) {
        return map("sign", x);
    }

    /**
     * {@code log(1 + x)} of each element x, precise near 0.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S log1p(S x) {
        return map("log1p", x);
    }

    /**
     * {@code exp(x) - 1} of each element x, precise near 0.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S expm1(S x) {
        return map("expm1", x);
    }

    /**
     * The logarithm to base 2 of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S log2(S x) {
        return map("log2", x);
    }

    /**
     * 2 to the power of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S exp2(S x) {
        return map("exp2", x);
    }

    /**
     * The reciprocal of the square root of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S rsqrt(S x) {
        return map("rsqrt", x);
    }

    /**
     * The reciprocal of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S reciprocal(S x) {
        return map("reciprocal", x);
    }

    /**
     * The square of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S square(S x) {
        return map("square", x);
    }

    /**
     * The integral part of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S trunc(S x) {
        return map("trunc", x);
    }

    /**
     * The tangent of each element, in radians.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S tan(S x) {
        return map("tan", x);
    }

    /**
     * The inverse sine of each element, in radians.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S asin(S x) {
        return map("asin", x);
    }

    /**
     * The inverse cosine of each element, in radians.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S acos(S x) {
        return map("acos", x);
    }

    /**
     * The inverse tangent of each element, in radians.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S atan(S x) {
        return map("atan", x);
    }

    /**
     * The hyperbolic sine of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S sinh(S x) {
        return map("sinh", x);
    }

    /**
     * The hyperbolic cosine of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S cosh(S x) {
        return map("cosh", x);
    }

    /**
     * The inverse hyperbolic sine of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S asinh(S x) {
        return map("asinh", x);
    }

    /**
     * The inverse hyperbolic cosine of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S acosh(S x) {
        return map("acosh", x);
    }

    /**
     * The inverse hyperbolic tangent of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S atanh(S x) {
        return map("atanh", x);
    }

    /**
     * {@code log(1 + exp(x))} of each element x.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S softplus(S x) {
        return map("softplus", x);
    }

    /**
     * {@code x * sigmoid(x)} of each element x.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S silu(S x) {
        return map("silu", x);
    }

    /**
     * The logarithm of the absolute value of the gamma function of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S lgamma(S x) {
        return map("lgamma", x);
    }

    /**
     * The derivative of {@link #lgamma(Sym)} at each element; it has no gradient here.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S digamma(S x) {
        return map("digamma", x);
    }

    /**
     * The inverse of the error function of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S erfinv(S x) {
        return map("erfinv", x);
    }

    /**
     * Whether each element is NaN; the result is BOOL.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S isnan(S x) {
        return map("isnan", x);
    }

    /**
     * Whether each element is infinite; the result is BOOL.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S isinf(S x) {
        return map("isinf", x);
    }

    /**
     * Whether each element is neither infinite nor NaN; the result is BOOL.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S isfinite(S x) {
        return map("isfinite", x);
    }

    /**
     * Each integer with all bits inverted.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S bitnot(S x) {
        return map("bitnot", x);
    }
}
