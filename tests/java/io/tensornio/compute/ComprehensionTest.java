package io.tensornio.compute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Comprehensions as objects, what they take and what they give. */
@ExtendWith(MemoryBalance.class)
class ComprehensionTest {
    private static final Comprehension PRODUCT = Comprehension.of("y[i] += A[i,j] * x[j]");

    private static FloatTensorData floats(double... values) {
        return FloatTensorData.of(Runs.f(values));
    }

    @Test
    void namesAreThoseOfTheText() {
        assertEquals(Arrays.asList("A", "x"), PRODUCT.inputs());
        assertEquals(Arrays.asList("y"), PRODUCT.outputs());
        Comprehension two = Comprehension.of("t[i] = 2*x[i]; y[i] = t[i] + b[i]");
        assertEquals(Arrays.asList("x", "b"), two.inputs());
        assertEquals(Arrays.asList("t", "y"), two.outputs());
        assertEquals(Arrays.asList("y"), two.returning("y").outputs());
        assertEquals(Arrays.asList("y", "t"), two.returning("y", "t").outputs());
        assertThrows(UnsupportedOperationException.class, () -> two.inputs().add("z"));
    }

    @Test
    void theCanonicalTextMakesAnEqualComprehension() {
        Comprehension loose = Comprehension.of("  y[ i ]+=((A[i,j]))*x[j]   # a product\n");
        assertEquals(PRODUCT, loose);
        assertEquals(PRODUCT.hashCode(), loose.hashCode());
        assertEquals(PRODUCT.toString(), loose.toString());
        assertEquals(PRODUCT, Comprehension.of(PRODUCT.toString()));
        assertNotEquals(PRODUCT, Comprehension.of("y[i] += A[i,j] + x[j]"));
        assertNotEquals(PRODUCT, "y");
    }

    @Test
    void returningReplacesWhatWasReturned() {
        Comprehension c = Comprehension.of("t[i] = 2*x[i]; y[i] = t[i] + 1; return t");
        assertEquals(Arrays.asList("y"), c.returning("y").outputs());
        assertEquals(c, c.returning("y").returning("t"));
        Expect.exactly(IllegalArgumentException.class, () -> c.returning("z"), "z");
        Expect.exactly(IllegalArgumentException.class, () -> c.returning("x"), "x");
        Expect.exactly(IllegalArgumentException.class, () -> c.returning());
        Expect.exactly(IllegalArgumentException.class, () -> c.returning("y", "y"), "y");
        Expect.exactly(IllegalArgumentException.class, () -> c.returning("y,t"), "`y,t`");
        Expect.exactly(IllegalArgumentException.class, () -> c.returning(""), "``");
        Expect.exactly(NullPointerException.class, () -> c.returning("y", null), "name 1");
    }

    @Test
    void inputsByPositionInAListAndByName() {
        Map<String, Object> byName = new HashMap<>();
        byName.put("x", floats(1, 1));
        FloatTensorData a = FloatTensorData.of(Runs.f(1, 2, 3, 4), 2, 2);
        byName.put("A", a);
        List<Object> inOrder = Arrays.asList(a, floats(1, 1));
        try (Results r = PRODUCT.run(inOrder); Results s = PRODUCT.run(byName); Results t = PRODUCT.run(a, floats(1, 1))) {
            assertArrayEquals(Runs.f(3, 7), r.get("y").toNested(float[].class));
            assertArrayEquals(Runs.f(3, 7), s.get("y").toNested(float[].class));
            assertArrayEquals(Runs.f(3, 7), t.get("y").toNested(float[].class));
        }
    }

    @Test
    void resultsAreFoundByNameAndType() {
        Comprehension c = Comprehension.of(
            "f[i] = x[i]; d[i] = double(x[i]); n[i] = int(x[i]); l[i] = long(x[i]); b[i] = bool(x[i]); u[i] = uint8(x[i])");
        Results r = c.run(floats(0, 3));
        try {
            assertEquals(c.outputs(), new ArrayList<>(r.names()));
            assertEquals(3f, r.floatTensor("f").floatData().get(1));
            assertEquals(3d, r.doubleTensor("d").doubleData().get(1));
            assertEquals(3, r.intTensor("n").intData().get(1));
            assertEquals(3L, r.longTensor("l").longData().get(1));
            assertTrue(r.booleanTensor("b").booleanData().get(1));
            assertEquals(3, r.uInt8Tensor("u").uInt8Data().get(1));
            assertSame(r.get("f"), r.floatTensor("f"));
            assertEquals(DataType.FLOAT, r.get("f").dataType());
            assertTrue(r.get("f").floatData().isReadOnly());
            Expect.exactly(IllegalArgumentException.class, () -> r.get("x"), "`x`", "[f, d, n, l, b, u]");
            Expect.exactly(IllegalStateException.class, () -> r.floatTensor("d"), "d", "DOUBLE", "FLOAT");
            Expect.exactly(NullPointerException.class, () -> r.get(null), "name");
            assertThrows(UnsupportedOperationException.class, () -> r.names().remove("f"));
            assertEquals("Results(f: FLOAT [2], d: DOUBLE [2], n: INT32 [2], l: INT64 [2], b: BOOL [2], u: UINT8 [2])", r.toString());
        } finally {
            r.close();
        }
        for (String name : r.names()) {
            assertTrue(r.get(name).isClosed());
        }
        r.close();
    }

    @Test
    void oneTensorMayBeSeveralInputs() {
        Comprehension c = Comprehension.of("y[i] = a[i] * b[i]");
        try (Tensor<Float> x = Tensors.ofNested(Runs.f(2, 3)); Results r = c.run(x, x)) {
            assertArrayEquals(Runs.f(4, 9), r.get("y").toNested(float[].class));
        }
    }

    @Test
    void viewsOfNativeMemoryAreReadInPlace() {
        Comprehension sum = Comprehension.of("s += x[i]");
        try (Tensor<Float> x = Tensors.denseFloat(new long[] {1 << 20}, data -> { })) {
            MemoryStats before = MemoryStats.current();
            try (Results r = sum.run(x.floatData().slice(TensorIndex.flip()).slice(TensorIndex.step(3)))) {
                assertTrue(MemoryStats.current().bytesInUse() - before.bytesInUse() < 1 << 16);
                assertEquals(0f, r.get("s").toNested());
            }
        }
    }

    @Test
    void buffersOfAnyOrderAndUserDataAreCopiedIn() {
        Comprehension twice = Comprehension.of("y[i] = 2*x[i]");
        ByteBuffer bytes = ByteBuffer.allocateDirect(8).order(ByteOrder.BIG_ENDIAN);
        bytes.putFloat(0, 1.5f).putFloat(4, 2.5f);
        try (Results r = twice.run(FloatTensorData.of(bytes.asFloatBuffer(), 2))) {
            assertArrayEquals(Runs.f(3, 5), r.get("y").toNested(float[].class));
        }
    }

    @Test
    void sparseViewsAreReadAsDense() {
        Comprehension twice = Comprehension.of("y[i] = 2*x[i]");
        try (SparseTensor<Float> x = Tensors.sparseFloat(new long[] {4}, 1, data -> data.put(3, 2));
                Results r = twice.run(x.floatData())) {
            assertArrayEquals(Runs.f(0, 0, 6, 0), r.get("y").toNested(float[].class));
        }
    }

    @Test
    void manyInputsAndOutputs() {
        StringBuilder text = new StringBuilder("y[i] = 0");
        List<Object> inputs = new ArrayList<>();
        for (int n = 0; n < 100; n++) {
            text.append(" + x").append(n).append("[i]");
            inputs.add(floats(1, n));
        }
        for (int n = 0; n < 100; n++) {
            text.append("\nz").append(n).append("[i] = y[i] * ").append(n);
        }
        try (Results r = Comprehension.of(text.toString()).run(inputs)) {
            assertArrayEquals(Runs.f(100, 4950), r.get("y").toNested(float[].class));
            assertArrayEquals(Runs.f(9900, 99 * 4950), r.get("z99").toNested(float[].class));
        }
    }

    @Test
    void aPlanThatHasGoneIsMadeAgain() {
        Comprehension twice = Comprehension.of("y[i] = 2*x[i]");
        twice.run(floats(1)).close();
        for (int n = 0; n < 3000; n++) {
            Comprehension.of("y[i] = x[i] + " + n).run(floats(1)).close();
        }
        try (Results r = twice.run(floats(4))) {
            assertArrayEquals(Runs.f(8), r.get("y").toNested(float[].class));
        }
    }

    @Test
    void manyShapesOfOneComprehension() {
        Comprehension sum = Comprehension.of("s += x[i]");
        for (int n = 0; n < 2000; n++) {
            float[] ones = new float[n % 1500];
            Arrays.fill(ones, 1);
            try (Results r = sum.run(FloatTensorData.of(ones))) {
                assertEquals((float) ones.length, r.get("s").toNested());
            }
        }
    }

    private static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int n = 0; n < pairs.length; n += 2) {
            map.put((String) pairs[n], pairs[n + 1]);
        }
        return map;
    }

    @Test
    void runIntoWritesDataOfEveryKind() {
        Comprehension c = Comprehension.of("y[i] = 2*x[i]; z[i] = y[i] + 1");
        float[] array = new float[4];
        c.runInto(map("x", floats(1, 2)), map("z", FloatTensorData.of(array).slice(TensorIndex.step(2))));
        assertArrayEquals(Runs.f(3, 0, 5, 0), array);
        Tensors.denseFloat(new long[] {2, 2}, data -> {
            c.runInto(map("x", floats(1, 2)), map("y", data.slice(1), "z", data.slice(0).slice(TensorIndex.flip())));
            assertArrayEquals(new float[][] {{5, 3}, {2, 4}}, data.toNested(float[][].class));
        }).close();
    }

    @Test
    void runIntoIsRightWhereOutputsOverlapInputs() {
        Comprehension difference = Comprehension.of("y[i] = x[i] - x[i+1]");
        Tensors.denseFloat(new long[] {5}, data -> {
            data.put(Runs.f(1, 4, 9, 16, 25));
            difference.runInto(map("x", data), map("y", data.slice(TensorIndex.from(1))));
            assertArrayEquals(Runs.f(1, -3, -5, -7, -9), data.toNested(float[].class));
        }).close();
        float[] array = Runs.f(1, 4, 9);
        FloatTensorData data = FloatTensorData.of(array);
        difference.runInto(map("x", data), map("y", data.slice(TensorIndex.from(1))));
        assertArrayEquals(Runs.f(1, -3, -5), array);
    }

    @Test
    void runIntoRefusesOutputsThatShareElements() {
        Comprehension c = Comprehension.of("y[i] = 2*x[i]; z[i] = y[i] + 1");
        Map<String, Object> x = map("x", floats(1, 2));
        String[] both = {"outputs y and z have elements in common"};
        Tensors.denseFloat(new long[] {2, 2}, data -> {
            Expect.exactly(IllegalArgumentException.class, () -> c.runInto(x, map("y", data.slice(0), "z", data.slice(0))), both);
            Expect.exactly(IllegalArgumentException.class,
                () -> c.runInto(x, map("y", data.slice(0), "z", data.slice(TensorIndex.all(), TensorIndex.at(1)))), both);
            c.runInto(x, map("y", data.slice(TensorIndex.all(), TensorIndex.at(0)), "z", data.slice(TensorIndex.all(), TensorIndex.at(1))));
            assertArrayEquals(new float[][] {{2, 3}, {4, 5}}, data.toNested(float[][].class));
        }).close();
        float[] array = new float[2];
        Expect.exactly(IllegalArgumentException.class,
            () -> c.runInto(x, map("y", FloatTensorData.of(array), "z", FloatTensorData.of(array))), both);
        assertArrayEquals(new float[2], array);
    }

    @Test
    void deepTextsNeedNoLongStack() throws InterruptedException {
        Throwable[] failed = new Throwable[1];
        Runnable deep = () -> {
            for (int depth = 10; depth <= 100; depth += 30) {
                deep(depth, "short");
            }
        };
        Thread thread = new Thread(null, deep, "a short stack", 448 << 10);
        thread.setUncaughtExceptionHandler((one, e) -> failed[0] = e);
        thread.start();
        thread.join();
        assertNull(failed[0]);
    }

    private static void deep(int depth, String name) {
        try (Results r = gradient(depth, name).run(floats(0))) {
            assertArrayEquals(Runs.f(1), r.get("dx").toNested(float[].class));
        }
    }

    private static Comprehension gradient(int depth, String name) {
        StringBuilder text = new StringBuilder(name + "[i] = ");
        for (int n = 0; n < depth; n++) {
            text.append("tanh(");
        }
        text.append("x[i]");
        for (int n = 0; n < depth; n++) {
            text.append(')');
        }
        return Comprehension.of(text.toString()).gradient(name, "x");
    }

    @Test
    void runIntoGivesOpenShapes() {
        float[] ones = new float[3];
        Comprehension.of("y[i] = 1.0").runInto(map(), map("y", FloatTensorData.of(ones)));
        assertArrayEquals(Runs.f(1, 1, 1), ones);
    }

    @Test
    void runIntoRefusesWhatDoesNotFit() {
        Comprehension c = Comprehension.of("y[i] = 2*x[i]");
        Map<String, Object> x = map("x", floats(1, 2));
        float[] out = new float[3];
        Expect.exactly(IllegalArgumentException.class, () -> c.runInto(x, map("y", FloatTensorData.of(out))), "y", "2", "3");
        Expect.exactly(IllegalArgumentException.class, () -> c.runInto(x, map("y", IntTensorData.of(new int[2]))), "y", "FLOAT", "INT32");
        Expect.exactly(IllegalArgumentException.class, () -> c.runInto(x, map()), "no output", "[y]");
        Expect.exactly(IllegalArgumentException.class, () -> c.runInto(x, map("z", floats(0, 0))), "[z]", "[y]");
        Expect.exactly(IllegalArgumentException.class, () -> c.runInto(x, map("y", out)), "y", "[F");
        Expect.exactly(NullPointerException.class, () -> c.runInto(x, map("y", null)), "y");
        Tensor<Float> published = Tensors.ofNested(new float[2]);
        Map<String, Object> y = map("y", published.floatData());
        Expect.thrown(ReadOnlyBufferException.class, () -> c.runInto(x, y), "FLOAT");
        published.close();
        Expect.thrown(TensorClosedException.class, () -> c.runInto(x, y));
        assertArrayEquals(new float[3], out);
    }
}
