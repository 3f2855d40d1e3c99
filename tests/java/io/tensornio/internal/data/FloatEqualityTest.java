package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.ellipsis;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatKinds;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatSources;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code equals} and {@code hashCode} of {@code float} data. */
@ExtendWith(MemoryBalance.class)
class FloatEqualityTest {
    private static void assertSame(boolean equal, Object a, Object b) {
        assertEquals(equal, a.equals(b), a + " equals " + b);
        assertEquals(equal, b.equals(a), b + " equals " + a);
        if (equal) {
            assertEquals(a.hashCode(), b.hashCode());
        }
    }

    private static int formula(FloatTensorData data) {
        int hash = 31 * data.dataType().name().hashCode() + Arrays.hashCode(data.shape());
        for (float value : FloatValues.all(data)) {
            hash = 31 * hash + FloatValues.hash(value);
        }
        return hash;
    }

    private static FloatTensorData of(int n, long... shape) {
        return FloatTensorData.of(FloatValues.array(0, n), shape);
    }

    @Test
    void everyKindIsEqualToEveryOther() {
        for (long[] shape : new long[][] {{}, {5}, {2, 3}, {0, 3}, {2, 1, 2, 1, 3}}) {
            FloatKinds.each(shape, some -> FloatKinds.each(shape, others -> {
                some.values().forEach(FloatValues::fill);
                others.values().forEach(FloatValues::fill);
                some.forEach((kind, a) -> others.forEach((name, b) -> {
                    assertTrue(a.equals(b), kind + " equals " + name);
                    assertEquals(a.hashCode(), b.hashCode(), kind + " and " + name);
                }));
                some.values().forEach(a -> assertEquals(formula(a), a.hashCode()));
            }));
        }
    }

    @Test
    void oneOtherElementOfAnyKind() {
        FloatKinds.each(new long[] {2, 3}, some -> FloatKinds.each(new long[] {2, 3}, others -> {
            some.values().forEach(FloatValues::fill);
            others.forEach((kind, b) -> {
                for (int n = 0; n < 6; n++) {
                    FloatValues.fill(b);
                    int other = FloatValues.of(n) == FloatValues.of(n + 1) ? n + 2 : n + 1;
                    b.put(FloatValues.of(other), n / 3, n % 3);
                    boolean same = FloatValues.of(n) == FloatValues.of(other);          // of two values, three may be the same
                    some.forEach((name, a) -> {
                        assertEquals(same, a.equals(b), name + " equals " + kind);
                        assertEquals(same, b.equals(a), kind + " equals " + name);
                    });
                }
            });
        }));
    }

    @Test
    void shapesMatter() {
        assertSame(false, of(6, 2, 3), of(6, 3, 2));
        assertSame(false, of(6, 6), of(6, 1, 6));
        assertSame(false, of(6, 6), of(6, 6, 1));
        assertSame(false, of(1), of(1, 1));
        assertSame(false, of(0, 0, 3), of(0, 3, 0));
        assertSame(false, of(0, 0), of(0, 0, 0));
        assertSame(true, of(0, 0, 3), of(0, 0, 3));
        assertSame(true, of(1), of(1));
        assertNotEquals(of(0, 0, 3).hashCode(), of(0, 3, 0).hashCode());
    }

    @Test
    void viewsAreWhatTheyShow() {
        FloatTensorData matrix = of(12, 3, 4);
        assertSame(true, matrix.slice(flip()).slice(flip()), matrix);
        assertSame(true, matrix.slice(flip(), step(2)), matrix.slice(incl(2, 1, 0), incl(0, 2)));
        assertSame(true, matrix.slice(all(), incl(0, 3, 1)), FloatTensorData.of(
            new float[] {FloatValues.of(0), FloatValues.of(3), FloatValues.of(1), FloatValues.of(4), FloatValues.of(7), FloatValues.of(5),
                FloatValues.of(8),
                FloatValues.of(11), FloatValues.of(9)}, 3, 3));
        assertSame(true, matrix.slice(at(1)), matrix.slice(1));
        assertSame(true, matrix.slice(1, 2), of(12, 12).slice(6));
        assertSame(true, matrix.slice(incl(0, 0, 2)), new AbstractFloatTensorData(3, 4) {
            @Override
            protected float getAt(long[] indices) {
                return matrix.get(indices[0] == 2 ? 2 : 0, (int) indices[1]);
            }
        });
        assertSame(true, matrix.slice(range(1, 1)), of(0, 0, 4));
    }

    @Test
    void otherThings() {
        FloatTensorData data = of(1, 1);
        assertFalse(data.equals(null));
        assertFalse(data.equals("data"));
        assertFalse(data.equals(FloatValues.array(0, 1)));
        assertFalse(new FloatOwn(FloatValues.zeros(1), 0, 1).equals(null));
        try (Tensor<Float> tensor = Tensors.create(data)) {
            assertFalse(data.equals(tensor));
            assertFalse(tensor.equals(data));
        }
        assertSame(true, data, data);
    }

    //#if float
    private static float[] otherNaN() {
        return new float[] {Float.intBitsToFloat(0x7fc12345), Float.intBitsToFloat(0xffc00001)};
    }
    //#end
    //~double private static double[] otherNaN() {
    //~double     return new double[] {Double.longBitsToDouble(0x7ff8123456789abcL), Double.longBitsToDouble(0xfff8000000000001L)};
    //~double }

    //#if floating
    @Test
    void zerosAndNaN() {
        FloatTensorData zero = FloatTensorData.of(new float[] {0});
        FloatTensorData minus = FloatTensorData.of(new float[] {-0.0f});
        assertSame(false, zero, minus);
        float[] nan = {Float.NaN};
        float[] other = otherNaN();
        assertSame(true, FloatTensorData.of(nan), FloatTensorData.of(other).slice(range(0, 1)));
        assertSame(true, FloatTensorData.of(nan), FloatTensorData.of(other).slice(range(1, 2)));
        assertSame(false, FloatTensorData.of(nan), zero);
        for (FloatTensorData data : new FloatTensorData[] {zero, minus, FloatTensorData.of(nan), FloatTensorData.of(other)}) {
            try (Tensor<Float> tensor = Tensors.create(data)) {
                assertSame(true, data, tensor.floatData());
                assertSame(true, data, tensor.floatData().slice(flip()).slice(flip()));
                assertEquals(formula(data), tensor.floatData().hashCode());
            }
        }
    }

    @Test
    void zerosAndNaNsAreEqualByTheSameRulesOnEveryPath() {
        float[] values = {0, -(float) 0, Float.NaN, -Float.NaN, Float.POSITIVE_INFINITY};
        float[] positive = values.clone();
        positive[1] = 0;
        FloatTensorData[] same = new FloatTensorData[3 + 3 * FloatSources.KINDS.size()];
        FloatTensorData[] other = new FloatTensorData[same.length];
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {5}, data -> data.put(values));
             Tensor<Float> unlike = Tensors.denseFloat(new long[] {5}, data -> data.put(positive))) {
            int n = slices(tensor.floatData(), same, 0);
            slices(unlike.floatData(), other, 0);
            for (String kind : FloatSources.KINDS) {
                FloatSources source = FloatSources.of(kind, 5);
                source.data.copyFrom(values);
                FloatSources second = FloatSources.of(kind, 5);
                second.data.copyFrom(positive);
                slices(source.data, same, n);
                n = slices(second.data, other, n);
            }
            for (FloatTensorData a : same) {
                for (FloatTensorData b : same) {
                    assertEquals(a, b);
                    assertEquals(a.hashCode(), b.hashCode());
                }
                for (FloatTensorData b : other) {
                    assertNotEquals(a, b);
                    assertNotEquals(b, a);
                }
            }
        }
    }

    /** The data, flipped twice, and by lists that undo each other. */
    private static int slices(FloatTensorData data, FloatTensorData[] to, int at) {
        to[at] = data;
        to[at + 1] = data.slice(flip()).slice(flip());
        FloatTensorData scattered = FloatTensorData.of(FloatValues.zeros(5));
        scattered.slice(incl(3, 0, 1, 4, 2)).put(data);
        to[at + 2] = scattered.slice(ellipsis(), incl(3, 0, 1, 4, 2));
        return at + 3;
    }
    //#end

    @Test
    void theDocumentedFormula() {
        assertEquals(31 * "FLOAT".hashCode() + Arrays.hashCode(new long[] {0, 3}), of(0, 0, 3).hashCode());
        int hash = 31 * "FLOAT".hashCode() + Arrays.hashCode(new long[0]);
        assertEquals(31 * hash + FloatValues.hash(FloatValues.of(0)), of(1).hashCode());
        assertEquals(formula(of(12, 3, 4)), of(12, 3, 4).hashCode());
    }

    @Test
    void closedDataHasNoneButItself() {
        for (long[] shape : new long[][] {{2, 3}, {0, 3}}) {
            int n = (int) (shape[0] * shape[1]);
            Tensor<Float> tensor = FloatValues.tensor(shape);
            FloatTensorData[] views = {tensor.floatData(), tensor.floatData().slice(all(), flip()), tensor.floatData().slice(all(), incl(0, 2, 1))};
            tensor.close();
            for (FloatTensorData closed : views) {
                assertEquals(closed, closed);
                FloatTensorData[] others = {of(n, shape), new FloatOwn(FloatValues.array(0, n), 0, shape), of(2, 2), of(0, 0), views[0], views[1],
                    views[2]};
                for (FloatTensorData other : others) {
                    if (other != closed) {
                        Expect.thrown(TensorClosedException.class, () -> closed.equals(other), "FLOAT", Arrays.toString(shape), "closed");
                        Expect.thrown(TensorClosedException.class, () -> other.equals(closed), "FLOAT", Arrays.toString(shape), "closed");
                    }
                }
                Expect.thrown(TensorClosedException.class, closed::hashCode, "FLOAT", Arrays.toString(shape), "closed");
                assertFalse(closed.equals(null));
                assertFalse(closed.equals("closed"));
            }
        }
    }

    @Test
    void keysOfAMap() {
        Map<FloatTensorData, String> map = new HashMap<>();
        map.put(of(6, 2, 3), "matrix");
        map.put(of(6, 3, 2), "transposed");
        map.put(of(6, 6), "vector");
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3)) {
            assertEquals("matrix", map.get(tensor.floatData()));
            assertEquals("vector", map.get(new FloatOwn(FloatValues.array(0, 6), 0, 6)));
            assertNull(map.get(tensor.floatData().slice(1)));
            assertNull(map.put(tensor.floatData().slice(1), "row"));
            assertEquals("row", map.get(of(6, 6).slice(range(3, 6))));
            assertEquals("matrix", map.put(tensor.floatData(), "again"));
            assertEquals(4, map.size());
        }
    }
}
