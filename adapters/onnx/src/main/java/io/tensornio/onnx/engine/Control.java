package io.tensornio.onnx.engine;

import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Operators that run graphs. */
final class Control {
    private Control() {
    }

    static void addTo(Table table) {
        table.many("If", 1, "one of two graphs",
            call -> run(call, call.attributes.graph(call.integer(0) != 0 ? "then_branch" : "else_branch"))).keeps();
        table.many("Loop", 1, "a graph again and again", Control::loop).keeps();
        table.many("Scan", 8, "a graph for each slice, for each example of a batch", Control::scanBatch).keeps();
        table.many("Scan", 9, "a graph for each slice", Control::scan).keeps();
        table.many("SequenceMap", 17, "a graph for each item", Control::map).keeps();
    }

    private static Item[] run(Call call, Graph graph, Item... inputs) {
        Item[] captured = Arrays.copyOfRange(call.captured, graph.first, graph.first + graph.captured.size());
        return call.run.graph(graph, inputs, captured);
    }

    private static Item[] loop(Call call) {
        Graph body = call.attributes.graph("body");
        long most = call.has(0) ? call.integer(0) : Long.MAX_VALUE;
        boolean goes = !call.has(1) || call.integer(1) != 0;
        int carried = Math.max(0, call.in.length - 2);
        int scanned = body.outputs.length - 1 - carried;
        if (body.inputs.length != carried + 2 || scanned < 0) {
            throw call.refused("the body has " + body.inputs.length + " inputs and " + body.outputs.length + " outputs for " + carried
                + " values that are carried");
        }
        Item[] state = new Item[carried];
        for (int n = 0; n < carried; n++) {
            state[n] = call.has(n + 2) ? call.item(n + 2).share() : null;
        }
        List<List<Item>> scans = lists(scanned);
        try {
            for (long i = 0; i < most && goes; i++) {
                Run.checkInterrupt(call.node);
                Item[] inputs = new Item[carried + 2];
                inputs[0] = Item.borrowed(Data.ofLongs(io.tensornio.DataType.INT64, new long[] {i}, Shapes.SCALAR));
                inputs[1] = Item.borrowed(Data.ofLongs(io.tensornio.DataType.BOOL, new long[] {1}, Shapes.SCALAR));
                System.arraycopy(state, 0, inputs, 2, carried);
                Item[] out = run(call, body, inputs);
                long[] condition = Data.longs(out[0].data());
                goes = condition.length > 0 && condition[0] != 0;
                out[0].release();
                for (int n = 0; n < carried; n++) {
                    if (state[n] != null) {
                        state[n].release();
                    }
                    state[n] = out[n + 1];
                }
                for (int n = 0; n < scanned; n++) {
                    scans.get(n).add(out[carried + 1 + n]);
                }
            }
            Item[] result = new Item[carried + scanned];
            for (int n = 0; n < scanned; n++) {
                result[carried + n] = stacked(scans.get(n), 0);
            }
            System.arraycopy(state, 0, result, 0, carried);
            Arrays.fill(state, null);
            return result;
        } finally {
            release(state, scans);
        }
    }

    private static void release(Item[] state, List<List<Item>> scans) {
        for (Item item : state) {
            if (item != null) {
                item.release();
            }
        }
        scans.forEach(items -> items.forEach(Item::release));
    }

    private static List<List<Item>> lists(int count) {
        List<List<Item>> lists = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            lists.add(new ArrayList<>());
        }
        return lists;
    }

    private static Item stacked(List<Item> items, int axis) {
        if (items.isEmpty()) {
            return Item.borrowed(Data.empty(io.tensornio.DataType.FLOAT, 0));
        }
        List<TensorData<?>> parts = new ArrayList<>();
        for (Item item : items) {
            parts.add(item.data());
        }
        return Call.made(Data.joined(axis, true, parts));
    }

    private static Item[] scan(Call call) {
        Graph body = call.attributes.graph("body");
        int slices = Math.toIntExact(call.attributes.integer("num_scan_inputs"));
        int states = call.in.length - slices;
        int scanned = body.outputs.length - states;
        if (states < 0 || slices < 1 || scanned < 0 || body.inputs.length != call.in.length) {
            throw call.refused("the body has " + body.inputs.length + " inputs and " + body.outputs.length + " outputs for " + call.in.length
                + " inputs, " + slices + " of them in slices");
        }
        long[] axes = call.attributes.integers("scan_input_axes", new long[slices]);
        long[] directions = call.attributes.integers("scan_input_directions", new long[slices]);
        long[] outAxes = call.attributes.integers("scan_output_axes", new long[scanned]);
        long[] outDirections = call.attributes.integers("scan_output_directions", new long[scanned]);
        if (axes.length != slices || directions.length != slices || outAxes.length != scanned || outDirections.length != scanned) {
            throw call.refused("axes and directions are not for " + slices + " inputs and " + scanned + " outputs");
        }
        long length = -1;
        int[] axis = new int[slices];
        for (int n = 0; n < slices; n++) {
            axis[n] = Shapes.axis(axes[n], call.rank(states + n));
            long own = call.shape(states + n)[axis[n]];
            if (length >= 0 && own != length) {
                throw call.refused("slices differ in number: " + length + " and " + own);
            }
            length = own;
        }
        Item[] state = new Item[states];
        for (int n = 0; n < states; n++) {
            state[n] = call.item(n).share();
        }
        List<List<Item>> scans = lists(scanned);
        try {
            TensorData<?>[] data = new TensorData<?>[slices];
            Arrays.setAll(data, n -> call.data(states + n));
            steps(call, body, state, data, axis, directions, length, outDirections, scans);
            Item[] result = new Item[states + scanned];
            for (int n = 0; n < scanned; n++) {
                List<Item> items = scans.get(n);
                int rank = items.isEmpty() ? 0 : items.get(0).data().rank();
                result[states + n] = stacked(items, items.isEmpty() ? 0 : Shapes.axis(outAxes[n], rank + 1));
            }
            System.arraycopy(state, 0, result, 0, states);
            Arrays.fill(state, null);
            return result;
        } finally {
            release(state, scans);
        }
    }

    /** Runs the body for each slice, the last inputs; `state` is replaced, and `scans` get what is to be put together. */
    private static void steps(Call call, Graph body, Item[] state, TensorData<?>[] data, int[] axis, long[] directions, long length,
            long[] outDirections, List<List<Item>> scans) {
        int states = state.length;
        int slices = data.length;
        for (long i = 0; i < length; i++) {
            Run.checkInterrupt(call.node);
            Item[] inputs = new Item[states + slices];
            System.arraycopy(state, 0, inputs, 0, states);
            for (int n = 0; n < slices; n++) {
                long at = directions[n] == 0 ? i : length - 1 - i;
                inputs[states + n] = call.view(call.in.length - slices + n, Shaping.sliced(data[n], axis[n], TensorIndex.at(at)));
            }
            Item[] out = run(call, body, inputs);
            for (int n = 0; n < slices; n++) {
                inputs[states + n].release();
            }
            for (int n = 0; n < states; n++) {
                state[n].release();
                state[n] = out[n];
            }
            for (int n = 0; n < scans.size(); n++) {
                scans.get(n).add(outDirections[n] == 0 ? scans.get(n).size() : 0, out[states + n]);
            }
        }
    }

    /** Until version 8, inputs had a batch before the slices, and a number of slices for each example. */
    private static Item[] scanBatch(Call call) {
        Graph body = call.attributes.graph("body");
        int slices = Math.toIntExact(call.attributes.integer("num_scan_inputs"));
        int states = call.in.length - 1 - slices;
        int scanned = body.outputs.length - states;
        long[] directions = call.attributes.integers("directions", new long[Math.max(0, slices)]);
        if (states < 0 || slices < 1 || scanned < 0 || body.inputs.length != states + slices || directions.length != slices
            || call.rank(call.in.length - 1) < 2) {
            throw call.refused("the body has " + body.inputs.length + " inputs and " + body.outputs.length + " outputs for " + states
                + " states and " + slices + " inputs in slices");
        }
        long batch = call.shape(call.in.length - 1)[0];
        long length = call.shape(call.in.length - 1)[1];
        long[] lengths = call.has(0) ? call.longs(0) : Window.filled((int) batch, length);
        List<List<Item>> results = lists(states + scanned);
        if (lengths.length != batch) {
            throw call.refused(lengths.length + " lengths are for " + batch + " examples");
        }
        List<List<List<Item>>> all = new ArrayList<>();
        try {
            for (int example = 0; example < batch; example++) {
                TensorIndex at = TensorIndex.at(example);
                Item[] state = new Item[states];
                Arrays.setAll(state, n -> call.view(n + 1, Shaping.sliced(call.data(n + 1), 0, at)));
                TensorData<?>[] data = new TensorData<?>[slices];
                Arrays.setAll(data, n -> Shaping.sliced(call.data(states + 1 + n), 0, at));
                all.add(lists(scanned));
                try {
                    steps(call, body, state, data, new int[slices], directions, Math.min(length, lengths[example]), new long[scanned],
                        all.get(example));
                } finally {
                    for (int n = 0; n < states; n++) {
                        results.get(n).add(state[n]);       // released with them if the body fails
                    }
                }
            }
            for (int n = 0; n < scanned; n++) {
                results.get(states + n).addAll(padded(all, n, length));
            }
            return results.stream().map(items -> stacked(items, 0)).toArray(Item[]::new);
        } finally {
            all.forEach(scans -> release(new Item[0], scans));
            release(new Item[0], results);
        }
    }

    /** An output of each example, with zeros behind its slices; of an example without any they are as those of the others. */
    private static List<Item> padded(List<List<List<Item>>> examples, int output, long length) {
        Item any = null;
        for (List<List<Item>> example : examples) {
            any = any == null && !example.get(output).isEmpty() ? example.get(output).get(0) : any;
        }
        List<Item> padded = new ArrayList<>();
        for (List<List<Item>> example : examples) {
            List<Item> items = example.get(output);
            while (any != null && items.size() < length) {
                items.add(Item.borrowed(Data.zeros(any.type, any.shape())));
            }
            padded.add(stacked(items, 0));
        }
        return padded;
    }

    private static Item[] map(Call call) {
        Graph body = call.attributes.graph("body");
        List<Item> first = call.item(0).items();
        List<List<Item>> results = lists(body.outputs.length);
        for (int i = 0; i < first.size(); i++) {
            Run.checkInterrupt(call.node);
            Item[] inputs = new Item[call.in.length];
            for (int n = 0; n < inputs.length; n++) {
                Item given = call.item(n);
                inputs[n] = given.kind == Item.Kind.SEQUENCE ? given.items().get(i) : given;
            }
            Item[] out = run(call, body, inputs);
            for (int n = 0; n < out.length; n++) {
                results.get(n).add(out[n]);
            }
        }
        return results.stream().map(items -> Item.sequence(items.isEmpty() ? null : items.get(0).type, items)).toArray(Item[]::new);
    }
}
