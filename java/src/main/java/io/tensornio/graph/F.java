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

    //#functions
}
