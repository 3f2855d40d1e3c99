package io.tensornio.compute;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.to;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Comprehensions over views of ragged and sparse data, against loops over their elements. */
class StoredViewsTest {
    private static final Comprehension SUMS = Comprehension.of("s[i] += R[i,j] * (j + 1); n[i] = len(R,i) where i in 0:size(R,0)");
    private static final Comprehension PRODUCTS = Comprehension.of("y[i] += S[i,j] * x[j]; z[j] += S[i,j] * u[i]");

    @Test
    void viewsOfRaggedData() {
        Random random = new Random(3);
        for (int n = 0; n < 20; n++) {
            float[][] rows = new float[6][];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = new float[random.nextInt(5)];
                for (int j = 0; j < rows[i].length; j++) {
                    rows[i][j] = random.nextInt(9) - 4;
                }
            }
            try (RaggedTensor<Float> r = Tensors.raggedOfNested(rows)) {
                FloatTensorData data = r.floatData();
                List<FloatTensorData> views = Arrays.asList(data, data.slice(range(1, 5)), data.slice(flip()), data.slice(all(), to(2)),
                    data.slice(all(), flip()), data.slice(range(2, 2)), data.slice(flip()).slice(range(1, 4)));
                for (FloatTensorData view : views) {
                    try (Results made = SUMS.run(view)) {
                        FloatTensorData s = made.floatTensor("s").floatData();
                        assertEquals(view.shape()[0], s.shape()[0]);
                        for (int i = 0; i < s.shape()[0]; i++) {
                            FloatTensorData row = view.slice(i);
                            float sum = 0;
                            for (int j = 0; j < row.shape()[0]; j++) {
                                sum += row.get(j) * (j + 1);
                            }
                            assertEquals(sum, s.get(i));
                            assertEquals(row.shape()[0], made.longTensor("n").longData().get(i));
                        }
                    }
                }
            }
        }
    }

    @Test
    void viewsOfSparseData() {
        Random random = new Random(4);
        for (int n = 0; n < 20; n++) {
            int stored = random.nextInt(10);
            try (SparseTensor<Float> s = Tensors.sparseFloat(new long[] {5, 6}, stored, data -> {
                for (int k = 0; k < stored; k++) {
                    data.put(random.nextInt(9) - 4, 3 * k % 5, 7 * k % 6);
                }
            })) {
                FloatTensorData data = s.floatData();
                List<FloatTensorData> views = Arrays.asList(data, data.slice(range(1, 4)), data.slice(all(), range(2, 5)), data.permute(1, 0),
                    data.slice(flip()), data.slice(all(), flip()).permute(1, 0), data.slice(range(2, 2)));
                for (FloatTensorData view : views) {
                    check(view, ones((int) view.shape()[1], random), ones((int) view.shape()[0], random));
                }
            }
        }
    }

    private static float[] ones(int n, Random random) {
        float[] made = new float[n];
        for (int i = 0; i < n; i++) {
            made[i] = random.nextInt(5) - 2;
        }
        return made;
    }

    private static void check(FloatTensorData view, float[] x, float... u) {
        try (Results made = PRODUCTS.run(view, FloatTensorData.of(x, x.length), FloatTensorData.of(u, u.length))) {
            float[] columns = new float[x.length];
            for (int i = 0; i < u.length; i++) {
                float sum = 0;
                for (int j = 0; j < x.length; j++) {
                    sum += view.get(i, j) * x[j];
                    columns[j] += view.get(i, j) * u[i];
                }
                assertEquals(sum, made.floatTensor("y").floatData().get(i));
            }
            assertEquals(FloatTensorData.of(columns, x.length), made.floatTensor("z").floatData());
        }
    }
}
