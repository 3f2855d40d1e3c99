package io.tensornio.graph;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.internal.graph.Steps;
import io.tensornio.internal.graph.Variable;
import java.util.Objects;
import java.util.function.Function;

/**
 * A symbolic sequence: tensors of one element type and of different shapes, which are bound when the graph is run by
 * {@link ComputeGraph#run}. Immutable: adding or removing makes a new one.
 *
 * <pre>{@code
 * SymSequence sentences = t.sequence("sentences", DataType.INT32);
 * Sym table = t.tensor(words, width);
 * SymSequence embedded = sentences.map(ids -> t.comprehensions().embedding(table, ids));
 * }</pre>
 *
 * <p>Positions are checked in the run. Negative ones count from the end; one that is out of bounds is an {@code IndexOutOfBoundsException}, an item
 * of another element type an {@code IllegalArgumentException}, and both name the sequence.
 */
public final class SymSequence extends Symbolic {
    SymSequence(TensorContext context, Variable variable) {
        super(context, variable);
    }

    /**
     * Sets its name.
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
     * With an additional item.
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
     * With an item removed. Without its last item it is empty.
     *
     * @param at the position of the item: 0 to n - 1, or -n to -1
     * @return a new sequence
     */
    public SymSequence remove(int at) {
        return context.sequences.made(variable.type, variable.axes, made -> Steps.remove(made, variable, at));
    }

    /**
     * With an item replaced.
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
     * The number of items.
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
     * The results of a body for each item. The body is called once, now, with a symbolic item; in a run it is compiled
     * once for each shape of items. It may use any other tensor of the context, and sequences; tensors that do not
     * depend on the item are computed once. Tensors that do exist only in the body.
     *
     * @param body makes a tensor from an item
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
     * Concatenates all items. An empty sequence, or shapes that differ on other axes, are an {@code IllegalArgumentException} in a run.
     *
     * @param axis the axis of the result; -1 is its last
     * @param newAxis whether the axis is new, which requires equal shapes; else the sizes of all other axes must be equal
     * @return a new tensor
     */
    public Sym concat(int axis, boolean newAxis) {
        return context.sequences.tensor(variable.type, null, made -> Steps.concat(made, variable, axis, newAxis));
    }
}
