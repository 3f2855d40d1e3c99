package io.tensornio.compute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Large sparse matrices that programs read more than once, for which compressed rows are kept. */
class CompressedRowsTest {
    private static final int ROWS = 40_000;
    private static final int COLUMNS = 1_000;
    private static final int EACH = 2;
    private static final String[] TEXTS = {
        "y[i] += S[i,j] * x[j]", "y[j] += S[i,j] * w[i]", "y[i,d] += S[i,j] * V[j,d]", "m[i] max= S[i,j] where stored(S[i,j])",
        "sparse y[i,j] += S[i,j] * w[i] * x[j]", "y[j] += S[i,j]",
    };

    /** Two entries in each row but every tenth: 1 and 2, in columns that go round. */
    private static SparseTensor<Float> matrix() {
        int n = EACH * (ROWS - ROWS / 10);
        long[] coordinates = new long[2 * n];
        float[] values = new float[n];
        for (int row = 0, at = 0; row < ROWS; row++) {
            for (int k = 0; row % 10 != 9 && k < EACH; k++, at++) {
                coordinates[2 * at] = row;
                coordinates[2 * at + 1] = (row * 7L + k * 311) % COLUMNS;
                values[at] = 1 + k;
            }
        }
        return Tensors.sparseFloat(LongTensorData.of(coordinates, n, 2), FloatTensorData.of(values), ROWS, COLUMNS);
    }

    private static FloatTensorData numbers(long... shape) {
        int n = 1;
        for (long size : shape) {
            n *= (int) size;
        }
        float[] all = new float[n];
        for (int k = 0; k < n; k++) {
            all[k] = (float) Math.sin(k);
        }
        return FloatTensorData.of(all, shape);
    }

    private static FloatTensorData data(AnyTensor<?> of) {
        return of instanceof SparseTensor ? ((SparseTensor<?>) of).floatData() : ((Tensor<?>) of).floatData();
    }

    private static Object[] inputs(Comprehension of, SparseTensor<Float> s) {
        List<Object> inputs = new ArrayList<>();
        for (String name : of.inputs()) {
            inputs.add(name.equals("S") ? s : name.equals("x") ? numbers(COLUMNS) : name.equals("w") ? numbers(ROWS) : numbers(COLUMNS, 40));
        }
        return inputs.toArray();
    }

    @Test
    void everyRunGivesTheSameBits() {
        for (String text : TEXTS) {
            Comprehension of = Comprehension.of(text);
            String name = of.outputs().get(0);
            try (SparseTensor<Float> s = matrix(); Results first = of.run(inputs(of, s))) {
                for (int run = 0; run < 3; run++) {
                    try (Results again = of.run(inputs(of, s))) {
                        assertEquals(data(first.any(name)), data(again.any(name)), text);
                    }
                }
            }
        }
    }

    @Test
    void sumsAreThoseOfTheEntries() {
        try (SparseTensor<Float> s = matrix()) {
            for (int run = 0; run < 2; run++) {
                try (Results made = Comprehension.of("y[i] += S[i,j]; z[j] += S[i,j]").run(s)) {
                    FloatTensorData y = made.floatTensor("y").floatData();
                    assertArrayEquals(new float[] {3, 3, 0, 3}, new float[] {y.get(0), y.get(8), y.get(9), y.get(10)});
                    assertEquals(3 * (ROWS - ROWS / 10), made.floatTensor("z").floatData().stream().sum());
                }
            }
        }
    }

    @Test
    void theyAreMadeAtTheSecondRunAndFreedWithTheTensor() {
        Comprehension of = Comprehension.of("y += S[i,j]");
        long before = MemoryStats.current().tensorsAlive();
        SparseTensor<Float> s = matrix();
        long alive = MemoryStats.current().tensorsAlive();
        of.run(s).close();
        assertEquals(alive, MemoryStats.current().tensorsAlive());
        of.run(s).close();
        of.run(s.floatData()).close();
        assertEquals(alive + 1, MemoryStats.current().tensorsAlive());
        s.close();
        assertEquals(before, MemoryStats.current().tensorsAlive());
        assertThrows(TensorClosedException.class, () -> of.run(s));
    }

    @Test
    void closingMeanwhileIsSaid() throws InterruptedException {
        Comprehension of = Comprehension.of("y[i] += S[i,j] * x[j]");
        FloatTensorData x = numbers(COLUMNS);
        for (int round = 0; round < 10; round++) {
            SparseTensor<Float> s = matrix();
            AtomicReference<Throwable> failed = new AtomicReference<>();
            Thread runs = new Thread(() -> {
                try {
                    while (true) {
                        of.run(s, x).close();
                    }
                } catch (Throwable e) {
                    failed.set(e);
                }
            });
            runs.start();
            Thread.sleep(round);
            s.close();
            runs.join();
            assertTrue(failed.get() instanceof TensorClosedException, () -> String.valueOf(failed.get()));
        }
    }
}
