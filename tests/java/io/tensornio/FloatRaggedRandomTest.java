package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ragged {@code float} tensors against lists of lists, in random programs: puts of all kinds in any order, slices of slices, reads of all kinds. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedRandomTest {
    private static final long[][] SHAPES = {
        {3, -1}, {5, -1}, {1, -1}, {0, -1}, {3, -1, 2}, {3, 2, -1}, {2, -1, 2, -1}, {3, -1, -1}, {2, -1, -1, -1}, {2, -1, 0}, {2, -1, 2, -1, 3},
        {2, 2, -1, -1, 1},
        {2, 0, -1},
    };

    private Random random;
    private int number;
    /** Whether rows may become shorter, and no views are made while the tensor is filled. */
    private boolean shrinks;
    /** Whether the last slice was made by indices that are no coordinates: it does not grow, and takes bulk puts from its start on. */
    private boolean fixed;

    @Test
    void programs() {
        Seeds.each(0, 1500, (seeded, done) -> {
            random = seeded;
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
                    check(data, model);
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
            check(data, model);
            for (int v = 0; v < views.size(); v++) {
                checkValues(views.get(v), parts.get(v));
            }
        })) {
            FloatTensorData data = tensor.floatData();
            assertTrue(data.isReadOnly());
            assertTrue(kept[0].isReadOnly());
            check(data, model);
            check(kept[0], model);
            assertEquals(data, kept[0]);
            for (int v = 0; v < views.size(); v++) {
                checkValues(views.get(v), parts.get(v));
            }
            checkParts(tensor, model);
            for (int n = 0; n < 4; n++) {
                FloatRaggedModel[] part = {model};
                FloatTensorData slice = slice(data, part);
                check(slice, part[0]);
                if (part[0].shape.length > 0) {
                    FloatRaggedModel[] again = {part[0]};
                    check(slice(slice, again), again[0]);
                }
            }
        }
    }

    // ---- Puts ------------------------------------------------------------------------------------------------------

    private int[] indices(FloatRaggedModel model, int n, boolean grow) {
        int[] indices = new int[n];
        Object node = model.root;
        for (int d = 0; d < n; d++) {
            int size = node == null ? 0 : FloatRaggedModel.list(node).size();
            int room = model.shape[d] < 0 && grow ? Math.max(size, 1) + random.nextInt(3)
                : model.shape[d] < 0 || node != null ? size : (int) model.shape[d];
            if (room == 0) {
                return null;
            }
            indices[d] = random.nextInt(room);
            node = node == null || indices[d] >= size ? null : FloatRaggedModel.list(node).get(indices[d]);
        }
        return indices;
    }

    private int last(long... shape) {
        int d = shape.length - 1;
        while (shape[d] >= 0) {
            d--;
        }
        return d;
    }

    private void put(FloatTensorData data, FloatRaggedModel model) {
        long[] shape = model.shape;
        int rank = shape.length;
        int last = last(shape);
        switch (random.nextInt(5)) {
            case 0:
            case 1:
                int[] at = indices(model, rank, true);
                if (at != null) {
                    float value = FloatValues.of(++number);
                    FloatValues.put(data, value, at);
                    ((FloatRaggedModel.Box) model.at(true, at)).value = value;
                }
                break;
            case 2:
                int[] row = indices(model, last, true);
                if (row != null) {
                    setRow(data, model, row);
                }
                break;
            case 3:
                int[] start = indices(model, rank, true);
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
                int[] bad = indices(model, rank, true);
                if (bad != null) {
                    int d = random.nextInt(rank);
                    bad[d] = shape[d] < 0 ? -1 : random.nextBoolean() ? -1 : (int) shape[d];
                    assertThrows(IndexOutOfBoundsException.class, () -> FloatValues.put(data, FloatValues.of(1), bad));
                    assertThrows(IndexOutOfBoundsException.class, () -> data.put(new float[1], bad));
                    if (last > 1) {
                        Expect.thrown(IllegalArgumentException.class, () -> data.put(new float[1], new int[0]), "several rows");
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
        FloatBuffer buffer = room(values.length);
        for (int i = 0; i < values.length; i++) {
            buffer.put(FloatBuffers.MARGIN + i, values[i]);
        }
        return random.nextInt(4) == 0 ? buffer.asReadOnlyBuffer() : buffer;
    }

    private FloatBuffer room(int n) {
        return FloatBuffers.of(FloatBuffers.KINDS.get(random.nextInt(FloatBuffers.KINDS.size())), n);
    }
    //#end

    // ---- Slices ----------------------------------------------------------------------------------------------------

    /** A slice of data; the model of it replaces that of the data. */
    private FloatTensorData slice(FloatTensorData data, FloatRaggedModel... of) {
        FloatRaggedModel model = of[0];
        int rank = model.shape.length;
        if (random.nextInt(3) == 0) {
            int[] at = indices(model, random.nextInt(rank + 1), false);
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

    // ---- Checks ----------------------------------------------------------------------------------------------------

    private void check(FloatTensorData data, FloatRaggedModel model) {
        assertArrayEquals(model.shape, data.shape());
        checkValues(data, model);
        int rank = model.shape.length;
        if (rank > 0) {
            assertEquals(model.lengths(), lengths(data));
            long n = model.shape[0];
            int i = 0;
            for (FloatTensorData element : data.elements()) {
                FloatRaggedModel part = model.slice(i);
                assertArrayEquals(part.shape, element.shape());
                assertArrayEquals(part.values(), FloatValues.all(element));
                i++;
            }
            assertEquals(n, i);
            for (int tries = 0; tries < 3; tries++) {
                int[] at = indices(model, rank, false);
                if (at != null) {
                    assertEquals(((FloatRaggedModel.Box) model.at(false, at)).value, FloatValues.get(data, at));
                    assertEquals(((FloatRaggedModel.Box) model.at(false, at)).value, data.get(at));
                    at[random.nextInt(rank)] += random.nextInt(3);
                    if (!model.has(at)) {
                        assertThrows(IndexOutOfBoundsException.class, () -> FloatValues.get(data, at));
                        assertThrows(IndexOutOfBoundsException.class, () -> data.slice(at));
                    }
                }
            }
        }
    }

    private static List<Integer> lengths(FloatTensorData data) {
        List<Integer> all = new ArrayList<>();
        List<FloatTensorData> level = new ArrayList<>();
        level.add(data);
        for (int d = 0; d < data.rank(); d++) {
            List<FloatTensorData> below = new ArrayList<>();
            for (FloatTensorData part : level) {
                if (d > 0) {
                    all.add((int) part.size(0));
                }
                for (FloatTensorData element : part.elements()) {
                    below.add(element);
                }
            }
            level = below;
        }
        return all;
    }

    private void checkValues(FloatTensorData data, FloatRaggedModel model) {
        float[] values = model.values();
        assertEquals(values.length, data.totalSize());
        assertArrayEquals(values, FloatValues.all(data));
        float[] copy = new float[values.length];
        data.copyTo(copy);
        assertArrayEquals(values, copy);
        int[] next = {0};
        data.scalars().forEach(value -> assertEquals(values[next[0]++], value));
        assertEquals(values.length, next[0]);
        //#if buffer
        FloatBuffer buffer = room(values.length);
        data.get(buffer, new int[0]);
        assertFalse(buffer.hasRemaining());
        assertArrayEquals(FloatBuffers.withMargins(values), FloatBuffers.content(buffer));
        //#end
        switch (random.nextInt(5)) {
            case 0:
                assertArrayEquals(FloatTensorData.of(values).stream().toArray(), data.stream().toArray());
                break;
            case 1:
                assertArrayEquals(FloatTensorData.of(values).stream().toArray(), data.stream().parallel().toArray());
                break;
            case 2:
                ByteArrayOutputStream expected = new ByteArrayOutputStream();
                ByteArrayOutputStream actual = new ByteArrayOutputStream();
                FloatTensorData.of(values).read(expected);
                data.read(actual);
                assertArrayEquals(expected.toByteArray(), actual.toByteArray());
                break;
            default:
                checkEqual(data, model);
                assertFalse(data.toString().isEmpty());
        }
    }

    /** Data is equal to that of a tensor which was made of the model, unless none can be. */
    private static void checkEqual(FloatTensorData data, FloatRaggedModel model) {
        try (AnyTensor<Float> same = model.tensor()) {
            if (same != null) {
                FloatTensorData expected = same.floatData();
                assertEquals(expected, data);
                assertEquals(data, expected);
                assertEquals(expected.hashCode(), data.hashCode());
            }
        }
    }

    private void checkParts(RaggedTensor<Float> tensor, FloatRaggedModel model) {
        long[] shape = model.shape;
        int last = last(shape);
        assertArrayEquals(model.values(), FloatValues.all(tensor.values().floatData()));
        assertArrayEquals(Arrays.copyOfRange(shape, last + 1, shape.length), Arrays.copyOfRange(tensor.values().shape(), 1, shape.length - last));
        List<Object> nodes = new ArrayList<>();
        nodes.add(model.root);
        List<long[]> splits = new ArrayList<>();
        for (int d = 0; d <= last; d++) {
            List<Object> below = new ArrayList<>();
            long[] ends = new long[nodes.size() + 1];
            for (int n = 0; n < nodes.size(); n++) {
                below.addAll(FloatRaggedModel.list(nodes.get(n)));
                ends[n + 1] = below.size();
            }
            if (shape[d] < 0) {
                assertArrayEquals(ends, LongValues.all(tensor.rowSplits(d).longData()));
                splits.add(ends);
            }
            nodes = below;
        }
        // Values and splits make the same again, if no axis before the last ragged one is uniform.
        if (splits.size() == last) {
            try (RaggedTensor<Float> again = RaggedTensor.fromRowSplits(tensor.values().floatData(), splits.toArray(new long[0][]))) {
                assertEquals(tensor.floatData(), again.floatData());
                assertEquals(tensor.floatData().hashCode(), again.floatData().hashCode());
                check(again.floatData(), model);
            }
        }
        try (Tensor<Float> dense = tensor.toDense()) {
            assertNotEquals(dense.floatData(), tensor.floatData());
            long[] longest = new long[shape.length];
            checkDense(dense.floatData(), model.root, 0, longest);
            for (int d = 1; d <= last; d++) {
                assertEquals(shape[d] < 0 ? longest[d] : shape[d], dense.floatData().size(d), () -> "the longest row of " + Arrays.toString(shape));
            }
            if (last == 1) {
                checkFromDense(tensor, dense.floatData(), splits.get(0));
            }
        }
    }

    /** The rows of dense, of sparse and of strided data, and the lengths, make the same again. */
    private static void checkFromDense(RaggedTensor<Float> tensor, FloatTensorData dense, long... splits) {
        int n = splits.length - 1;
        long[] lengths = new long[n];
        Arrays.setAll(lengths, i -> splits[i + 1] - splits[i]);
        long[] reversed = new long[n];
        Arrays.setAll(reversed, i -> lengths[n - 1 - i]);
        try (SparseTensor<Float> sparse = SparseTensor.fromDense(dense);
                RaggedTensor<Float> same = RaggedTensor.fromDense(dense, lengths);
                RaggedTensor<Float> stored = RaggedTensor.fromDense(sparse.floatData(), lengths);
                RaggedTensor<Float> flipped = RaggedTensor.fromDense(dense.slice(TensorIndex.flip()), reversed)) {
            assertEquals(tensor.floatData(), same.floatData());
            assertEquals(tensor.floatData(), stored.floatData());
            assertEquals(tensor.floatData().slice(TensorIndex.flip()), flipped.floatData());
        }
    }

    /** What has a place in the model, and zeros behind it; notes how long the longest rows are. */
    private static void checkDense(FloatTensorData dense, Object node, int d, long... longest) {
        if (dense.rank() == 0) {
            assertEquals(node == null ? FloatValues.ZERO : ((FloatRaggedModel.Box) node).value, dense.get());
            return;
        }
        List<Object> below = node == null ? new ArrayList<>() : FloatRaggedModel.list(node);
        longest[d] = Math.max(longest[d], below.size());
        for (int i = 0; i < dense.size(0); i++) {
            checkDense(dense.slice(i), i < below.size() ? below.get(i) : null, d + 1, longest);
        }
    }
}
