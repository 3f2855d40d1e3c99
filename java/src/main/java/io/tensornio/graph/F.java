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

    private static Sym map(String function, Sym a, Sym b) {
        TensorContext context = Objects.requireNonNull(a, "the first argument of " + function).context;
        context.check(b, "the second argument of " + function);
        return context.made(a.rankWith(b), made -> Layers.map(function, made, a.variable, b.variable));
    }

    /**
     * The value brought within bounds, {@code min(max(x, low), high)}.
     *
     * @param x a tensor
     * @param low the lower bounds
     * @param high the upper bounds, which win
     * @return a new tensor
     * @throws IllegalArgumentException if they are of different contexts, or of known ranks of which none is 0 and that differ
     */
    public static Sym clip(Sym x, Sym low, Sym high) {
        TensorContext context = Objects.requireNonNull(x, "x").context;
        context.check(low, "low");              // before max(x, low) is made
        context.check(high, "high");
        return min(max(x, low), high);
    }

    //#functions
}
