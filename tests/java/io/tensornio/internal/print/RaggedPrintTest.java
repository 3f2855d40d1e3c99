package io.tensornio.internal.print;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.IntTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.TensorFormat;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.MemoryBalance;
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
    void severalAxes() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, 2}, data -> {
            data.put(new float[] {1, 2.5f}, 0);
            data.put(new float[] {-1, 0, 3, 4}, 1);
        })) {
            assertEquals("FLOAT[2, -1, 2]\n[[[1., 2.5]], [[-1., 0.], [3., 4.]]]", tensor.toString());
        }
    }

    private static void prints(String expected, TensorFormat format, int[]... rows) {
        try (RaggedTensor<Integer> tensor = Tensors.raggedOfNested(rows)) {
            assertEquals(expected, tensor.toString(format.withoutHeader()));
            assertEquals(expected, tensor.intData().toString(format.withoutHeader()));
        }
    }

    @Test
    void moreThanTheThresholdIsAbridged() {
        int[][] rows = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};
        TensorFormat format = TensorFormat.DEFAULT;
        prints("[[1, 2, 3, 4, 5, 6, 7, 8, 9]]", format.withThreshold(10), rows);
        prints("[[1, 2, 3, ..., 7, 8, 9]]", format.withThreshold(8), rows);
    }

    @Test
    void asManyPositionsAreShownAtEachEndAsWereAskedFor() {
        int[][] rows = {{1, 2, 3, 4, 5}, {6}, {7, 8, 9, 10, 11}};
        TensorFormat format = TensorFormat.DEFAULT.withThreshold(0);
        prints("[[1, ..., 5], ..., [7, ..., 11]]", format.withEdgeItems(1), rows);
        prints("[[1, 2, ..., 4, 5], [6], [7, 8, ..., 10, 11]]", format.withEdgeItems(2), rows);
        prints("[[1, 2, 3, 4, 5], [6], [7, 8, 9, 10, 11]]", format.withEdgeItems(3), rows);
    }

    @Test
    void linesAreNoLongerThanWasAskedFor() {
        int[][] rows = {{10, 20, 30}, {40}, {50, 60}};
        TensorFormat format = TensorFormat.DEFAULT;
        prints("[[10, 20, 30], [40], [50, 60]]", format, rows);
        prints("[[10, 20, 30],\n [40], [50, 60]]", format.withLineWidth(16), rows);
        prints("[[10, 20, 30],\n [40], [50,\n  60]]", format.withLineWidth(15), rows);
    }

    @Test
    void asManyDigitsAsWereAskedFor() {
        try (RaggedTensor<Double> tensor = Tensors.raggedOfNested(new double[][] {{Math.PI, 1}, {2.25}})) {
            assertEquals("DOUBLE[2, -1]\n[[3.14, 1.], [2.25]]", tensor.toString(TensorFormat.DEFAULT.withPrecision(2)));
            assertEquals("DOUBLE[2, -1]\n[[3.1416, 1.0000], [2.2500]]", tensor.toString(TensorFormat.DEFAULT.withFixedPrecision(4)));
        }
    }

    /** Without elements, these need no memory. */
    @Test
    void axesLongerThanAnInt() {
        try (RaggedTensor<Integer> tensor = RaggedTensor.fromRowLengths(IntTensorData.of(new int[0], 3, 1L << 40, 0), 1, 2);
            SparseTensor<Integer> none = Tensors.sparseInt(new long[] {5L << 30, 0}, 0, data -> { })) {
            assertEquals("INT32[2, -1, 1099511627776, 0]\n[[[[], ..., []]], [[[], ..., []], [[], ..., []]]]",
                tensor.toString(TensorFormat.DEFAULT.withEdgeItems(1)));
            assertEquals("[[[[], [], ..., [], []]], [[[], [], ..., [], []], [[], [], ..., [], []]]]",
                tensor.intData().slice(TensorIndex.flip()).slice(TensorIndex.flip()).toString(TensorFormat.DEFAULT.withEdgeItems(2).withoutHeader()));
            try (RaggedTensor<Integer> long1 = RaggedTensor.fromRowLengths(none.intData(), 2, (5L << 30) - 2)) {
                assertEquals("INT32[2, -1, 0]\n[[[], []], [[], ..., []]]", long1.toString(TensorFormat.DEFAULT.withEdgeItems(1)));
            }
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
