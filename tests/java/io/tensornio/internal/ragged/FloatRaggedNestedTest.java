package io.tensornio.internal.ragged;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.support.FloatNestedModel.assertNested;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nested arrays of {@code float} with rows of any length: to ragged tensors, and back. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedNestedTest {
    private static float v(int n) {
        return FloatValues.of(n);
    }

    private static void assertSplits(RaggedTensor<Float> tensor, int axis, long... splits) {
        assertArrayEquals(splits, (long[]) tensor.rowSplits(axis).toNested());
    }

    private static void assertValues(RaggedTensor<Float> tensor, float... values) {
        assertArrayEquals(values, FloatValues.all(tensor.values().floatData()));
    }

    @Test
    void rowsOfAMatrix() {
        float[][] rows = {{v(0), v(1), v(2)}, {}, {v(3)}};
        try (RaggedTensor<Float> tensor = Tensors.raggedOfNested(rows)) {
            assertArrayEquals(new long[] {3, -1}, tensor.shape());
            assertSplits(tensor, 1, 0, 3, 3, 4);
            assertValues(tensor, FloatValues.array(0, 4));
            assertArrayEquals(rows, tensor.toNested(float[][].class));
            assertArrayEquals(rows, (float[][]) tensor.floatData().toNested());
            assertArrayEquals(rows[0], tensor.floatData().slice(0).toNested(float[].class));
            assertEquals(v(3), tensor.floatData().get(2, 0));
        }
    }

    @Test
    void slicesHaveRowsOfTheirOwn() {
        float[][][] nested = {{{v(0), v(1)}, {v(2)}}, {}, {{}, {v(3), v(4), v(5)}, {v(6)}}};
        try (RaggedTensor<Float> tensor = Tensors.raggedOfNested(nested)) {
            assertArrayEquals(new long[] {3, -1, -1}, tensor.shape());
            assertSplits(tensor, 1, 0, 2, 2, 5);
            assertSplits(tensor, 2, 0, 2, 3, 3, 6, 7);
            assertValues(tensor, FloatValues.array(0, 7));
            FloatTensorData data = tensor.floatData();
            assertNested(nested, data.toNested());
            for (int i = 0; i < 3; i++) {
                assertNested(nested[i], data.slice(i).toNested());
                for (int j = 0; j < nested[i].length; j++) {
                    assertNested(nested[i][j], data.slice(i, j).toNested());
                }
            }
        }
    }

    @Test
    void slicesByIndices() {
        float[][] nested = {{v(0), v(1), v(2)}, {}, {v(3)}, {v(4), v(5)}};
        try (RaggedTensor<Float> tensor = Tensors.raggedOfNested(nested)) {
            FloatTensorData data = tensor.floatData();
            assertNested(new float[][] {nested[3], nested[2], nested[1], nested[0]}, data.slice(flip()).toNested());
            assertNested(new float[][] {{}, nested[2]}, data.slice(range(1, 3)).toNested());
            assertNested(new float[][] {{v(2), v(1), v(0)}, {}, {v(3)}, {v(5), v(4)}}, data.slice(all(), flip()).toNested());
            assertNested(new float[][] {{v(0), v(1)}, {}, {v(3)}, {v(4), v(5)}}, data.slice(all(), range(0, 2)).toNested());
            assertNested(new float[][] {nested[0], nested[0], nested[3]}, data.slice(incl(0, 0, 3)).toNested());
        }
    }

    @Test
    void emptyOnes() {
        assertEmpty(Tensors.raggedOfNested(new float[0][]), new float[0][], 0, -1);
        assertEmpty(Tensors.raggedOfNested(new float[0][][]), new float[0][][], 0, -1, -1);
        assertEmpty(Tensors.raggedOfNested(new float[3][0]), new float[3][0], 3, -1);
        assertEmpty(Tensors.raggedOfNested(new float[3][0][]), new float[3][0][], 3, -1, -1);
        assertEmpty(Tensors.raggedOfNested(new float[2][3][0]), new float[2][3][0], 2, -1, -1);
    }

    private static void assertEmpty(RaggedTensor<Float> tensor, Object nested, long... shape) {
        try (RaggedTensor<Float> one = tensor) {
            assertArrayEquals(shape, one.shape());
            assertValues(one);
            assertNested(nested, one.toNested());
        }
    }

    // ---- Random ones ---------------------------------------------------------------------------------------------------

    /** Arrays of random lengths, made by reflection. */
    private static final class Jagged {
        final Random random;
        final int rank;
        final List<List<Long>> splits = new ArrayList<>();
        final List<Float> values = new ArrayList<>();
        final Object nested;

        Jagged(Random random, int rank) {
            this.random = random;
            this.rank = rank;
            for (int d = 0; d < rank; d++) {
                splits.add(new ArrayList<>(Arrays.asList(0L)));
            }
            nested = make(0);
        }

        private Object make(int d) {
            int n = random.nextInt(d == rank - 1 && random.nextInt(10) == 0 ? 100 : rank > 3 ? 4 : 8);
            List<Long> own = splits.get(d);
            own.add(own.get(own.size() - 1) + n);
            int[] sizes = new int[rank - d];
            sizes[0] = n;
            Object array = Array.newInstance(float.class, sizes);
            for (int i = 0; i < n; i++) {
                if (d == rank - 1) {
                    values.add(v(values.size()));
                    Array.set(array, i, values.get(values.size() - 1));
                } else {
                    Array.set(array, i, make(d + 1));
                }
            }
            return array;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6})
    void randomRoundTrips(int rank) {
        Seeds.each(rank, 100, (random, done) -> {
            Jagged jagged = new Jagged(random, rank);
            try (RaggedTensor<Float> tensor = of(rank, jagged.nested)) {
                long[] shape = new long[rank];
                Arrays.fill(shape, -1);
                shape[0] = Array.getLength(jagged.nested);
                assertArrayEquals(shape, tensor.shape());
                for (int d = 1; d < rank; d++) {
                    assertSplits(tensor, d, jagged.splits.get(d).stream().mapToLong(n -> n).toArray());
                }
                float[] all = FloatValues.all(tensor.values().floatData());
                assertEquals(jagged.values.size(), all.length);
                for (int n = 0; n < all.length; n++) {
                    assertEquals(jagged.values.get(n), all[n]);
                }
                assertNested(jagged.nested, tensor.toNested());
            }
        });
    }

    private static RaggedTensor<Float> of(int rank, Object nested) {
        switch (rank) {
            case 2: return Tensors.raggedOfNested((float[][]) nested);
            case 3: return Tensors.raggedOfNested((float[][][]) nested);
            case 4: return Tensors.raggedOfNested((float[][][][]) nested);
            case 5: return Tensors.raggedOfNested((float[][][][][]) nested);
            default: return Tensors.raggedOfNested((float[][][][][][]) nested);
        }
    }

    // ---- What is wrong -------------------------------------------------------------------------------------------------

    @Test
    void aMissingRowHasItsPlace() {
        Expect.thrown(NullPointerException.class, () -> Tensors.raggedOfNested((float[][]) null), "nested");
        Expect.thrown(NullPointerException.class, () -> Tensors.raggedOfNested(new float[][] {{v(0)}, null}), "[1] is null");
        Expect.thrown(NullPointerException.class, () -> Tensors.raggedOfNested(new float[][][] {{}, {{v(0)}, null}}), "[1][1] is null");
        Expect.thrown(NullPointerException.class, () -> Tensors.raggedOfNested(new float[2][1][][]), "[0][0] is null");
        float[][][][][][] deep = new float[2][2][2][2][2][1];
        deep[1][0][1][1][0] = null;
        Expect.thrown(NullPointerException.class, () -> Tensors.raggedOfNested(deep), "[1][0][1][1][0] is null");
    }

    @Test
    void theSameRowAtManyPlaces() {
        float[][][] large = new float[1 << 16][][];
        Arrays.fill(large, new float[1 << 16][]);
        Arrays.fill(large[0], new float[1 << 16]);
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.raggedOfNested(large), "ragged FLOAT", "axis 2");
    }

    @Test
    void rowsThatAnotherThreadChanges() throws InterruptedException {
        float[][] choice = {FloatValues.filled(50, v(0)), FloatValues.filled(7, v(1)), {}};
        float[][][] nested = new float[20][20][];
        for (float[][] rows : nested) {
            Arrays.fill(rows, choice[0]);
        }
        AtomicBoolean done = new AtomicBoolean();
        Thread other = new Thread(() -> {
            Random random = new Random(1);
            while (!done.get()) {
                nested[random.nextInt(20)][random.nextInt(20)] = choice[random.nextInt(choice.length)];
            }
        });
        other.start();
        try {
            for (int n = 0; n < 500 * Expect.depth(); n++) {
                try (RaggedTensor<Float> tensor = Tensors.raggedOfNested(nested)) {
                    for (float[][] rows : tensor.toNested(float[][][].class)) {
                        for (float[] row : rows) {
                            assertArrayEquals(choice[row.length == 50 ? 0 : row.length == 7 ? 1 : 2], row);
                        }
                    }
                } catch (IllegalArgumentException e) {
                    Expect.says(e, "row [", "expected");
                }
            }
        } finally {
            done.set(true);
            other.join();
        }
    }

    // ---- Rows that grow --------------------------------------------------------------------------------------------------

    @Test
    void dataThatGrowsToNestedArrays() {
        Tensors.raggedFloat(new long[] {3, -1}, data -> {
            assertNested(new float[3][0], data.toNested());
            data.put(FloatValues.array(0, 2), 1);
            assertNested(new float[][] {{}, FloatValues.array(0, 2), {}}, data.toNested());
            assertNested(FloatValues.array(0, 2), data.slice(1).toNested());
        }).close();
    }

    @Test
    void nestedArraysSetRows() {
        Tensors.raggedFloat(new long[] {3, -1}, data -> {
            data.put(FloatValues.array(0, 2), 1);
            data.putNested(FloatValues.array(5, 3), 1);
            data.putNested(FloatValues.array(1, 1), 0);
            data.slice(2).putNested(FloatValues.array(2, 4));
            assertNested(new float[][] {FloatValues.array(1, 1), FloatValues.array(5, 3), FloatValues.array(2, 4)}, data.toNested());
            data.putNested(new float[0], 2);
            data.putNested(v(9), 0, 2);
            assertNested(new float[][] {{v(1), FloatValues.ZERO, v(9)}, FloatValues.array(5, 3), {}}, data.toNested());
        }).close();
    }

    @Test
    void nestedArraysSetRowsWithInnerAxes() {
        Tensors.raggedFloat(new long[] {2, -1, -1, 2}, data -> {
            data.putNested(new float[][] {{v(1), v(2)}, {v(3), v(4)}}, 1, 1);
            data.slice(1).putNested(new float[][] {{v(5), v(6)}}, 0);
            data.putNested(FloatValues.array(7, 2), 1, 0, 1);
            assertNested(new float[][][] {{{v(5), v(6)}, {v(7), v(8)}}, {{v(1), v(2)}, {v(3), v(4)}}}, data.slice(1).toNested());
            data.putNested(new float[0][], 1, 1);
            assertEquals(4, data.totalSize());
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(new float[][] {{v(1), v(2)}, {v(1)}}, 0, 4), "row [1] has 1",
                "expected 2");
            Expect.thrown(NullPointerException.class, () -> data.putNested(new float[][] {{v(1), v(2)}, null}, 0, 4), "[1] is null");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(new float[3], 0, 4, 1), "has 3 elements, expected 2");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(new float[3], 0, 4), "[-1, 2]");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(new float[0][0][0], 0), "[0]", "single row", "[2, -1, -1, 2]",
                "at 2 indices");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.putNested(new float[0][2], 2, 0), "index 2", "size 2");
            assertEquals(0, data.slice(0).size(0));
        }).close();
    }

    @Test
    void nestedArraysThatAreRefusedSetNoRow() {
        Tensors.raggedFloat(new long[] {2, -1}, data -> {
            data.put(FloatValues.array(0, 2), 1);
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(new float[][] {{v(9)}, {v(9)}}), "[2, -1]", "single row",
                "at 1 index");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(new float[3][1], 1), "[-1]");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested("text".toCharArray(), 1), "char[]");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(new float[1], 1, 1), "[]");
            Expect.thrown(NullPointerException.class, () -> data.putNested(null, 1), "nested");
            assertNested(new float[][] {{}, FloatValues.array(0, 2)}, data.toNested());
        }).close();
    }

    /** Whether the place is there or would be: what is wrong is the object. */
    @Test
    void objectsOfAnotherClassGrowNoRow() {
        Tensors.raggedFloat(new long[] {2, -1, -1}, data -> {
            data.put(FloatValues.array(0, 2), 1, 0);
            String wanted = "the " + FloatValues.array(0, 1).getClass().getComponentType().getTypeName();
            for (int[] at : new int[][] {{1, 0, 1}, {1, 0, 2}, {1, 0, 7}, {1, 1, 0}, {0, 0, 0}, {0, 3, 3}}) {
                Expect.thrown(IllegalArgumentException.class, () -> data.putNested('c', at), "java.lang.Character is not the ", "the shape [] takes");
                Expect.thrown(IllegalArgumentException.class, () -> data.putNested(new Object(), at), "java.lang.Object is not the ",
                    "the shape [] takes");
                Expect.thrown(IllegalArgumentException.class, () -> data.putNested(FloatValues.array(0, 1), at), "[] is not the ",
                    "the shape [] takes");
            }
            for (int[] at : new int[][] {{1, 0}, {1, 1}, {0, 5}}) {
                Expect.thrown(IllegalArgumentException.class, () -> data.putNested(v(1), at), wanted + "[] that the shape [-1] takes");
                Expect.thrown(IllegalArgumentException.class, () -> data.putNested(new char[1], at), wanted + "[] that the shape [-1] takes");
            }
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested('c', 0), "[0]", "single row", "at 2 indices");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.putNested('c', 2, 0, 0), "index 2", "size 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.putNested('c', 0, 0, 0, 0), "4 indices");
            assertEquals(2, data.totalSize());
            assertNested(new float[][][] {{}, {FloatValues.array(0, 2)}}, data.toNested());
        }).close();
    }

    @Test
    void aStreamOfBytesGrowsNoRow() {
        Tensors.raggedFloat(new long[] {2, -1}, data -> {
            ByteArrayInputStream in = new ByteArrayInputStream(new byte[64]);
            data.slice(0).write(in);
            assertEquals(64, in.available());
            assertEquals(0, data.slice(0).size(0));
        }).close();
    }
}
