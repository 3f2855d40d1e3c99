package io.tensornio.internal.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.AbstractLongTensorData;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.LongValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sparse {@code float} tensors by worked examples. */
@ExtendWith(MemoryBalance.class)
class FloatSparseTest {
    private static float value(int i) {
        return FloatValues.of(i);
    }

    // ---- Filling ---------------------------------------------------------------------------------------------------

    @Test
    void putInAnyOrderIsSorted() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {3, 4}, 3, data -> {
            data.put(value(1), 2, 1);
            data.put(value(2), 0, 3);
            data.put(value(3), 2, 0);
        })) {
            FloatTensorData data = tensor.floatData();
            assertEquals(value(1), data.get(2, 1));
            assertEquals(value(2), data.get(0, 3));
            assertEquals(value(3), data.get(2, 0));
            assertEquals(FloatValues.ZERO, data.get(1, 1));
            assertArrayEquals(new long[] {3, 2}, tensor.indices().shape());
            assertArrayEquals(new long[] {0, 3, 2, 0, 2, 1}, LongValues.all(tensor.indices().longData()));
            assertArrayEquals(new float[] {value(2), value(3), value(1)}, FloatValues.all(tensor.values().floatData()));
            assertArrayEquals(new long[] {3, 4}, LongValues.all(tensor.denseShape().longData()));
            assertArrayEquals(new long[] {0, 1, 1, 3}, LongValues.all(tensor.rowPointers().longData()));
            assertArrayEquals(new long[] {3, 0, 1}, LongValues.all(tensor.columnIndices().longData()));
        }
    }

    @Test
    void metadata() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {3, 4, 5}, 2, data -> {
            data.put(value(1), 2, 1, 0);
            data.put(value(2), 0, 3, 4);
        })) {
            assertEquals(DataType.FLOAT, tensor.dataType());
            assertEquals(DataType.FLOAT, tensor.floatData().dataType());
            assertArrayEquals(new long[] {3, 4, 5}, tensor.shape());
            assertArrayEquals(new long[] {3, 4, 5}, tensor.floatData().shape());
            assertEquals(3, tensor.rank());
            assertEquals(5, tensor.size(2));
            assertEquals(60, tensor.numElements());
            assertEquals(2, tensor.values().numElements());
            //#if primitive
            assertEquals(2 * (3 * 8 + DataType.FLOAT.byteSize()), tensor.numBytes());
            //#end
            //~string assertEquals(2 * 3 * 8 + 3 * 8 + "1".length() + "2".length(), tensor.numBytes());
            assertSame(tensor.values(), tensor.values());
            assertFalse(tensor.isClosed());
            assertEquals(tensor.floatData().toString(), tensor.toString());
        }
    }

    @Test
    void theLastValueStays() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {4}, 3, data -> {
            data.put(value(1), 3);
            data.put(value(2), 1);
            data.put(value(3), 3);              // the log is full
            data.put(value(4), 1);
            data.put(value(5), 0);
            assertEquals(value(3), data.get(3));
            data.put(value(6), 3);
            assertEquals(value(6), data.get(3));
        })) {
            assertArrayEquals(new float[] {value(5), value(4), value(6)}, FloatValues.all(tensor.values().floatData()));
            assertArrayEquals(new long[] {0, 1, 3}, LongValues.all(tensor.indices().longData()));
        }
    }

    @Test
    void aZeroThatWasPutIsAValue() {
        try (SparseTensor<Float> zeros = Tensors.sparseFloat(new long[] {2, 2}, 2, data -> {
            data.put(FloatValues.ZERO, 1, 1);
            data.put(value(1), 0, 1);
        });
             SparseTensor<Float> without = Tensors.sparseFloat(new long[] {2, 2}, 1, data -> data.put(value(1), 0, 1));
             SparseTensor<Float> again = SparseTensor.fromDense(zeros.floatData())) {
            assertEquals(2, zeros.values().numElements());
            assertEquals(zeros.floatData(), without.floatData());
            assertEquals(without.floatData(), zeros.floatData());
            assertEquals(without.floatData().hashCode(), zeros.floatData().hashCode());
            assertEquals(value(1) == FloatValues.ZERO ? 0 : 1, again.values().numElements());
        }
    }

    //#if floating
    @Test
    void minusZeroIsZeroAndNanIsItself() {
        float[] values = {0, Float.NaN, 0, Float.NEGATIVE_INFINITY};
        float[] signed = {-0.0f, Float.NaN, 0, Float.NEGATIVE_INFINITY};
        try (SparseTensor<Float> tensor = SparseTensor.fromDense(FloatTensorData.of(signed));
             SparseTensor<Float> none = Tensors.sparseFloat(new long[] {4}, 0, data -> { });
             SparseTensor<Float> plain = Tensors.sparseFloat(new long[] {4}, 3, data -> {
                 data.put(0, 0);
                 data.put(Float.NaN, 1);
                 data.put(Float.NEGATIVE_INFINITY, 3);
             })) {
            assertEquals(2, tensor.values().numElements());
            assertEquals(FloatTensorData.of(values), tensor.floatData());
            assertEquals(FloatTensorData.of(values).hashCode(), tensor.floatData().hashCode());
            assertEquals(tensor.floatData(), plain.floatData());
            assertNotEquals(FloatTensorData.of(signed), tensor.floatData());
            assertNotEquals(none.floatData(), plain.floatData());
            try (SparseTensor<Float> again = SparseTensor.fromDense(tensor.floatData())) {
                assertEquals(tensor.floatData(), again.floatData());
                assertEquals(2, again.values().numElements());
            }
        }
    }
    //#end

    @Test
    void scalarsAndTensorsWithoutElements() {
        try (SparseTensor<Float> scalar = Tensors.sparseFloat(new long[0], 1, data -> data.put(value(1)));
             SparseTensor<Float> none = Tensors.sparseFloat(new long[0], 0, data -> assertEquals(FloatValues.ZERO, data.get()));
             SparseTensor<Float> empty = Tensors.sparseFloat(new long[] {3, 0}, 0, data -> data.put(FloatValues.zeros(0), 1))) {
            assertEquals(value(1), scalar.floatData().get());
            assertEquals(FloatValues.ZERO, none.floatData().get());
            assertArrayEquals(new long[] {1, 0}, scalar.indices().shape());
            assertArrayEquals(new long[] {0}, scalar.denseShape().shape());
            assertArrayEquals(new float[] {value(1)}, FloatValues.all(scalar.floatData()));
            assertEquals(0, empty.floatData().totalSize());
            assertFalse(empty.floatData().scalars().hasMoreElements());
            assertArrayEquals(new long[4], LongValues.all(empty.rowPointers().longData()));
            assertEquals(0, empty.columnIndices().longData().totalSize());
            try (Tensor<Float> dense = scalar.toDense(); Tensor<Float> denseToo = empty.toDense()) {
                assertEquals(dense.floatData(), scalar.floatData());
                assertEquals(denseToo.floatData(), empty.floatData());
                assertEquals(denseToo.floatData().hashCode(), empty.floatData().hashCode());
            }
        }
    }

    // ---- Out of data -----------------------------------------------------------------------------------------------

    @Test
    void ofEqualCoordinatesTheLastStays() {
        long[] coordinates = {2, 1, 0, 3, 2, 1, 0, 0, 2, 1};
        FloatTensorData values = FloatTensorData.of(FloatValues.array(1, 5));
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(LongTensorData.of(coordinates, 5, 2), values, 3, 4)) {
            assertArrayEquals(new long[] {3, 2}, tensor.indices().shape());
            assertArrayEquals(new long[] {0, 0, 0, 3, 2, 1}, LongValues.all(tensor.indices().longData()));
            assertArrayEquals(new float[] {value(4), value(2), value(5)}, FloatValues.all(tensor.values().floatData()));
            //#if primitive
            assertEquals(3 * (2 * 8 + DataType.FLOAT.byteSize()), tensor.numBytes());
            //#end
            //~string assertEquals(3 * 2 * 8 + 4 * 8 + "4".length() + "2".length() + "5 ".length() + 3 + 4, tensor.numBytes());
        }
    }

    /** Coordinates and values in arrays and tensors, and slices of these that are no more where they were, or have gaps. */
    @Test
    void outOfDataOfEveryKind() {
        long[] coordinates = {9, 9, 2, 1, 0, 3, 1, 0, 9, 9};
        float[] values = FloatValues.array(0, 5);
        TensorIndex inner = TensorIndex.range(1, 4);
        for (boolean isDense : new boolean[] {false, true}) {
            try (Tensor<Long> indices = Tensors.denseLong(new long[] {5, 2}, data -> data.copyFrom(coordinates));
                 Tensor<Float> elements = Tensors.denseFloat(new long[] {5}, data -> data.put(values))) {
                LongTensorData allIndices = isDense ? indices.longData() : LongTensorData.of(coordinates, 5, 2);
                FloatTensorData all = isDense ? elements.floatData() : FloatTensorData.of(values);
                LongTensorData ownIndices = new AbstractLongTensorData(3, 2) {
                    @Override
                    protected long getAt(long[] at) {
                        return coordinates[2 + 2 * (int) at[0] + (int) at[1]];
                    }
                };
                FloatTensorData own = new AbstractFloatTensorData(3) {
                    @Override
                    protected float getAt(long[] at) {
                        return values[1 + (int) at[0]];
                    }
                };
                for (LongTensorData some : new LongTensorData[] {allIndices.slice(inner), allIndices.slice(TensorIndex.incl(1, 2, 3)), ownIndices}) {
                    for (FloatTensorData few : new FloatTensorData[] {all.slice(inner), all.slice(TensorIndex.incl(1, 2, 3)), own}) {
                        try (SparseTensor<Float> tensor = Tensors.sparseFloat(some, few, 3, 4)) {
                            assertArrayEquals(new long[] {0, 3, 1, 0, 2, 1}, LongValues.all(tensor.indices().longData()));
                            assertArrayEquals(new float[] {value(2), value(3), value(1)}, FloatValues.all(tensor.values().floatData()));
                        }
                    }
                }
                // The first and the last are at the same place, outside.
                Expect.thrown(IndexOutOfBoundsException.class, () -> Tensors.sparseFloat(allIndices, all, 3, 4), "9", "axis 0", "0");
                try (SparseTensor<Float> wider = Tensors.sparseFloat(allIndices, all, 10, 10)) {
                    assertEquals(4, wider.values().numElements());
                    assertEquals(value(4), wider.floatData().get(9, 9));
                }
            }
        }
    }

    @Test
    void outOfDenseDataOfEveryKind() {
        float[] values = FloatValues.array(0, 24);
        for (int i = 0; i < values.length; i += 3) {
            values[i] = FloatValues.ZERO;
        }
        FloatTensorData array = FloatTensorData.of(values, 4, 6);
        TensorIndex[] odd = {TensorIndex.flip(), TensorIndex.range(1, 6, 2)};
        try (Tensor<Float> dense = Tensors.create(array); SparseTensor<Float> sparse = SparseTensor.fromDense(array)) {
            for (FloatTensorData data : new FloatTensorData[] {array, dense.floatData(), sparse.floatData()}) {
                for (FloatTensorData given : new FloatTensorData[] {data, data.slice(1), data.slice(TensorIndex.range(1, 3)), data.slice(odd)}) {
                    try (SparseTensor<Float> made = SparseTensor.fromDense(given)) {
                        assertEquals(given, made.floatData());
                        assertArrayEquals(FloatValues.all(given), FloatValues.all(made.floatData()));
                        for (float value : FloatValues.all(made.values().floatData())) {
                            assertNotEquals(FloatValues.ZERO, value);
                        }
                    }
                }
            }
        }
        Tensors.sparseFloat(new long[] {4, 6}, 2, data -> {
            data.put(value(1), 3, 3);
            data.put(FloatValues.ZERO, 3, 4);
            try (SparseTensor<Float> made = SparseTensor.fromDense(data.slice(3))) {
                assertEquals(data.slice(3), made.floatData());
                assertEquals(data.slice(3).hashCode(), made.floatData().hashCode());
            }
        }).close();
    }

    // ---- Much ------------------------------------------------------------------------------------------------------

    @Test
    void manyValuesInAnyOrder() {
        int n = 100_000;
        int side = 1009;
        long[] model = new long[side * side];
        Random random = new Random(5);
        int[] order = random.ints(0, side * side).distinct().limit(n).toArray();
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {side, side}, n, data -> {
            for (int i = 0; i < n; i++) {
                data.put(value(i), order[i] / side, order[i] % side);
                model[order[i]] = i + 1;
            }
            for (int i = 0; i < n; i += 7) {
                data.put(value(i + 3), order[i] / side, order[i] % side);
                model[order[i]] = i + 4;
            }
        })) {
            float[] expected = new float[model.length];
            for (int i = 0; i < model.length; i++) {
                expected[i] = model[i] == 0 ? FloatValues.ZERO : value((int) model[i] - 1);
            }
            FloatTensorData data = tensor.floatData();
            float[] all = FloatValues.zeros(side * side);
            data.copyTo(all);
            assertArrayEquals(expected, all);
            assertArrayEquals(expected, FloatValues.all(data));
            try (Tensor<Float> dense = tensor.toDense(); SparseTensor<Float> again = SparseTensor.fromDense(dense.floatData())) {
                assertEquals(dense.floatData(), data);
                assertEquals(again.floatData(), data);
                assertEquals(dense.floatData().hashCode(), data.hashCode());
            }
            int[] shuffled = random.ints(10_000, 0, side * side).toArray();
            for (int at : shuffled) {
                assertEquals(expected[at], data.get(at / side, at % side));
            }
            float[] column = FloatValues.zeros(side);
            data.slice(TensorIndex.flip(), TensorIndex.at(17)).copyTo(column);
            for (int i = 0; i < side; i++) {
                assertEquals(expected[(side - 1 - i) * side + 17], column[i]);
            }
        }
    }

    // ---- Few elements in many ------------------------------------------------------------------------------------------

    /** Few elements are stored, so that most leaps go over a position that is left out. */
    @Test
    void slicesOfSlicesThatLeaveOutSome() {
        Seeds.each(0, 500, (random, done) -> {
            long[] shape = random.nextBoolean() ? new long[] {200} : new long[] {20, 30};
            int[][] places = new int[6][];
            Arrays.setAll(places, n -> Arrays.stream(shape).mapToInt(size -> random.nextInt((int) size)).toArray());
            int distinct = (int) Arrays.stream(places).map(Arrays::toString).distinct().count();
            Consumer<FloatTensorData> fill = data -> Arrays.stream(places).forEach(place -> data.put(FloatValues.FOREIGN, place));
            try (SparseTensor<Float> sparse = Tensors.sparseFloat(shape, distinct, fill); Tensor<Float> dense = Tensors.denseFloat(shape, fill)) {
                FloatTensorData expected = dense.floatData();
                FloatTensorData data = sparse.floatData();
                for (int n = 0; n < 4 && data.totalSize() > 0; n++) {
                    TensorIndex[] indices = new TensorIndex[shape.length];
                    for (int d = 0; d < shape.length; d++) {
                        long[] out = random.longs(1 + random.nextInt(3), 0, data.size(d)).toArray();
                        int kind = random.nextInt(6);
                        indices[d] = kind == 0 ? TensorIndex.flip() : kind == 1 ? TensorIndex.step(2) : TensorIndex.excl(out);
                    }
                    done.append(' ').append(Arrays.toString(indices));
                    data = data.slice(indices);
                    expected = expected.slice(indices);
                    float[] bulk = FloatValues.zeros((int) data.totalSize());
                    data.copyTo(bulk);
                    assertArrayEquals(FloatValues.all(expected), bulk);
                    assertArrayEquals(bulk, FloatValues.all(data));
                    assertEquals(expected, data);
                    assertEquals(expected.hashCode(), data.hashCode());
                }
            }
        });
    }

    @Test
    void aHashLeapsOverZerosAsItWouldWalk() {
        for (int n : new int[] {1, 2, 3, 31, 32, 33, 1000, 65_537}) {
            float[] values = FloatValues.zeros(n);
            Arrays.fill(values, n / 3, n / 3 + 1, FloatValues.FOREIGN);
            FloatTensorData dense = FloatTensorData.of(values);
            try (SparseTensor<Float> tensor = SparseTensor.fromDense(dense)) {
                assertEquals(1, tensor.values().numElements());
                assertEquals(dense.hashCode(), tensor.floatData().hashCode());
                assertTrue(dense.equals(tensor.floatData()) && tensor.floatData().equals(dense));
            }
        }
    }
}
