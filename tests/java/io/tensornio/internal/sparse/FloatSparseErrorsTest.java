package io.tensornio.internal.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorElements;
import io.tensornio.FloatTensorIterator;
import io.tensornio.LongTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatValues;
import io.tensornio.support.LongValues;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayInputStream;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What sparse {@code float} tensors refuse, and what they say then. */
@ExtendWith(MemoryBalance.class)
class FloatSparseErrorsTest {
    private static final long[] SHAPE = {3, 4};

    private static float value(int i) {
        return FloatValues.of(i);
    }

    private static LongTensorData coordinates(long... all) {
        return LongTensorData.of(all, all.length / 2, 2);
    }

    private static FloatTensorData values(int n) {
        return FloatTensorData.of(FloatValues.array(1, n));
    }

    // ---- Making ----------------------------------------------------------------------------------------------------

    @Test
    void shapesAndNumbersThatAreNone() {
        assertThrows(NullPointerException.class, () -> Tensors.sparseFloat(null, 1, data -> { }));
        assertThrows(NullPointerException.class, () -> Tensors.sparseFloat(SHAPE, 1, null));
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseFloat(SHAPE, -1, data -> { }), "-1", "numValues", "[3, 4]");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseFloat(new long[] {3, -4}, 1, data -> { }), "[3, -4]", "axis 1");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseFloat(new long[] {1L << 32, 1L << 31}, 1, data -> { }),
            "[4294967296, 2147483648]");
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.sparseFloat(new long[] {1L << 40}, Integer.MAX_VALUE, data -> { }), "2147483647");
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.sparseFloat(new long[] {1L << 20, 20, 20}, 100_000_000, data -> { }),
            "100000000", "2400000000");
    }

    /** Data of one's own that puts elements while it is read. */
    @Test
    void roomThatIsTakenWhileDataIsReadIsNoneForTheData() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(SHAPE, 2, data -> {
            FloatOwn own = new FloatOwn(FloatValues.array(1, 2), 0, 2) {
                @Override
                protected float getAt(long[] indices) {
                    data.put(value(9), 2, 3);
                    return super.getAt(indices);
                }
            };
            Expect.thrown(IllegalStateException.class, () -> data.slice(0).slice(TensorIndex.range(0, 2)).put(own), "numValues = 2");
            assertEquals(FloatValues.ZERO, data.get(0, 0));
            data.put(value(8), 1, 1);                   // the last that fits
        })) {
            assertEquals(value(8), tensor.floatData().get(1, 1));
            assertEquals(value(9), tensor.floatData().get(2, 3));
        }
    }

    @Test
    void moreValuesThanTheCapacity() {
        String[] says = {"FLOAT", "[3, 4]", "numValues = 2", "[2, 3]"};
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(SHAPE, 2, data -> {
            data.put(value(1), 0, 1);
            data.put(value(2), 0, 1);
            data.put(value(3), 1, 1);
            Expect.thrown(IllegalStateException.class, () -> data.put(value(4), 2, 3), says);
            Expect.thrown(IllegalStateException.class, () -> data.slice(2).scalars().put(value(4)), "FLOAT", "numValues = 2", "[2, 0]");
            assertEquals(FloatValues.ZERO, data.get(2, 3));
            data.put(value(5), 1, 1);
            data.put(value(6), 0, 1);
        })) {
            assertArrayEquals(new float[] {value(6), value(5)}, FloatValues.all(tensor.values().floatData()));
        }
        Expect.thrown(IllegalStateException.class, () -> Tensors.sparseFloat(SHAPE, 0, data -> data.put(value(1), 2, 3)),
            "FLOAT", "numValues = 0", "[2, 3]");
        Expect.thrown(IllegalStateException.class, () -> Tensors.sparseFloat(SHAPE, 2, data -> {
            data.put(value(1), 0, 1);
            data.put(value(1), 0, 2);
            data.put(value(1), 2, 3);
        }), says);
    }

    @Test
    void fewerValuesThanWereSaid() {
        String[] says = {"FLOAT", "[3, 4]", "has 2", "numValues is 3"};
        Expect.thrown(IllegalStateException.class, () -> Tensors.sparseFloat(SHAPE, 3, data -> {
            data.put(value(1), 0, 1);
            data.put(value(1), 2, 1);
            data.put(value(2), 0, 1);
        }), says);
        Expect.thrown(IllegalStateException.class, () -> Tensors.sparseFloat(SHAPE, 3, data -> {
            data.put(value(1), 0, 1);
            data.put(value(2), 1, 1);
        }), says);
        Expect.thrown(IllegalStateException.class, () -> Tensors.sparseFloat(new long[0], 2, data -> data.put(value(1))),
            "FLOAT", "[]", "has 1", "numValues is 2");
        Expect.thrown(IllegalStateException.class, () -> Tensors.sparseFloat(new long[] {0, 4}, 1, data -> { }), "[0, 4]", "has 0", "numValues is 1");
    }

    @Test
    void coordinatesOutsideAreRefusedAndTakeNoSlot() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(SHAPE, 1, data -> {
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(value(1), 3, 0), "3", "axis 0", "size 3", "[3, 4]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(value(1), 0, -1), "-1", "axis 1", "size 4", "[3, 4]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.zeros(3), 1, 2), "3 elements", "at [1, 2]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(0, 4), "4", "axis 1");
            data.put(value(1), 2, 3);
        })) {
            Expect.thrown(IndexOutOfBoundsException.class, () -> tensor.floatData().get(3, 0), "3", "axis 0", "size 3", "[3, 4]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> tensor.floatData().slice(-1), "-1", "axis 0");
        }
    }

    @Test
    void nestedPutsAreCheckedWhole() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {2, 2}, 3, data -> {
            data.put(value(1), 1, 1);
            float[][] rows = {FloatValues.array(2, 2), FloatValues.array(4, 2)};
            Expect.thrown(IllegalStateException.class, () -> data.putNested(rows), "FLOAT", "[2, 2]", "numValues = 3");
            assertEquals(FloatValues.ZERO, data.get(0, 0));
            assertEquals(value(1), data.get(1, 1));
            data.putNested(rows[0], 1);             // which fits if nothing of the first row was written
            data.put(value(1), 0, 1);
        })) {
            assertArrayEquals(new float[] {value(1), value(2), value(3)}, FloatValues.all(tensor.values().floatData()));
        }
    }

    @Test
    void bulkPutsAreCheckedWhole() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(SHAPE, 5, data -> {
            data.put(value(1), 0, 0);
            data.put(value(2), 1, 3);
            float[] before = FloatValues.all(data);
            String[] says = {"FLOAT", "[3, 4]", "numValues = 5"};
            Expect.thrown(IllegalStateException.class, () -> data.put(FloatValues.zeros(8), new int[0]),
                "FLOAT", "[3, 4]", "numValues = 5", "[1, 0]");
            Expect.thrown(IllegalStateException.class, () -> data.copyFrom(FloatValues.zeros(12)), says);
            Expect.thrown(IllegalStateException.class, () -> data.put(FloatTensorData.of(FloatValues.zeros(12), 3, 4)), says);
            Expect.thrown(IllegalStateException.class, () -> FloatTensorData.of(FloatValues.zeros(12), 3, 4).get(data), says);
            Expect.thrown(IllegalStateException.class, () -> data.put(data.slice(TensorIndex.flip())), says);
            FloatTensorElements rows = data.slice(TensorIndex.all(), TensorIndex.range(1, 3)).elements();
            Expect.thrown(IllegalStateException.class, () -> rows.put(FloatValues.zeros(2)).put(FloatValues.zeros(2)), says);
            assertArrayEquals(before, FloatValues.all(data));
            data.put(value(3), 2, 0);           // the fifth: of the elements, the first was written
        })) {
            assertEquals(5, tensor.values().numElements());
        }
    }

    @Test
    void onePositionManyTimesIsOneValue() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(SHAPE, 2, data -> {
            FloatTensorData same = data.slice(TensorIndex.at(1), TensorIndex.incl(2, 2, 3, 2));
            same.put(FloatValues.array(1, 4));
        })) {
            assertArrayEquals(new float[] {value(4), value(3)}, FloatValues.all(tensor.values().floatData()));
        }
    }

    @Test
    void streamsWriteWhatFits() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(SHAPE, 2, data -> {
            int[] calls = {0};
            Expect.thrown(IllegalStateException.class, () -> data.slice(1).scalars().onEach(() -> value(++calls[0])), "numValues = 2", "[1, 2]");
        })) {
            assertArrayEquals(new float[] {value(1), value(2)}, FloatValues.all(tensor.values().floatData()));
            assertArrayEquals(new long[] {1, 0, 1, 1}, LongValues.all(tensor.indices().longData()));
        }
        //#if primitive
        byte[] bytes = new byte[12 * DataType.FLOAT.byteSize()];
        //#end
        //~string byte[] bytes = new byte[12 * Short.BYTES];
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(SHAPE, 5, data ->
            Expect.thrown(IllegalStateException.class, () -> data.write(new ByteArrayInputStream(bytes)), "numValues = 5", "[1, 1]"))) {
            assertArrayEquals(new long[] {0, 0, 0, 1, 0, 2, 0, 3, 1, 0}, LongValues.all(tensor.indices().longData()));
        }
        assertThrows(IllegalStateException.class, () -> Tensors.sparseFloat(SHAPE, 2, data -> data.write(new ByteArrayInputStream(bytes))));
        try (SparseTensor<Float> all = Tensors.sparseFloat(SHAPE, 12, data -> data.write(new ByteArrayInputStream(bytes)))) {
            assertArrayEquals(FloatValues.zeros(12), FloatValues.all(all.values().floatData()));
        }
    }

    @Test
    void anExceptionPassesThroughAndReleasesTheMemory() {
        List<FloatTensorData> kept = new ArrayList<>();
        RuntimeException thrown = new IllegalStateException("mine");
        for (int n : new int[] {4, 100_000}) {
            long before = MemoryStats.current().tensorsAlive();
            RuntimeException e = assertThrows(RuntimeException.class, () -> Tensors.sparseFloat(new long[] {1000, 1000}, n, data -> {
                kept.add(data);
                data.put(value(1), 1, 1);
                data.get(1, 1);
                throw thrown;
            }));
            assertSame(thrown, e);
            assertTrue(MemoryStats.current().tensorsAlive() <= before);         // fewer if what others dropped was collected meanwhile
        }
        for (FloatTensorData data : kept) {
            assertTrue(data.isReadOnly());
            Expect.thrown(TensorClosedException.class, () -> data.get(1, 1), "FLOAT", "[1000, 1000]");
            Expect.thrown(TensorClosedException.class, () -> data.put(value(1), 1, 1), "FLOAT", "[1000, 1000]");
            Expect.thrown(TensorClosedException.class, data::hashCode, "FLOAT");
        }
    }

    // ---- Out of coordinates ----------------------------------------------------------------------------------------

    @Test
    void coordinatesThatDoNotMatch() {
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseFloat(coordinates(0, 1, 2, 3), values(3), 3, 4), "[2, 2]", "[3]", "[3, 4]");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseFloat(coordinates(0, 1, 2, 3), values(2), 3, 4, 5),
            "[2, 2]", "[2]", "[3, 4, 5]");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseFloat(LongTensorData.of(new long[] {0, 1}), values(2), 3), "[2]", "[3]");
        Expect.thrown(IllegalArgumentException.class,
            () -> Tensors.sparseFloat(coordinates(0, 1), FloatTensorData.of(FloatValues.zeros(1), 1, 1), 3, 4), "[1, 2]", "[1, 1]");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseFloat(coordinates(0, 1), values(1), 3, -4), "[3, -4]", "axis 1");
        assertThrows(NullPointerException.class, () -> Tensors.sparseFloat((LongTensorData) null, values(1), 3, 4));
        assertThrows(NullPointerException.class, () -> Tensors.sparseFloat(coordinates(0, 1), null, 3, 4));
        assertThrows(NullPointerException.class, () -> Tensors.sparseFloat(coordinates(0, 1), values(1), (long[]) null));
    }

    @Test
    void coordinatesOutsideOfTheDenseShape() {
        Expect.thrown(IndexOutOfBoundsException.class, () -> Tensors.sparseFloat(coordinates(0, 1, 2, 4), values(2), 3, 4), "1", "4", "axis 1");
        Expect.thrown(IndexOutOfBoundsException.class, () -> Tensors.sparseFloat(coordinates(0, 1, -1, 3), values(2), 3, 4), "1", "-1", "axis 0");
        Expect.thrown(IndexOutOfBoundsException.class, () -> Tensors.sparseFloat(coordinates(0, 0), values(1), 0, 4), "0", "axis 0");
    }

    @Test
    void closedOperands() {
        Tensor<Float> closed = FloatValues.tensor(2);
        FloatTensorData values = closed.floatData();
        closed.close();
        Tensor<Long> closedToo = LongValues.tensor(1, 2);
        LongTensorData coordinates = closedToo.longData();
        closedToo.close();
        Expect.thrown(TensorClosedException.class, () -> Tensors.sparseFloat(coordinates(0, 1, 2, 3), values, 3, 4), "FLOAT", "[2]");
        Expect.thrown(TensorClosedException.class, () -> Tensors.sparseFloat(coordinates, values(1), 3, 4), "INT64", "[1, 2]");
        Expect.thrown(TensorClosedException.class, () -> SparseTensor.fromDense(values), "FLOAT", "[2]");
        assertThrows(NullPointerException.class, () -> SparseTensor.fromDense((FloatTensorData) null));
    }

    // ---- After publication -----------------------------------------------------------------------------------------

    @Test
    void whatInitKeptCanBeReadButNotWritten() {
        List<FloatTensorData> kept = new ArrayList<>();
        List<FloatTensorIterator> scalars = new ArrayList<>();
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(SHAPE, 1, data -> {
            data.put(value(1), 2, 3);
            kept.add(data);
            kept.add(data.slice());
            scalars.add(data.scalars());
        })) {
            kept.add(tensor.floatData());
            for (FloatTensorData data : kept) {
                assertTrue(data.isReadOnly());
                assertEquals(value(1), data.get(2, 3));
                assertEquals(FloatValues.ZERO, data.get(2, 2));
                String[] says = {"FLOAT", "[3, 4]", "published"};
                Expect.thrown(ReadOnlyBufferException.class, () -> data.put(value(2), 2, 3), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.zeros(1), 2, 3), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.copyFrom(FloatValues.zeros(12)), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.put(data), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.get(data), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.slice(2).put(value(2), 3), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.scalars().put(value(2)), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.elements().put(FloatValues.zeros(4)), says);
            }
            Expect.thrown(ReadOnlyBufferException.class, () -> scalars.get(0).put(value(2)), "FLOAT", "[3, 4]");
            assertEquals(FloatValues.ZERO, scalars.get(0).get());
        }
        for (FloatTensorData data : kept) {
            Expect.thrown(TensorClosedException.class, () -> data.get(2, 3), "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, () -> data.get(0, 0), "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, () -> data.put(value(2), 2, 3), "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, () -> data.copyTo(FloatValues.zeros(12)), "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, data::hashCode, "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, data::elements, "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, () -> Tensors.create(data), "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, () -> SparseTensor.fromDense(data), "FLOAT", "[3, 4]");
            assertTrue(data.toString().contains("closed"));
        }
    }

    @Test
    void aClosedTensorHasNoParts() {
        SparseTensor<Float> tensor = Tensors.sparseFloat(SHAPE, 1, data -> data.put(value(1), 2, 3));
        Tensor<Float> values = tensor.values();
        Tensor<Long> indices = tensor.indices();
        Tensor<Long> denseShape = tensor.denseShape();
        Tensor<Long> rowPointers = tensor.rowPointers();
        LongTensorData columns = tensor.columnIndices().longData();
        FloatTensorIterator scalars = tensor.floatData().scalars();
        values.close();
        indices.close();
        denseShape.close();
        rowPointers.close();
        assertArrayEquals(new long[] {2, 3}, LongValues.all(indices.longData()));
        assertEquals(value(1), values.floatData().get(0));
        assertEquals(4, denseShape.longData().get(1));
        assertEquals(1, rowPointers.longData().get(3));
        assertEquals(3, columns.get(0));
        assertEquals(FloatValues.ZERO, scalars.get());
        tensor.close();
        tensor.close();
        assertTrue(tensor.isClosed() && values.isClosed() && indices.isClosed() && denseShape.isClosed() && rowPointers.isClosed());
        String[] says = {"FLOAT", "[3, 4]"};
        Expect.thrown(TensorClosedException.class, tensor::indices, says);
        Expect.thrown(TensorClosedException.class, tensor::values, says);
        Expect.thrown(TensorClosedException.class, tensor::denseShape, says);
        Expect.thrown(TensorClosedException.class, tensor::rowPointers, says);
        Expect.thrown(TensorClosedException.class, tensor::columnIndices, says);
        Expect.thrown(TensorClosedException.class, tensor::toDense, says);
        Expect.thrown(TensorClosedException.class, tensor::floatData, says);
        Expect.thrown(TensorClosedException.class, scalars::get, says);
        Expect.thrown(TensorClosedException.class, () -> columns.get(0), "INT64", "[1]");
        assertTrue(tensor.toString().contains("closed"));
    }

    @Test
    void onlyMatricesHaveRows() {
        try (SparseTensor<Float> vector = Tensors.sparseFloat(new long[] {3}, 1, data -> data.put(value(1), 2))) {
            Expect.thrown(IllegalStateException.class, vector::rowPointers, "matrix", "rank 1");
            Expect.thrown(IllegalStateException.class, vector::columnIndices, "matrix", "rank 1");
        }
        try (SparseTensor<Float> tall = Tensors.sparseFloat(new long[] {1L << 40, 1}, 1, data -> data.put(value(1), 2, 0))) {
            Expect.thrown(OutOfMemoryError.class, tall::rowPointers, "1099511627776");
            Expect.thrown(OutOfMemoryError.class, tall::toDense, "FLOAT", "[1099511627776, 1]");
        }
    }

    @Test
    void theWrongType() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(SHAPE, 0, data -> { })) {
            //#if !double
            Expect.thrown(IllegalStateException.class, tensor::doubleData, "FLOAT", "DOUBLE");
            //#end
            //~double Expect.thrown(IllegalStateException.class, tensor::intData, "DOUBLE", "INT32");
        }
    }
}
