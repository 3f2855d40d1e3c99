package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.newAxis;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.to;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Views larger than what they view, axes of one position, and whole rows behind lists. */
@ExtendWith(MemoryBalance.class)
class FloatRepeatTest {
    @Test
    void aViewOfMoreElementsThanALongCanCountIsRefusedWhenItIsMade() {
        TensorIndex many = incl(new long[1 << 16]);
        FloatTensorData data = FloatTensorData.of(FloatValues.array(0, 1), 1, 1, 1, 1);
        Expect.thrown(IllegalArgumentException.class, () -> data.slice(many, many, many, many), "65536, 65536, 65536, 65536",
            "more elements than a long");
        assertEquals(1L << 32, data.slice(many, many, at(0), at(0)).totalSize());
    }

    @Test
    void rowsBehindAListAreCopiedInTheirOrder() {
        try (Tensor<Float> tensor = FloatValues.tensor(5, 3, 20)) {
            FloatTensorData rows = tensor.floatData().slice(incl(3, 0, 3), incl(2, 0));
            try (Tensor<Float> copy = Tensors.create(rows);
                    Tensor<Float> back = Tensors.denseFloat(new long[] {5, 3, 20}, data -> data.slice(incl(3, 0, 3), incl(2, 0)).put(rows))) {
                assertArrayEquals(FloatValues.all(rows), FloatValues.all(copy.floatData()));
                assertArrayEquals(FloatValues.all(rows), FloatValues.all(back.floatData().slice(incl(3, 0, 3), incl(2, 0))));
            }
        }
    }

    @Test
    void axesOfOnePositionDoNotCutRowsShort() {
        try (Tensor<Float> tensor = FloatValues.tensor(4, 6, 3)) {
            FloatTensorData data = tensor.floatData();
            float[] expected = FloatValues.zeros(24);
            for (int c = 0; c < 3; c++) {
                for (int p = 0; p < 24; p++) {
                    expected[p] = FloatValues.of(3 * p + c);
                }
                assertArrayEquals(expected, FloatValues.all(data.slice(all(), all(), range(c, c + 1))));
                assertArrayEquals(expected, FloatValues.all(data.slice(all(), newAxis(), all(), at(c), newAxis())));
            }
            assertArrayEquals(FloatValues.array(18, 18), FloatValues.all(data.slice(range(1, 2), newAxis())));
            assertEquals(FloatValues.of(2), data.slice(range(0, 1), range(0, 1), flip()).scalars().get());
        }
    }

    @Test
    void neighboursAreMovedAsIfThroughACopy() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {10}, data -> {
            FloatValues.fill(data);
            data.slice(from(1)).put(data.slice(to(-1)));
        })) {
            assertArrayEquals(FloatValues.array(0, 9), FloatValues.all(tensor.floatData().slice(from(1))));
        }
    }

    @Test
    void closedComesBeforeCoordinatesInStreamsToo() {
        Tensor<Float> tensor = FloatValues.tensor(4);
        FloatTensorData data = tensor.floatData();
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> data.stream(99), "closed");
        Expect.thrown(TensorClosedException.class, () -> Tensors.create(data), "closed");
    }

    @Test
    void dataThatCanOnlyBeWrittenTakesAStream() {
        float[] written = FloatValues.zeros(4);
        FloatTensorData data = new AbstractFloatTensorData(4) {
            @Override
            protected float getAt(long[] indices) {
                throw new UnsupportedOperationException("nothing to read");
            }

            @Override
            protected void putAt(float value, long[] indices) {
                written[(int) indices[0]] = value;
            }
        };
        FloatTensorData two = FloatTensorData.of(FloatValues.array(0, 2));
        data.put(two.stream(), 2);
        assertArrayEquals(FloatValues.array(0, 2), java.util.Arrays.copyOfRange(written, 2, 4));
    }
}
