package io.tensornio.graph;

import io.tensornio.internal.graph.RecurrentLayers;
import io.tensornio.internal.graph.Variable;
import org.jspecify.annotations.Nullable;

/** A recurrent layer over the steps of a sequence, see {@link Comprehensions#lstm} and {@link Comprehensions#gru}. */
public final class Recurrent {
    private final TensorContext context;
    private final long size;
    private final Sym[] weights;
    private final Sym x;
    private final boolean hasCell;
    private final Sym2<?, ?> output;

    Recurrent(TensorContext context, long size, Sym[] weights, Sym x, boolean hasCell, @Nullable Sym h0, @Nullable Sym c0) {
        this.context = context;
        this.size = size;
        this.weights = weights;
        this.x = x;
        this.hasCell = hasCell;
        Variable[] own = new Variable[weights.length];
        for (int n = 0; n < own.length; n++) {
            own[n] = weights[n].variable;
        }
        Variable h = variable(h0, "h0");
        Variable c = variable(c0, "c0");
        output = (Sym2<?, ?>) context.made(2, made -> hasCell ? RecurrentLayers.lstm(made, size, own, x.variable, h, c)
            : RecurrentLayers.gru(made, size, own, x.variable, h));
    }

    private @Nullable Variable variable(@Nullable Sym sym, String name) {
        if (sym == null) {
            return null;
        }
        context.check(sym, name);
        if (sym.rank() >= 0 && sym.rank() != 1) {
            throw new IllegalArgumentException(name + " is of (units), not of " + sym + " of rank " + sym.rank());
        }
        return sym.variable;
    }

    /**
     * The same, with the same weights, which begins with an output; without one it begins with 0.
     *
     * @param h0 the output before the first step, of (units)
     * @return a layer with a new output
     * @throws IllegalArgumentException if it is of another rank or of another context
     */
    public Recurrent from(Sym h0) {
        context.check(h0, "h0");
        return new Recurrent(context, size, weights, x, hasCell, h0, null);
    }

    /**
     * The same LSTM, with the same weights, which begins with an output and a cell; without them it begins with 0.
     *
     * @param h0 the output before the first step, of (units)
     * @param c0 the cell before the first step, of (units)
     * @return a layer with a new output
     * @throws IllegalArgumentException if one is of another rank or of another context, or the layer has no cell, as a GRU
     */
    public Recurrent from(Sym h0, Sym c0) {
        if (!hasCell) {
            throw new IllegalArgumentException("a GRU has no cell; it begins with its output alone, as in from(h0)");
        }
        context.check(h0, "h0");
        context.check(c0, "c0");
        return new Recurrent(context, size, weights, x, true, h0, c0);
    }

    /**
     * The output of each step.
     *
     * @return a tensor of (steps, units)
     */
    public Sym2<?, ?> output() {
        return output;
    }

    /**
     * The output of the last step, of which there is to be one.
     *
     * @return a new tensor of (units)
     */
    public Sym1<?> last() {
        return (Sym1<?>) context.made(1, made -> RecurrentLayers.last(made, output.variable));
    }

    /**
     * The weights of the input.
     *
     * @return a tensor of (gates, features), the gates of the library that {@link Comprehensions#lstm} names, and of each as many as there are units
     */
    public Sym2<?, ?> weights() {
        return (Sym2<?, ?>) weights[0];
    }

    /**
     * The weights of the output of the step before.
     *
     * @return a tensor of (gates, units)
     */
    public Sym2<?, ?> recurrentWeights() {
        return (Sym2<?, ?>) weights[1];
    }

    /**
     * The biases of all gates.
     *
     * @return a tensor of (gates)
     */
    public Sym1<?> bias() {
        return (Sym1<?>) weights[2];
    }

    /**
     * The bias of what a GRU's step before gives to what is new.
     *
     * @return a tensor of (units)
     * @throws IllegalStateException if the layer is an LSTM, which has none
     */
    public Sym1<?> hiddenBias() {
        if (hasCell) {
            throw new IllegalStateException("an LSTM has one bias for each gate, bias()");
        }
        return (Sym1<?>) weights[3];
    }
}
