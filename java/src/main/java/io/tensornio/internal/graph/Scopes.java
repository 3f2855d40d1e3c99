package io.tensornio.internal.graph;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which tensors of a graph have shapes that are bound at run time, because they depend on sequences or dictionaries;
 * and which depend on items of maps, because they are computed in the bodies.
 */
final class Scopes {
    private final Map<Variable, Set<Variable>> items = new HashMap<>();
    /** For each tensor a sequence or dictionary on which it depends. */
    private final Map<Variable, Variable> sources = new HashMap<>();

    /** The scopes of nodes in topological order. */
    Scopes(List<Node> nodes) {
        for (Node node : nodes) {
            Set<Variable> of = new LinkedHashSet<>();
            Variable source = null;
            for (Variable read : node.reads) {
                of.addAll(items(read));
                source = source == null ? source(read) : source;
            }
            if (node.step instanceof Mapping) {
                Mapping mapping = (Mapping) node.step;
                of.remove(mapping.item);
                source = source(mapping.sequence);
            }
            for (Variable written : node.writes) {
                items.put(written, of);
                sources.put(written, source);
            }
        }
    }

    /** The items of maps on which a tensor depends: it exists only in their bodies. */
    Set<Variable> items(Variable of) {
        return of.kind == Variable.Kind.ITEM ? Collections.singleton(of) : items.getOrDefault(of, Collections.emptySet());
    }

    /** A sequence, dictionary or item on which a tensor depends, so that its shape is bound at run time; null if there is none. */
    Variable source(Variable of) {
        return of.form != Variable.Form.TENSOR && of.maker == null || of.kind == Variable.Kind.ITEM ? of : sources.get(of);
    }

    /** Whether the shape of a tensor is bound at run time. */
    boolean isBoundLate(Variable of) {
        return source(of) != null;
    }

    /** Checks that tensors that exist only in the body of a map are not wanted outside of it. */
    void checkOutside(List<Variable> wanted) {
        for (Variable variable : wanted) {
            Set<Variable> inside = new HashSet<>(items(variable));
            if (!inside.isEmpty()) {
                throw new IllegalArgumentException(variable + " is made of " + inside.iterator().next()
                    + ", which is an item of a sequence: it is known only in the body of that map");
            }
        }
    }
}
