package io.tensornio.value;

import io.tensornio.Tensor;
import io.tensornio.internal.data.Positions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A scope of mutable sequences, each a variable with a name. All tensors of a sequence have the same element type; their shapes may differ.
 *
 * <pre>{@code
 * Sequences scope = new Sequences();
 * scope.sequence("beam", first, second);
 * scope.addItemToSequence("beam", third, -1);           // after the last
 * Tensor<?> dropped = scope.removeItemFromSequence("beam", 0);
 * }</pre>
 *
 * <p>A position may be negative; it then counts from the end. A sequence without items does not exist: removing the last item removes the variable.
 * The scope refers to tensors and copies nothing, and it closes none. Not for use by several threads at once. A call that fails changes nothing.
 */
public final class Sequences {
    private final Map<String, List<Tensor<?>>> variables = new LinkedHashMap<>();

    /** Makes a scope without variables. */
    public Sequences() {
    }

    /**
     * Makes a variable.
     *
     * @param name its name, which no variable has yet
     * @param items its items, at least one
     * @throws IllegalArgumentException if there are no items, they have different element types, or there is a variable of that name
     */
    public void sequence(String name, Tensor<?>... items) {
        Objects.requireNonNull(name, "name");
        List<Tensor<?>> sequence = new ArrayList<>(Arrays.asList(items));
        if (sequence.isEmpty()) {
            throw new IllegalArgumentException("sequence \"" + name + "\" has no items: a sequence of none does not exist");
        }
        for (int i = 0; i < sequence.size(); i++) {
            Tensor<?> item = Objects.requireNonNull(sequence.get(i), "item " + i);
            Value.common(sequence.get(0).dataType(), item, "item " + i + " of sequence \"" + name + "\"");
        }
        if (variables.containsKey(name)) {
            throw new IllegalArgumentException("there is a sequence \"" + name + "\" already, of " + sequenceLength(name) + " items");
        }
        variables.put(name, sequence);
    }

    /**
     * Inserts an item.
     *
     * @param name the variable
     * @param item the tensor
     * @param at the position that it will have: 0 to n, or -(n + 1) to -1, where -1 appends
     * @throws IllegalStateException if there is no such variable
     * @throws IllegalArgumentException if the item is of another element type than the sequence
     * @throws IndexOutOfBoundsException if there is no such position
     */
    public void addItemToSequence(String name, Tensor<?> item, int at) {
        List<Tensor<?>> sequence = forItem(name, item);
        sequence.add(Positions.toAdd(at, sequence.size()), item);
    }

    /**
     * Removes an item; removing the last one removes the variable.
     *
     * @param name the variable
     * @param at the item's position: 0 to n - 1, or -n to -1
     * @return the item, which stays open
     * @throws IllegalStateException if there is no such variable
     * @throws IndexOutOfBoundsException if there is no such position
     */
    public Tensor<?> removeItemFromSequence(String name, int at) {
        List<Tensor<?>> sequence = find(name);
        Tensor<?> removed = sequence.remove(Positions.of(at, sequence.size()));
        if (sequence.isEmpty()) {
            variables.remove(name);
        }
        return removed;
    }

    /**
     * Replaces an item. The previous one stays open.
     *
     * @param name the variable
     * @param item the tensor
     * @param at the position: 0 to n - 1, or -n to -1
     * @throws IllegalStateException if there is no such variable
     * @throws IllegalArgumentException if the item is of another element type than the sequence
     * @throws IndexOutOfBoundsException if there is no such position
     */
    public void setItemForSequenceAtIndex(String name, Tensor<?> item, int at) {
        List<Tensor<?>> sequence = forItem(name, item);
        sequence.set(Positions.of(at, sequence.size()), item);
    }

    /**
     * The number of items of a sequence.
     *
     * @param name the variable
     * @return the number of items, at least 1
     * @throws IllegalStateException if there is no such variable
     */
    public int sequenceLength(String name) {
        return find(name).size();
    }

    /**
     * An item.
     *
     * @param name the variable
     * @param at its position: 0 to n - 1, or -n to -1
     * @return the item
     * @throws IllegalStateException if there is no such variable
     * @throws IndexOutOfBoundsException if there is no such position
     */
    public Tensor<?> itemAt(String name, int at) {
        List<Tensor<?>> sequence = find(name);
        return sequence.get(Positions.of(at, sequence.size()));
    }

    /**
     * A snapshot of a sequence, unaffected by later changes.
     *
     * @param name the variable
     * @return a value of kind {@link Value.Kind#LIST}
     * @throws IllegalStateException if there is no such variable
     */
    public Value value(String name) {
        return Value.list(find(name));
    }

    /**
     * The names of all variables.
     *
     * @return an unmodifiable copy, in the order in which the variables were made
     */
    public Set<String> names() {
        return Collections.unmodifiableSet(new LinkedHashMap<>(variables).keySet());
    }

    private List<Tensor<?>> find(String name) {
        List<Tensor<?>> sequence = variables.get(Objects.requireNonNull(name, "name"));
        if (sequence == null) {
            throw new IllegalStateException("no sequence \"" + name + "\"; there are " + variables.keySet());
        }
        return sequence;
    }

    private List<Tensor<?>> forItem(String name, Tensor<?> item) {
        Objects.requireNonNull(item, "item");
        List<Tensor<?>> sequence = find(name);
        Value.common(sequence.get(0).dataType(), item, "the item for sequence \"" + name + "\"");
        return sequence;
    }

    /**
     * The names and lengths of all sequences.
     *
     * @return the string
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("Sequences {");
        variables.forEach((name, sequence) -> text.append(text.charAt(text.length() - 1) == '{' ? "" : ", ").append(name).append(": ")
            .append(sequence.size()).append(' ').append(sequence.get(0).dataType()));
        return text.append('}').toString();
    }
}
