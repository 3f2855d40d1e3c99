package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value while a model runs: a tensor, which may be a view of the memory of another one, a sequence, an optional value or a map.
 *
 * <p>It holds a share of the tensor that its data is in; the last one that is {@linkplain #release released} closes the tensor. Values that hold no
 * share are borrowed: constants of the model, inputs, and data on the heap. A run is one thread's, so shares are counted plainly.
 */
final class Item {
    /** What a value is. */
    enum Kind { TENSOR, SEQUENCE, ABSENT, MAP }

    final Kind kind;
    /** The type of the elements, or of those of the sequence's items; null if nobody knows. */
    final DataType type;
    private final TensorData<?> data;
    private final Cells.Cell cell;
    /** Whether it is the whole tensor of its cell. */
    private final boolean whole;
    private final List<Item> items;
    private final Map<String, Item> entries;

    private Item(Kind kind, DataType type, TensorData<?> data, Cells.Cell cell, boolean whole, List<Item> items,
            Map<String, Item> entries) {
        this.kind = kind;
        this.type = type;
        this.data = data;
        this.cell = cell;
        this.whole = whole;
        this.items = items;
        this.entries = entries;
    }

    /** A tensor that this run has made. */
    static Item of(Tensor<?> tensor) {
        return new Item(Kind.TENSOR, tensor.dataType(), tensor.data(), Cells.of(tensor), true, null, null);
    }

    /** Data that somebody else owns, or on the heap. */
    static Item borrowed(TensorData<?> data) {
        return new Item(Kind.TENSOR, data.dataType(), data, null, false, null, null);
    }

    /** A sequence, which takes the shares of its items. */
    static Item sequence(DataType type, List<Item> items) {
        return new Item(Kind.SEQUENCE, type, null, null, false, Collections.unmodifiableList(new ArrayList<>(items)), null);
    }

    /** An optional value that is not there. */
    static Item absent() {
        return new Item(Kind.ABSENT, null, null, null, false, null, null);
    }

    /** A map, which takes the shares of its values. */
    static Item map(Map<String, Item> entries) {
        return new Item(Kind.MAP, null, null, null, false, null, Collections.unmodifiableMap(new LinkedHashMap<>(entries)));
    }

    /** A view of this tensor. */
    Item view(TensorData<?> view) {
        return shared(new Item(Kind.TENSOR, type, view, cell, false, null, null));
    }

    /** The same value once more. */
    Item share() {
        if (items != null) {
            items.forEach(Item::share);
        }
        if (entries != null) {
            entries.values().forEach(Item::share);
        }
        return shared(this);
    }

    private static Item shared(Item item) {
        if (item.cell != null) {
            item.cell.shares++;
        }
        return item;
    }

    /** Gives a share back. */
    void release() {
        if (cell != null) {
            cell.release();
        }
        if (items != null) {
            items.forEach(Item::release);
        }
        if (entries != null) {
            entries.values().forEach(Item::release);
        }
    }

    /** Counts the shares of this value in tensors that were made since a mark. */
    void hold(long mark) {
        if (cell != null) {
            cell.hold(mark);
        }
        if (items != null) {
            items.forEach(item -> item.hold(mark));
        }
        if (entries != null) {
            entries.values().forEach(item -> item.hold(mark));
        }
    }

    boolean isBorrowed() {
        return cell == null;
    }

    TensorData<?> data() {
        if (kind != Kind.TENSOR) {
            throw new IllegalArgumentException("a tensor is expected, not " + this);
        }
        return data;
    }

    List<Item> items() {
        if (kind != Kind.SEQUENCE) {
            throw new IllegalArgumentException("a sequence is expected, not " + this);
        }
        return items;
    }

    Map<String, Item> entries() {
        if (kind != Kind.MAP) {
            throw new IllegalArgumentException("a map is expected, not " + this);
        }
        return entries;
    }

    long[] shape() {
        return data().shape();
    }

    /** The tensor as one of its own, and gives the share back: the run's own one if nobody else has a part of it, else a copy. */
    Tensor<?> take() {
        TensorData<?> own = data();
        if (cell != null && cell.shares == 1 && whole) {
            return cell.take();
        }
        Tensor<?> copy = own.copy();
        release();
        return copy;
    }

    @Override
    public String toString() {
        switch (kind) {
            case TENSOR:
                return data.dataType() + java.util.Arrays.toString(data.shape());
            case SEQUENCE:
                return "a sequence of " + items.size();
            case MAP:
                return "a map of " + entries.size();
            default:
                return "an optional value that is absent";
        }
    }
}
