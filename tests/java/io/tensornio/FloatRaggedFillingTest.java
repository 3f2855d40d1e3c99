package io.tensornio;

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

//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

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
    void rowsThatGrowTakeOtherRowsOfTheirLengths() {
        try (RaggedTensor<Float> source = Tensors.raggedFloat(new long[] {2, -1, -1}, data -> {
            data.put(array(1, 1), 0, 0);
            data.put(array(2, 3), 1, 0);
            data.put(array(5, 2), 1, 1);
        }); RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, -1}, data -> {
            data.put(array(10, 1), 0, 0);
            data.put(array(20, 3), 1, 0);
            data.put(array(30, 2), 1, 1);
            source.floatData().slice(1).get(data.slice(1));
            assertEquals(source.floatData().slice(1), data.slice(1));
            source.floatData().get(data);
            assertEquals(source.floatData(), data);
            data.get(data);
            data.slice(1).get(data.slice(new TensorIndex[0]).slice(1));
            Expect.thrown(IllegalArgumentException.class, () -> source.floatData().slice(0).get(data.slice(1)), "[1, -1]");
        })) {
            assertEquals(source.floatData(), tensor.floatData());
        }
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
