package io.tensornio;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.newAxis;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.nio.ReadOnlyBufferException;
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

/** Nested arrays of {@code float}: to tensors and data, and back. */
@ExtendWith(MemoryBalance.class)
class FloatNestedTest {
    private static final long[][] SHAPES = {{}, {5}, {0}, {3, 4}, {0, 3}, {3, 0}, {2, 3, 4}, {2, 0, 3}, {4, 40}, {2, 2, 3, 1, 2}};
    private static final TensorIndex[][] SLICES = {
        {}, {at(1)}, {all(), at(2)}, {flip(), flip()}, {step(2), range(3, 0, -1)}, {incl(2, 0, 0, 1)}, {all(), incl(3, 0, 1, 3)}, {newAxis(), at(2)},
        {at(1), at(1)}, {range(1, 1)}, {incl(), incl(1, 3, 0)}, {incl(0, 2, 1), incl(0, 3, 1)}, {all(), range(1, 3)}, {range(1, 3)},
    };

    private static float v(int n) {
        return FloatValues.of(n);
    }

    // ---- The oracle: nested arrays by reflection, one element after the other ----------------------------------------

    private static int[] ints(long... shape) {
        return LongStream.of(shape).mapToInt(n -> (int) n).toArray();
    }

    private static int product(int... shape) {
        return IntStream.of(shape).reduce(1, (a, b) -> a * b);
    }

    /** The values of {@code from} and on in row-major order. */
    private static Object nested(int from, int... shape) {
        return nested(FloatValues.array(from, product(shape)), shape);
    }

    private static Object nested(float[] values, int... shape) {
        if (shape.length == 0) {
            return values[0];
        }
        Object result = Array.newInstance(float.class, shape);
        for (int n = 0; n < values.length; n++) {
            Object row = result;
            int behind = values.length;
            for (int d = 0; d < shape.length; d++) {
                behind /= shape[d];
                int i = n / behind % shape[d];
                if (d == shape.length - 1) {
                    Array.set(row, i, values[n]);
                } else {
                    row = Array.get(row, i);
                }
            }
        }
        return result;
    }

    private static void assertNested(Object expected, Object actual) {
        assertSame(expected.getClass(), actual.getClass());
        Object[] e = {expected};
        Object[] a = {actual};
        assertTrue(Arrays.deepEquals(e, a), () -> Arrays.deepToString(a) + " should be " + Arrays.deepToString(e));
    }

    private static void assertTensor(float[] values, long[] shape, Tensor<?> tensor) {
        assertEquals(DataType.FLOAT, tensor.dataType());
        assertArrayEquals(shape, tensor.shape());
        assertArrayEquals(values, FloatValues.all(tensor.floatData()));
        assertTrue(tensor.floatData().isReadOnly());
    }

    // ---- To tensors ------------------------------------------------------------------------------------------------

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
        for (int seed = 0; seed < 100 * Expect.depth(); seed++) {
            Random random = new Random(1000L * seed + rank);
            int[] shape = new int[rank];
            for (int d = 0; d < rank; d++) {
                shape[d] = random.nextInt(15) == 0 ? 0 : 1 + random.nextInt(rank > 4 ? 3 : rank > 2 ? 5 : 40);
            }
            Object nested = nested(seed, shape);
            long[] kept = new long[rank];
            for (int d = 0; d < rank && (d == 0 || kept[d - 1] > 0); d++) {
                kept[d] = shape[d];
            }
            try (Tensor<?> tensor = Tensors.ofNested(nested)) {
                assertTensor(FloatValues.array(seed, product(shape)), kept, tensor);
                assertNested(nested, tensor.toNested());
                assertNested(nested, tensor.floatData().toNested());
            }
            FloatTensorData user = FloatOwn.of(IntStream.of(shape).asLongStream().toArray());
            user.putNested(nested);
            assertNested(nested, user.toNested());
        }
    }

    @Test
    void manyDimensions() {
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
        for (int seed = 0; seed < 50 * Expect.depth(); seed++) {
            Random random = new Random(1000L * seed + rank);
            int[] shape = random.ints(rank, 2, 5).toArray();
            Object nested = nested(seed, shape);
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
                : (depth == 0 ? "the array" : "row " + place) + " has " + length
                + (length == 1 ? " element" : " elements") + ", expected " + shape[depth];
            if (depth > 0) {
                Expect.thrown(type, () -> Tensors.ofNested(faulty), message);
            }
            float[] values = FloatValues.array(1000, product(shape));
            FloatTensorData data = FloatTensorData.of(values, IntStream.of(shape).asLongStream().toArray());
            Expect.thrown(type, () -> data.putNested(faulty), message);
            assertArrayEquals(FloatValues.array(1000, product(shape)), values);
        }
    }

    private static int[] prepended(int first, int... rest) {
        return IntStream.concat(IntStream.of(first), IntStream.of(rest)).toArray();
    }

    // ---- To data ---------------------------------------------------------------------------------------------------

    @Test
    void intoDataOfEveryKindAndBack() {
        for (long[] shape : SHAPES) {
            Object nested = nested(3, ints(shape));
            FloatKinds.each(shape, kinds -> kinds.forEach((kind, data) -> {
                data.putNested(nested);
                assertArrayEquals(FloatValues.array(3, product(ints(shape))), FloatValues.all(data), kind);
                assertNested(nested, data.toNested());
                assertNested(nested, data.slice().toNested());
            }));
        }
    }

    @Test
    void slicesOfEveryKindBackAndForth() {
        FloatKinds.each(new long[] {3, 4}, kinds -> kinds.forEach((kind, data) -> {
            for (TensorIndex[] slice : SLICES) {
                FloatValues.fill(data);
                FloatTensorData part = data.slice(slice);
                int[] shape = ints(part.shape());
                Object before = part.toNested();
                assertNested(nested(FloatValues.all(part), shape), before);
                part.putNested(before);
                assertArrayEquals(FloatValues.array(0, 12), FloatValues.all(data), kind);
                data.slice(all(), incl(0)).putNested(nested(50, 3, 1));
                assertEquals(v(51), data.get(1, 0));
                assertEquals(v(5), data.get(1, 1));
            }
        }));
    }

    @Test
    void toPublishedSlices() {
        try (Tensor<Float> tensor = FloatValues.tensor(3, 4)) {
            for (TensorIndex[] slice : SLICES) {
                FloatTensorData part = tensor.floatData().slice(slice);
                assertNested(nested(FloatValues.all(part), ints(part.shape())), part.toNested());
            }
        }
    }

    @Test
    void intoSubTensors() {
        FloatKinds.each(new long[] {2, 3, 4}, kinds -> kinds.forEach((kind, data) -> {
            data.putNested(nested(0, 2, 3, 4));
            data.putNested(nested(100, 3, 4), 1);
            data.putNested(nested(200, 4), 0, 1);
            data.putNested(nested(300), 1, 2, 3);
            for (int i = 0; i < 2; i++) {
                for (int j = 0; j < 3; j++) {
                    for (int k = 0; k < 4; k++) {
                        int expected = i == 1 && j == 2 && k == 3 ? 300 : i == 1 ? 100 + 4 * j + k : j == 1 ? 200 + k : 4 * j + k;
                        assertEquals(v(expected), data.get(i, j, k), kind);
                    }
                }
            }
        }));
    }

    @Test
    void emptySubTensorsTakeWhatHasNothing() {
        FloatTensorData data = FloatTensorData.of(new float[0], 0, 5);
        data.putNested(new float[0][]);
        assertNested(new float[0][], data.toNested());
        FloatTensorData.of(new float[0], 2, 0, 5).putNested(new float[2][0][]);
        Expect.thrown(IllegalArgumentException.class, () -> data.putNested(nested(0, 1, 5)), "the array has 1 element, expected 0");
    }

    @Test
    void nothingIsWrittenOfWhatIsWrong() {
        float[][][] missing = (float[][][]) nested(50, 2, 3, 4);
        missing[1][2] = null;
        float[][][] shorter = (float[][][]) nested(50, 2, 3, 4);
        shorter[1][2] = FloatValues.array(0, 3);
        float[][][] longer = (float[][][]) nested(50, 2, 3, 4);
        longer[1][0] = FloatValues.array(0, 5);
        FloatKinds.each(new long[] {2, 3, 4}, kinds -> kinds.forEach((kind, data) -> {
            FloatValues.fill(data);
            Expect.thrown(NullPointerException.class, () -> data.putNested(null), "nested");
            Expect.thrown(NullPointerException.class, () -> data.putNested(missing, (int[]) null), "indices");
            Expect.thrown(NullPointerException.class, () -> data.putNested(missing), "[1][2] is null");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(shorter), "row [1][2] has 3 elements, expected 4");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(longer), "row [1][0] has 5 elements, expected 4");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(nested(0, 3, 3, 4)), "the array has 3 elements, expected 2");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(nested(0, 2, 2, 4)), "row [0] has 2 elements, expected 3");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(nested(0, 3, 4)), "float[][]", "float[][][]", "[2, 3, 4]");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(new Object[2][3][4]), "java.lang.Object[][][]", "float[][][]");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(new Short[2][3][4]), "Short[][][]", "float[][][]");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested('c', 1, 2, 3), "java.lang.Character", "Float", "[]");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(nested(0, 1), 1, 2, 3), "float[]", "Float", "[]");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(v(0)), "Float", "float[][][]", "[2, 3, 4]");
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(nested(0, 3), 1, 2), "the array has 3 elements, expected 4");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.putNested(nested(0, 3, 4), 2), "[2]", "[2, 3, 4]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.putNested(v(0), 1, 2, 3, 0), "[2, 3, 4]");
            assertArrayEquals(FloatValues.array(0, 24), FloatValues.all(data), kind);
        }));
    }

    @Test
    void closedThenReadOnlyThenCoordinates() {
        for (long[] shape : SHAPES) {
            Tensor<Float> tensor = FloatValues.tensor(shape);
            FloatTensorData data = tensor.floatData();
            Expect.thrown(ReadOnlyBufferException.class, () -> data.putNested("text", 9, 9), "FLOAT", "published");
            Expect.thrown(NullPointerException.class, () -> data.putNested(null, 9, 9), "nested");
            tensor.close();
            Expect.thrown(TensorClosedException.class, () -> data.putNested("text", 9, 9), "FLOAT", "closed");
            Expect.thrown(TensorClosedException.class, data::toNested, "FLOAT", "closed");
            Expect.thrown(TensorClosedException.class, () -> data.toNested(float[][].class), "FLOAT", "closed");
            Expect.thrown(TensorClosedException.class, tensor::toNested, "FLOAT", "closed");
            Expect.thrown(TensorClosedException.class, () -> tensor.toNested(float[][].class), "FLOAT", "closed");
        }
        FloatTensorData getter = new FloatSources.Getter(new float[6], 2, 3);
        Expect.thrown(ReadOnlyBufferException.class, () -> getter.putNested("text", 9, 9), "FLOAT", "[2, 3]");
    }

    // ---- To a class ------------------------------------------------------------------------------------------------

    @Test
    void theClassIsChecked() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3)) {
            FloatTensorData data = tensor.floatData();
            assertNested(nested(0, 2, 3), data.toNested(Object[].class));
            assertNested(nested(0, 2, 3), tensor.toNested(Object.class));
            assertNested(nested(0, 3), data.slice(0).toNested(float[].class));
            assertEquals(v(4), data.slice(1, 1).toNested(Float.class));
            Expect.thrown(IllegalArgumentException.class, () -> tensor.toNested(float[].class), "FLOAT", "[2, 3]", "float[][]",
                "not " + float[].class.getTypeName());
            Expect.thrown(IllegalArgumentException.class, () -> data.toNested(char[][].class), "float[][]", "not char[][]");
            //#if primitive
            assertEquals(v(4), (float) data.slice(1, 1).toNested(float.class));
            Expect.thrown(IllegalArgumentException.class, () -> data.slice(1, 1).toNested(char.class), "Float", "not char");
            Expect.thrown(IllegalArgumentException.class, () -> data.toNested(float.class), "[2, 3]", "not float");
            //#end
            Expect.thrown(NullPointerException.class, () -> tensor.toNested(null), "type");
            Expect.thrown(NullPointerException.class, () -> data.toNested(null), "type");
        }
    }

    @Test
    void sizesThatNoArrayCanHave() {
        FloatTensorData wide = FloatTensorData.of(new float[0], 0, 1L << 40);
        assertNested(new float[0][], wide.toNested());
        FloatTensorData tall = FloatTensorData.of(new float[0], 1L << 40, 0);
        Expect.thrown(OutOfMemoryError.class, tall::toNested, "1099511627776", "dimension 0");
        FloatTensorData huge = new AbstractFloatTensorData(2, 1L << 40) {
            @Override
            protected float getAt(long[] indices) {
                throw new AssertionError("nobody should ask");
            }
        };
        Expect.thrown(OutOfMemoryError.class, huge::toNested, "1099511627776", "dimension 1");
    }

    // ---- While others do something ---------------------------------------------------------------------------------

    //#if primitive
    @Test
    void rowsThatTheDataChangesMeanwhileAreCopiedAsTheyWere() {
        for (float[] other : new float[][] {null, new float[2], new float[4], FloatValues.array(90, 3)}) {
            float[][] rows = (float[][]) nested(0, 3, 3);
            FloatTensorData data = new FloatOwn(new float[9], 0, 3, 3) {
                @Override
                protected void putAt(float value, long[] indices) {
                    super.putAt(value, indices);
                    rows[2] = other;
                }
            };
            data.putNested(rows);
            assertArrayEquals(FloatValues.array(0, 9), FloatValues.all(data));
        }
    }

    //#end
    //~string @Test
    //~string void stringsAreCheckedWhole() {
    //~string     FloatKinds.each(new long[] {2, 3}, kinds -> kinds.forEach((kind, data) -> {
    //~string         FloatValues.fill(data);
    //~string         String[][] missing = {{"a", "b", "c"}, {"d", null, "f"}};
    //~string         Expect.thrown(NullPointerException.class, () -> Tensors.ofNested(missing), "[1][1] is null");
    //~string         Expect.thrown(NullPointerException.class, () -> data.putNested(missing), "[1][1] is null");
    //~string         assertArrayEquals(FloatValues.array(0, 6), FloatValues.all(data), kind);
    //~string     }));
    //~string     String[][] halved = {{"a", "b"}, {"c", "\ud83d"}};
    //~string     Tensors.denseString(new long[] {2, 2}, data -> {
    //~string         FloatValues.fill(data);
    //~string         Expect.thrown(IllegalArgumentException.class, () -> data.putNested(halved));
    //~string         assertArrayEquals(FloatValues.array(0, 4), FloatValues.all(data));
    //~string     }).close();
    //~string     Expect.thrown(IllegalArgumentException.class, () -> Tensors.ofNested(halved));
    //~string }

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

    /** Whoever reads rows while the tensor is closed gets its values, or the exception that says so. */
    @Test
    void closedMeanwhile() throws InterruptedException {
        Object expected = nested(0, 40, 60);
        for (int n = 0; n < 50 * Expect.depth(); n++) {
            Tensor<Float> tensor = FloatValues.tensor(40, 60);
            FloatTensorData data = tensor.floatData();
            Thread other = new Thread(tensor::close);
            other.start();
            try {
                while (true) {
                    assertNested(expected, data.toNested());
                }
            } catch (TensorClosedException e) {
                Expect.says(e, "closed");
            }
            other.join();
        }
    }
}
