package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.newAxis;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static io.tensornio.support.FloatNestedModel.assertNested;
import static io.tensornio.support.FloatNestedModel.ints;
import static io.tensornio.support.FloatNestedModel.nested;
import static io.tensornio.support.FloatNestedModel.product;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatKinds;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatSources;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nested arrays of {@code float} to data, and back. */
@ExtendWith(MemoryBalance.class)
class FloatNestedDataTest {
    private static final long[][] SHAPES = {{}, {5}, {0}, {3, 4}, {0, 3}, {3, 0}, {2, 3, 4}, {2, 0, 3}, {4, 40}, {2, 2, 3, 1, 2}};
    private static final TensorIndex[][] SLICES = {
        {}, {at(1)}, {all(), at(2)}, {flip(), flip()}, {step(2), range(3, 0, -1)}, {incl(2, 0, 0, 1)}, {all(), incl(3, 0, 1, 3)}, {newAxis(), at(2)},
        {at(1), at(1)}, {range(1, 1)}, {incl(), incl(1, 3, 0)}, {incl(0, 2, 1), incl(0, 3, 1)}, {all(), range(1, 3)}, {range(1, 3)},
    };

    private static float v(int n) {
        return FloatValues.of(n);
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
        Expect.thrown(OutOfMemoryError.class, tall::toNested, "1099511627776", "axis 0");
        FloatTensorData huge = new AbstractFloatTensorData(2, 1L << 40) {
            @Override
            protected float getAt(long[] indices) {
                throw new AssertionError("nobody should ask");
            }
        };
        Expect.thrown(OutOfMemoryError.class, huge::toNested, "1099511627776", "axis 1");
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
