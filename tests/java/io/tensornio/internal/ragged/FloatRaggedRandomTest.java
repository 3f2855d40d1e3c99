package io.tensornio.internal.ragged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.RaggedTensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import io.tensornio.support.FloatBuffers;
import java.nio.FloatBuffer;
//#end

/** Ragged {@code float} tensors against lists of lists, in random programs: puts of all kinds in any order, slices of slices, reads of all kinds. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedRandomTest {
    private static final long[][] SHAPES = {
        {3, -1}, {5, -1}, {1, -1}, {0, -1}, {3, -1, 2}, {3, 2, -1}, {2, -1, 2, -1}, {3, -1, -1}, {2, -1, -1, -1}, {2, -1, 0}, {2, -1, 2, -1, 3},
        {2, 2, -1, -1, 1},
        {2, 0, -1},
    };

    private Random random;
    private FloatRaggedCheck check;
    private int number;
    /** Whether rows may become shorter, and no views are made while the tensor is filled. */
    private boolean shrinks;
    /** Whether the last slice was made by indices that are no coordinates: it does not grow, and takes bulk puts from its start on. */
    private boolean fixed;

    @Test
    void programs() {
        Seeds.each(0, 1500, (seeded, done) -> {
            random = seeded;
            check = new FloatRaggedCheck(random);
            number = random.nextInt(1500);
            shrinks = random.nextInt(3) == 0;
            program(SHAPES[random.nextInt(SHAPES.length)].clone());
        });
    }

    private void program(long... shape) {
        FloatRaggedModel model = FloatRaggedModel.zeros(shape);
        List<FloatTensorData> views = new ArrayList<>();
        List<FloatRaggedModel> parts = new ArrayList<>();
        FloatTensorData[] kept = {null};
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(shape, data -> {
            kept[0] = data;
            int puts = random.nextInt(20);
            for (int n = 0; n < puts; n++) {
                put(data, model);
                if (random.nextInt(8) == 0) {
                    check.data(data, model);
                }
                if (!shrinks && random.nextInt(4) == 0) {
                    // It must be right for as long as no row is made shorter under it.
                    FloatRaggedModel[] part = {model};
                    FloatTensorData view = slice(data, part);
                    views.add(view);
                    parts.add(part[0]);
                    writeThrough(view, part[0]);
                }
            }
            check.data(data, model);
            for (int v = 0; v < views.size(); v++) {
                check.values(views.get(v), parts.get(v));
            }
        })) {
            FloatTensorData data = tensor.floatData();
            assertTrue(data.isReadOnly());
            assertTrue(kept[0].isReadOnly());
            check.data(data, model);
            check.data(kept[0], model);
            assertEquals(data, kept[0]);
            for (int v = 0; v < views.size(); v++) {
                check.values(views.get(v), parts.get(v));
            }
            check.parts(tensor, model);
            for (int n = 0; n < 4; n++) {
                FloatRaggedModel[] part = {model};
                FloatTensorData slice = slice(data, part);
                check.data(slice, part[0]);
                if (part[0].shape.length > 0) {
                    FloatRaggedModel[] again = {part[0]};
                    check.data(slice(slice, again), again[0]);
                }
            }
        }
    }

    // ---- Puts ------------------------------------------------------------------------------------------------------

    private void put(FloatTensorData data, FloatRaggedModel model) {
        long[] shape = model.shape;
        int rank = shape.length;
        int last = model.last();
        switch (random.nextInt(5)) {
            case 0:
            case 1:
                int[] at = model.indices(random, rank, true);
                if (at != null) {
                    float value = FloatValues.of(++number);
                    FloatValues.put(data, value, at);
                    ((FloatRaggedModel.Box) model.at(true, at)).value = value;
                }
                break;
            case 2:
                int[] row = model.indices(random, last, true);
                if (row != null) {
                    setRow(data, model, row);
                }
                break;
            case 3:
                int[] start = model.indices(random, rank, true);
                if (start != null) {
                    int n = random.nextInt(last == rank - 1 ? 5 : (int) shape[rank - 1] - start[rank - 1] + 1);
                    put(data, FloatValues.array(number, n), start);
                    for (int i = 0; i < n; i++) {
                        int[] one = start.clone();
                        one[rank - 1] += i;
                        ((FloatRaggedModel.Box) model.at(true, one)).value = FloatValues.of(number + i);
                    }
                    number += n;
                }
                break;
            default:
                // What fails changes nothing.
                int[] bad = model.indices(random, rank, true);
                if (bad != null) {
                    int d = random.nextInt(rank);
                    bad[d] = shape[d] < 0 ? -1 : random.nextBoolean() ? -1 : (int) shape[d];
                    assertThrows(IndexOutOfBoundsException.class, () -> FloatValues.put(data, FloatValues.of(1), bad));
                    assertThrows(IndexOutOfBoundsException.class, () -> data.put(new float[1], bad));
                    if (last > 1) {
                        Expect.thrown(IllegalArgumentException.class, () -> data.put(new float[1], new int[0]), "single row");
                    }
                }
        }
    }

    /** Sets a row whole. */
    private void setRow(FloatTensorData data, FloatRaggedModel model, int... row) {
        int last = row.length;
        int unit = 1;
        for (int d = last + 1; d < model.shape.length; d++) {
            unit *= (int) model.shape[d];
        }
        List<Object> list = FloatRaggedModel.list(model.at(true, row));
        int positions = unit == 0 ? 0 : shrinks ? random.nextInt(6) : list.size() + random.nextInt(4);
        float[] values = FloatValues.array(number, positions * unit);
        if (unit > 0 && random.nextInt(4) == 0) {
            long[] sizes = Arrays.copyOfRange(model.shape, last, model.shape.length);
            sizes[0] = positions;
            data.put(FloatTensorData.of(values, sizes), row);
        } else {
            put(data, values, row);
        }
        while (list.size() > positions) {
            list.remove(list.size() - 1);
        }
        while (list.size() < positions) {
            list.add(FloatRaggedModel.zero(model.shape, last + 1));
        }
        List<FloatRaggedModel.Box> boxes = FloatRaggedModel.boxes(list);
        for (int i = 0; i < positions * unit; i++) {
            boxes.get(i).value = FloatValues.of(number + i);
        }
        number += positions * unit;
    }

    /** In any of the forms that there are. */
    private void put(FloatTensorData data, float[] values, int... at) {
        switch (random.nextInt(4)) {
            //#if buffer
            case 0:
                FloatBuffer buffer = buffer(values);
                data.put(buffer, at);
                assertFalse(buffer.hasRemaining());
                break;
            //#end
            case 1:
                FloatTensorData source = FloatTensorData.of(values);
                data.put(source.stream(), at);
                break;
            default:
                data.put(values, at);
        }
    }

    //#if buffer
    /** Of any kind, between margins; some are read-only. */
    private FloatBuffer buffer(float... values) {
        FloatBuffer buffer = FloatBuffers.any(random, values.length);
        for (int i = 0; i < values.length; i++) {
            buffer.put(FloatBuffers.MARGIN + i, values[i]);
        }
        return random.nextInt(4) == 0 ? buffer.asReadOnlyBuffer() : buffer;
    }
    //#end

    // ---- Slices ----------------------------------------------------------------------------------------------------

    /** A slice of data; the model of it replaces that of the data. */
    private FloatTensorData slice(FloatTensorData data, FloatRaggedModel... of) {
        FloatRaggedModel model = of[0];
        int rank = model.shape.length;
        if (random.nextInt(3) == 0) {
            int[] at = model.indices(random, random.nextInt(rank + 1), false);
            if (at != null) {
                fixed = false;
                of[0] = model.slice(at);
                return FloatValues.slice(data, at);
            }
        }
        List<RaggedPick> picks = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        int wanted = random.nextInt(rank + 1);
        for (int d = 0; d < wanted; ) {
            int[] range = range(model, picks, d);
            RaggedPick pick = RaggedPick.random(random, (int) model.shape[d], range[0], range[1]);
            picks.add(pick);
            d += pick.takesAxis() ? 1 : 0;
        }
        if (picks.stream().allMatch(RaggedPick::isAt)) {
            return slice(data, of);                 // these grow: they are coordinates by another name
        }
        TensorIndex[] indices = new TensorIndex[picks.size()];
        for (int n = 0; n < indices.length; n++) {
            indices[n] = picks.get(n).index;
        }
        fixed = true;
        of[0] = model.slice(picks);
        return data.slice(indices);
    }

    /** The shortest and the longest row of an axis. */
    private int[] range(FloatRaggedModel model, List<RaggedPick> picks, int axis) {
        List<Object> nodes = new ArrayList<>();
        nodes.add(model.root);
        for (int d = 0; d < axis; d++) {
            List<Object> below = new ArrayList<>();
            for (Object node : nodes) {
                below.addAll(FloatRaggedModel.list(node));
            }
            nodes = below;
        }
        int shortest = nodes.isEmpty() ? (int) Math.max(model.shape[axis], 0) : Integer.MAX_VALUE;
        int longest = shortest == Integer.MAX_VALUE ? 0 : shortest;
        for (Object node : nodes) {
            shortest = Math.min(shortest, FloatRaggedModel.list(node).size());
            longest = Math.max(longest, FloatRaggedModel.list(node).size());
        }
        return new int[] {shortest, longest};
    }

    private void writeThrough(FloatTensorData view, FloatRaggedModel part) {
        List<FloatRaggedModel.Box> boxes = FloatRaggedModel.boxes(part.root);
        if (boxes.isEmpty() || random.nextBoolean()) {
            return;
        }
        float[] values = FloatValues.array(number, boxes.size());
        number += values.length;
        if (fixed && random.nextBoolean()) {
            // The start of it, in bulk; what is repeated keeps the last.
            int n = random.nextInt(values.length + 1);
            values = Arrays.copyOf(values, n);
            //#if buffer
            if (random.nextBoolean()) {
                FloatBuffer buffer = buffer(values);
                view.put(buffer, new int[0]);
                assertFalse(buffer.hasRemaining());
            } else {
                view.copyFrom(values);
            }
            //#end
            //~boolean,string view.copyFrom(values);
            float[] more = FloatValues.array(number, n + 5);
            if (n == boxes.size()) {
                assertThrows(IndexOutOfBoundsException.class, () -> view.copyFrom(more));
            }
        } else if (part.shape.length > 0 && random.nextBoolean()) {
            FloatTensorIterator scalars = view.scalars();
            for (float value : values) {
                scalars.put(value);
            }
        } else if (part.shape.length == 0) {
            view.put(values[0]);
        } else {
            FloatTensorIterator scalars = view.scalars();
            float[] all = values;
            int[] next = {0};
            scalars.onEach(() -> all[next[0]++]);
        }
        for (int i = 0; i < values.length; i++) {
            boxes.get(i).value = values[i];
        }
    }
}
