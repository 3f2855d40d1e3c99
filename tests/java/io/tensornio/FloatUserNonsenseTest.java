package io.tensornio;

import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
//#end

/** Things that implement {@link FloatTensorData} on their own and answer nonsense: an exception at most, and nothing else is touched. */
@ExtendWith(MemoryBalance.class)
class FloatUserNonsenseTest {
    private static final int N = 6;

    /** A vector of {@link #N} elements that answers some calls in its own way. */
    static FloatTensorData liar(Map<String, Supplier<Object>> lies) {
        FloatTensorData honest = FloatTensorData.of(FloatValues.array(100, N));
        return (FloatTensorData) Proxy.newProxyInstance(FloatTensorData.class.getClassLoader(), new Class<?>[] {FloatTensorData.class},
            (self, method, given) -> {
            Supplier<Object> lie = lies.get(method.getName());
            if (lie != null) {
                return lie.get();
            }
            try {
                return method.invoke(honest, given);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    /** An iterator over so many elements that says something of its own about whether there are more. */
    static FloatTensorIterator scalars(int n, boolean... more) {
        FloatTensorIterator honest = FloatTensorData.of(FloatValues.array(100, n)).scalars();
        return (FloatTensorIterator) Proxy.newProxyInstance(FloatTensorIterator.class.getClassLoader(), new Class<?>[] {FloatTensorIterator.class},
            (self, method, given) -> {
                if (more.length > 0 && method.getName().equals("hasMoreElements")) {
                    return more[0];
                }
                try {
                    return method.invoke(honest, given);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    }

    private static void add(Map<String, FloatTensorData> all, String name, String method, Supplier<Object> lie) {
        Map<String, Supplier<Object>> lies = new HashMap<>();
        lies.put(method, lie);
        all.put(name, liar(lies));
    }

    /** A shape that stays right until something else is asked for, and then changes in the very array that was given. */
    private static FloatTensorData changing(String when, long... into) {
        long[][] given = {{N}};
        Map<String, Supplier<Object>> lies = new HashMap<>();
        lies.put("shape", () -> {
            given[0] = new long[] {N};
            return given[0];
        });
        lies.put("scalars", () -> scalars(4 * N));
        lies.put(when, () -> {
            System.arraycopy(into, 0, given[0], 0, 1);
            return when.equals("scalars") ? scalars(4 * N) : when.equals("isReadOnly") ? (Object) false : (Object) (long) N;
        });
        return liar(lies);
    }

    /** Vectors that answer nonsense, one way each. */
    static Map<String, FloatTensorData> liars() {
        Map<String, FloatTensorData> all = new LinkedHashMap<>();
        add(all, "null shape", "shape", () -> null);
        for (long[] shape : new long[][] {{}, {0}, {5}, {7}, {2, 3}, {-6}, {-2, -3}, {Long.MAX_VALUE}, {Long.MIN_VALUE}, {1L << 32, 1L << 32}, {3, 0},
            {1, 1, 1, 1, 1, 1, 1, 1, 1, 6}}) {
            add(all, "shape of rank " + shape.length + " of " + (shape.length > 0 ? shape[0] : 1), "shape", shape::clone);
        }
        int[] calls = {0};
        add(all, "another shape each time", "shape", () -> new long[] {N + calls[0]++ % 3});
        add(all, "another rank each time", "shape", () -> new long[calls[0]++ % 4]);
        for (long total : new long[] {-1, 0, 1, N - 1, N + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            add(all, "total " + total, "totalSize", () -> total);
            add(all, "number " + total, "numElements", () -> total);
        }
        for (int n : new int[] {0, 1, N - 1, N + 1, 1000}) {
            add(all, n + " scalars", "scalars", () -> scalars(n));
            add(all, n + " scalars, always more", "scalars", () -> scalars(n, true));
            add(all, n + " scalars, never more", "scalars", () -> scalars(n, false));
        }
        for (String method : new String[] {"scalars", "elements", "slice", "dataType", "rank", "size", "totalSize", "isReadOnly", "get", "put",
            "copyTo"}) {
            add(all, "null for " + method, method, () -> null);
            add(all, "an exception from " + method, method, () -> {
                throw new IllegalStateException("mine");
            });
        }
        add(all, "rank", "rank", () -> 77);
        add(all, "negative rank", "rank", () -> -1);
        add(all, "size", "size", () -> Long.MAX_VALUE);
        add(all, "type", "dataType", () -> DataType.FLOAT == DataType.BOOL ? DataType.INT64 : DataType.BOOL);
        for (String when : new String[] {"totalSize", "scalars", "isReadOnly", "numElements"}) {
            for (long into : new long[] {2 * N, 3 * N, 0, 1, -1, Long.MIN_VALUE, 1L << 33, Long.MAX_VALUE}) {
                all.put("a shape changing into " + into + " at " + when, changing(when, into));
            }
        }
        return all;
    }

    /** A call with a liar: it may fail in an ordinary way. */
    private static void attempt(String what, Runnable call) {
        try {
            call.run();
        } catch (TensorNioInternalError e) {
            throw new AssertionError(what, e);
        } catch (RuntimeException | OutOfMemoryError e) {
            assertFalse(e.toString().isEmpty());
        }
    }

    /** All calls that take data, on the middle row of data of three, whose others are to be left alone. */
    private static void checkRow(String kind, FloatTensorData whole, TensorIndex order) {
        liars().forEach((name, liar) -> {
            FloatValues.fill(whole);
            FloatTensorData row = whole.slice(1).slice(order);
            String what = kind + " and " + name;
            long before = MemoryStats.current().tensorsAlive();
            attempt(what, () -> row.put(liar));
            attempt(what, () -> row.get(liar));
            attempt(what, () -> whole.put(liar, 1));
            attempt(what, () -> whole.get(liar, 1));
            attempt(what, () -> row.put(liar, 1));
            attempt(what, () -> row.get(liar, 1));
            attempt(what, () -> whole.slice(TensorIndex.range(1, 2)).elements().put(liar));
            attempt(what, () -> row.equals(liar));
            attempt(what, () -> assertFalse(liar.equals(null)));
            attempt(what, () -> Tensors.create(liar).close());
            assertTrue(MemoryStats.current().tensorsAlive() <= before, what);
            assertArrayEquals(FloatValues.array(0, N), FloatValues.all(whole.slice(0)), what);
            assertArrayEquals(FloatValues.array(2 * N, N), FloatValues.all(whole.slice(2)), what);
        });
    }

    private static void check(String kind, FloatTensorData whole, FloatTensorData wide) {
        checkRow(kind, whole, TensorIndex.all());
        checkRow(kind + ", flipped", whole, flip());
        checkRow(kind + ", list", whole, incl(5, 0, 1, 2, 3, 4));
        checkRow(kind + ", strided", wide.slice(TensorIndex.all(), step(2)), TensorIndex.all());
    }

    @Test
    void nativeMemory() {
        Tensors.denseFloat(new long[] {3, N}, whole -> Tensors.denseFloat(new long[] {3, 2 * N}, wide -> check("native", whole, wide)).close())
            .close();
    }

    @Test
    void arrays() {
        check("array", FloatTensorData.of(FloatValues.zeros(3 * N), 3, N), FloatTensorData.of(FloatValues.zeros(6 * N), 3, 2 * N));
    }

    @Test
    void ownData() {
        check("own", FloatOwn.of(3, N), FloatOwn.of(3, 2 * N));
    }

    //#if buffer
    @Test
    void buffers() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            check(order.toString(), FloatTensorData.of(FloatValues.view(ByteBuffer.allocateDirect(3 * N * Float.BYTES).order(order)), 3, N),
                FloatTensorData.of(FloatValues.view(ByteBuffer.allocateDirect(6 * N * Float.BYTES).order(order)), 3, 2 * N));
        }
    }
    //#end

    @Test
    void publishedDataIsNotWritten() {
        try (Tensor<Float> tensor = FloatValues.tensor(3, N)) {
            liars().forEach((name, liar) -> {
                attempt(name, () -> tensor.floatData().put(liar, 1));
                attempt(name, () -> tensor.floatData().get(liar, 1));
                attempt(name, () -> tensor.floatData().slice(1).equals(liar));
            });
            assertArrayEquals(FloatValues.array(0, 3 * N), FloatValues.all(tensor.floatData()));
        }
    }

    /** One that tells the truth in all works. */
    @Test
    void anHonestOne() {
        FloatTensorData honest = liar(new HashMap<>());
        FloatTensorData array = FloatTensorData.of(FloatValues.zeros(N));
        array.put(honest);
        assertArrayEquals(FloatValues.array(100, N), FloatValues.all(array));
        assertTrue(array.equals(honest));
        assertEquals(array.hashCode(), honest.hashCode());
        try (Tensor<Float> tensor = Tensors.create(honest)) {
            assertEquals(array, tensor.floatData());
            FloatTensorData.of(FloatValues.array(0, N)).get(honest);
        }
        assertArrayEquals(FloatValues.array(0, N), FloatValues.all(honest));
    }
}
