package io.tensornio.internal.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorElements;
import io.tensornio.FloatTensorIterator;
import io.tensornio.LongTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.LongValues;
import io.tensornio.support.MemoryBalance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sparse {@code float} tensors of shapes that no dense tensor has. */
@ExtendWith(MemoryBalance.class)
class FloatSparseHugeTest {
    private static final long BILLION = 1_000_000_000;
    /** The coordinates of what is stored. */
    private static final long[] STORED = {0, 999_999_999, 500_000_000, 6, 500_000_000, 7, 999_999_999, 999_999_999};

    private static FloatTensorData at(FloatTensorData data, long i, long j) {
        return data.slice(TensorIndex.at(i), TensorIndex.at(j));
    }

    private static SparseTensor<Float> huge() {
        return Tensors.sparseFloat(new long[] {BILLION, BILLION}, 4, data -> {
            data.put(FloatValues.FOREIGN, 999_999_999, 999_999_999);
            data.put(FloatValues.FOREIGN, 0, 999_999_999);
            data.put(FloatValues.FOREIGN, 500_000_000, 7);
            at(data, 500_000_000, 6).put(FloatValues.FOREIGN);
            assertEquals(FloatValues.FOREIGN, data.get(500_000_000, 6));
            assertEquals(FloatValues.ZERO, data.get(500_000_000, 8));
        });
    }

    @Test
    void whatIsBeingFilledIsEqualToWhatWasMadeOfTheSame() {
        FloatTensorData values = FloatTensorData.of(FloatValues.filled(4, FloatValues.FOREIGN));
        try (SparseTensor<Float> made = Tensors.sparseFloat(LongTensorData.of(STORED, 4, 2), values, BILLION, BILLION)) {
            FloatTensorData same = made.floatData();
            try (SparseTensor<Float> filled = Tensors.sparseFloat(new long[] {BILLION, BILLION}, 4, data -> {
                for (int n = STORED.length - 2; n >= 0; n -= 2) {
                    assertNotEquals(same, data);
                    assertNotEquals(data, same);
                    data.put(FloatValues.FOREIGN, (int) STORED[n], (int) STORED[n + 1]);
                }
                assertEquals(same, data);
                assertEquals(data, same);
                assertEquals(same.hashCode(), data.hashCode());
                assertNotEquals(data.slice(TensorIndex.flip()), data);
                assertEquals(same.slice(TensorIndex.flip()), data.slice(TensorIndex.flip()));
            })) {
                assertEquals(same, filled.floatData());
            }
        }
    }

    private static String row(String first, String last) {
        return "[" + first + ", " + first + ", " + first + ", ..., " + first + ", " + first + ", " + last + "]";
    }

    @Test
    void ofABillionByABillionTheEdgesArePrinted() {
        String zero = " 0.";
        String last = "22.";
        //~int,long,byte zero = " 0";
        //~int,long,byte last = "22";
        //~boolean zero = "false";
        //~boolean last = " true";
        //~string zero = "''";
        //~string last = "'f\u00f6reign'";
        String rest = row(zero, zero);
        try (SparseTensor<Float> tensor = huge()) {
            assertEquals("FLOAT[1000000000, 1000000000]\n[" + row(zero, last) + ",\n " + rest + ",\n " + rest + ",\n ...,\n " + rest + ",\n " + rest
                + ",\n " + row(zero, last) + "]", tensor.toString());
        }
    }

    /** Of a huge axis, without a list of what is left, and in steps of what is stored. */
    private static void leavesOutSome(FloatTensorData data, FloatTensorData same) {
        TensorIndex[] some = {TensorIndex.excl(5, 500_000_000, -2), TensorIndex.excl(6, 999_999_998)};
        FloatTensorData most = data.slice(some);
        assertArrayEquals(new long[] {BILLION - 3, BILLION - 2}, most.shape());
        assertEquals(FloatValues.FOREIGN, most.get(999_999_996, 999_999_997));
        assertEquals(data.get(0, 999_999_999), most.get(0, 999_999_997));
        assertEquals(FloatValues.ZERO, most.get(500_000_000, 6));
        Expect.thrown(IndexOutOfBoundsException.class, () -> most.get(0, 999_999_998), "999999998", "[999999997, 999999998]");
        assertEquals(most, same.slice(some));
        assertEquals(most.hashCode(), same.slice(some).hashCode());
        assertNotEquals(most, same.slice(TensorIndex.excl(5, 500_000_000, -2), TensorIndex.excl(6, -1)));
        FloatTensorData odd = most.slice(TensorIndex.flip(), TensorIndex.excl(3, 4)).slice(TensorIndex.step(2), TensorIndex.odd());
        try (SparseTensor<Float> stored = SparseTensor.fromDense(most); SparseTensor<Float> ofOdd = SparseTensor.fromDense(odd)) {
            assertArrayEquals(new long[] {0, 999_999_997, 999_999_996, 999_999_997}, LongValues.all(stored.indices().longData()));
            assertArrayEquals(new long[] {0, 499_999_997, 499_999_998, 499_999_997}, LongValues.all(ofOdd.indices().longData()));
        }
        FloatTensorData row = data.slice(TensorIndex.at(500_000_000)).slice(TensorIndex.excl(2, 6));
        assertArrayEquals(new float[] {FloatValues.ZERO, FloatValues.FOREIGN, FloatValues.ZERO},
            FloatValues.all(row.slice(TensorIndex.range(4, 7))));
        FloatTensorIterator scalars = row.scalars();
        for (int i = 0; i < 10; i++) {
            assertEquals(i == 5 ? FloatValues.FOREIGN : FloatValues.ZERO, scalars.get());
        }
    }

    @Test
    void aBillionByABillion() {
        try (SparseTensor<Float> a = huge(); SparseTensor<Float> b = huge()) {
            FloatTensorData data = a.floatData();
            assertEquals(BILLION * BILLION, a.numElements());
            assertArrayEquals(STORED, LongValues.all(a.indices().longData()));
            assertEquals(FloatValues.FOREIGN, data.get(999_999_999, 999_999_999));
            assertEquals(FloatValues.ZERO, data.get(999_999_999, 999_999_998));
            assertEquals(FloatValues.FOREIGN, at(data, 500_000_000, 7).get());
            assertEquals(data, b.floatData());
            assertEquals(data.hashCode(), b.floatData().hashCode());
            try (SparseTensor<Float> again = SparseTensor.fromDense(data)) {
                assertEquals(data, again.floatData());
            }
            float[] few = FloatValues.zeros(4);
            data.slice(TensorIndex.at(500_000_000), TensorIndex.range(5, 9)).copyTo(few);
            assertArrayEquals(new float[] {FloatValues.ZERO, FloatValues.FOREIGN, FloatValues.FOREIGN, FloatValues.ZERO}, few);
            TensorIndex[] evenly = {TensorIndex.flip(), TensorIndex.step(3)};
            assertEquals(data.slice(evenly), b.floatData().slice(evenly));
            assertEquals(data.slice(evenly).hashCode(), b.floatData().slice(evenly).hashCode());
            assertNotEquals(data.slice(evenly), b.floatData().slice(TensorIndex.all(), TensorIndex.step(3)));
            try (SparseTensor<Float> third = SparseTensor.fromDense(data.slice(evenly))) {
                assertArrayEquals(new long[] {0, 333_333_333, 499_999_999, 2, 999_999_999, 333_333_333}, LongValues.all(third.indices().longData()));
            }
            try (SparseTensor<Float> square = SparseTensor.fromDense(data.slice(TensorIndex.incl(5, 0, 500_000_000), TensorIndex.from(-3)))) {
                assertArrayEquals(new long[] {3, 3}, square.shape());
                assertArrayEquals(new long[] {1, 2}, LongValues.all(square.indices().longData()));
            }
            leavesOutSome(data, b.floatData());
            FloatTensorElements rows = data.elements();
            assertEquals(FloatValues.FOREIGN, rows.get().get(999_999_999));
            FloatTensorIterator scalars = data.slice(500_000_000).scalars();
            for (int i = 0; i < 10; i++) {
                assertEquals(i == 6 || i == 7 ? FloatValues.FOREIGN : FloatValues.ZERO, scalars.get());
            }
            Expect.thrown(OutOfMemoryError.class, a::toDense, "FLOAT", "[1000000000, 1000000000]");
        }
    }

    @Test
    void transposedItCostsWhatIsStored() {
        try (SparseTensor<Float> a = huge();
            SparseTensor<Float> b = Tensors.sparseFloat(new long[] {BILLION, BILLION}, 4, data -> {
                for (int n = 0; n < STORED.length; n += 2) {
                    data.put(FloatValues.FOREIGN, (int) STORED[n + 1], (int) STORED[n]);
                }
                assertEquals(a.floatData().transpose(), data);
                assertEquals(a.floatData(), data.transpose());
                assertEquals(a.floatData().hashCode(), data.transpose().hashCode());
            })) {
            FloatTensorData turned = a.floatData().transpose();
            assertEquals(turned, b.floatData());
            assertEquals(b.floatData(), turned);
            assertEquals(b.floatData().hashCode(), turned.hashCode());
            assertNotEquals(turned, a.floatData());
            assertEquals(turned.flip(0), b.floatData().flip(0));
            assertEquals(turned.unflatten(0, 10, -1).permute(2, 0, 1), b.floatData().unflatten(0, 10, -1).permute(2, 0, 1));
            try (SparseTensor<Float> stored = SparseTensor.fromDense(turned)) {
                assertEquals(b.floatData(), stored.floatData());
                assertArrayEquals(new long[] {6, 500_000_000, 7, 500_000_000, 999_999_999, 0, 999_999_999, 999_999_999},
                    LongValues.all(stored.indices().longData()));
            }
        }
    }
}
