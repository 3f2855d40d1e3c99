package io.tensornio.internal.ragged;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.ellipsis;
import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.newAxis;
import static io.tensornio.TensorIndex.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.BooleanTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import java.nio.FloatBuffer;
//#end

/** Ragged {@code float} data while it is filled: views that are older than its rows, and that it looks as it will when it is published. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedFillingTest {
    private static float[] array(int from, int n) {
        return FloatValues.array(from, n);
    }

    /** Makes views of a row of four elements, and one of all rows; makes the row shorter; writes four elements to the view, in vain. */
    private static void tooLate(Consumer<FloatTensorData> write) {
        for (int which = 0; which < 4; which++) {
            int n = which;
            try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1}, data -> {
                data.put(array(1, 4), 0);
                FloatTensorData view = n == 0 ? data.slice(at(0), range(0, 4)) : n == 1 ? data.slice(at(0), flip())
                    : n == 2 ? data.slice(all()) : data.slice(incl(0), flip());
                data.put(array(5, 2), 0);
                Expect.thrown(IndexOutOfBoundsException.class, () -> write.accept(n < 2 ? view : view.slice(at(0))), "2 elements now");
                if (n == 2) {
                    Expect.thrown(IndexOutOfBoundsException.class, () -> view.put(array(8, 4)), "2 elements now");
                }
                assertArrayEquals(array(5, 2), FloatValues.all(data.slice(0)));
            })) {
                assertArrayEquals(array(5, 2), FloatValues.all(tensor.floatData()));
            }
        }
    }

    @Test
    void viewsThatAreOlderThanTheirRowsAreWrittenWholeOrNotAtAll() {
        tooLate(view -> view.put(array(8, 4)));
        tooLate(view -> view.copyFrom(array(8, 4)));
        tooLate(view -> view.put(FloatTensorData.of(array(8, 4))));
        tooLate(view -> view.put(FloatOwn.of(4)));
        tooLate(view -> view.putNested(array(8, 4)));
        tooLate(view -> FloatTensorData.of(array(8, 4)).get(view));
        //#if buffer
        FloatBuffer buffer = FloatBuffer.wrap(array(8, 4));
        tooLate(view -> view.put(buffer));
        assertEquals(0, buffer.position());
        //#end
    }

    @Test
    void slicesHaveTheShapeThatTheyHaveOncePublished() {
        TensorIndex[][] indices = {{at(1), newAxis()}, {at(1), newAxis(), flip()}, {newAxis(), at(1)}, {at(0), at(0), newAxis()}, {at(1), ellipsis()},
            {at(1), all(), newAxis()}, {at(1), excl(0)}, {at(1), ellipsis(), newAxis(), all()},
            {IntTensorData.of(new int[] {1}), newAxis()}, {LongTensorData.of(new long[0])}, {}};
        for (long[] shape : new long[][] {{2, -1}, {2, -1, -1}, {2, -1, 2}}) {
            List<FloatTensorData> made = new ArrayList<>();
            try (RaggedTensor<Float> tensor = Tensors.raggedFloat(shape, data -> {
                int[] last = shape.length == 2 ? new int[] {1, 2} : new int[] {1, 2, 1};
                data.put(FloatValues.of(7), last);
                data.put(FloatValues.of(8), new int[last.length]);
                for (TensorIndex[] some : indices) {
                    made.add(data.slice(some));
                }
            })) {
                for (int n = 0; n < indices.length; n++) {
                    FloatTensorData expected = tensor.floatData().slice(indices[n]);
                    String what = Arrays.toString(shape) + Arrays.toString(indices[n]);
                    assertArrayEquals(expected.shape(), made.get(n).shape(), what);
                    assertEquals(expected, made.get(n), what);
                    assertEquals(expected.hashCode(), made.get(n).hashCode(), what);
                }
            }
        }
    }

    @Test
    void severalRowsTakeNoOtherRowsInBulk() {
        try (RaggedTensor<Float> source = Tensors.raggedFloat(new long[] {2, -1, -1}, data -> {
            data.put(array(1, 1), 0, 0);
            data.put(array(2, 3), 1, 0);
            data.put(array(5, 2), 1, 1);
        }); RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, -1}, data -> {
            data.put(array(10, 1), 0, 0);
            data.put(array(20, 3), 1, 0);
            data.put(array(30, 2), 1, 1);
            float[] before = FloatValues.all(data);
            // Of equal lengths or not, in both directions of a call.
            for (FloatTensorData from : new FloatTensorData[] {source.floatData(), data, FloatOwn.of(2, 2, 3)}) {
                Expect.thrown(IllegalArgumentException.class, () -> data.put(from), "single row", "[2, -1, -1]");
                Expect.thrown(IllegalArgumentException.class, () -> from.get(data), "single row", "[2, -1, -1]");
            }
            Expect.thrown(IllegalArgumentException.class, () -> source.floatData().get(data.slice(1), 1), "single row", "[2, -1]");
            Expect.thrown(IllegalArgumentException.class, () -> source.floatData().slice(0).get(data.slice(1)), "single row", "[2, -1]");
            assertArrayEquals(before, FloatValues.all(data));
            source.floatData().get(data.slice(all()));          // a view does not grow
        })) {
            assertEquals(source.floatData(), tensor.floatData());
        }
    }

    @Test
    void aRowTakesTheLengthOfWhatIsReadToIt() {
        for (long[] shape : new long[][] {{3, -1}, {1, 3, -1, 2}}) {
            int unit = shape.length == 2 ? 1 : 2;
            long[] row = unit == 1 ? new long[] {4} : new long[] {4, 2};
            float[] values = array(1, 4 * unit);
            FloatTensorData array = FloatTensorData.of(values, row);
            FloatTensorData own = new FloatOwn(values, 0, row);
            try (Tensor<Float> dense = Tensors.create(array); SparseTensor<Float> sparse = SparseTensor.fromDense(array);
                RaggedTensor<Float> tensor = Tensors.raggedFloat(shape, data -> {
                    FloatTensorData rows = unit == 1 ? data : data.slice(0);
                    for (FloatTensorData from : new FloatTensorData[] {array, own, dense.floatData(), sparse.floatData(),
                        array.slice(flip()).slice(flip())}) {
                        from.get(rows.slice(0));                                        // grows
                        assertEquals(array, rows.slice(0));
                        rows.put(array(9, 6 * unit), 1);
                        from.get(rows.slice(1));                                        // shrinks
                        assertEquals(array, rows.slice(1));
                        from.slice(range(0, 2)).get(rows.slice(2));
                        rows.slice(1).get(rows.slice(2));
                        assertEquals(array, rows.slice(2));
                        rows.get(rows.slice(0), 1);
                        rows.slice(1).slice(range(1, 3)).get(rows.slice(1));            // a part of itself
                        assertEquals(array.slice(range(1, 3)), rows.slice(1));
                        from.slice(range(0, 0)).get(rows.slice(2));
                        assertEquals(0, rows.slice(2).totalSize());
                    }
                })) {
                FloatTensorData rows = unit == 1 ? tensor.floatData() : tensor.floatData().slice(0);
                assertEquals(array, rows.slice(0));
                assertEquals(array.slice(range(1, 3)), rows.slice(1));
            }
        }
    }

    @Test
    void aRowThatTakesNothingStaysAsItWas() {
        FloatTensorData[] kept = new FloatTensorData[1];
        FloatTensorData array = FloatTensorData.of(array(5, 4));
        Tensor<Float> closed = FloatValues.tensor(3);
        FloatTensorData gone = closed.floatData();
        closed.close();
        RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, 2}, data -> {
            data.put(array(1, 4), 0);
            FloatTensorData row = data.slice(0);
            kept[0] = row;
            Expect.thrown(IllegalArgumentException.class, () -> array.get(row), "cannot copy the shape [4] to the shape [-1, 2]");
            Expect.thrown(IllegalArgumentException.class, () -> FloatOwn.of(4, 3).get(row), "cannot copy the shape [4, 3] to the shape [-1, 2]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> array.get(row, 4), "index 4", "size 4");
            Expect.thrown(TensorClosedException.class, () -> gone.get(row, 9), "[3]");
            assertArrayEquals(array(1, 4), FloatValues.all(row));
        });
        Expect.thrown(ReadOnlyBufferException.class, () -> array.get(kept[0], 9), "published");
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> array.get(kept[0], 9), "[2, -1, 2]");
        Expect.thrown(NullPointerException.class, () -> array.get((FloatTensorData) null, 9), "tensor");
    }

    @Test
    void rowsNamedByDataThatIsAnIndexGrow() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, -1}, data -> {
            data.slice(IntTensorData.of(new int[] {1})).put(array(4, 2), 0);
            data.slice(IntTensorData.of(new int[] {1}).slice(0)).put(array(9, 1), 1);
            data.slice(LongTensorData.of(new long[] {-1, 1})).put(array(7, 3), new int[0]);
            assertEquals(5, data.slice(IntTensorData.of(new int[] {1})).totalSize());
            // A mask is as long as its axis, which a ragged one is not, however few of its rows are named.
            BooleanTensorData two = BooleanTensorData.of(new boolean[] {false, true});
            Expect.thrown(IllegalArgumentException.class, () -> data.slice(at(1), at(0), TensorIndex.mask(two)), "mask", "axis 2", "[2, -1, -1]");
            Expect.thrown(IllegalArgumentException.class, () -> data.slice(at(1), TensorIndex.mask(two)), "mask", "axis 1", "[2, -1, -1]");
            assertEquals(5, data.slice(TensorIndex.mask(two)).totalSize());
        })) {
            FloatTensorData data = tensor.floatData();
            assertArrayEquals(array(4, 2), FloatValues.all(data.slice(1, 0)));
            assertArrayEquals(array(7, 3), FloatValues.all(data.slice(1, 1)));
        }
    }

    @Test
    void noIndicesLeadToRowsThatGrow() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1}, data -> {
            data.slice(LongTensorData.of(new long[0])).put(array(1, 2), 0);
            data.slice(new TensorIndex[0]).put(array(3, 1), 1);
            data.slice(new int[0]).put(FloatValues.of(4), 1, 1);
        })) {
            assertArrayEquals(array(1, 4), FloatValues.all(tensor.floatData()));
            assertEquals(2, tensor.floatData().slice(1).size(0));
        }
    }

    @Test
    void rowsGetTheLengthOfDataWithoutElements() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {4, -1, 0}, data -> {
            data.put(FloatTensorData.of(array(0, 0), 3, 0), 0);
            data.putNested(new float[2][0], 1);
            data.put(FloatTensorData.of(array(0, 0), 9, 0), 3);
            data.put(array(0, 0), 3);                           // which says no length
            assertArrayEquals(new long[] {3, 0}, data.slice(0).shape());
        })) {
            assertArrayEquals(new long[] {3, 0}, tensor.floatData().slice(0).shape());
            assertArrayEquals(new long[] {2, 0}, tensor.floatData().slice(1).shape());
            assertArrayEquals(new long[] {0, 0}, tensor.floatData().slice(3).shape());
            try (RaggedTensor<Float> copy = Tensors.raggedFloat(new long[] {4, -1, 0}, data -> {
                int row = 0;
                for (FloatTensorData from : tensor.floatData().elements()) {
                    data.put(from, row++);
                }
            })) {
                assertEquals(tensor.floatData(), copy.floatData());
            }
        }
        try (SparseTensor<Float> none = Tensors.sparseFloat(new long[] {1L << 32, 0}, 0, data -> { })) {
            Expect.thrown(OutOfMemoryError.class, () -> Tensors.raggedFloat(new long[] {1, -1, 0}, data -> data.put(none.floatData(), 0)),
                (1L << 32) + " positions");
        }
    }
}
