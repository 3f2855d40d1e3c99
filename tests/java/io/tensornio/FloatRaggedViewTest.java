package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Views of ragged {@code float} data: of the axes behind the last ragged one, and rows that are merged. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedViewTest {
    private static final Class<IllegalArgumentException> BAD = IllegalArgumentException.class;

    /** Rows of 2, 0 and 1 blocks of (2, 3) elements, numbered throughout. */
    private static RaggedTensor<Float> blocks() {
        return Tensors.raggedFloat(new long[] {3, -1, 2, 3}, data -> {
            data.put(FloatTensorData.of(FloatValues.array(0, 12), 2, 2, 3), 0);
            data.put(FloatTensorData.of(FloatValues.array(12, 6), 1, 2, 3), 2);
        });
    }

    private static void check(FloatTensorData view, long[] shape, int... numbers) {
        assertArrayEquals(shape, view.shape());
        float[] expected = new float[numbers.length];
        for (int n = 0; n < numbers.length; n++) {
            expected[n] = FloatValues.of(numbers[n]);
        }
        assertArrayEquals(expected, FloatValues.all(view));
        float[] bulk = new float[numbers.length];
        view.copyTo(bulk);
        assertArrayEquals(expected, bulk);
    }

    @Test
    void uniformAxesHaveTheirViewsInEachRow() {
        try (RaggedTensor<Float> tensor = blocks()) {
            FloatTensorData data = tensor.floatData();
            check(data.permute(0, 1, 3, 2), new long[] {3, -1, 3, 2}, 0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11, 12, 15, 13, 16, 14, 17);
            assertEquals(FloatValues.of(10), data.permute(0, 1, 3, 2).get(0, 1, 1, 1));
            check(data.diagonal(2, 3), new long[] {3, -1, 2}, 0, 4, 6, 10, 12, 16);
            check(data.reshape(3, -1, 6), new long[] {3, -1, 6}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);
            check(data.unflatten(3, 3, 1).squeeze(-1).slice(2), new long[] {1, 2, 3}, 12, 13, 14, 15, 16, 17);
            check(data.flip(1, 2, 3).slice(0), new long[] {2, 2, 3}, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            check(data.expandDims(2).slice(2), new long[] {1, 1, 2, 3}, 12, 13, 14, 15, 16, 17);
            assertArrayEquals(new long[] {3, -1, 2, 3}, data.expandDims(2).squeeze().shape());
            FloatTensorData wide = data.expandDims(-1).broadcastTo(3, -1, 2, 3, 2);
            assertTrue(wide.isReadOnly());
            check(wide.slice(2), new long[] {1, 2, 3, 2}, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17);
        }
    }

    @Test
    void rowsAreMerged() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, -1}, data -> {
            data.put(FloatValues.array(1, 2), 0, 0);
            data.put(FloatValues.array(3, 1), 0, 1);
            data.put(FloatValues.array(4, 1), 1, 0);
        })) {
            FloatTensorData data = tensor.floatData();
            FloatTensorData rows = data.flatten(0, 1);
            check(rows, new long[] {3, -1}, 1, 2, 3, 4);
            check(rows.slice(1), new long[] {1}, 3);
            FloatTensorData joined = data.flatten(1, 2);
            check(joined, new long[] {2, -1}, 1, 2, 3, 4);
            check(joined.slice(0), new long[] {3}, 1, 2, 3);
            check(data.flatten(), new long[] {4}, 1, 2, 3, 4);
            check(data.slice(TensorIndex.from(1)).flatten(0, 1), new long[] {1, -1}, 4);
        }
        try (RaggedTensor<Float> tensor = blocks()) {
            FloatTensorData flat = tensor.floatData().flatten(1, 3);
            check(flat.slice(0), new long[] {12}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
            check(tensor.floatData().flatten(1, 2).slice(2), new long[] {2, 3}, 12, 13, 14, 15, 16, 17);
            check(tensor.floatData().flatten(0, 2).slice(5), new long[] {3}, 15, 16, 17);
        }
    }

    @Test
    void whatWouldCrossARaggedAxisIsRefused() {
        try (RaggedTensor<Float> tensor = blocks()) {
            FloatTensorData data = tensor.floatData();
            String[] says = {"axis 1", "[3, -1, 2, 3]", "ragged", "toDense(padding)"};
            Expect.thrown(BAD, data::transpose, says);
            Expect.thrown(BAD, () -> data.permute(1, 0, 2, 3), says);
            Expect.thrown(BAD, () -> data.diagonal(0, 2), says);
            Expect.thrown(BAD, () -> data.reshape(-1, 6), says);
            Expect.thrown(BAD, () -> data.unflatten(0, 3, 1), says);
            Expect.thrown(BAD, () -> data.squeeze(1), says);
            Expect.thrown(BAD, () -> data.slidingWindow(3, 2, 1), says);
            Expect.thrown(BAD, () -> data.tile(1, 1, 1, 1), says);
            Expect.thrown(BAD, () -> FloatTensorData.concat(0, data, data), says);
        }
    }

    @Test
    void growingRowsAreWrittenThroughTheirViews() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, 2}, data -> {
            data.put(FloatTensorData.of(FloatValues.array(0, 4), 2, 2), 0);
            data.flip(2).put(FloatValues.of(9), 0, 1, 0);
            Expect.thrown(ReadOnlyBufferException.class,
                () -> data.expandDims(-1).broadcastTo(2, -1, 2, 3).put(FloatValues.of(9), 0, 0, 0, 0), "FLOAT");
        })) {
            check(tensor.floatData().slice(0), new long[] {2, 2}, 0, 1, 2, 9);
        }
    }
}
