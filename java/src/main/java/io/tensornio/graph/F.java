package io.tensornio.graph;

import io.tensornio.internal.graph.Layers;
import java.util.Objects;

/** The functions of comprehensions, and the same of each element of a symbolic tensor: {@code F.relu(x)}. */
public final class F extends io.tensornio.compute.F {
    private F() {
    }

    @SuppressWarnings("unchecked")      // of the same rank
    static <S extends Sym> S map(String function, S x) {
        return (S) Objects.requireNonNull(x, "x").context.made(x.rank(), made -> Layers.map(function, made, x.variable));
    }

    /**
     * Of each element the magnitude.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S abs(S x) {
        return map("abs", x);
    }

    /**
     * Of each element the square root.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S sqrt(S x) {
        return map("sqrt", x);
    }

    /**
     * Of each element the exponential function.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S exp(S x) {
        return map("exp", x);
    }

    /**
     * Of each element the natural logarithm.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S log(S x) {
        return map("log", x);
    }

    /**
     * Of each element the sine.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S sin(S x) {
        return map("sin", x);
    }

    /**
     * Of each element the cosine.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S cos(S x) {
        return map("cos", x);
    }

    /**
     * Of each element the hyperbolic tangent.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S tanh(S x) {
        return map("tanh", x);
    }

    /**
     * Of each element {@code 1 / (1 + exp(-x))}.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S sigmoid(S x) {
        return map("sigmoid", x);
    }

    /**
     * Of each element {@code max(x, 0)}.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S relu(S x) {
        return map("relu", x);
    }

    /**
     * Of each element the error function.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S erf(S x) {
        return map("erf", x);
    }

    /**
     * Of each element the largest integer that is not above it.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S floor(S x) {
        return map("floor", x);
    }

    /**
     * Of each element the least integer that is not below it.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S ceil(S x) {
        return map("ceil", x);
    }

    /**
     * Of each element the nearest integer, the even one of two.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S round(S x) {
        return map("round", x);
    }

    /**
     * Of each element -1, 0 or 1.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public static <S extends Sym> S sign(S x) {
        return map("sign", x);
    }
}
