package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Operators of sequences and of optional values. */
final class Sequences {
    private Sequences() {
    }

    static void addTo(Table table) {
        table.one("SequenceConstruct", 11, "a sequence of the inputs", call -> {
            List<Item> items = new ArrayList<>();
            for (int n = 0; n < call.in.length; n++) {
                items.add(call.item(n).share());
            }
            return Item.sequence(items.isEmpty() ? null : items.get(0).type, items);
        }).keeps();
        table.one("SequenceEmpty", 11, "no items",
            call -> Item.sequence(call.attributes.dataType("dtype", DataType.FLOAT), new ArrayList<>())).keeps();
        table.one("SequenceInsert", 11, "one more item", Sequences::insert).keeps();
        table.one("SequenceErase", 11, "one item less", Sequences::erase).keeps();
        table.one("SequenceAt", 11, "an item", call -> {
            List<Item> items = call.item(0).items();
            return items.get((int) Indexing.position(call.integer(1), items.size())).share();
        }).keeps();
        table.one("SequenceLength", 11, "the number of items",
            call -> Call.made(Data.ofLongs(DataType.INT64, new long[] {call.item(0).items().size()}, Shapes.SCALAR))).keeps();
        table.one("SplitToSequence", 11, "parts of an axis", Sequences::split).keeps();
        table.one("ConcatFromSequence", 11, "items side by side", Sequences::concat).keeps();
        table.one("Optional", 15, "a value, or none", call -> call.has(0) ? call.item(0).share() : Item.absent()).keeps();
        table.one("OptionalHasElement", 15, "whether there is a value", call -> Call.made(Data.ofLongs(DataType.BOOL,
            new long[] {call.has(0) && call.item(0).kind != Item.Kind.ABSENT ? 1 : 0}, Shapes.SCALAR))).keeps();
        table.one("OptionalGetElement", 15, "the value", call -> {
            if (call.item(0).kind == Item.Kind.ABSENT) {
                throw call.refused("the optional value is absent");
            }
            return call.item(0).share();
        }).keeps();
    }

    private static Item insert(Call call) {
        List<Item> items = new ArrayList<>(call.item(0).items());
        int at = items.size();
        if (call.has(1) && call.has(2)) {
            long given = call.integer(2);
            if (given < -at || given > at) {
                throw call.refused("position " + given + " is not in a sequence of " + at);
            }
            at = (int) (given < 0 ? given + at : given);
        }
        DataType type = call.item(0).type;
        if (type != null && call.item(1).type != null && type != call.item(1).type) {
            throw call.refused("the items are " + type);
        }
        items.forEach(Item::share);
        items.add(at, call.item(1).share());
        return Item.sequence(call.item(1).type, items);
    }

    private static Item erase(Call call) {
        List<Item> items = new ArrayList<>(call.item(0).items());
        items.remove((int) Indexing.position(call.has(1) ? call.integer(1) : -1, items.size()));
        items.forEach(Item::share);
        return Item.sequence(call.item(0).type, items);
    }

    private static Item split(Call call) {
        TensorData<?> data = call.data(0);
        int axis = Shapes.axis(call.attributes.integer("axis", 0), data.rank());
        long length = data.size(axis);
        boolean keep = call.attributes.flag("keepdims", true) || call.has(1);
        long[] sizes;
        if (call.has(1) && call.rank(1) == 1) {
            sizes = call.longs(1);
        } else {
            long size = call.has(1) ? call.integer(1) : 1;
            if (size < 1) {
                throw call.refused("parts of " + size + " cannot be taken");
            }
            sizes = new long[(int) ((length + size - 1) / size)];
            Arrays.setAll(sizes, n -> Math.min(size, length - n * size));
        }
        List<Item> parts = new ArrayList<>();
        long start = 0;
        for (long size : sizes) {
            if (size < 0 || start + size > length) {
                throw call.refused("parts of " + Arrays.toString(sizes) + " are not an axis of " + length);
            }
            parts.add(call.view(0, keep ? Shaping.range(data, axis, start, start + size) : Shaping.sliced(data, axis, TensorIndex.at(start))));
            start += size;
        }
        if (start != length) {
            throw call.refused("parts of " + Arrays.toString(sizes) + " are not an axis of " + length);
        }
        return Item.sequence(call.type(0), parts);
    }

    private static Item concat(Call call) {
        List<TensorData<?>> parts = new ArrayList<>();
        for (Item item : call.item(0).items()) {
            parts.add(item.data());
        }
        if (parts.isEmpty()) {
            throw call.refused("the sequence has no items");
        }
        boolean isNew = call.attributes.flag("new_axis", false);
        return Shaping.joined(Shapes.axis(call.attributes.integer("axis"), parts.get(0).rank() + (isNew ? 1 : 0)), isNew, parts);
    }
}
