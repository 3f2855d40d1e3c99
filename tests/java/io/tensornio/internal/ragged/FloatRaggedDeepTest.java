package io.tensornio.internal.ragged;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ragged {@code float} data of many more axes than a small stack can recurse over, nearly all of them of size 1. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedDeepTest {
    private static final int RANK = 30_000;
    private static final int STACK = 256 << 10;

    private static void onSmallStack(Runnable test) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(null, test, "small stack", STACK);
        thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
        thread.start();
        thread.join();
        assertNull(failure.get());
    }

    /** A shape of ones but for a ragged axis. */
    private static long[] shape(int ragged) {
        long[] shape = new long[RANK];
        Arrays.fill(shape, 1);
        shape[ragged] = -1;
        return shape;
    }

    private static long[] with(int size, int d, long... shape) {
        long[] other = shape.clone();
        other[d] = size;
        return other;
    }

    /** Where a row is that one of two positions of an axis leads to. */
    private static int[] row(int ragged, int d, int i) {
        int[] row = new int[ragged];
        if (d < ragged) {
            row[d] = i;
        }
        return row;
    }

    @Test
    void rowsOfOneLengthAreMadeDense() throws InterruptedException {
        onSmallStack(FloatRaggedDeepTest::checkRowsOfOneLengthAreMadeDense);
    }

    private static void checkRowsOfOneLengthAreMadeDense() {
        for (int ragged : new int[] {RANK - 1, RANK / 2, 1}) {
            float[] values = FloatValues.array(1, 3);
            try (RaggedTensor<Float> tensor = Tensors.raggedFloat(shape(ragged), data -> data.put(values, new int[ragged]));
                Tensor<Float> dense = tensor.toDense(); Tensor<Float> padded = tensor.toDense(FloatValues.of(4));
                Tensor<Float> created = Tensors.create(tensor.floatData()); SparseTensor<Float> sparse = SparseTensor.fromDense(tensor.floatData())) {
                for (FloatTensorData data : Arrays.asList(dense.floatData(), padded.floatData(), created.floatData(), sparse.floatData())) {
                    assertArrayEquals(with(3, ragged, shape(ragged)), data.shape());
                    assertArrayEquals(values, FloatValues.all(data));
                }
            }
        }
    }

    @Test
    void rowsOfOtherLengthsArePadded() throws InterruptedException {
        onSmallStack(FloatRaggedDeepTest::checkRowsOfOtherLengthsArePadded);
    }

    private static void checkRowsOfOtherLengthsArePadded() {
        int ragged = RANK - 1;
        for (int d : new int[] {0, RANK / 2, RANK - 2}) {
            long[] shape = with(2, d, shape(ragged));
            try (RaggedTensor<Float> tensor = Tensors.raggedFloat(shape, data -> {
                data.put(FloatValues.array(1, 3), row(ragged, d, 0));
                data.put(FloatValues.array(7, 1), row(ragged, d, 1));
            }); Tensor<Float> padded = tensor.toDense(FloatValues.of(4))) {
                assertArrayEquals(with(3, ragged, shape), padded.floatData().shape());
                float[] expected = Arrays.copyOf(FloatValues.array(1, 3), 6);
                Arrays.fill(expected, 3, 6, FloatValues.of(4));
                expected[3] = FloatValues.of(7);
                assertArrayEquals(expected, FloatValues.all(padded.floatData()));
            }
        }
    }

    @Test
    void rowsAreCopied() throws InterruptedException {
        onSmallStack(FloatRaggedDeepTest::checkRowsAreCopied);
    }

    private static void checkRowsAreCopied() {
        int ragged = RANK - 1;
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(shape(ragged), data -> data.put(FloatValues.array(1, 3), new int[ragged]))) {
            float[] values = FloatValues.zeros(3);
            tensor.floatData().copyTo(values);
            assertArrayEquals(FloatValues.array(1, 3), values);
            Tensors.raggedFloat(shape(ragged), data -> {
                data.put(FloatValues.array(5, 3), new int[ragged]);
                tensor.floatData().get(data.slice(TensorIndex.all()));
                assertEquals(tensor.floatData(), data);
            }).close();
        }
    }
}
