package io.tensornio.internal.ragged;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.AnyTensor;
import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.FloatValues;
import io.tensornio.support.LongValues;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
//#if buffer
import io.tensornio.support.FloatBuffers;
import java.nio.FloatBuffer;
//#end

/** Checks of ragged {@code float} data against a model, by ways to read it that are chosen at random. */
final class FloatRaggedCheck {
    private final Random random;

    FloatRaggedCheck(Random random) {
        this.random = random;
    }

    /** Shape, rows and values equal the model's, and coordinates outside are refused. */
    void data(FloatTensorData data, FloatRaggedModel model) {
        assertArrayEquals(model.shape, data.shape());
        values(data, model);
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
                int[] at = model.indices(random, rank, false);
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

    /** The values equal the model's, by whatever they are read. */
    void values(FloatTensorData data, FloatRaggedModel model) {
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
        FloatBuffer buffer = FloatBuffers.any(random, values.length);
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

    /** Row splits, values and the dense tensor equal the model's, and make the same tensor again. */
    void parts(RaggedTensor<Float> tensor, FloatRaggedModel model) {
        long[] shape = model.shape;
        int last = model.last();
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
                data(again.floatData(), model);
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
