package io.tensornio.graph;

import io.tensornio.internal.graph.Variable;

/** A symbolic value in a graph: a {@link Sym} for a tensor, a {@link SymSequence} for a list, a {@link SymDict} for tensors by name. */
public abstract class Symbolic {
    final TensorContext context;
    final Variable variable;

    Symbolic(TensorContext context, Variable variable) {
        this.context = context;
        this.variable = variable;
    }

    /**
     * The context that made it.
     *
     * @return the context
     */
    public final TensorContext context() {
        return context;
    }

    /**
     * Its name, which messages and {@link ComputeGraph#run} use.
     *
     * @return the name; unless it has been given one, {@code t} and the number of a tensor, or {@code sequence} and that of a sequence
     */
    public final String name() {
        return variable.toString();
    }

    /**
     * Its name.
     *
     * @return {@link #name()}
     */
    @Override
    public final String toString() {
        return variable.toString();
    }
}
