package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hashes, comparisons and sparse copies of views of a sparse {@code float} tensor that is being filled. */
@ExtendWith(MemoryBalance.class)
class FloatSparseEntriesTest {
    private static float value(int n) {
        //#if float double int long
        return n % 100 + 1;
        //#end
        //~byte return (byte) (n % 100 + 1);
        //~boolean return true;
        //~string return "v" + n % 100;
    }

    private static float zero() {
        //#if numeric
        return 0;
        //#end
        //~boolean return false;
        //~string return "";
    }

    private static TensorIndex index(Random random, long size) {
        switch (random.nextInt(5)) {
            case 0:
                return TensorIndex.all();
            case 1:
                return TensorIndex.flip();
            case 2:
                return TensorIndex.at(random.nextInt((int) size));
            case 3:
                return TensorIndex.range(random.nextInt((int) size), size);
            default:
                return TensorIndex.incl(random.longs(random.nextInt(4), 0, size).toArray());
        }
    }

    private static void assertSame(FloatTensorData expected, FloatTensorData data) {
        assertEquals(expected.hashCode(), data.hashCode());
        try (SparseTensor<Float> published = SparseTensor.fromDense(expected); SparseTensor<Float> copy = SparseTensor.fromDense(data);
             Tensor<Float> dense = Tensors.create(data)) {
            assertEquals(published.values().shape()[0], copy.values().shape()[0]);
            assertEquals(expected, copy.floatData());
            assertEquals(expected, dense.floatData());
            assertEquals(published.floatData(), data);
            assertEquals(data, published.floatData());
        }
    }

    @Test
    void viewsOfWhatIsBeingFilledAreAsThoseOfWhatIsDense() {
        Seeds.each(0, 60, (random, done) -> {
            long[] shape = {1 + random.nextInt(20), 1 + random.nextInt(20)};
            int n = random.nextInt((int) (shape[0] * shape[1]) + 1);
            FloatTensorData dense = FloatTensorData.of(zeros(shape), shape);
            try {
                Tensors.sparseFloat(shape, n, data -> {
                    for (int i = 0; i < n; i++) {
                        int[] at = {random.nextInt((int) shape[0]), random.nextInt((int) shape[1])};
                        float value = random.nextInt(4) == 0 ? zero() : value(i);
                        data.put(value, at);
                        dense.put(value, at);
                        TensorIndex[] indices = {index(random, shape[0]), index(random, shape[1])};
                        done.append(' ').append(Arrays.toString(at)).append(Arrays.toString(indices));
                        assertSame(dense.slice(indices), data.slice(indices));
                    }
                }).close();
            } catch (IllegalStateException e) {
                done.append(e);                 // some elements were put twice
            }
        });
    }

    private static float[] zeros(long... shape) {
        float[] zeros = new float[(int) (shape[0] * shape[1])];
        Arrays.fill(zeros, zero());
        return zeros;
    }

    private static Class<?> entries(FloatTensorData data) {
        try (SparseEntries entries = SparseEntries.of(data)) {
            return entries.getClass();
        }
    }

    @Test
    void nothingIsSortedForFewElements() {
        Tensors.sparseFloat(new long[] {100, 10}, 200, data -> {
            assertEquals(SortedEntries.class, entries(data.slice(0, 0)));
            for (int i = 0; i < 100; i++) {
                data.put(value(i), i, i % 10);
            }
            assertEquals(FewEntries.class, entries(data.slice(0, 0)));
            assertEquals(FewEntries.class, entries(data.slice(0)));
            assertEquals(SortedEntries.class, entries(data.slice(TensorIndex.to(2))));
            for (int i = 0; i < 100; i++) {
                data.put(value(i), i, (i + 1) % 10);
            }
            assertEquals(FewEntries.class, entries(data.slice(TensorIndex.to(2))));
        }).close();
    }

    /** Would take minutes if each row were looked for in a sorted copy. */
    @Test
    void eachRowOnceItIsFull() {
        int n = 40_000;
        int width = 8;
        float[] row = new float[width];
        for (int i = 0; i < width; i++) {
            row[i] = value(i);
        }
        try (SparseTensor<Float> expected = SparseTensor.fromDense(FloatTensorData.of(row))) {
            FloatTensorData same = expected.floatData();
            Tensors.sparseFloat(new long[] {n, width}, n * width, data -> {
                for (int i = 0; i < n; i++) {
                    data.put(row, i);
                    assertEquals(same.hashCode(), data.slice(i).hashCode());
                    assertEquals(same, data.slice(i));
                    assertEquals(data.slice(0), data.slice(i));
                    assertEquals(data.slice(0, 3).hashCode(), data.slice(i, 3).hashCode());
                    if (i + 1 < n) {
                        assertNotEquals(same, data.slice(i + 1));
                    }
                }
            }).close();
        }
    }
}
