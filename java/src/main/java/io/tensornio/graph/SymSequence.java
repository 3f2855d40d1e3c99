package io.tensornio.graph;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.internal.graph.Steps;
import io.tensornio.internal.graph.Variable;
import java.util.Objects;
import java.util.function.Function;

/**
 * A symbolic sequence: tensors of one element type and of shapes of their own, which bind as the graph is run by {@link ComputeGraph#run}. It never
 * changes: what adds or removes makes a new one.
 *
 * <pre>{@code
 * SymSequence sentences = t.sequence("sentences", DataType.INT32);
 * Sym table = t.tensor(words, width);
 * SymSequence embedded = sentences.map(ids -> t.comprehensions().embedding(table, ids));
 * }</pre>
 *
 * <p>Positions are checked in the run. Negative ones count from the end; one that no item has is an {@code IndexOutOfBoundsException}, an item of
 * another element type an {@code IllegalArgumentException}, and both name the sequence.
 */
public final class SymSequence extends Symbolic {
    SymSequence(TensorContext context, Variable variable) {
        super(context, variable);
    }

    /**
     * Gives it a name.
     *
     * @param name the name
     * @return this
     * @throws IllegalArgumentException if something else of the context has it
     */
    public SymSequence named(String name) {
        context.name(variable, Objects.requireNonNull(name, "name"));
        return this;
    }

    private Variable checked(Sym item) {
        context.check(item, "item");
        return item.variable;
    }

    /**
     * With one item more.
     *
     * @param item the item
     * @param at the position that it will have: 0 to n, or -(n + 1) to -1, where -1 appends
     * @return a new sequence
     * @throws IllegalArgumentException if the item is of another context
     */
    public SymSequence add(Sym item, int at) {
        Variable added = checked(item);
        return context.sequences.made(variable.type, null, made -> Steps.add(made, variable, added, at));
    }

    /**
     * Without an item. Without its last item it is empty.
     *
     * @param at the position of the item: 0 to n - 1, or -n to -1
     * @return a new sequence
     */
    public SymSequence remove(int at) {
        return context.sequences.made(variable.type, variable.axes, made -> Steps.remove(made, variable, at));
    }

    /**
     * With another item in a place.
     *
     * @param item the item
     * @param at the position: 0 to n - 1, or -n to -1
     * @return a new sequence
     * @throws IllegalArgumentException if the item is of another context
     */
    public SymSequence set(Sym item, int at) {
        Variable replacing = checked(item);
        return context.sequences.made(variable.type, null, made -> Steps.set(made, variable, replacing, at));
    }

    /**
     * How many items it has.
     *
     * @return a new tensor, INT64, of rank 0
     */
    public Sym length() {
        return context.sequences.tensor(DataType.INT64, new Axis[0], made -> Steps.length(made, variable));
    }

    /**
     * An item.
     *
     * @param at its position: 0 to n - 1, or -n to -1
     * @return a new tensor, of whatever shape the item has in a run
     */
    public Sym get(int at) {
        return context.sequences.tensor(variable.type, variable.axes, made -> Steps.get(made, variable, at));
    }

    /**
     * What a body makes of each item. The body is called once, now, with a tensor that stands for the item; in a run it is compiled once for each
     * shape that items have. It may use any other tensor of the context, and sequences; what does not depend on the item is computed once. What does
     * is known in the body alone.
     *
     * @param body makes a tensor of an item
     * @return a new sequence, of as many items
     * @throws IllegalArgumentException if the body makes a tensor of another context
     */
    public SymSequence map(Function<? super Sym, ? extends Sym> body) {
        Objects.requireNonNull(body, "body");
        Sym item = context.sequences.tensor(Variable.Kind.ITEM, variable.type, variable.axes);
        Sym result = Objects.requireNonNull(body.apply(item), "the result of the body");
        context.check(result, "result");
        return context.sequences.made(result.variable.type, null, made -> Steps.map(made, variable, item.variable, result.variable));
    }

    /**
     * All items side by side. An empty sequence, or shapes that differ but for the axis, are an {@code IllegalArgumentException} in a run.
     *
     * @param axis the axis of the result; -1 is its last
     * @param newAxis whether the axis is new, and all shapes are equal; else all sizes but those of the axis are
     * @return a new tensor
     */
    public Sym concat(int axis, boolean newAxis) {
        return context.sequences.tensor(variable.type, null, made -> Steps.concat(made, variable, axis, newAxis));
    }
}
