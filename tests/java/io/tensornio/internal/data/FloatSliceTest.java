package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Slices of {@code float} data: what each index selects, and what it refuses. */
@ExtendWith(MemoryBalance.class)
class FloatSliceTest {
    /** Checks what an index selects of a vector of the values of 0 to {@code size - 1}. */
    private static void selects(int size, TensorIndex index, int... chosen) {
        try (Tensor<Float> tensor = FloatValues.tensor(size)) {
            FloatTensorData slice = tensor.floatData().slice(index);
            assertArrayEquals(new long[] {chosen.length}, slice.shape(), index.toString());
            for (int i = 0; i < chosen.length; i++) {
                assertEquals(FloatValues.of(chosen[i]), slice.get(i), index.toString());
            }
            assertEquals(chosen.length > 0, slice.scalars().hasMoreElements(), index.toString());
            // On the first axis of two, in one copy and through another slice, it does the same.
            try (Tensor<Float> matrix = FloatValues.tensor(size, 3)) {
                FloatTensorData part = matrix.floatData().slice(index);
                float[] copy = FloatValues.zeros(3 * chosen.length);
                part.copyTo(copy);
                float[] flipped = FloatValues.zeros(3 * chosen.length);
                part.slice(flip(), flip()).copyTo(flipped);
                for (int i = 0; i < copy.length; i++) {
                    assertEquals(FloatValues.of(3 * chosen[i / 3] + i % 3), copy[i], index.toString());
                    assertEquals(copy[i], flipped[copy.length - 1 - i], index.toString());
                }
            }
            // On the last one, too.
            try (Tensor<Float> matrix = FloatValues.tensor(2, size)) {
                FloatTensorData part = matrix.floatData().slice(at(1), index);
                assertArrayEquals(new long[] {chosen.length}, part.shape(), index.toString());
                for (int i = 0; i < chosen.length; i++) {
                    assertEquals(FloatValues.of(size + chosen[i]), part.get(i), index.toString());
                }
            }
        }
    }

    /** Checks that an index is refused when the slice is made, on the second axis of {4, size}. */
    private static void refuses(int size, TensorIndex index) {
        try (Tensor<Float> tensor = FloatValues.tensor(4, size)) {
            Expect.thrown(IndexOutOfBoundsException.class, () -> tensor.floatData().slice(all(), index), index.toString(), "axis 1", "size " + size,
                "[4, " + size + "]");
        }
    }

    @Test
    void atDropsItsAxis() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3, 4)) {
            FloatTensorData data = tensor.floatData();
            assertArrayEquals(new long[] {3, 4}, data.slice(at(1)).shape());
            assertArrayEquals(new long[] {2, 4}, data.slice(all(), at(1)).shape());
            assertArrayEquals(new long[] {2, 3}, data.slice(all(), all(), at(1)).shape());
            assertArrayEquals(new long[0], data.slice(at(1), at(2), at(3)).shape());
            assertEquals(FloatValues.of(12 + 4 + 3), data.slice(all(), at(1)).get(1, 3));
            assertEquals(FloatValues.of(23), data.slice(at(-1), at(-1), at(-1)).get());
            assertEquals(FloatValues.of(0), data.slice(at(-2), at(-3), at(-4)).get());
        }
        refuses(3, at(3));
        refuses(3, at(-4));
        refuses(0, at(0));
        refuses(0, at(-1));
        refuses(3, at(Long.MAX_VALUE));
        refuses(3, at(Long.MIN_VALUE));
        refuses(3, at(1L << 32));
    }

    @Test
    void ranges() {
        selects(4, range(1, 3), 1, 2);
        selects(4, range(0, 4), 0, 1, 2, 3);
        selects(4, range(-3, -1), 1, 2);
        selects(4, range(1, -1), 1, 2);
        selects(4, range(-4, 4), 0, 1, 2, 3);
        selects(4, range(2, 2));
        selects(4, range(4, 4));
        selects(0, range(0, 0));
        refuses(4, range(1, 10));
        refuses(4, range(0, 5));
        refuses(4, range(-5, 2));
        refuses(4, range(5, 6));
        refuses(0, range(0, 1));
        refuses(4, range(0, Long.MAX_VALUE));
        refuses(4, range(Long.MIN_VALUE, Long.MAX_VALUE));
    }

    @Test
    void rangesWhoseStartLiesBehindTheirEndAreEmpty() {
        selects(4, range(3, 1));
        selects(4, range(5, 0));
        selects(4, range(-1, -3));
        selects(4, range(10, 5));
        selects(4, range(Long.MAX_VALUE, 0));
        selects(4, range(0, Long.MIN_VALUE));
        selects(4, range(1, 4, -2));
        selects(4, range(1, 40, -2));
    }

    @Test
    void rangesWithSteps() {
        selects(6, range(0, 6, 2), 0, 2, 4);
        selects(6, range(1, 6, 2), 1, 3, 5);
        selects(6, range(1, 5, 3), 1, 4);
        selects(6, range(-5, -1, 3), 1, 4);
        selects(6, range(0, 6, 100), 0);
        selects(6, range(2, 6, Long.MAX_VALUE), 2);
        selects(6, range(4, 1, -1), 4, 3, 2);
        selects(6, range(5, 0, -2), 5, 3, 1);
        selects(6, range(-1, 0, -1), 5, 4, 3, 2, 1);
        selects(6, range(5, 0, Long.MIN_VALUE), 5);
        selects(6, range(5, 0, -Long.MAX_VALUE), 5);
        selects(6, range(3, 3, -1));
        refuses(6, range(0, 7, 2));
        refuses(6, range(-7, 3, 2));
        refuses(6, range(6, 0, -1));
        refuses(6, range(3, -7, -1));
        refuses(6, range(3, Long.MIN_VALUE, -1));
    }

    @Test
    void runningDownToZeroIsARangeFlipped() {
        try (Tensor<Float> tensor = FloatValues.tensor(6)) {
            assertArrayEquals(new float[] {FloatValues.of(3), FloatValues.of(2), FloatValues.of(1), FloatValues.of(0)},
                FloatValues.all(tensor.floatData().slice(range(0, 4)).slice(flip())));
        }
    }

    @Test
    void stepsAndFlips() {
        selects(5, step(1), 0, 1, 2, 3, 4);
        selects(5, step(2), 0, 2, 4);
        selects(5, step(5), 0);
        selects(5, step(Long.MAX_VALUE), 0);
        selects(0, step(3));
        selects(3, all(), 0, 1, 2);
        selects(0, all());
        selects(3, flip(), 2, 1, 0);
        selects(1, flip(), 0);
        selects(0, flip());
    }

    @Test
    void badSteps() {
        Expect.thrown(IllegalArgumentException.class, () -> step(0), "step(0)", "at least 1");
        Expect.thrown(IllegalArgumentException.class, () -> step(-2), "step(-2)", "at least 1");
        Expect.thrown(IllegalArgumentException.class, () -> range(1, 5, 0), "range(1, 5, 0)", "0");
    }

    @Test
    void missingIndicesMeanAll() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3, 4)) {
            assertArrayEquals(new long[] {2, 3, 4}, tensor.floatData().slice(new TensorIndex[0]).shape());
            assertArrayEquals(new long[] {1, 3, 4}, tensor.floatData().slice(range(1, 2)).shape());
            assertArrayEquals(FloatValues.array(12, 12), FloatValues.all(tensor.floatData().slice(range(1, 2))));
        }
    }

    @Test
    void tooManyIndices() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3); Tensor<Float> scalar = FloatValues.tensor()) {
            Expect.thrown(IndexOutOfBoundsException.class, () -> tensor.floatData().slice(all(), all(), at(99)), "3 indices", "[2, 3]", "rank 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> tensor.floatData().slice(at(0)).slice(all(), all()), "2 indices", "[3]", "rank 1");
            Expect.thrown(IndexOutOfBoundsException.class, () -> scalar.floatData().slice(all()), "1 index", "rank 0");
            Expect.thrown(IndexOutOfBoundsException.class, () -> scalar.floatData().slice(0), "1 index", "rank 0");
        }
    }

    @Test
    void indicesThatTheLibraryDidNotMake() {
        TensorIndex foreign = new TensorIndex() { };
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3)) {
            Expect.thrown(NullPointerException.class, () -> tensor.floatData().slice(all(), null), "null");
            Expect.thrown(IllegalArgumentException.class, () -> tensor.floatData().slice(foreign), foreign.getClass().getName());
        }
    }

    @Test
    void negativeCoordinatesAreRefused() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3)) {
            Expect.thrown(IndexOutOfBoundsException.class, () -> tensor.floatData().slice(-1), "index -1", "axis 0", "size 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> tensor.floatData().slice(0, -1), "index -1", "axis 1", "size 3");
        }
    }

    @Test
    void slicesOfSlices() {
        try (Tensor<Float> tensor = FloatValues.tensor(6, 6)) {
            FloatTensorData once = tensor.floatData().slice(step(2), flip());
            FloatTensorData twice = once.slice(flip(), range(1, 6, 2));
            assertArrayEquals(new long[] {3, 3}, twice.shape());
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    assertEquals(FloatValues.of((4 - 2 * i) * 6 + 5 - (1 + 2 * j)), twice.get(i, j));
                }
            }
            assertEquals(twice.getClass(), tensor.floatData().getClass(), "slices never stack wrappers");
        }
    }

    @Test
    void writesReachTheParent() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {3, 4}, data -> {
            FloatTensorData column = data.slice(all(), at(-1));
            FloatTensorData row = data.slice(1);
            column.put(FloatValues.FOREIGN, 1);
            assertEquals(FloatValues.FOREIGN, data.get(1, 3));
            assertEquals(FloatValues.FOREIGN, row.get(3));
            data.put(FloatValues.OWN, 1, 3);
            assertEquals(FloatValues.OWN, column.get(1));
            row.slice(flip()).put(FloatValues.FOREIGN, 0);
            data.slice(2, 2).put(FloatValues.FOREIGN);
        })) {
            float[] expected = FloatValues.zeros(12);
            expected[7] = FloatValues.FOREIGN;
            expected[10] = FloatValues.FOREIGN;
            assertArrayEquals(expected, FloatValues.all(tensor.floatData()));
        }
    }

    @Test
    void slicesClose() {
        Tensor<Float> tensor = FloatValues.tensor(3, 4);
        FloatTensorData view = tensor.floatData().slice(flip(), step(2));
        FloatTensorData one = view.slice(0, 0);
        assertFalse(tensor.isClosed());
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> view.get(0, 0), "FLOAT", "[3, 4]");
        Expect.thrown(TensorClosedException.class, one::get, "FLOAT", "[3, 4]");
        Expect.thrown(TensorClosedException.class, () -> view.slice(at(99)), "FLOAT", "[3, 4]");
        Expect.thrown(TensorClosedException.class, one::slice, "FLOAT", "[3, 4]");
    }
}
