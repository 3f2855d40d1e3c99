package io.tensornio.graph;

import io.tensornio.internal.graph.MoreLayers;
import io.tensornio.internal.graph.Variable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Attention of several heads, see {@link Comprehensions#attention}. */
public final class Attention {
    private final TensorContext context;
    private final Variable[] projections;
    private final Sym[] operands;
    private final int heads;
    private final boolean isCausal;
    private final @Nullable Sym mask;
    private final Sym2<?, ?> output;

    Attention(TensorContext context, Variable[] projections, Sym[] operands, int heads, boolean isCausal, @Nullable Sym mask) {
        this.context = context;
        this.projections = projections;
        this.operands = operands;
        this.heads = heads;
        this.isCausal = isCausal;
        this.mask = mask;
        output = (Sym2<?, ?>) context.made(2, made -> MoreLayers.attention(made, projections, operands[0].variable, operands[1].variable,
            operands[2].variable, heads, isCausal, mask == null ? null : mask.variable));
    }

    /**
     * The same, with the same projections, in which each position of the query attends to positions of the key up to its own.
     *
     * @return attention with a new output
     */
    public Attention causal() {
        return new Attention(context, projections, operands, heads, true, mask);
    }

    /**
     * The same, with the same projections, in which pairs of positions take part that a mask has.
     *
     * @param sym truth values of (positions of the query, positions of the key), in place of any other mask; a query without a key gives 0
     * @return attention with a new output
     * @throws IllegalArgumentException if it is of another context
     */
    public Attention mask(Sym sym) {
        context.check(Objects.requireNonNull(sym, "mask"), "mask");
        return new Attention(context, projections, operands, heads, isCausal, sym);
    }

    /**
     * The output.
     *
     * @return a tensor of (positions of the query, features of the query)
     */
    public Sym2<?, ?> output() {
        return output;
    }
}
