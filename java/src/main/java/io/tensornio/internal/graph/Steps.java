package io.tensornio.internal.graph;

import io.tensornio.Tensors;
import io.tensornio.internal.data.Joining;

/** The operations on sequences and dictionaries of a graph. */
public final class Steps {
    private Steps() {
    }

    /** A sequence with an additional item. */
    public static Node add(Variable made, Variable sequence, Variable item, int at) {
        return Node.step(sequence + ".add(" + item + ", " + at + ")", made,
            known -> known.items(sequence).add(known.tensor(item), at, sequence), sequence, item);
    }

    /** A sequence without an item. */
    public static Node remove(Variable made, Variable sequence, int at) {
        return Node.step(sequence + ".remove(" + at + ")", made, known -> known.items(sequence).remove(at, sequence), sequence);
    }

    /** A sequence with an item replaced. */
    public static Node set(Variable made, Variable sequence, Variable item, int at) {
        return Node.step(sequence + ".set(" + item + ", " + at + ")", made,
            known -> known.items(sequence).set(known.tensor(item), at, sequence), sequence, item);
    }

    /** The number of items of a sequence. */
    public static Node length(Variable made, Variable sequence) {
        return Node.step(sequence + ".length()", made, known -> {
            long length = known.items(sequence).tensors.size();
            return known.own(Tensors.denseLong(new long[0], data -> data.put(length)));
        }, sequence);
    }

    /** An item. */
    public static Node get(Variable made, Variable sequence, int at) {
        return Node.step(sequence + ".get(" + at + ")", made, known -> known.items(sequence).get(at, sequence), sequence);
    }

    /** The concatenation of all items. */
    public static Node concat(Variable made, Variable sequence, int axis, boolean newAxis) {
        return Node.step(sequence + ".concat(" + axis + ", " + newAxis + ")", made, known -> {
            try {
                return known.own(Joining.join(known.items(sequence).tensors, axis, newAxis));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(sequence + ": " + e.getMessage(), e);
            }
        }, sequence);
    }

    /** The results of a body for each item. */
    public static Node map(Variable made, Variable sequence, Variable item, Variable result) {
        return Node.step(sequence + ".map(" + item + " -> " + result + ")", made, new Mapping(sequence, item, result), sequence, result);
    }

    /** A tensor of a dictionary. */
    public static Node entry(Variable made, Variable dictionary, String key) {
        return Node.step(dictionary + ".get(" + key + ")", made, known -> known.entries(dictionary).get(key), dictionary);
    }
}
