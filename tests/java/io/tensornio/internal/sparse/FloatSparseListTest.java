package io.tensornio.internal.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.tensornio.BooleanTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.LongTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.LongValues;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Reads of sparse {@code float} data through lists of positions, held against the same reads of dense data. */
@ExtendWith(MemoryBalance.class)
class FloatSparseListTest {
    private static final int ROUNDS = 150;
    private static final int BILLION = 1_000_000_000;

    /** A list of one of the orders that there are. */
    private static long[] list(Random random, int size) {
        long[] list = random.longs(1 + random.nextInt(2 * size), 0, size).toArray();
        switch (random.nextInt(4)) {
            case 0:
                Arrays.sort(list);
                return random.nextBoolean() ? list : Arrays.stream(list).distinct().toArray();
            case 1:
                return Arrays.stream(list).map(i -> -i).sorted().map(i -> -i).toArray();
            case 2:
                return Arrays.stream(list).distinct().toArray();
            default:
                return list;
        }
    }

    private static TensorIndex index(Random random, int size) {
        switch (random.nextInt(10)) {
            case 0:
                return TensorIndex.all();
            case 1:
                return TensorIndex.flip();
            case 2:
                return TensorIndex.step(2);
            case 3:
                return TensorIndex.at(random.nextInt(size));
            case 4:
                return TensorIndex.from(random.nextInt(size));
            case 5:
                return TensorIndex.excl(list(random, (size + 1) / 2));
            case 6: {
                boolean[] mask = new boolean[size];
                for (int i = 0; i < size; i++) {
                    mask[i] = random.nextBoolean();
                }
                return TensorIndex.mask(BooleanTensorData.of(mask));
            }
            case 7:
                return TensorIndex.take(LongTensorData.of(list(random, size)));
            default:
                return TensorIndex.incl(list(random, size));
        }
    }

    private static TensorIndex[] indices(Random random, long... shape) {
        TensorIndex[] indices = new TensorIndex[shape.length];
        Arrays.setAll(indices, d -> shape[d] == 0 ? TensorIndex.all() : index(random, (int) shape[d]));
        return indices;
    }

    private static float[] some(Random random, int n) {
        float[] values = FloatValues.zeros(n);
        int one = 1 + random.nextInt(random.nextBoolean() ? 3 : 30);
        for (int i = 0; i < n; i++) {
            values[i] = random.nextInt(one) == 0 ? FloatValues.of(i) : FloatValues.ZERO;
        }
        return values;
    }

    @Test
    void whatDenseDataReads() {
        for (int seed = 0; seed < ROUNDS * Expect.depth(); seed++) {
            Random random = new Random(seed);
            int rank = 1 + random.nextInt(4);
            long[] shape = random.longs(rank, 1, rank == 1 ? 60 : rank == 2 ? 20 : 7).toArray();
            float[] values = some(random, (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b));
            FloatTensorData dense = FloatTensorData.of(values, shape);
            StringBuilder done = new StringBuilder("seed " + seed + ", " + Arrays.toString(shape));
            try (SparseTensor<Float> tensor = SparseTensor.fromDense(dense)) {
                FloatTensorData sparse = tensor.floatData();
                for (int views = 0; views < 2 && sparse.totalSize() > 0 && sparse.totalSize() < 20_000; views++) {
                    TensorIndex[] indices = indices(random, sparse.shape());
                    done.append(" then ").append(Arrays.toString(indices));
                    dense = dense.slice(indices);
                    sparse = sparse.slice(indices);
                    assertReads(FloatValues.all(dense), dense, sparse, random);
                }
            } catch (Throwable e) {
                throw new AssertionError(done.toString(), e);
            }
        }
    }

    private static void assertReads(float[] expected, FloatTensorData dense, FloatTensorData sparse, Random random) {
        int n = expected.length;
        assertArrayEquals(dense.shape(), sparse.shape());
        assertArrayEquals(expected, FloatValues.all(sparse), "one after the other");
        float[] bulk = FloatValues.filled(n, FloatValues.FOREIGN);
        sparse.copyTo(bulk);
        assertArrayEquals(expected, bulk, "in bulk");
        try (Tensor<Float> copy = Tensors.create(sparse); SparseTensor<Float> again = SparseTensor.fromDense(sparse);
             SparseTensor<Float> same = SparseTensor.fromDense(dense)) {
            assertArrayEquals(expected, FloatValues.all(copy.floatData()), "to a tensor");
            assertArrayEquals(LongValues.all(same.indices().longData()), LongValues.all(again.indices().longData()), "coordinates");
            assertArrayEquals(FloatValues.all(same.values().floatData()), FloatValues.all(again.values().floatData()), "values");
            assertEquals(same.floatData(), sparse);
            assertEquals(sparse, same.floatData());
        }
        assertEquals(dense, sparse);
        assertEquals(sparse, dense);
        assertEquals(dense.hashCode(), sparse.hashCode());
        assertArrayEquals(dense.stream().toArray(), sparse.stream().toArray());
        assertArrayEquals(dense.stream().toArray(), sparse.stream().parallel().toArray());
        if (n > 0) {
            int changed = random.nextInt(n);
            float[] other = expected.clone();
            other[changed] = FloatValues.OWN == other[changed] ? FloatValues.FOREIGN : FloatValues.OWN;
            try (SparseTensor<Float> unequal = SparseTensor.fromDense(FloatTensorData.of(other, dense.shape()))) {
                assertNotEquals(sparse, unequal.floatData());
                assertNotEquals(unequal.floatData(), sparse);
            }
        }
    }

    /** So many values, and lists so long, that what is far is looked for among samples. */
    @Test
    void listsInNoOrderOfManyValues() {
        for (int seed = 0; seed < 3 * Expect.depth(); seed++) {
            Random random = new Random(seed);
            long[] shape = random.nextBoolean() ? new long[] {20_000} : new long[] {500, 40};
            FloatTensorData dense = FloatTensorData.of(some(random, 20_000), shape);
            TensorIndex rows = TensorIndex.incl(random.longs(20_000 / shape.length, 0, shape[0]).toArray());
            TensorIndex[] indices = shape.length == 1 ? new TensorIndex[] {rows} : new TensorIndex[] {rows, TensorIndex.incl(39, 3, 0, 21)};
            try (SparseTensor<Float> tensor = SparseTensor.fromDense(dense)) {
                FloatTensorData picked = dense.slice(indices);
                assertReads(FloatValues.all(picked), picked, tensor.floatData().slice(indices), random);
            }
        }
    }

    @Test
    void anIteratorEndsWithItsTensor() {
        SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {8, 8}, 64, FloatValues::fill);
        FloatTensorIterator scalars = tensor.floatData().slice(TensorIndex.all(), TensorIndex.incl(5, 1, 7, 7)).scalars();
        for (int i = 0; i < 10; i++) {
            assertEquals(FloatValues.of(i / 4 * 8 + (i % 4 == 0 ? 5 : i % 4 == 1 ? 1 : 7)), scalars.get());
        }
        tensor.close();
        Expect.thrown(TensorClosedException.class, scalars::get, "FLOAT", "[8, 8]");
    }

    // ---- What would take minutes if each row were a search for each position of a list -------------------------------

    private static final int MANY = 40_000;

    /** One value in each of many rows: in each other row on the diagonal, in the rest in the last column. */
    private static SparseTensor<Float> diagonal() {
        return Tensors.sparseFloat(new long[] {BILLION, BILLION}, MANY, data -> {
            for (int i = 0; i < MANY; i++) {
                data.put(FloatValues.FOREIGN, 1000 * i, i % 2 == 0 ? 1000 * i : BILLION - 1);
            }
        });
    }

    /** The columns of the values on the diagonal, and as many without any; the distances of the sorted ones differ. */
    private static long[] columns(boolean isSorted) {
        long[] columns = new long[MANY];
        Arrays.setAll(columns, n -> 1000 * (n * 7919L % MANY) + n % 2);
        if (isSorted) {
            Arrays.sort(columns);
        }
        return columns;
    }

    @Test
    void listsAreLeaptOverInEachRow() {
        try (SparseTensor<Float> tensor = diagonal(); SparseTensor<Float> other = diagonal()) {
            for (boolean isSorted : new boolean[] {false, true}) {
                long[] columns = columns(isSorted);
                TensorIndex[] picks = {TensorIndex.all(), TensorIndex.incl(columns)};
                FloatTensorData picked = tensor.floatData().slice(picks);
                assertEquals(picked, other.floatData().slice(picks));
                assertEquals(picked.hashCode(), other.floatData().slice(picks).hashCode());
                try (SparseTensor<Float> made = SparseTensor.fromDense(picked)) {
                    long[] coordinates = LongValues.all(made.indices().longData());
                    assertEquals(MANY, coordinates.length);
                    for (int n = 0; n < coordinates.length; n += 2) {
                        assertEquals(coordinates[n], columns[(int) coordinates[n + 1]]);
                    }
                }
            }
        }
    }

    @Test
    void anIteratorLooksNoFurtherThanItReads() {
        try (SparseTensor<Float> tensor = diagonal()) {
            for (int n = 0; n < MANY / 10; n++) {
                FloatTensorIterator scalars = tensor.floatData().slice(TensorIndex.all(), TensorIndex.incl(7, 3, 0, 5)).scalars();
                for (int i = 0; i < 10; i++) {
                    assertEquals(i == 2 ? FloatValues.FOREIGN : FloatValues.ZERO, scalars.get());
                }
            }
        }
    }
}
