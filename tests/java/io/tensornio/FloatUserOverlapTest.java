package io.tensornio;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.support.Expect;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
//#end

/** Copies of {@code float} data within one memory of the user's: always as if through a copy. */
@ExtendWith(MemoryBalance.class)
class FloatUserOverlapTest {
    /** The second is longer than what bulk copies take at a time. */
    private static final int[] SIZES = {12, 20_000};

    /** Own data that looks at other data. */
    private static FloatTensorData lookingAt(FloatTensorData data) {
        return new AbstractFloatTensorData(data.shape()) {
            @Override
            protected float getAt(long[] indices) {
                return data.get((int) indices[0]);
            }

            @Override
            protected void putAt(float value, long[] indices) {
                data.put(value, (int) indices[0]);
            }
        };
    }

    /** Vectors, by their names, that are the same elements each in another way; the first can be written. */
    private static void eachMemory(int n, BiConsumer<String, Map<String, FloatTensorData>> check) {
        float[] array = FloatValues.zeros(n + 5);
        Map<String, FloatTensorData> inArray = new LinkedHashMap<>();
        //#if buffer
        inArray.put("heap buffer", FloatTensorData.of(FloatBuffer.wrap(array, 5, n), n));
        inArray.put("read-only heap buffer", FloatTensorData.of(FloatBuffer.wrap(array, 5, n).asReadOnlyBuffer(), n));
        //#end
        inArray.put("array", FloatTensorData.of(array).slice(range(5, n + 5)));
        inArray.put("own", new FloatOwn(array, 5, n));
        check.accept("array", inArray);
        //#if buffer
        ByteBuffer bytes = ByteBuffer.allocate(n * Float.BYTES);
        Map<String, FloatTensorData> onHeap = new LinkedHashMap<>();
        onHeap.put("bytes", FloatTensorData.of(FloatValues.view(bytes), n));
        onHeap.put("read-only bytes", FloatTensorData.of(FloatValues.view(bytes).asReadOnlyBuffer(), n));
        check.accept("bytes", onHeap);
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            ByteBuffer outside = ByteBuffer.allocateDirect(n * Float.BYTES + 1).order(order);
            outside.position(1);
            ByteBuffer unaligned = outside.slice().order(order);
            Map<String, FloatTensorData> direct = new LinkedHashMap<>();
            direct.put("direct", FloatTensorData.of(FloatValues.view(unaligned), n));
            direct.put("another direct", FloatTensorData.of(FloatValues.view(unaligned.duplicate().order(order)), n));
            direct.put("read-only direct", FloatTensorData.of(FloatValues.view(unaligned).asReadOnlyBuffer(), n));
            check.accept(order.toString(), direct);
        }
        ByteBuffer shared = ByteBuffer.allocateDirect(n * Float.BYTES);
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            FloatTensorData whole = FloatTensorData.of(FloatValues.view(shared.duplicate().order(order)), n);
            ByteOrder other = order == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
            FloatBuffer swapped = FloatValues.view(shared.duplicate().order(other));
            checkOtherOrder(whole, swapped);
        }
        //#end
        Tensors.denseFloat(new long[] {n}, data -> {
            Map<String, FloatTensorData> inNative = new LinkedHashMap<>();
            inNative.put("native", data);
            check.accept("native", inNative);
        }).close();
    }

    /** Runs a check with each pair of views on one memory; the first is what can be written and has everything. */
    private static void eachPair(int n, Check check) {
        eachMemory(n, (memory, vectors) -> {
            FloatTensorData whole = vectors.values().iterator().next();
            vectors.put("own looking at it", lookingAt(whole));
            vectors.forEach((from, source) -> vectors.forEach((to, target) ->
                check.accept(memory + ": " + from + " to " + to, whole, source, target)));
        });
    }

    //#if buffer
    /** Copies to and from a buffer over the same bytes, in which they are in the other order. */
    private static void checkOtherOrder(FloatTensorData whole, FloatBuffer swapped) {
        int n = swapped.capacity();
        FloatValues.fill(whole);
        float[] expected = FloatValues.all(FloatTensorData.of(swapped, n).slice(range(0, -1)));
        swapped.limit(n - 1);
        whole.put(swapped, 1);
        assertArrayEquals(expected, FloatValues.all(whole.slice(range(1, n))), "put");
        swapped.clear();
        FloatValues.fill(whole);
        expected = FloatValues.all(whole.slice(range(0, -1)));
        swapped.position(1);
        whole.slice(range(0, -1)).get(swapped);
        swapped.clear();
        assertArrayEquals(expected, FloatValues.all(FloatTensorData.of(swapped, n).slice(range(1, n))), "get");
    }

    //#end
    private interface Check {
        void accept(String where, FloatTensorData whole, FloatTensorData source, FloatTensorData target);
    }

    private static TensorIndex[][] views(int n) {
        long[] swapped = new long[n];
        for (int i = 0; i < n; i++) {
            swapped[i] = i % 3 == 0 ? n - 1 - i : i ^ 1;
        }
        return new TensorIndex[][] {
            {all(), all()}, {flip(), all()}, {all(), flip()}, {range(0, -1), range(1, n)}, {range(1, n), range(0, -1)}, {step(2), range(0, n / 2)},
            {range(n / 2, n), step(2)}, {flip(), incl(permuted(n))}, {incl(permuted(n)), all()}, {incl(permuted(n)), incl(permuted(n))},
            {incl(swapped), all()},
        };
    }

    /** All positions once, in an order that no stride says. */
    private static long[] permuted(int n) {
        long[] positions = new long[n];
        for (int i = 0; i < n; i++) {
            positions[i] = i == n - 1 ? 0 : n - 1 - i;
        }
        return positions;
    }

    /** What is in the memory after elements were written to a view, one by one. */
    private static float[] after(FloatTensorData whole, FloatTensorData target, float... written) {
        FloatValues.fill(whole);
        FloatTensorIterator scalars = target.scalars();
        for (float value : written) {
            scalars.put(value);
        }
        return FloatValues.all(whole);
    }

    private static void checkCopy(String where, FloatTensorData whole, FloatTensorData source, FloatTensorData target,
        Consumer<FloatTensorData> copy) {
        FloatValues.fill(whole);
        float[] expected = after(whole, target, FloatValues.all(source));
        FloatValues.fill(whole);
        copy.accept(target);
        assertArrayEquals(expected, FloatValues.all(whole), where);
    }

    @Test
    void dataToDataOfTheSameMemory() {
        for (int n : SIZES) {
            eachPair(n, (where, whole, source, target) -> {
                if (!target.isReadOnly()) {
                    for (TensorIndex[] views : views(n)) {
                        FloatTensorData from = source.slice(views[0]);
                        String what = where + " " + views[0] + " " + views[1];
                        checkCopy(what, whole, from, target.slice(views[1]), to -> to.put(from));
                        checkCopy(what, whole, from, target.slice(views[1]), from::get);
                    }
                }
            });
        }
    }

    @Test
    void theWholeToItselfChangesNothing() {
        for (int n : SIZES) {
            eachPair(n, (where, whole, source, target) -> {
                if (!target.isReadOnly()) {
                    FloatValues.fill(whole);
                    target.put(source);
                    source.get(target);
                    assertArrayEquals(FloatValues.array(0, n), FloatValues.all(whole), where);
                }
            });
        }
    }

    @Test
    void aMatrixOnItsTransposedSelf() {
        float[] array = FloatValues.array(0, 9);
        FloatTensorData data = FloatTensorData.of(array, 3, 3);
        data.put(new AbstractFloatTensorData(3, 3) {
            @Override
            protected float getAt(long[] indices) {
                return data.get((int) indices[1], (int) indices[0]);
            }
        });
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                assertEquals(FloatValues.of(3 * j + i), array[3 * i + j]);
            }
        }
    }

    /** Own data whose rows are arrays. */
    private static FloatTensorData lookingAt(float[]... rows) {
        return new AbstractFloatTensorData(rows.length, rows[0].length) {
            @Override
            protected float getAt(long[] indices) {
                return rows[(int) indices[0]][(int) indices[1]];
            }

            @Override
            protected void putAt(float value, long[] indices) {
                rows[(int) indices[0]][(int) indices[1]] = value;
            }
        };
    }

    @Test
    void nestedRowsThatAreTheMemoryOfTheData() {
        float[][] rows = {FloatValues.array(0, 3), FloatValues.array(3, 3), FloatValues.array(6, 3)};
        lookingAt(rows).slice(flip()).putNested(rows);
        for (int i = 0; i < 3; i++) {
            assertArrayEquals(FloatValues.array(6 - 3 * i, 3), rows[i]);
        }
        float[] row = FloatValues.array(0, 3);
        FloatTensorData.of(row, 1, 3).slice(incl(0, 0)).putNested(new float[][] {FloatValues.array(3, 3), row});
        assertArrayEquals(FloatValues.array(0, 3), row);
    }

    /** A vector that nobody is to read or write. */
    private static class Huge extends AbstractFloatTensorData {
        Huge(long n) {
            super(n);
        }

        @Override
        protected float getAt(long[] indices) {
            throw new AssertionError("read before there is a place for it");
        }

        @Override
        protected void putAt(float value, long[] indices) {
            throw new AssertionError("written");
        }
    }

    @Test
    void aCopyForWhichNoTemporaryIsLargeEnoughSaysSo() {
        for (long n : new long[] {3_000_000_000L, Long.MAX_VALUE / 16}) {
            //#if primitive
            String[] says = {"copy of the shape [" + n + "]", "may overlap", "needs a temporary"};
            //#end
            //~string String[] says = {"copy of the shape [" + n + "]", "may overlap", "temporary of " + n + " strings",
            //~string     "can have " + (Integer.MAX_VALUE - 8)};
            Expect.thrown(OutOfMemoryError.class, () -> new Huge(n).put(new Huge(n)), says);
            Expect.thrown(OutOfMemoryError.class, () -> new Huge(n).get(new Huge(n)), says);
        }
    }

    // ---- The very array or buffer ----------------------------------------------------------------------------------

    /** The ways to have data over an array, from its element 0 on. */
    private static Map<String, FloatTensorData> over(float... array) {
        Map<String, FloatTensorData> all = new LinkedHashMap<>();
        all.put("array", FloatTensorData.of(array));
        //#if buffer
        all.put("heap buffer", FloatTensorData.of(FloatBuffer.wrap(array), array.length));
        all.put("read-only heap buffer", FloatTensorData.of(FloatBuffer.wrap(array).asReadOnlyBuffer(), array.length));
        //#end
        all.put("own", new FloatOwn(array, 0, array.length));
        all.put("own looking at it", lookingAt(FloatTensorData.of(array)));
        return all;
    }

    @Test
    void getIntoTheArrayBehindTheData() {
        for (int n : SIZES) {
            float[] array = FloatValues.zeros(n);
            over(array).forEach((kind, data) -> {
                for (TensorIndex[] views : views(n)) {
                    FloatTensorData view = data.slice(views[0]);
                    System.arraycopy(FloatValues.array(0, n), 0, array, 0, n);
                    float[] expected = FloatValues.array(0, n);
                    float[] read = FloatValues.all(view);
                    System.arraycopy(read, 0, expected, 0, read.length);
                    view.copyTo(array);
                    assertArrayEquals(expected, array, kind + " " + views[0]);
                }
            });
        }
    }

    @Test
    void putTheArrayBehindTheData() {
        for (int n : SIZES) {
            float[] array = FloatValues.zeros(n);
            over(array).forEach((kind, data) -> {
                for (TensorIndex[] views : views(n)) {
                    FloatTensorData view = data.slice(views[0]);
                    if (!data.isReadOnly() && view.totalSize() == n) {
                        float[] expected = after(FloatTensorData.of(array), view, FloatValues.array(0, n));
                        FloatValues.fill(FloatTensorData.of(array));
                        view.put(array, new int[0]);
                        assertArrayEquals(expected, array, kind + " " + views[0]);
                    }
                }
            });
        }
    }

    //#if buffer
    /** The kinds of memory that several buffers can look at. */
    private static Map<String, FloatBuffer> memories(int n) {
        Map<String, FloatBuffer> all = new LinkedHashMap<>();
        all.put("heap", FloatBuffer.wrap(FloatValues.zeros(n + 3), 3, n).slice());
        all.put("bytes", FloatValues.view(ByteBuffer.allocate(n * Float.BYTES)));
        all.put("big", FloatValues.view(ByteBuffer.allocateDirect(n * Float.BYTES).order(ByteOrder.BIG_ENDIAN)));
        all.put("little", FloatValues.view(ByteBuffer.allocateDirect(n * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN)));
        return all;
    }

    @Test
    void getIntoABufferOfTheSameMemory() {
        for (int n : SIZES) {
            memories(n).forEach((kind, buffer) -> {
                FloatTensorData whole = FloatTensorData.of(buffer.duplicate(), n);
                FloatTensorData[] sources = {whole, FloatTensorData.of(buffer.asReadOnlyBuffer(), n), lookingAt(whole)};
                for (int s = 0; s < sources.length; s++) {
                    for (TensorIndex[] views : views(n)) {
                        FloatTensorData view = sources[s].slice(views[0]);
                        FloatValues.fill(whole);
                        float[] expected = FloatValues.array(0, n);
                        float[] read = FloatValues.all(view);
                        System.arraycopy(read, 0, expected, n - read.length, read.length);
                        FloatBuffer target = buffer.duplicate();
                        target.position(n - read.length);
                        view.get(target);
                        assertEquals(n, target.position());
                        assertArrayEquals(expected, FloatValues.all(whole), kind + " " + s + " " + views[0]);
                    }
                }
            });
        }
    }

    @Test
    void putABufferOfTheSameMemory() {
        for (int n : SIZES) {
            memories(n).forEach((kind, buffer) -> {
                FloatTensorData whole = FloatTensorData.of(buffer.duplicate(), n);
                FloatTensorData[] targets = {whole, lookingAt(whole)};
                for (FloatBuffer given : new FloatBuffer[] {buffer, buffer.asReadOnlyBuffer()}) {
                    for (int t = 0; t < targets.length; t++) {
                        for (TensorIndex[] views : views(n)) {
                            FloatTensorData view = targets[t].slice(views[0]);
                            int some = (int) view.totalSize();
                            float[] expected = after(whole, view, FloatValues.array(n - some, some));
                            FloatValues.fill(whole);
                            FloatBuffer source = given.duplicate();
                            source.position(n - some);
                            view.put(source);
                            assertEquals(n, source.position());
                            assertArrayEquals(expected, FloatValues.all(whole), kind + " " + given + " " + t + " " + views[0]);
                        }
                    }
                }
            });
        }
    }
    //#end
}
