package io.tensornio.internal.ragged;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.FloatValues;
import java.util.function.Consumer;

/** Ragged tensors of a few rows of {@code float}, as the tests that are examples make and check them. */
final class FloatRaggedRows {
    private FloatRaggedRows() {
    }

    /** Rows of 0 1 2, 3, 4 5. */
    static void three(FloatTensorData data) {
        data.put(FloatValues.array(0, 3), 0);
        data.put(FloatValues.array(3, 1), 1);
        data.put(FloatValues.array(4, 2), 2);
    }

    /** Checks the rows of data of rank 2, which hold the values of these numbers. */
    static void rows(FloatTensorData data, int[]... rows) {
        assertEquals(rows.length, data.size(0));
        for (int i = 0; i < rows.length; i++) {
            float[] row = FloatValues.all(data.slice(i));
            assertEquals(rows[i].length, row.length, "row " + i);
            for (int j = 0; j < row.length; j++) {
                assertEquals(rows[i][j] < 0 ? FloatValues.ZERO : FloatValues.of(rows[i][j]), row[j], i + ", " + j);
                assertEquals(row[j], data.get(i, j));
            }
        }
    }

    /** Numbers of a row; -1 is zero. */
    static int[] row(int... numbers) {
        return numbers;
    }

    /** Makes a tensor, checks it and closes it. */
    static void with(long[] shape, Consumer<FloatTensorData> init, Consumer<RaggedTensor<Float>> check) {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(shape, init)) {
            check.accept(tensor);
        }
    }
}
