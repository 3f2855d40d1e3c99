package io.tensornio.graph;

import io.tensornio.internal.graph.Steps;
import io.tensornio.internal.graph.Variable;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** A symbolic dictionary: an input of named tensors of given element types; {@link ComputeGraph#run} binds their shapes. */
public final class SymDict extends Symbolic {
    private final Map<String, Sym> entries = new HashMap<>();

    SymDict(TensorContext context, Variable variable) {
        super(context, variable);
    }

    /**
     * A tensor of the dictionary.
     *
     * @param key its key
     * @return the tensor, the same at each call
     * @throws IllegalArgumentException if the dictionary has no such key
     */
    public Sym get(String key) {
        if (!variable.entries.containsKey(Objects.requireNonNull(key, "key"))) {
            throw new IllegalArgumentException("dictionary " + this + " has no key \"" + key + "\": there are " + variable.entries.keySet());
        }
        return entries.computeIfAbsent(key, name -> context.sequences.tensor(variable.entries.get(name), null,
            made -> Steps.entry(made, variable, name)));
    }
}
