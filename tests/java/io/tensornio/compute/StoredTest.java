package io.tensornio.compute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** Comprehensions over ragged and sparse tensors. */
class StoredTest {
    private static final float[][] ROWS = {{1, 2, 4}, {}, {3}};

    private static SparseTensor<Float> sparse(long[] shape, long[] coordinates, float... values) {
        return Tensors.sparseFloat(LongTensorData.of(coordinates, values.length, shape.length), FloatTensorData.of(values, values.length), shape);
    }

    @Test
    void rowsAreReducedAndKept() {
        try (RaggedTensor<Float> r = Tensors.raggedOfNested(ROWS);
            Results made = Comprehension.of("s[i] += R[i,j]; y[i,j] = R[i,j] - s[i]").run(r)) {
            assertEquals(FloatTensorData.of(new float[] {7, 0, 3}, 3), made.floatTensor("s").floatData());
            RaggedTensor<?> y = made.raggedTensor("y");
            assertArrayEquals(new long[] {3, -1}, y.shape());
            try (RaggedTensor<Float> expected = Tensors.raggedOfNested(new float[][] {{-6, -5, -3}, {}, {0}})) {
                assertEquals(expected.floatData(), y.floatData());
            }
            assertEquals(y, made.any("y"));
            String message = assertThrows(IllegalStateException.class, () -> made.get("y")).getMessage();
            assertTrue(message.contains("raggedTensor(\"y\")"), message);
            message = assertThrows(IllegalStateException.class, () -> made.raggedTensor("s")).getMessage();
            assertTrue(message.contains("get(\"s\")"), message);
        }
    }

    @Test
    void whatIsDoneIsExplained() {
        Comprehension sums = Comprehension.of("s[i] += R[i,j] * x[i]");
        FloatTensorData x = FloatTensorData.of(new float[] {1, 1, 1});
        try (RaggedTensor<Float> r = Tensors.raggedOfNested(ROWS)) {
            assertEquals("s[i] += R[i,j] * x[i]\n    i in 0:3, j in 0:len(R,i): 4 points\n    dense FLOAT[3]: 3 elements, 12 bytes\n"
                + "at most 12 bytes at a time\n", sums.explain(r, x));
            assertThrows(IllegalArgumentException.class, () -> sums.explain(r));
            assertThrows(IllegalArgumentException.class, () -> sums.explain(r, 1));
        }
        assertEquals("s[i] += R[i,j] * x[i]\n    i in 0:3, j in 0:2: 6 points\n    dense FLOAT[3]: 3 elements, 12 bytes\n",
            sums.explain(FloatTensorData.of(new float[6], 3, 2), x));
        String recurrence = Comprehension.of("scan t; h[t] = h[t-1] + x[t]; end").explain(x);
        assertTrue(recurrence.contains("t in 0:3: 3 points"), recurrence);
    }

    @Test
    void dataAndViewsAreOperands() {
        try (RaggedTensor<Float> r = Tensors.raggedOfNested(ROWS)) {
            Comprehension sums = Comprehension.of("s[i] += R[i,j]");
            try (Results whole = sums.run(r.floatData()); Results some = sums.run(r.floatData().slice(TensorIndex.range(1, 3)))) {
                assertEquals(FloatTensorData.of(new float[] {7, 0, 3}, 3), whole.floatTensor("s").floatData());
                assertEquals(FloatTensorData.of(new float[] {0, 3}, 2), some.floatTensor("s").floatData());
            }
        }
    }

    @Test
    void nothingIsReadWhereNothingIsStored() {
        try (SparseTensor<Float> s = sparse(new long[] {2, 3}, new long[] {0, 1, 1, 2}, 2, 0)) {
            FloatTensorData x = FloatTensorData.of(new float[] {Float.POSITIVE_INFINITY, 1, Float.POSITIVE_INFINITY}, 3);
            try (Results made = Comprehension.of("y[i] += S[i,j] * x[j]").run(s, x)) {
                FloatTensorData y = made.floatTensor("y").floatData();
                assertEquals(2, y.get(0));
                assertTrue(Float.isNaN(y.get(1)));
            }
            // Data of a sparse tensor has its stored zeros.
            try (Results made = Comprehension.of("n[i] += 1 where stored(S[i,j])").run(s.floatData())) {
                assertEquals(LongTensorData.of(new long[] {1, 1}, 2), made.longTensor("n").longData());
            }
            String message = assertThrows(IllegalArgumentException.class, () -> Comprehension.of("y[i,j] = S[i,j] + 1").run(s)).getMessage();
            assertEquals("y: S[i,j] + 1 is not 0 where S is not stored; add where stored(S[i,j]), or toDense()", message);
        }
    }

    @Test
    void aProductOfSparseMatricesIsSparse() {
        try (SparseTensor<Float> s = sparse(new long[] {2, 3}, new long[] {0, 1, 1, 0, 1, 2}, 2, 3, 4);
            SparseTensor<Float> t = sparse(new long[] {3, 2}, new long[] {0, 1, 1, 0, 2, 1}, 5, 7, 1);
            Results made = Comprehension.of("sparse P[i,k] += S[i,j] * T[j,k]").run(s, t)) {
            SparseTensor<?> p = made.sparseTensor("P");
            assertEquals(LongTensorData.of(new long[] {0, 0, 1, 1}, 2, 2), p.indices().longData());
            assertEquals(FloatTensorData.of(new float[] {14, 19}, 2), p.values().floatData());
            assertThrows(IllegalStateException.class, () -> made.get("P"));
        }
    }

    @Test
    void gradientsAreAtPositionsAndRows() {
        try (SparseTensor<Float> s = sparse(new long[] {1, 2}, new long[] {0, 0}, 0);
            Results made = Comprehension.of("m[i] max= S[i,j]").gradient("m", "S").run(s)) {
            assertEquals(FloatTensorData.of(new float[] {.5f}, 1), made.sparseTensor("dS").values().floatData());
        }
        try (RaggedTensor<Float> r = Tensors.raggedOfNested(ROWS);
            Results made = Comprehension.of("e += R[i,j]^2").gradient("e", "R").run(r);
            RaggedTensor<Float> expected = Tensors.raggedOfNested(new float[][] {{2, 4, 8}, {}, {6}})) {
            assertEquals(expected.floatData(), made.raggedTensor("dR").floatData());
        }
    }

    /** 10^12 elements would be 4 TB. */
    @Test
    void nothingIsMadeDense() {
        long n = 1_000_000;
        try (SparseTensor<Float> s = sparse(new long[] {n, n}, new long[] {0, n - 1, n - 1, 0}, 2, 3);
            Tensor<Double> ones = Tensors.denseDouble(new long[] {n}, data -> {
                for (int i = 0; i < n; i++) {
                    data.put(1, i);
                }
            });
            Results made = Comprehension.of("y[i] += double(S[i,j]) * x[j]; sparse P[j,i] = S[i,j]").run(s, ones)) {
            DoubleTensorData y = made.doubleTensor("y").doubleData();
            assertEquals(2, y.get(0));
            assertEquals(3, y.get((int) n - 1));
            assertEquals(LongTensorData.of(new long[] {0, n - 1, n - 1, 0}, 2, 2), made.sparseTensor("P").indices().longData());
        }
    }

    @Test
    void resultsGoIntoData() {
        float[] s = new float[3];
        try (RaggedTensor<Float> r = Tensors.raggedOfNested(ROWS)) {
            Comprehension.of("s[i] += R[i,j]").runInto(Collections.singletonMap("R", r), Collections.singletonMap("s", FloatTensorData.of(s, 3)));
            assertArrayEquals(new float[] {7, 0, 3}, s);
            assertThrows(IllegalArgumentException.class, () -> Comprehension.of("s[i] += R[i,j]").runInto(Collections.singletonMap("R", r),
                Collections.singletonMap("s", FloatTensorData.of(new float[2], 2))));
        }
    }

    @Test
    void raggedResultsGoIntoRows() {
        Comprehension twice = Comprehension.of("y[i,j] = R[i,j] * 2");
        try (RaggedTensor<Float> r = Tensors.raggedOfNested(ROWS);
            RaggedTensor<Float> expected = Tensors.raggedOfNested(new float[][] {{2, 4, 8}, {}, {6}});
            RaggedTensor<Float> made = Tensors.raggedFloat(new long[] {3, -1}, data -> {
                data.put(9, 0, 2);
                twice.runInto(Collections.singletonMap("R", r), Collections.singletonMap("y", data));
            });
            RaggedTensor<Float> kept = Tensors.raggedFloat(new long[] {3, -1}, data -> {
                data.put(9, 2, 1);
                String message = assertThrows(IllegalArgumentException.class,
                    () -> twice.runInto(Collections.singletonMap("R", r), Collections.singletonMap("y", data))).getMessage();
                assertEquals("output y has a row of length 1; the data for it has 2 elements there", message);
                assertEquals(0, data.slice(0).size(0));
            })) {
            assertEquals(expected.floatData(), made.floatData());
            assertEquals(2, kept.numElements());
        }
    }

    @Test
    void closedOperandsAndStringsAreRefused() {
        RaggedTensor<Float> r = Tensors.raggedOfNested(ROWS);
        r.close();
        assertThrows(TensorClosedException.class, () -> Comprehension.of("s[i] += R[i,j]").run(r));
        try (RaggedTensor<String> words = Tensors.raggedOfNested(new String[][] {{"a"}, {}})) {
            assertThrows(IllegalArgumentException.class, () -> Comprehension.of("s[i] += R[i,j]").run(words));
        }
    }
}
