package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sparse {@code float} tensors by worked examples. */
@ExtendWith(MemoryBalance.class)
class FloatSparseTest {
    private static float value(int i) {
        return FloatValues.of(i);
    }

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
            assertArrayEquals(new long[] {3, 0, 1}, LongValues.all(tensor.columnIndices()));
        }
    }
}
