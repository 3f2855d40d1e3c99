package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How ragged data is printed. */
@ExtendWith(MemoryBalance.class)
class RaggedPrintTest {
    @Test
    void rowsInBrackets() {
        RaggedTensor<Integer> closed;
        try (RaggedTensor<Integer> tensor = Tensors.raggedInt(new long[] {3, -1}, data -> {
            data.put(new int[] {10, 20, 30}, 0);
            data.put(new int[] {40}, 1);
            data.put(new int[] {50, 60}, 2);
            assertEquals("INT32[3, -1]\n[[10, 20, 30], [40], [50, 60]]", data.toString());
        })) {
            assertEquals("INT32[3, -1]\n[[10, 20, 30], [40], [50, 60]]", tensor.toString());
            closed = tensor;
        }
        assertEquals("INT32[3, -1] (closed)", closed.toString());
    }

    @Test
    void severalDimensions() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, 2}, data -> {
            data.put(new float[] {1, 2.5f}, 0);
            data.put(new float[] {-1, 0, 3, 4}, 1);
        })) {
            assertEquals("FLOAT[2, -1, 2]\n[[[1., 2.5]], [[-1., 0.], [3., 4.]]]", tensor.toString());
        }
    }

    @Test
    void longOnesAreAbridgedAndWrapped() {
        try (RaggedTensor<Integer> tensor = Tensors.raggedInt(new long[] {100, -1}, data -> {
            for (int i = 0; i < 100; i++) {
                data.put(new int[i], i);
            }
        })) {
            String text = tensor.toString();
            assertTrue(text.startsWith("INT32[100, -1]\n[[], [0], [0, 0], ..., [0, 0, 0, ..., 0, 0, 0], "), text);
            assertTrue(text.endsWith("]]"), text);
            for (String line : text.split("\n")) {
                assertTrue(line.length() <= TensorFormat.DEFAULT.lineWidth(), line);
            }
        }
    }
}
