package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.tensornio.ByteTensorData;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where -0.0 is 0: what is made of dense data has no entries and no rows of it. NaN is not 0. */
@ExtendWith(MemoryBalance.class)
class ZeroSignTest {
    private static final float[] FLOATS = {0, -0.0f, Float.NaN, -1, -0.0f, Float.MIN_VALUE, -Float.MIN_VALUE, Float.intBitsToFloat(0xffc00001)};
    private static final long[][] KEPT = {{0, 2}, {0, 3}, {1, 1}, {1, 2}, {1, 3}};

    private static void assertKept(SparseTensor<Float> sparse) {
        assertArrayEquals(KEPT, sparse.indices().longData().toNested(long[][].class));
        float[] values = sparse.values().floatData().toNested(float[].class);
        int[] expected = {2, 3, 5, 6, 7};
        for (int n = 0; n < expected.length; n++) {
            assertEquals(Float.floatToRawIntBits(FLOATS[expected[n]]), Float.floatToRawIntBits(values[n]));
        }
        sparse.close();
    }

    @Test
    void sparseTensorsOfDenseFloatsOfAnyKindHaveNoZero() {
        FloatTensorData array = FloatTensorData.of(FLOATS, 2, 4);
        assertKept(SparseTensor.fromDense(array));
        try (Tensor<Float> dense = Tensors.create(array)) {
            assertKept(SparseTensor.fromDense(dense.floatData()));
        }
        float[] gaps = new float[16];
        Arrays.fill(gaps, 9);
        FloatTensorData strided = FloatTensorData.of(gaps, 2, 8).slice(TensorIndex.all(), TensorIndex.step(2));
        strided.copyFrom(FLOATS);
        assertKept(SparseTensor.fromDense(strided));
        assertKept(SparseTensor.fromDense(array.slice(TensorIndex.incl(0, 1))));
    }

    @Test
    void sparseTensorsOfSparseAndRaggedDataHaveNoZero() {
        try (SparseTensor<Float> stored = Tensors.sparseFloat(new long[] {2, 4}, 8, data -> {
            for (int i = 0; i < 2; i++) {
                for (int j = 0; j < 4; j++) {
                    data.put(FLOATS[4 * i + j], i, j);
                }
            }
        })) {
            assertKept(SparseTensor.fromDense(stored.floatData()));
            assertKept(SparseTensor.fromDense(stored.floatData().slice(TensorIndex.all())));
        }
        try (RaggedTensor<Float> ragged = Tensors.raggedFloat(new long[] {2, -1}, data -> {
            data.slice(0).put(Arrays.copyOf(FLOATS, 4));
            data.slice(1).put(Arrays.copyOfRange(FLOATS, 4, 8));
        })) {
            assertKept(SparseTensor.fromDense(ragged.floatData()));
        }
    }

    @Test
    void sparseTensorsOfManyDoublesAreThoseOfALoop() {
        Seeds.each(2, 3, (random, done) -> {
            double[] some = {0, -0.0, Double.NaN, 1, -1, Double.MIN_VALUE, Double.longBitsToDouble(0xfff0_0000_0000_0001L)};
            double[] all = random.doubles(300_000 + random.nextInt(100)).map(x -> some[(int) (x * some.length)]).toArray();
            List<Integer> kept = new ArrayList<>();
            for (int n = 0; n < all.length; n++) {
                if (all[n] != 0) {
                    kept.add(n);
                }
            }
            try (Tensor<Double> dense = Tensors.create(DoubleTensorData.of(all));
                SparseTensor<Double> own = SparseTensor.fromDense(dense.doubleData());
                SparseTensor<Double> wrapped = SparseTensor.fromDense(DoubleTensorData.of(all))) {
                assertEquals(own.indices().longData(), wrapped.indices().longData());
                assertEquals(own.values().doubleData(), wrapped.values().doubleData());
                assertEquals(kept.size(), own.values().numElements());
                LongTensorData indices = own.indices().longData();
                for (int n = 0; n < kept.size(); n++) {
                    assertEquals((long) kept.get(n), indices.get(n, 0));
                }
            }
        });
    }

    @Test
    void integersWithTheHighestBitAloneAreNotZero() {
        try (SparseTensor<Integer> ints = SparseTensor.fromDense(IntTensorData.of(new int[] {0, Integer.MIN_VALUE, 0}));
            SparseTensor<Long> longs = SparseTensor.fromDense(LongTensorData.of(new long[] {0, Long.MIN_VALUE, 0}));
            SparseTensor<UInt8> bytes = SparseTensor.fromDense(ByteTensorData.of(new byte[] {0, -128, 0}))) {
            assertEquals(1, ints.values().numElements());
            assertEquals(1, longs.values().numElements());
            assertEquals(1, bytes.values().numElements());
        }
    }

    @Test
    void paddingOfEitherZeroIsBoth() {
        FloatTensorData dense = FloatTensorData.of(new float[] {1, 0, -0.0f, -0.0f, 2, 0, 0, -0.0f, 0}, 3, 3);
        for (float padding : new float[] {0, -0.0f}) {
            try (RaggedTensor<Float> ragged = RaggedTensor.fromDense(dense, padding)) {
                assertArrayEquals(new float[][] {{1}, {-0.0f, 2}, {}}, ragged.floatData().toNested(float[][].class));
            }
        }
        DoubleTensorData doubles = DoubleTensorData.of(new double[] {1, -0.0, Double.NaN, 0}, 2, 2);
        try (RaggedTensor<Double> ragged = RaggedTensor.fromDense(doubles, 0.0)) {
            assertArrayEquals(new double[][] {{1}, {Double.NaN}}, ragged.doubleData().toNested(double[][].class));
        }
        try (RaggedTensor<Double> ragged = RaggedTensor.fromDense(doubles, Double.NaN)) {
            assertArrayEquals(new double[][] {{1, -0.0}, {Double.NaN, 0}}, ragged.doubleData().toNested(double[][].class));
        }
    }

    @Test
    void equalityStaysByBits() {
        assertNotEquals(FloatTensorData.of(new float[] {0}), FloatTensorData.of(new float[] {-0.0f}));
        try (SparseTensor<Float> stored = Tensors.sparseFloat(new long[] {2}, 1, data -> data.put(-0.0f, 1))) {
            assertNotEquals(FloatTensorData.of(new float[2]), stored.floatData());
            assertEquals(FloatTensorData.of(new float[] {0, -0.0f}), stored.floatData());
        }
    }
}
