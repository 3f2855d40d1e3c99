package io.tensornio.internal.ragged;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Seeds;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Random;
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
            Expect.thrown(BAD, () -> data.broadcastTo(3, -1, 2), says);
            Expect.thrown(BAD, () -> data.broadcastTo(3, 2, 2, 3), says);
            Expect.thrown(BAD, () -> data.broadcastTo(-1, 3, -1, 2, 3), says);
            Expect.thrown(BAD, () -> data.broadcastTo(3, -1, 2, 6), says);
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

    @Test
    void axesInFrontOfARaggedOneChangePlaces() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, 2, -1}, data -> {
            data.put(FloatValues.array(0, 2), 0, 0);
            data.put(FloatValues.array(2, 1), 0, 1);
            data.put(FloatValues.array(3, 3), 1, 1);
        })) {
            FloatTensorData data = tensor.floatData();
            check(data.permute(1, 0, 2), new long[] {2, 2, -1}, 0, 1, 2, 3, 4, 5);
            check(data.permute(1, 0, 2).slice(1), new long[] {2, -1}, 2, 3, 4, 5);
            check(data.permute(1, 0, 2).slice(1, 0), new long[] {1}, 2);
            check(data.broadcastTo(2, 2, 2, -1).slice(1), new long[] {2, 2, -1}, 0, 1, 2, 3, 4, 5);
            assertTrue(data.broadcastTo(2, 2, 2, -1).isReadOnly());
            check(data.slice(TensorIndex.at(0)).expandDims(0).broadcastTo(3, 2, -1), new long[] {3, 2, -1}, 0, 1, 2, 0, 1, 2, 0, 1, 2);
            check(data.broadcastTo(0, 2, 2, -1), new long[] {0, 2, 2, -1});
            check(data.slice(TensorIndex.all(), TensorIndex.from(1)).broadcastTo(2, 3, -1), new long[] {2, 3, -1},
                2, 2, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5);
        }
    }

    @Test
    void whatIsChosenOutOfEachRowHasTheViewsOfAList() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, 2, -1}, data -> {
            data.put(FloatValues.array(0, 2), 0, 0);
            data.put(FloatValues.array(2, 1), 0, 1);
            data.put(FloatValues.array(3, 5), 1, 0);
            data.put(FloatValues.array(8, 2), 1, 1);
        })) {
            FloatTensorData last = tensor.floatData().slice(TensorIndex.all(), TensorIndex.all(), TensorIndex.at(-1));
            check(last, new long[] {2, 2}, 1, 2, 7, 9);
            check(last.transpose(), new long[] {2, 2}, 1, 7, 2, 9);
            check(last.diagonal(0, 1), new long[] {2}, 1, 9);
            check(last.reshape(-1, 1), new long[] {4, 1}, 1, 2, 7, 9);
            check(last.flatten(), new long[] {4}, 1, 2, 7, 9);
            check(last.broadcastTo(2, 2, 2).slice(1), new long[] {2, 2}, 1, 2, 7, 9);
            check(FloatTensorData.concat(1, last, last), new long[] {2, 4}, 1, 2, 1, 2, 7, 9, 7, 9);
            check(last.pad(new long[] {0, 0}, new long[] {0, 0}).flip(1), new long[] {2, 2}, 2, 1, 9, 7);
            Expect.thrown(BAD, () -> last.slidingWindow(0, 1, 1), "list of positions", "copy()");
            Expect.thrown(BAD, () -> last.broadcastTo(3, 2), "[2, 2]", "[3, 2]");
            assertFalse(last.description().hasLayout());
        }
    }

    @Test
    void randomAxesAgainstTheirIndices() {
        Seeds.each(3290, 40, (random, done) -> {
            long[] shape = {1 + random.nextInt(3), 1 + random.nextInt(3), -1, 1 + random.nextInt(3), 1 + random.nextInt(3), -1,
                1 + random.nextInt(2), 1 + random.nextInt(3)};
            int[] order = {0, 1, 2, 3, 4, 5, 6, 7};
            for (int first : new int[] {0, 3, 6}) {
                int swapped = random.nextInt(2);
                order[first] = first + swapped;
                order[first + 1] = first + 1 - swapped;
            }
            boolean cut = random.nextBoolean();
            boolean onePosition = random.nextBoolean();
            done.append(", ").append(Arrays.toString(shape)).append(Arrays.toString(order)).append(cut).append(onePosition);
            try (RaggedTensor<Float> tensor = Tensors.raggedFloat(shape, data -> fill(data, random))) {
                FloatTensorData data = cut ? tensor.floatData().slice(TensorIndex.from(1 - (int) (shape[0] % 2))).flip(random.nextInt(8))
                    : tensor.floatData();
                if (onePosition) {
                    // The tree goes on behind the last ragged axis.
                    data = data.slice(TensorIndex.all(), TensorIndex.all(), TensorIndex.all(), TensorIndex.all(), TensorIndex.all(),
                        TensorIndex.incl(0, -1, 0));
                }
                FloatTensorData from = data;
                each(from.permute(order), new int[0], (view, at) -> {
                    int[] own = new int[8];
                    for (int k = 0; k < 8; k++) {
                        own[order[k]] = at[k];
                    }
                    assertEquals(from.get(own), view.get(at));
                });
                long[] wide = from.shape();
                for (int d = 0; d < 8; d++) {
                    wide[d] = wide[d] == 1 ? 1 + random.nextInt(3) : wide[d];
                }
                long[] more = new long[9];
                more[0] = 2;
                System.arraycopy(wide, 0, more, 1, 8);
                each(from.broadcastTo(more), new int[0], (view, at) -> {
                    int[] own = Arrays.copyOfRange(at, 1, 9);
                    for (int d = 0; d < 8; d++) {
                        own[d] = from.shape()[d] == 1 ? 0 : own[d];
                    }
                    assertEquals(from.get(own), view.get(at));
                });
                each(from.diagonal(6, 7), new int[0], (view, at) -> {
                    int[] own = Arrays.copyOf(at, 8);
                    own[7] = at[6];
                    assertEquals(from.get(own), view.get(at));
                });
                if (onePosition) {
                    float[] all = FloatValues.all(from);
                    long[] flat = Arrays.copyOf(from.shape(), 6);
                    flat[5] *= from.size(6) * from.size(7);
                    assertArrayEquals(all, FloatValues.all(from.reshape(flat)));
                    assertArrayEquals(all, FloatValues.all(from.flatten(5, 6)));
                }
            }
        });
    }

    private static void fill(FloatTensorData data, Random random) {
        NaiveView front = NaiveView.of((int) data.size(0), (int) data.size(1));
        NaiveView between = NaiveView.of((int) data.size(3), (int) data.size(4));
        NaiveView back = NaiveView.of((int) data.size(6), (int) data.size(7));
        int n = 0;
        for (int[] i : front.indices()) {
            for (int j = 0, rows = 1 + random.nextInt(2); j < rows; j++) {
                for (int[] k : between.indices()) {
                    for (int l = 0, row = 1 + random.nextInt(3); l < row; l++) {
                        for (int[] m : back.indices()) {
                            data.put(FloatValues.of(n++), i[0], i[1], j, k[0], k[1], l, m[0], m[1]);
                        }
                    }
                }
            }
        }
    }

    private interface Element {
        void check(FloatTensorData view, int... at);
    }

    private static void each(FloatTensorData view, int[] at, Element element) {
        int d = at.length;
        if (d == view.rank()) {
            element.check(view, at);
            return;
        }
        long n = d == 0 ? view.size(0) : view.slice(at).size(0);
        int[] next = Arrays.copyOf(at, d + 1);
        for (int i = 0; i < n; i++) {
            next[d] = i;
            each(view, next, element);
        }
    }
}
