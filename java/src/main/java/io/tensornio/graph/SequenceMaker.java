package io.tensornio.graph;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.internal.graph.Node;
import io.tensornio.internal.graph.Variable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes the sequences and dictionaries of a context, numbered -1, -2, ..., and tensors from them. */
final class SequenceMaker {
    private final TensorContext context;
    private int count;

    SequenceMaker(TensorContext context) {
        this.context = context;
    }

    private Variable variable(Variable.Form form, Variable.Kind kind, DataType elements, @Nullable Axis @Nullable [] axes) {
        return new Variable(form, -++count, kind, elements, axes);
    }

    private Variable input(Variable.Form form, String name, DataType elements, @Nullable Axis @Nullable [] axes) {
        context.checkFree(name);
        Variable made = variable(form, Variable.Kind.INPUT, elements, axes);
        context.name(made, name);
        return made;
    }

    /** Checks that graphs support an element type. */
    static void checkType(String what, DataType elements) {
        if (Objects.requireNonNull(elements, "elements") == DataType.STRING) {
            throw new IllegalArgumentException(what + " of strings: a graph computes with numbers and truth values");
        }
        if (elements == DataType.UINT64) {
            throw new IllegalArgumentException(what + " of UINT64: a graph computes with other types; Tensors.convert makes it INT64 or DOUBLE");
        }
    }

    SymSequence input(String name, DataType elements, Axis... axes) {
        checkType("a sequence", elements);
        for (int n = 0; n < axes.length; n++) {
            int which = n;
            Objects.requireNonNull(axes[n], () -> "axis " + which);
        }
        return new SymSequence(context, input(Variable.Form.LIST, name, elements, axes.length == 0 ? null : axes.clone()));
    }

    SymDict dict(String name, Map<String, DataType> entries) {
        Map<String, DataType> own = new LinkedHashMap<>(entries);
        own.forEach((key, elements) -> {
            Objects.requireNonNull(key, "a key");
            checkType("a dictionary", Objects.requireNonNull(elements, () -> "the type of \"" + key + "\""));
        });
        Variable made = input(Variable.Form.DICT, name, DataType.FLOAT, null);
        made.entries = own;
        return new SymDict(context, made);
    }

    /** A sequence that a step makes. */
    SymSequence made(DataType elements, @Nullable Axis @Nullable [] axes, Function<Variable, Node> maker) {
        Variable made = variable(Variable.Form.LIST, Variable.Kind.OTHER, elements, axes);
        made.maker = maker.apply(made);
        return new SymSequence(context, made);
    }

    /** A tensor whose axes, if not known already, are bound in a run. */
    Sym tensor(Variable.Kind kind, DataType elements, @Nullable Axis @Nullable [] axes) {
        return context.sym(context.variable(kind, elements, axes));
    }

    /** A tensor that a step makes. */
    Sym tensor(DataType elements, @Nullable Axis @Nullable [] axes, Function<Variable, Node> maker) {
        Sym made = tensor(Variable.Kind.OTHER, elements, axes);
        made.variable.maker = maker.apply(made.variable);
        return made;
    }
}
