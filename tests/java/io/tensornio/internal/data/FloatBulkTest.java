package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatFlow;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Pick;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import java.nio.BufferOverflowException;
import java.nio.FloatBuffer;
//#end

/** Copies between {@code float} data and arrays or other data. */
@ExtendWith(MemoryBalance.class)
class FloatBulkTest {
    private static final Pick[][] VIEWS = {
        {},
        {Pick.at(1)},
        {Pick.all(4), Pick.at(2)},
        {Pick.all(4), Pick.all(3), Pick.at(4)},
        {Pick.flip(4)},
        {Pick.flip(4), Pick.flip(3), Pick.flip(5)},
        {Pick.step(4, 2), Pick.all(3), Pick.step(5, 2)},
        {Pick.range(1, 3, 1), Pick.range(2, 0, -1), Pick.range(1, 5, 3)},
        {Pick.at(3), Pick.at(0)},
        {Pick.at(3), Pick.at(0), Pick.at(2)},
        {Pick.range(2, 2, 1)},
    };

    /** Runs a check on writable views of a tensor of shape {4, 3, 5}, which is filled anew for each. */
    private static void onEachView(BiConsumer<FloatTensorData, NaiveView> check) {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 3, 5}, whole -> {
            for (Pick[] picks : VIEWS) {
                FloatValues.fill(whole);
                try {
                    check.accept(whole.slice(Pick.indices(picks)), NaiveView.of(4, 3, 5).slice(picks));
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("in the view " + Arrays.toString(picks), e);
                }
            }
        })) {
            assertEquals(60, tensor.numElements());
        }
    }

    /** All indices that a bulk call may be given, which name a sub-tensor or a start position. */
    private static Iterable<int[]> selections(NaiveView view) {
        return () -> java.util.stream.IntStream.rangeClosed(0, view.rank()).boxed()
            .flatMap(n -> NaiveView.of(Arrays.copyOf(view.shape, n)).indices().stream()).iterator();
    }

    /** What a view of a freshly filled tensor reads. */
    private static float[] expected(NaiveView view) {
        float[] expected = FloatValues.zeros(view.size());
        for (int i = 0; i < expected.length; i++) {
            expected[i] = FloatValues.of(view.positions[i]);
        }
        return expected;
    }

    @Test
    void getsEverySelectionIntoAnArray() {
        onEachView((data, view) -> {
            for (int[] indices : selections(view)) {
                float[] expected = expected(view.selection(indices));
                for (int spare : new int[] {0, 1, 10}) {
                    float[] array = FloatValues.filled(expected.length + spare, FloatValues.OWN);
                    data.get(array, indices);
                    assertArrayEquals(expected, Arrays.copyOf(array, expected.length), Arrays.toString(indices));
                    assertArrayEquals(FloatValues.filled(spare, FloatValues.OWN), Arrays.copyOfRange(array, expected.length, array.length));
                }
            }
            float[] array = FloatValues.zeros(view.size());
            data.copyTo(array);
            assertArrayEquals(expected(view), array);
        });
    }

    @Test
    void putsArraysOfEveryLengthToTheStartOfEverySelection() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 3, 5}, whole -> {
            for (Pick[] picks : VIEWS) {
                NaiveView view = NaiveView.of(4, 3, 5).slice(picks);
                FloatTensorData data = whole.slice(Pick.indices(picks));
                for (int[] indices : selections(view)) {
                    NaiveView selection = view.selection(indices);
                    for (int n = 0; n <= selection.size(); n += 1 + n / 7) {
                        FloatValues.fill(whole);
                        float[] model = FloatValues.array(0, 60);
                        for (int i = 0; i < n; i++) {
                            model[selection.positions[i]] = FloatValues.of(100 + i);
                        }
                        data.put(FloatValues.array(100, n), indices);
                        assertArrayEquals(model, FloatValues.all(whole), n + " at " + Arrays.toString(indices) + " of " + Arrays.toString(picks));
                    }
                }
            }
        })) {
            assertEquals(60, tensor.numElements());
        }
    }

    @Test
    void anArrayTooShortToGetIsLeftAlone() {
        onEachView((data, view) -> {
            for (int[] indices : selections(view)) {
                int n = view.selection(indices).size();
                if (n > 0) {
                    float[] array = FloatValues.filled(n - 1, FloatValues.OWN);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(array, indices), Expect.elements(n), "room for " + (n - 1));
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(FloatValues.zeros(0), indices), Expect.elements(n), "room for 0");
                    assertArrayEquals(FloatValues.filled(n - 1, FloatValues.OWN), array);
                }
            }
        });
    }

    /** A message says where: what was asked for, and of which shape. */
    @Test
    void whereSomethingDoesNotFit() {
        FloatTensorData data = FloatTensorData.of(FloatValues.zeros(12), 3, 4);
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.zeros(3), 1, 2),
            "3 elements for the selection at [1, 2] of the shape [3, 4], which has 2");
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(FloatValues.zeros(1), 1, 2),
            "the selection at [1, 2] of the shape [3, 4] has 2 elements, the array has room for 1");
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.zeros(13)),
            "13 elements for the whole of the shape [3, 4], which has 12");
        Expect.thrown(IndexOutOfBoundsException.class, () -> FloatFlow.put(data, FloatFlow.values(0, 3), 1, 2),
            "more than 2 values for the selection at [1, 2] of the shape [3, 4], which has 2 elements: these are written");
        //#if buffer
        Expect.thrown(BufferOverflowException.class, () -> data.get(FloatBuffer.allocate(1), 1, 2),
            "the selection at [1, 2] of the shape [3, 4] has 2 elements, the buffer has room for 1");
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatBuffer.allocate(3), 1, 2),
            "3 elements for the selection at [1, 2] of the shape [3, 4], which has 2");
        //#end
    }

    @Test
    void anArrayTooLongToPutWritesNothing() {
        onEachView((data, view) -> {
            float[] before = expected(view);
            for (int[] indices : selections(view)) {
                NaiveView selection = view.selection(indices);
                for (int n : new int[] {selection.size() + 1, selection.size() + 1000}) {
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.filled(n, FloatValues.OWN), indices),
                        Expect.elements(n), Arrays.toString(data.shape()), "which has " + selection.size());
                }
            }
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.copyFrom(FloatValues.zeros(view.size() + 1)), Expect.elements(view.size() + 1));
            assertArrayEquals(before, FloatValues.all(data));
        });
    }

    @Test
    void theExampleOfAStartPosition() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4}, data -> {
            data.put(FloatValues.array(1, 3), 0);
            data.put(FloatValues.array(7, 1), 2);
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.zeros(3), 2), "3 elements", "which has 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.zeros(0), 4), "index 4", "axis 0", "size 4");
        })) {
            assertArrayEquals(new float[] {FloatValues.of(1), FloatValues.of(2), FloatValues.of(7), FloatValues.ZERO},
                FloatValues.all(tensor.floatData()));
        }
    }

    @Test
    void copiesBetweenAllViewsOfEqualShape() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 3, 5}, whole -> {
            for (Pick[] picks : VIEWS) {
                NaiveView view = NaiveView.of(4, 3, 5).slice(picks);
                FloatTensorData data = whole.slice(Pick.indices(picks));
                for (int[] indices : NaiveView.of(Arrays.copyOf(view.shape, view.rank())).indices()) {
                    for (int n = 0; n <= indices.length; n++) {
                        int[] leading = Arrays.copyOf(indices, n);
                        checkPutAndGet(whole, data, view.sub(leading), leading);
                    }
                }
            }
        })) {
            assertEquals(60, tensor.numElements());
        }
    }

    private static void checkPutAndGet(FloatTensorData whole, FloatTensorData data, NaiveView target, int... leading) {
        String where = Arrays.toString(leading);
        for (boolean put : new boolean[] {true, false}) {
            for (boolean strided : new boolean[] {true, false}) {
                FloatValues.fill(whole);
                float[] model = FloatValues.array(0, 60);
                float[] other = FloatValues.array(100, target.size());
                long[] shape = target.longShape();
                if (strided && shape.length > 0) {
                    shape[shape.length - 1] *= 2;
                }
                TensorIndex[] every = new TensorIndex[shape.length];
                Arrays.fill(every, all());
                if (strided && shape.length > 0) {
                    every[shape.length - 1] = step(2);
                }
                try (Tensor<Float> tensor = Tensors.denseFloat(shape, data2 -> {
                    data2.slice(every).put(other);
                    if (!put) {
                        data.get(data2.slice(every), leading);
                    }
                })) {
                    FloatTensorData source = tensor.floatData().slice(every);
                    if (put) {
                        data.put(source, leading);
                        for (int i = 0; i < other.length; i++) {
                            model[target.positions[i]] = other[i];
                        }
                    }
                    assertArrayEquals(put ? other : expected(target), FloatValues.all(source), where);
                }
                assertArrayEquals(model, FloatValues.all(whole), where);
            }
        }
    }

    @Test
    void shapesThatDiffer() {
        onEachView((data, view) -> {
            try (Tensor<Float> other = Tensors.denseFloat(new long[] {2, 7}, unlike -> {
                String own = Arrays.toString(view.shape);
                Expect.thrown(IllegalArgumentException.class, () -> data.get(unlike), "cannot copy the shape " + own + " to the shape [2, 7]");
                Expect.thrown(IllegalArgumentException.class, () -> data.put(unlike), "cannot copy the shape [2, 7] to the shape " + own);
            }); Tensor<Float> one = Tensors.denseFloat(new long[] {1}, single -> {
                // The same number of elements is not enough.
                if (view.rank() == 0) {
                    Expect.thrown(IllegalArgumentException.class, () -> data.get(single), "the shape [] to the shape [1]");
                    Expect.thrown(IllegalArgumentException.class, () -> data.put(single), "the shape [1] to the shape []");
                }
            })) {
                assertArrayEquals(FloatValues.zeros(14), FloatValues.all(other.floatData()));
                assertEquals(FloatValues.ZERO, one.floatData().get(0));
            }
            assertArrayEquals(expected(view), FloatValues.all(data));
        });
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {0, 3}, data ->
                Expect.thrown(IllegalArgumentException.class, () -> data.put(data.slice(all(), range(0, 2))), "[0, 2]", "[0, 3]"))) {
            assertEquals(0, tensor.numElements());
        }
    }

    /** Which of two shapes is that of a part, and of what, is told. */
    @Test
    void shapesOfSelectionsThatDiffer() {
        FloatTensorData three = FloatTensorData.of(FloatValues.zeros(3));
        FloatTensorData own = FloatOwn.of(3, 4);
        Tensors.denseFloat(new long[] {3, 4}, dense -> Tensors.raggedFloat(new long[] {3, -1, 4}, rows -> {
            for (FloatTensorData data : new FloatTensorData[] {dense, dense.slice(flip()), own, FloatTensorData.of(FloatValues.zeros(12), 3, 4)}) {
                String part = "the selection at [1] of the shape [3, 4], which has the shape [4]";
                Expect.thrown(IllegalArgumentException.class, () -> data.put(three, 1), "cannot copy the shape [3] to " + part);
                Expect.thrown(IllegalArgumentException.class, () -> data.get(three, 1), "cannot copy " + part + ", to the shape [3]");
                Expect.thrown(IllegalArgumentException.class, () -> data.slice(1).put(three), "cannot copy the shape [3] to the shape [4]");
            }
            Expect.thrown(IllegalArgumentException.class, () -> rows.put(three, 2),
                "cannot copy the shape [3] to the selection at [2] of the shape [3, -1, 4], which has the shape [-1, 4]");
        }).close()).close();
    }

    @Test
    void asManyElementsWithoutGapsAreNotEnough() {
        for (long[] shape : new long[][] {{3, 2}, {6}, {1, 6}, {6, 1}}) {
            Tensors.denseFloat(new long[] {2, 3}, data -> Tensors.denseFloat(shape, unlike -> {
                Expect.thrown(IllegalArgumentException.class, () -> data.put(unlike), "[2, 3]", Arrays.toString(shape));
                Expect.thrown(IllegalArgumentException.class, () -> data.get(unlike), "[2, 3]", Arrays.toString(shape));
                Expect.thrown(IllegalArgumentException.class, () -> unlike.put(data), "[2, 3]", Arrays.toString(shape));
            }).close()).close();
        }
    }

    @Test
    void withDataAsManyIndicesAsTheRankNameTheOneElement() {
        try (Tensor<Float> scalar = Tensors.denseFloat(new long[0], data -> data.put(FloatValues.FOREIGN));
                Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 3}, data -> {
            data.put(scalar.floatData(), 1, 2);
            data.get(data.slice(0, 1), 1, 2);
            Expect.thrown(IllegalArgumentException.class, () -> data.put(data.slice(0), 1, 2), "[3]", "[]");
        })) {
            float z = FloatValues.ZERO;
            assertArrayEquals(new float[] {z, FloatValues.FOREIGN, z, z, z, FloatValues.FOREIGN}, FloatValues.all(tensor.floatData()));
        }
    }

    @Test
    void dataThatIsReadCannotBeTheTarget() {
        try (Tensor<Float> published = FloatValues.tensor(3)) {
            try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {3}, data -> {
                Expect.thrown(ReadOnlyBufferException.class, () -> data.get(published.floatData()), "FLOAT", "[3]");
                published.floatData().get(data);
            })) {
                assertArrayEquals(FloatValues.array(0, 3), FloatValues.all(tensor.floatData()));
            }
            assertArrayEquals(FloatValues.array(0, 3), FloatValues.all(published.floatData()));
        }
    }

    /** Copies one part of a tensor to another, and compares with a copy through an array. */
    private static void checkOverlap(int[] shape, TensorIndex[] from, TensorIndex[] to) {
        for (boolean put : new boolean[] {true, false}) {
            try (Tensor<Float> tensor = Tensors.denseFloat(Arrays.stream(shape).asLongStream().toArray(), data -> {
                FloatValues.fill(data);
                float[] moved = FloatValues.all(data.slice(from));
                try (Tensor<Float> expected = Tensors.denseFloat(data.shape(), model -> {
                    FloatValues.fill(model);
                    FloatTensorIterator target = model.slice(to).scalars();
                    for (float value : moved) {
                        target.put(value);
                    }
                })) {
                    if (put) {
                        data.slice(to).put(data.slice(from));
                    } else {
                        data.slice(from).get(data.slice(to));
                    }
                    assertArrayEquals(FloatValues.all(expected.floatData()), FloatValues.all(data),
                        Arrays.toString(from) + " to " + Arrays.toString(to));
                }
            })) {
                assertEquals(shape.length, tensor.rank());
            }
        }
    }

    private static TensorIndex[] of(TensorIndex... indices) {
        return indices;
    }

    @Test
    void overlappingCopies() {
        for (int n : new int[] {10, 1000, 70_000}) {
            int[] vector = {n};
            checkOverlap(vector, of(range(0, -1)), of(range(1, n)));
            checkOverlap(vector, of(range(1, n)), of(range(0, -1)));
            checkOverlap(vector, of(flip()), of(all()));
            checkOverlap(vector, of(all()), of(flip()));
            checkOverlap(vector, of(range(0, n / 2)), of(step(2)));
            checkOverlap(vector, of(step(2)), of(range(n / 2, n)));
            checkOverlap(vector, of(range(0, n / 2)), of(range(n - 1, n - 1 - n / 2, -1)));
            checkOverlap(vector, of(all()), of(all()));
        }
        int[] matrix = {130, 97};
        checkOverlap(matrix, of(flip(), flip()), of(all(), all()));
        checkOverlap(matrix, of(all(), flip()), of(flip(), all()));
        checkOverlap(matrix, of(range(0, -1), range(0, -1)), of(range(1, 130), range(1, 97)));
        checkOverlap(matrix, of(range(1, 130), range(1, 97)), of(range(0, -1), range(0, -1)));
        checkOverlap(matrix, of(range(1, 130), range(0, -1)), of(range(0, -1), range(1, 97)));
        checkOverlap(matrix, of(all(), at(5)), of(all(), at(6)));
        checkOverlap(matrix, of(at(3), range(0, 50)), of(range(0, 50), at(3)));
        checkOverlap(new int[] {6, 5, 4, 3, 2}, of(flip(), all(), flip(), all(), flip()), of(all(), flip(), flip(), all(), all()));
    }

    @Test
    void bigStridedCopies() {
        int rows = 700;
        int columns = 1001;
        NaiveView view = NaiveView.of(rows, columns).slice(Pick.range(rows - 1, 0, -3), Pick.step(columns, 2));
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {rows, columns}, data -> {
            FloatTensorData part = data.slice(range(-1, 0, -3), step(2));
            part.put(FloatValues.array(5, view.size()));
            float[] model = FloatValues.zeros(rows * columns);
            for (int i = 0; i < view.size(); i++) {
                model[view.positions[i]] = FloatValues.of(5 + i);
            }
            float[] all = FloatValues.zeros(rows * columns);
            data.copyTo(all);
            assertArrayEquals(model, all);
        })) {
            float[] part = FloatValues.zeros(view.size());
            tensor.floatData().slice(range(-1, 0, -3), step(2)).copyTo(part);
            assertArrayEquals(FloatValues.array(5, view.size()), part);
        }
    }
}
