package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ragged tensors of {@code float} elements: examples. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedTest {
    @Test
    void rowsPutByArrays() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {3, -1}, data -> {
            data.put(FloatValues.array(0, 3), 0);
            data.put(FloatValues.array(3, 1), 1);
            data.put(FloatValues.array(4, 2), 2);
        })) {
            FloatTensorData data = tensor.floatData();
            assertArrayEquals(new long[] {3, -1}, data.shape());
            assertEquals(6, data.totalSize());
            assertEquals(FloatValues.of(1), data.get(0, 1));
            assertEquals(FloatValues.of(5), data.get(2, 1));
            assertEquals(2, data.slice(2).size(0));
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(1, 1), "index 1 of [1, 1]", "axis 1", "size 1", "[3, -1]");
            long[] splits = new long[4];
            tensor.rowSplits(1).longData().copyTo(splits);
            assertArrayEquals(new long[] {0, 3, 4, 6}, splits);
            float[] all = new float[6];
            tensor.values().floatData().copyTo(all);
            assertArrayEquals(FloatValues.array(0, 6), all);
        }
    }
}
