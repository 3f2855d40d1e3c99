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
}
