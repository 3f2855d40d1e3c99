package io.tensornio.internal.ragged;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.ByteTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.LongValues;
import io.tensornio.support.MemoryBalance;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ragged {@code float} tensors from values and rows, from dense data, and to it. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedFromTest {
    private static FloatTensorData values(int n) {
        return FloatTensorData.of(FloatValues.array(0, n));
    }

    private static void refuses(int n, long[] splits, String... parts) {
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowSplits(values(n), splits), parts);
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowSplits(values(n), LongTensorData.of(splits)), parts);
    }

    @Test
    void rowSplits() {
        long[] splits = {0, 3, 3, 4};
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowSplits(values(4), splits)) {
            splits[1] = 0;
            assertArrayEquals(new long[] {3, -1}, tensor.shape());
            assertArrayEquals(FloatValues.array(0, 3), FloatValues.all(tensor.floatData().slice(0)));
            assertEquals(0, tensor.floatData().slice(1).size(0));
            assertEquals(FloatValues.of(3), tensor.floatData().get(2, 0));
            assertTrue(tensor.floatData().isReadOnly());
            assertThrows(java.nio.ReadOnlyBufferException.class, () -> tensor.floatData().put(FloatValues.of(1), 0, 0));
            assertThrows(java.nio.ReadOnlyBufferException.class, () -> tensor.floatData().put(FloatValues.array(0, 1), 0));
        }
        try (RaggedTensor<Float> none = RaggedTensor.fromRowSplits(values(0), 0)) {
            assertArrayEquals(new long[] {0, -1}, none.shape());
        }
    }

    @Test
    void everyFaultOfSplits() {
        refuses(4, new long[] {}, "no row splits");
        refuses(4, new long[] {1, 4}, "row split 0", "is 1", "must be 0");
        refuses(4, new long[] {-1, 4}, "row split 0", "is -1");
        refuses(4, new long[] {0, 3, 2, 4}, "row split 2", "is 2", "which is 3");
        refuses(4, new long[] {0, 3}, "row split 1", "is 3", "there are 4 values");
        refuses(4, new long[] {0, 3, 5}, "row split 2", "is 5", "there are 4 values");
        refuses(4, new long[] {0, Long.MAX_VALUE}, "is " + Long.MAX_VALUE);
        refuses(4, new long[] {0}, "row split 0", "the last", "there are 4 values");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowSplits(values(4), new long[] {0, 2}, new long[] {0, 4}),
            "row split 1",
            "of axis 1", "is 2", "there is 1 row to split");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowSplits(values(4), new long[] {0, 2}, new long[] {0, 5, 4}),
            "row split 2",
            "of axis 2", "is 4", "which is 5");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowSplits(values(4), new long[0][]), "no row splits");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowSplits(values(1).slice(0), 0, 1), "rank 1");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowSplits(values(4), LongTensorData.of(new long[2], 1, 2)), "rank 1",
            "[1, 2]");
    }

    @Test
    void valuesOfATypeThatIsKnownAtRunTimeAlone() {
        long[][] splits = {{0, 1, 3}, {0, 2, 2, 4}};
        TensorData<?> values = values(4);
        try (RaggedTensor<Float> expected = RaggedTensor.fromRowSplits(values(4), splits);
            RaggedTensor<?> tensor = RaggedTensor.fromRowSplits(values, splits)) {
            assertEquals(expected.dataType(), tensor.dataType());
            assertEquals(expected.data(), tensor.data());
        }
        Tensor<Float> dense = FloatValues.tensor(4);
        try (RaggedTensor<?> shared = RaggedTensor.fromRowSplits((TensorData<?>) dense.data(), splits)) {
            dense.close();              // the memory is shared
            assertEquals(values, shared.values().data());
        }
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowSplits(values, new long[] {0, 2}, new long[] {0, 5, 4}),
            "row split 2", "of axis 2", "is 4", "which is 5");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowSplits(values, new long[][] {{0, 3}}), "row split 1", "is 3",
            "there are 4 values");
        Expect.thrown(NullPointerException.class, () -> RaggedTensor.fromRowSplits((TensorData<?>) null, splits), "values");
        Expect.thrown(NullPointerException.class, () -> RaggedTensor.fromRowSplits(values, (long[]) null), "splits");
    }

    @Test
    void nullsAndClosedValues() {
        Expect.thrown(NullPointerException.class, () -> RaggedTensor.fromRowSplits((FloatTensorData) null, 0, 1), "values");
        Expect.thrown(NullPointerException.class, () -> RaggedTensor.fromRowSplits(values(1), (long[]) null), "splits");
        Expect.thrown(NullPointerException.class, () -> RaggedTensor.fromRowLengths(values(1), (long[]) null), "lengths");
        Expect.thrown(NullPointerException.class, () -> RaggedTensor.fromDense(values(1), (long[]) null), "lengths");
        Tensor<Float> closed = FloatValues.tensor(4);
        closed.close();
        FloatTensorData gone = values(1);
        assertEquals(1, gone.rank());
        FloatTensorData[] data = {null};
        Tensors.denseFloat(new long[] {4}, all -> data[0] = all).close();
        assertThrows(TensorClosedException.class, () -> RaggedTensor.fromRowSplits(data[0], 5, 5));
        assertThrows(TensorClosedException.class, () -> RaggedTensor.fromRowLengths(data[0], -1));
    }

    @Test
    void rowLengths() {
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(values(6), 3, 1, 2);
                RaggedTensor<Float> same = RaggedTensor.fromRowLengths(values(6), LongTensorData.of(new long[] {3, 1, 2}));
                RaggedTensor<Float> deep = RaggedTensor.fromRowLengths(values(6), new long[] {2, 0}, new long[] {5, 1})) {
            assertEquals(tensor.floatData(), same.floatData());
            assertArrayEquals(new long[] {0, 3, 4, 6}, LongValues.all(tensor.rowSplits(1).longData()));
            assertArrayEquals(new long[] {2, -1, -1}, deep.shape());
            assertEquals(FloatValues.of(5), deep.floatData().get(0, 1, 0));
            assertEquals(0, deep.floatData().slice(1).size(0));
        }
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowLengths(values(6), 7, -1), "row length 1", "is -1");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowLengths(values(6), 3, 2), "the row lengths add up to 5",
            "number of values is 6");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowLengths(values(6), new long[] {2}, new long[] {5, 2}),
            "the row lengths of axis 2 add up to 7", "number of values is 6");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowLengths(values(6), new long[] {1, 2}, new long[] {5, 1}),
            "the row lengths of axis 1 add up to 3", "axis 2 has the lengths of 2");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowLengths(values(6), new long[] {2}, new long[] {7, -1}),
            "row length 1 of axis 2 is -1");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowLengths(values(6), Long.MAX_VALUE, 2), "row 1", "long");
    }

    @Test
    void innerAxes() {
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowSplits(FloatTensorData.of(FloatValues.array(0, 6), 3, 2), 0, 1, 3)) {
            assertArrayEquals(new long[] {2, -1, 2}, tensor.shape());
            assertEquals(FloatValues.of(5), tensor.floatData().get(1, 1, 1));
            assertArrayEquals(new long[] {3, 2}, tensor.values().shape());
        }
    }

    @Test
    void valuesOfATensorAreShared() {
        Tensor<Float> values = FloatValues.tensor(1 << 16);
        long before = MemoryStats.current().bytesInUse();
        RaggedTensor<Float> tensor = RaggedTensor.fromRowSplits(values.floatData(), 0, 1, 1 << 16);
        assertTrue(MemoryStats.current().bytesInUse() - before < values.numBytes());
        values.close();
        assertFalse(tensor.isClosed());
        assertEquals(FloatValues.of(2), tensor.floatData().get(1, 1));
        Tensor<Float> borrowed = tensor.values();
        borrowed.close();
        assertFalse(borrowed.isClosed());
        assertEquals(FloatValues.of(2), borrowed.floatData().get(2));
        // Those of a ragged one, too.
        RaggedTensor<Float> again = RaggedTensor.fromRowSplits(borrowed.floatData(), 0, 1 << 16);
        tensor.close();
        assertTrue(borrowed.isClosed());
        assertTrue(tensor.isClosed());
        assertThrows(TensorClosedException.class, tensor::values);
        assertThrows(TensorClosedException.class, () -> tensor.rowSplits(1));
        assertEquals(FloatValues.of(3), again.floatData().get(0, 3));
        again.close();
        // A part of one is copied.
        try (Tensor<Float> more = FloatValues.tensor(5);
             RaggedTensor<Float> part = RaggedTensor.fromRowLengths(more.floatData().slice(TensorIndex.flip()), 2, 3)) {
            assertEquals(FloatValues.of(4), part.floatData().get(0, 0));
        }
    }

    @Test
    void rowSplitsCloseWithTheirTensorAlone() {
        RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(values(4), 3, 1);
        Tensor<Long> splits = tensor.rowSplits(1);
        splits.close();
        assertFalse(splits.isClosed());
        assertArrayEquals(new long[] {0, 3, 4}, LongValues.all(splits.longData()));
        assertArrayEquals(FloatValues.array(3, 1), FloatValues.all(tensor.floatData().slice(1)));
        tensor.close();
        assertTrue(splits.isClosed());
    }

    @Test
    void valuesThatAreAPartOfATensorWithoutGaps() {
        try (Tensor<Float> all = FloatValues.tensor(20)) {
            FloatTensorData part = all.floatData().slice(TensorIndex.range(2, 12));
            try (RaggedTensor<Float> byLengths = RaggedTensor.fromRowLengths(part, 1, 9);
                    RaggedTensor<Float> bySplits = RaggedTensor.fromRowSplits(part, 0, 1, 10)) {
                assertArrayEquals(FloatValues.array(3, 9), FloatValues.all(byLengths.floatData().slice(1)));
                assertArrayEquals(FloatValues.array(2, 10), FloatValues.all(byLengths.values().floatData()));
                assertArrayEquals(FloatValues.array(2, 10), FloatValues.all(bySplits.values().floatData()));
            }
        }
    }

    /** Makes a ragged tensor of a vector that is being filled, and writes that before the ragged one is read. */
    private static void checkFilledOnLater(Function<Consumer<FloatTensorData>, Tensor<Float>> vectorOfFour) {
        try (Tensor<Float> tensor = vectorOfFour.apply(data -> {
            FloatValues.fill(data);
            try (RaggedTensor<Float> ragged = RaggedTensor.fromRowSplits(data, 0, 1, 4)) {
                data.put(FloatValues.FOREIGN, 0);
                assertArrayEquals(FloatValues.array(0, 4), FloatValues.all(ragged.floatData()));
            }
        })) {
            assertEquals(FloatValues.FOREIGN, tensor.floatData().get(0));
        }
    }

    @Test
    void valuesThatAreStillBeingFilledAreCopied() {
        checkFilledOnLater(init -> Tensors.denseFloat(new long[] {4}, init));
        //~string checkFilledOnLater(init -> Tensors.denseString(new long[] {4}, 20, 0, init));
    }

    @Test
    void closedRowsAreClosedBeforeTheirShapeIsWrong() {
        Tensor<Long> tensor = Tensors.denseLong(new long[] {2, 2}, data -> { });
        LongTensorData rows = tensor.longData();
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowSplits(values(1), rows), "rank 1", "[2, 2]");
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> RaggedTensor.fromRowSplits(values(1), rows), "INT64", "closed");
        Expect.thrown(TensorClosedException.class, () -> RaggedTensor.fromRowLengths(values(1), rows), "INT64", "closed");
    }

    @Test
    void fromDenseByLengths() {
        FloatTensorData dense = FloatTensorData.of(FloatValues.array(0, 6), 2, 3);
        try (RaggedTensor<Float> tensor = RaggedTensor.fromDense(dense, new long[] {1, 3})) {
            assertArrayEquals(new long[] {0, 1, 4}, LongValues.all(tensor.rowSplits(1).longData()));
            assertEquals(FloatValues.of(0), tensor.floatData().get(0, 0));
            assertEquals(FloatValues.of(5), tensor.floatData().get(1, 2));
        }
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromDense(dense, new long[] {1, 4}), "row length 1", "is 4", "0 to 3");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromDense(dense, new long[] {-1, 2}), "row length 0", "is -1");
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromDense(dense, new long[] {1}), "1 row length for 2 rows: 1");
        try (RaggedTensor<Float> ragged = Tensors.raggedFloat(new long[] {2, -1}, data -> { })) {
            Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromDense(ragged.floatData(), FloatValues.ZERO),
                "data of shape [2, -1] must have rank 2 at least and no ragged axis");
            Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowSplits(ragged.floatData(), 0, 2),
                "values of shape [2, -1] must have rank 1 at least and no ragged axis");
        }
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromDense(dense, new long[0]), "no row lengths for 2 rows");
        for (long many : new long[] {1L << 31, 1L << 32, (1L << 32) + 5}) {
            try (SparseTensor<Float> nothing = Tensors.sparseFloat(new long[] {1, many, 0}, 0, data -> { })) {
                Expect.thrown(OutOfMemoryError.class, () -> RaggedTensor.fromDense(nothing.floatData(), new long[] {many}), many + " positions");
            }
        }
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromDense(values(3), new long[] {1}), "rank 2", "[3]");
        try (RaggedTensor<Float> ragged = RaggedTensor.fromRowLengths(values(3), 1, 2)) {
            Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromDense(ragged.floatData(), new long[] {1, 1}),
                "data of shape [2, -1]", "ragged");
            Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromRowLengths(ragged.floatData(), 2), "values of shape [2, -1]",
                "ragged");
        }
    }

    @Test
    void fromDenseByPadding() {
        float p = FloatValues.of(9);
        float a = FloatValues.of(12);
        //~boolean p = true;
        //~boolean a = false;
        FloatTensorData dense = FloatTensorData.of(new float[] {a, p, a, p, p, p, p, p, p, a, a, a}, 3, 4);
        try (RaggedTensor<Float> tensor = RaggedTensor.fromDense(dense, p)) {
            assertArrayEquals(new long[] {0, 3, 3, 7}, LongValues.all(tensor.rowSplits(1).longData()));
            assertArrayEquals(new float[] {a, p, a, p, a, a, a}, FloatValues.all(tensor.values().floatData()));
        }
        try (RaggedTensor<Float> tensor = RaggedTensor.fromDense(FloatTensorData.of(new float[] {a, p, p, p, p, p, p, p}, 2, 2, 2), p)) {
            assertArrayEquals(new long[] {2, -1, 2}, tensor.shape());
            assertArrayEquals(new long[] {0, 1, 1}, LongValues.all(tensor.rowSplits(1).longData()));
        }
    }

    //#if floating
    private static void checkSplitsFromDense(float[] matrixOfThreeColumns, float padding, long... expected) {
        try (RaggedTensor<Float> tensor = RaggedTensor.fromDense(FloatTensorData.of(matrixOfThreeColumns, 2, 3), padding)) {
            assertArrayEquals(expected, LongValues.all(tensor.rowSplits(1).longData()), "padding " + padding);
        }
    }

    @Test
    void paddingIsWhatIsEqualToItAsElementsAre() {
        checkSplitsFromDense(new float[] {1, Float.NaN, Float.NaN, Float.NaN, Float.NaN, 2}, Float.NaN, 0, 1, 4);
        checkSplitsFromDense(new float[] {1, 0, -0.0f, -0.0f, 0, 0}, 0, 0, 1, 1);
        checkSplitsFromDense(new float[] {1, 0, -0.0f, -0.0f, 0, 0}, -0.0f, 0, 1, 1);
    }
    //#end

    @Test
    void toDense() {
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(values(3), 2, 0, 1); Tensor<Float> dense = tensor.toDense()) {
            assertArrayEquals(new long[] {3, 2}, dense.shape());
            float zero = FloatValues.ZERO;
            assertArrayEquals(new float[] {FloatValues.of(0), FloatValues.of(1), zero, zero, FloatValues.of(2), zero},
                FloatValues.all(dense.floatData()));
        }
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(values(3), new long[] {1, 0, 2}, new long[] {1, 0, 2});
             Tensor<Float> dense = tensor.toDense()) {
            assertArrayEquals(new long[] {3, 2, 2}, dense.shape());
            assertEquals(FloatValues.of(0), dense.floatData().get(0, 0, 0));
            assertEquals(FloatValues.of(2), dense.floatData().get(2, 1, 1));
            assertEquals(FloatValues.ZERO, dense.floatData().get(2, 0, 1));
        }
    }
    //#if numeric

    @Test
    void toDenseWithPadding() {
        float seven = 7;
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(values(3), 1, 2); Tensor<Float> dense = tensor.toDense(7);
             Tensor<Float> same = tensor.toDense(7.0)) {
            assertArrayEquals(new float[] {FloatValues.of(0), seven, FloatValues.of(1), FloatValues.of(2)}, FloatValues.all(dense.floatData()));
            assertEquals(dense.floatData(), same.floatData());
            try (RaggedTensor<Float> back = RaggedTensor.fromDense(dense.floatData(), seven)) {
                assertEquals(tensor.floatData(), back.floatData());
            }
        }
    }
    //#end

    /** Makes a matrix of the rows 1 and 2 values long, in which the second place of the first row is the padding. */
    private static void checkPadding(float expected, Function<RaggedTensor<Float>, Tensor<Float>> toDense) {
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(values(3), 1, 2); Tensor<Float> dense = toDense.apply(tensor)) {
            assertArrayEquals(new long[] {2, 2}, dense.shape());
            assertArrayEquals(new float[] {FloatValues.of(0), expected, FloatValues.of(1), FloatValues.of(2)}, FloatValues.all(dense.floatData()));
        }
    }

    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void theLastPaddingThatTheTypeCanHold() {
        //#if float
        checkPadding(0.1f, tensor -> tensor.toDense(0.1));                      // the nearest
        checkPadding(16_777_216, tensor -> tensor.toDense(16_777_217L));
        checkPadding(0x1p63f, tensor -> tensor.toDense(Long.MAX_VALUE));
        checkPadding(Float.MAX_VALUE, tensor -> tensor.toDense((double) Float.MAX_VALUE));
        checkPadding(-Float.MAX_VALUE, tensor -> tensor.toDense(-Float.MAX_VALUE));
        checkPadding(0, tensor -> tensor.toDense(1e-300));
        checkPadding(-0.0f, tensor -> tensor.toDense(-1e-300));
        //#end
        //#if floating
        checkPadding(Float.NaN, tensor -> tensor.toDense(Double.NaN));
        checkPadding(Float.NaN, tensor -> tensor.toDense(Float.NaN));
        checkPadding(Float.POSITIVE_INFINITY, tensor -> tensor.toDense(Double.POSITIVE_INFINITY));
        checkPadding(Float.NEGATIVE_INFINITY, tensor -> tensor.toDense(Float.NEGATIVE_INFINITY));
        checkPadding(-0.0f, tensor -> tensor.toDense(-0.0));
        //#end
        //~double checkPadding(1e300, tensor -> tensor.toDense(1e300));
        //~double checkPadding(0.1f, tensor -> tensor.toDense(0.1f));
        //~double checkPadding(0x1p63, tensor -> tensor.toDense(Long.MAX_VALUE));
        //~int checkPadding(Integer.MAX_VALUE, tensor -> tensor.toDense(2147483647.0));
        //~int checkPadding(Integer.MIN_VALUE, tensor -> tensor.toDense(-2147483648L));
        //~long checkPadding(Long.MAX_VALUE, tensor -> tensor.toDense(Long.MAX_VALUE));
        //~long checkPadding(Long.MIN_VALUE, tensor -> tensor.toDense(-0x1p63));
        //~long checkPadding(0x7ffffffffffffc00L, tensor -> tensor.toDense(0x1.fffffffffffffp62));
        //~byte checkPadding((byte) 255, tensor -> tensor.toDense(255));
        //~byte checkPadding((byte) 255, tensor -> tensor.toDense(255.0));
        //~byte checkPadding((byte) 128, tensor -> tensor.toDense(128L));
        //~int,long checkPadding(0, tensor -> tensor.toDense(-0.0));
        //~byte checkPadding((byte) 0, tensor -> tensor.toDense(-0.0));
        //~boolean checkPadding(true, tensor -> tensor.toDense(true));
        //~boolean checkPadding(false, tensor -> tensor.toDense(false));
        //~string checkPadding("\u20ac\ud83d\ude00", tensor -> tensor.toDense("\u20ac\ud83d\ude00"));
    }

    //#if float
    /** A FLOAT as it is printed may be a little more than it is. */
    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void paddingIsRoundedToTheNearestNumber() {
        double[] given = {3.4028235E38, -3.4028235E38, Math.nextDown(0x1.ffffffp127), 0.1, 1e-60, Double.NEGATIVE_INFINITY, Double.NaN};
        float[] expected = {Float.MAX_VALUE, -Float.MAX_VALUE, Float.MAX_VALUE, 0.1f, 0, Float.NEGATIVE_INFINITY, Float.NaN};
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(values(3), 1, 2)) {
            for (int n = 0; n < given.length; n++) {
                try (Tensor<Float> dense = tensor.toDense(given[n])) {
                    assertEquals(expected[n], dense.floatData().get(0, 1));
                }
            }
        }
    }
    //#end

    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void paddingThatTheTypeCannotHold() {
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(values(3), 1, 2)) {
            //#if numeric
            Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(true), "true", tensor.dataType().name(), "number");
            //#end
            //#if float
            Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(1e300), "1.0E300", "FLOAT", "3.4028235E38");
            Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(-Double.MAX_VALUE), "-1.7976931348623157E308", "FLOAT");
            Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(0x1.ffffffp127), "3.4028235677973366E38", "FLOAT");
            Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(-0x1.ffffffp127), "-3.4028235677973366E38", "FLOAT");
            //#end
            //~int,long,byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(0f / 0), "NaN", tensor.dataType().name());
            //~int,long,byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(Double.POSITIVE_INFINITY), "Infinity");
            //~int,long,byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(-1f / 0), "-Infinity");
            //~int,long,byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(0x1p63), "9.223372036854776E18");
            //~int,long,byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(-0x1.0000000000001p63), "-9.223372036854778E18");
            //~int,byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(-2147483649L), "-2147483649", tensor.dataType().name());
            //~int,byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(2147483648.0), "2147483648", tensor.dataType().name());
            //~int,byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(Long.MIN_VALUE), "-9223372036854775808");
            //~byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(256.0), "256", "UINT8", "0 to 255");
            //~byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(-1f), "-1", "UINT8");
            //~boolean Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(1.0), "1.0", "BOOL", "false or true");
            //~boolean Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(Double.NaN), "NaN", "BOOL");
            //~boolean Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(0), "0", "BOOL");
            //~int,long,byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(0.5), "0.5", tensor.dataType().name());
            //~int,long,byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(Double.NaN), "NaN");
            //~int,long,byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(1e19), "1.0E19");
            //~long Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(1e19), "-9223372036854775808 to 9223372036854775807");
            //~int,byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(1L << 31), "2147483648");
            //~int Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(1L << 31), "-2147483648 to 2147483647");
            //~byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(256), "256", "UINT8", "0 to 255");
            //~byte Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(-1), "-1");
            //~byte Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromDense(ByteTensorData.of(new byte[4], 2, 2), 256), "256");
            //#if primitive
            Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense("x"),
                tensor.dataType() + " cannot hold the padding \"x\": it must be");
            //#end
            Expect.thrown(NullPointerException.class, () -> tensor.toDense((String) null), "padding");
            //~boolean,string Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(1), "1", "FLOAT");
            //~boolean,string Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(0.0), "0", "FLOAT");
            //~string Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(false), "false", "STRING");
            //~string Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(0.5), "0.5", "STRING");
            assertEquals(3, tensor.numElements());
        }
    }
}
