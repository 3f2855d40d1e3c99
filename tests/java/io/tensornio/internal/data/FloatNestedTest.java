package io.tensornio.internal.data;

import static io.tensornio.support.FloatNestedModel.assertNested;
import static io.tensornio.support.FloatNestedModel.nested;
import static io.tensornio.support.FloatNestedModel.product;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nested arrays of {@code float} to tensors, and back. */
@ExtendWith(MemoryBalance.class)
class FloatNestedTest {
    private static float v(int n) {
        return FloatValues.of(n);
    }

    private static void assertTensor(float[] values, long[] shape, Tensor<?> tensor) {
        assertEquals(DataType.FLOAT, tensor.dataType());
        assertArrayEquals(shape, tensor.shape());
        assertArrayEquals(values, FloatValues.all(tensor.floatData()));
        assertTrue(tensor.floatData().isReadOnly());
    }

    @Test
    void aMatrix() {
        float[][] rows = {{v(0), v(1), v(2)}, {v(3), v(4), v(5)}};
        try (Tensor<Float> tensor = Tensors.ofNested(rows)) {
            assertTensor(FloatValues.array(0, 6), new long[] {2, 3}, tensor);
            assertArrayEquals(rows, (float[][]) tensor.toNested());
            assertArrayEquals(rows, tensor.toNested(float[][].class));
            rows[1][2] = v(77);
            assertArrayEquals(FloatValues.array(3, 3), tensor.toNested(float[][].class)[1]);
        }
    }

    /** Short rows are put together before they are written, long ones are not. */
    @Test
    void manyRowsOfEveryLength() {
        for (int length = 1; length <= 40; length++) {
            int[][] shapes = {{300, length}, {3, 70, length}, {2, 2, 35, length}};
            for (int[] shape : shapes) {
                try (Tensor<?> tensor = Tensors.ofNested(nested(length, shape))) {
                    long[] sizes = IntStream.of(shape).asLongStream().toArray();
                    assertTensor(FloatValues.array(length, product(shape)), sizes, tensor);
                }
            }
        }
    }

    @Test
    void everyRankHasItsOverload() {
        int[] shape = {2, 3, 1, 2, 3, 2};
        for (int rank = 1; rank <= 6; rank++) {
            int[] sizes = Arrays.copyOf(shape, rank);
            Object nested = nested(3, sizes);
            long[] expected = IntStream.of(sizes).asLongStream().toArray();
            try (Tensor<Float> typed = typed(rank, nested); Tensor<?> any = Tensors.ofNested(nested)) {
                assertTensor(FloatValues.array(3, product(sizes)), expected, typed);
                assertTensor(FloatValues.array(3, product(sizes)), expected, any);
                assertNested(nested, typed.toNested());
            }
        }
    }

    private static Tensor<Float> typed(int rank, Object nested) {
        switch (rank) {
            case 1: return Tensors.ofNested((float[]) nested);
            case 2: return Tensors.ofNested((float[][]) nested);
            case 3: return Tensors.ofNested((float[][][]) nested);
            case 4: return Tensors.ofNested((float[][][][]) nested);
            case 5: return Tensors.ofNested((float[][][][][]) nested);
            default: return Tensors.ofNested((float[][][][][][]) nested);
        }
    }

    @Test
    void emptyOnes() {
        assertShape(Tensors.ofNested(new float[0]), 0);
        assertShape(Tensors.ofNested(new float[0][]), 0, 0);
        assertShape(Tensors.ofNested(new float[0][7]), 0, 0);
        assertShape(Tensors.ofNested(new float[3][0]), 3, 0);
        assertShape(Tensors.ofNested(new float[2][0][]), 2, 0, 0);
        assertShape(Tensors.ofNested(new float[2][3][0]), 2, 3, 0);
        assertShape(Tensors.ofNested((Object) new float[0][][][][][][][]), 0, 0, 0, 0, 0, 0, 0, 0);
    }

    private static void assertShape(Tensor<?> tensor, long... shape) {
        try (Tensor<?> one = tensor) {
            assertTensor(new float[0], shape, one);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8})
    void randomRoundTrips(int rank) {
        Seeds.each(rank, 100, (random, done) -> {
            int from = random.nextInt(100);
            int[] shape = new int[rank];
            for (int d = 0; d < rank; d++) {
                shape[d] = random.nextInt(15) == 0 ? 0 : 1 + random.nextInt(rank > 4 ? 3 : rank > 2 ? 5 : 40);
            }
            Object nested = nested(from, shape);
            long[] kept = new long[rank];
            for (int d = 0; d < rank && (d == 0 || kept[d - 1] > 0); d++) {
                kept[d] = shape[d];
            }
            try (Tensor<?> tensor = Tensors.ofNested(nested)) {
                assertTensor(FloatValues.array(from, product(shape)), kept, tensor);
                assertNested(nested, tensor.toNested());
                assertNested(nested, tensor.floatData().toNested());
            }
            FloatTensorData user = FloatOwn.of(IntStream.of(shape).asLongStream().toArray());
            user.putNested(nested);
            assertNested(nested, user.toNested());
        });
    }

    @Test
    void manyAxes() {
        int[] shape = new int[255];
        Arrays.fill(shape, 1);
        shape[100] = 2;
        shape[254] = 3;
        Object nested = nested(0, shape);
        try (Tensor<?> tensor = Tensors.ofNested(nested)) {
            assertTensor(FloatValues.array(0, 6), IntStream.of(shape).asLongStream().toArray(), tensor);
            assertNested(nested, tensor.toNested());
        }
        long[] more = LongStream.generate(() -> 1).limit(256).toArray();
        Expect.thrown(IllegalArgumentException.class, FloatTensorData.of(new float[1], more)::toNested, "256", "255");
    }

    @Test
    void anElementAloneHasRankZero() {
        try (Tensor<?> tensor = Tensors.ofNested((Object) v(5))) {
            assertTensor(FloatValues.array(5, 1), new long[0], tensor);
            assertEquals(v(5), tensor.toNested());
            assertEquals(v(5), tensor.toNested(Float.class));
        }
    }

    @Test
    void theSameRowAtManyPlaces() {
        float[] row = FloatValues.array(0, 3);
        try (Tensor<Float> tensor = Tensors.ofNested(new float[][] {row, row, row})) {
            assertNested(new float[][] {row, row, row}, tensor.toNested());
        }
        float[][][] large = new float[1 << 16][][];
        Arrays.fill(large, new float[1 << 16][]);
        Arrays.fill(large[0], new float[1 << 10]);
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.ofNested(large), "FLOAT", "[65536, 65536, 1024]");
        float[][][][] larger = new float[1 << 16][][][];
        Arrays.fill(larger, large);
        Arrays.fill(large[0], new float[1 << 16]);
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.ofNested(larger), "[65536, 65536, 65536, 65536]");
    }

    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void whatIsWrongCountsMoreThanMemory() {
        float[][] rows = new float[1 << 13][];          // more than the budget, but of one byte each half of it: the peak is not to be the budget
        Arrays.fill(rows, FloatValues.filled(1 << 16, v(1)));
        rows[rows.length - 1] = new float[3];
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.ofNested(rows), "row [8191] has 3 elements, expected 65536");
        rows[rows.length - 1] = null;
        Expect.thrown(NullPointerException.class, () -> Tensors.ofNested(rows), "[8191] is null");
    }

    @Test
    void whatIsNoNestedArrayIsRefused() {
        Object[] wrong = {
            new Short[] {null}, new Object[0], new Object[] {new float[2]}, new Object[][] {{new float[2]}}, new Integer[][] {{1}}, new char[2][3],
            Collections.emptyList(), new Object(), 'c', new short[0][],
        };
        for (Object object : wrong) {
            String name = object.getClass().getTypeName();
            Expect.thrown(IllegalArgumentException.class, () -> Tensors.ofNested(object), name, "float", "boolean", "byte");
        }
        Expect.thrown(NullPointerException.class, () -> Tensors.ofNested((Object) null), "nested");
    }

    @Test
    void whatIsWrongHasItsPlace() {
        Expect.thrown(NullPointerException.class, () -> Tensors.ofNested((float[]) null), "nested");
        Expect.thrown(NullPointerException.class, () -> Tensors.ofNested((float[][][]) null), "nested");
        Expect.thrown(NullPointerException.class, () -> Tensors.ofNested(new float[3][]), "[0] is null");
        Expect.thrown(NullPointerException.class, () -> Tensors.ofNested(new float[][] {{v(0)}, null}), "[1] is null");
        Expect.thrown(NullPointerException.class, () -> Tensors.ofNested(new float[2][3][]), "[0][0] is null");
        float[][][] missing = (float[][][]) nested(0, 4, 2, 8);
        missing[3][1] = null;
        Expect.thrown(NullPointerException.class, () -> Tensors.ofNested(missing), "[3][1] is null");
        Expect.thrown(NullPointerException.class, () -> Tensors.ofNested((Object) missing), "[3][1] is null");
        float[][][] ragged = (float[][][]) nested(0, 4, 2, 8);
        ragged[3][1] = FloatValues.array(0, 7);
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.ofNested(ragged), "row [3][1] has 7 elements, expected 8");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.ofNested((Object) ragged), "row [3][1] has 7 elements, expected 8");
        ragged[3] = (float[][]) nested(0, 1, 8);
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.ofNested(ragged), "row [3] has 1 element, expected 2");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.ofNested(new float[][] {{}, {v(0)}}), "row [1] has 1 element, expected 0");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.ofNested(new float[][][] {{}, {{}}}), "row [1] has 1 element, expected 0");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aFaultAtARandomPlace(int rank) {
        Seeds.each(rank, 50, (random, done) -> {
            int[] shape = random.ints(rank, 2, 5).toArray();
            Object nested = nested(random.nextInt(50), shape);
            int depth = random.nextInt(rank);                // of the row that is wrong; at 0 the array itself
            StringBuilder place = new StringBuilder();
            Object row = nested;
            int[] at = new int[depth];
            for (int d = 0; d < depth; d++) {
                at[d] = 1 + random.nextInt(shape[d] - 1);    // not the first, which says what the others should be
                place.append('[').append(at[d]).append(']');
                row = d < depth - 1 ? Array.get(row, at[d]) : row;
            }
            boolean missing = depth > 0 && random.nextBoolean();
            int length = shape[depth] + (random.nextBoolean() ? 1 : -1);
            Object wrong = missing ? null : nested(0, prepended(length, Arrays.copyOfRange(shape, depth + 1, rank)));
            if (depth == 0) {
                nested = wrong;
            } else {
                Array.set(row, at[depth - 1], wrong);
            }
            Object faulty = nested;
            Class<? extends Exception> type = missing ? NullPointerException.class : IllegalArgumentException.class;
            String message = missing ? place + " is null"
                : (depth == 0 ? "the array" : "row " + place) + " has " + Expect.elements(length) + ", expected "
                + shape[depth];
            if (depth > 0) {
                Expect.thrown(type, () -> Tensors.ofNested(faulty), message);
            }
            float[] values = FloatValues.array(1000, product(shape));
            FloatTensorData data = FloatTensorData.of(values, IntStream.of(shape).asLongStream().toArray());
            Expect.thrown(type, () -> data.putNested(faulty), message);
            assertArrayEquals(FloatValues.array(1000, product(shape)), values);
        });
    }

    private static int[] prepended(int first, int... rest) {
        return IntStream.concat(IntStream.of(first), IntStream.of(rest)).toArray();
    }

    @Test
    void rowsThatAnotherThreadChanges() throws InterruptedException {
        float[][] choice = {
            FloatValues.filled(50, v(0)), FloatValues.filled(50, v(1)), FloatValues.filled(51, v(2)), FloatValues.filled(3, v(2)), null,
        };
        float[][][] nested = new float[20][20][];
        for (float[][] rows : nested) {
            Arrays.fill(rows, choice[0]);
        }
        AtomicBoolean done = new AtomicBoolean();
        Thread other = new Thread(() -> {
            Random random = new Random(1);
            while (!done.get()) {
                float[][] rows = nested[random.nextInt(20)];
                int j = 1 + random.nextInt(19);
                rows[j] = choice[random.nextInt(choice.length)];
                rows[j] = choice[random.nextInt(2)];
            }
        });
        other.start();
        try {
            for (int n = 0; n < 500 * Expect.depth(); n++) {
                // Row 0 of each, which says how long the others should be, stays as it was.
                try (Tensor<Float> tensor = Tensors.ofNested(nested)) {
                    assertWholeRows(choice, tensor.toNested(float[][][].class));
                } catch (NullPointerException e) {
                    Expect.says(e, "is null");
                } catch (IllegalArgumentException e) {
                    Expect.says(e, "row [", "expected");
                }
            }
        } finally {
            done.set(true);
            other.join();
        }
    }

    private static void assertWholeRows(float[][] choice, float[][][] nested) {
        for (float[][] rows : nested) {
            for (float[] row : rows) {
                assertTrue(Arrays.equals(choice[0], row) || Arrays.equals(choice[1], row), () -> Arrays.toString(row));
            }
        }
    }
}
