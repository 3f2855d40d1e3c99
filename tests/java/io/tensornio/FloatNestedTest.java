package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nested arrays of {@code float}: to tensors and data, and back. */
@ExtendWith(MemoryBalance.class)
class FloatNestedTest {
    private static float v(int n) {
        return FloatValues.of(n);
    }

    @Test
    void aMatrix() {
        float[][] rows = {{v(0), v(1), v(2)}, {v(3), v(4), v(5)}};
        try (Tensor<Float> tensor = Tensors.ofNested(rows)) {
            assertArrayEquals(new long[] {2, 3}, tensor.shape());
            assertArrayEquals(FloatValues.array(0, 6), FloatValues.all(tensor.floatData()));
            assertArrayEquals(rows, (float[][]) tensor.toNested());
            assertArrayEquals(rows, tensor.toNested(float[][].class));
        }
    }
}
