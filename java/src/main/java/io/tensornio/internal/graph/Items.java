package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.data.Positions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A sequence in a run: tensors of one type. Immutable; it closes none. */
public final class Items {
    /** The type of all tensors; null if it is not known, since there was no item. */
    public final DataType type;
    /** The tensors, unmodifiable. */
    public final List<Tensor<?>> tensors;

    /** Keeps the list. */
    public Items(DataType type, List<Tensor<?>> tensors) {
        this.type = type;
        this.tensors = Collections.unmodifiableList(tensors);
    }

    private void check(Tensor<?> item, Variable sequence) {
        if (type != null && item.dataType() != type) {
            throw new IllegalArgumentException("the item for " + sequence + " is a tensor of " + item.dataType()
                + ", where the sequence has " + type);
        }
    }

    /** With an additional item; position -1 appends it. */
    Items add(Tensor<?> item, int at, Variable sequence) {
        check(item, sequence);
        List<Tensor<?>> more = new ArrayList<>(tensors);
        more.add(position(Positions::toAdd, at, sequence), item);
        return new Items(item.dataType(), more);
    }

    /** Without an item. */
    Items remove(int at, Variable sequence) {
        List<Tensor<?>> fewer = new ArrayList<>(tensors);
        fewer.remove(position(Positions::of, at, sequence));
        return new Items(type, fewer);
    }

    /** With an item replaced. */
    Items set(Tensor<?> item, int at, Variable sequence) {
        check(item, sequence);
        List<Tensor<?>> others = new ArrayList<>(tensors);
        others.set(position(Positions::of, at, sequence), item);
        return new Items(item.dataType(), others);
    }

    /** An item. */
    Tensor<?> get(int at, Variable sequence) {
        return tensors.get(position(Positions::of, at, sequence));
    }

    /** Resolves a position among so many items. */
    private interface Meaning {
        int of(int at, int n);
    }

    private int position(Meaning meaning, int at, Variable sequence) {
        try {
            return meaning.of(at, tensors.size());
        } catch (IndexOutOfBoundsException e) {
            IndexOutOfBoundsException named = new IndexOutOfBoundsException(sequence + ": " + e.getMessage());
            named.initCause(e);
            throw named;
        }
    }
}
