package io.tensornio.internal.layout;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatSources;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Pick;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import io.tensornio.support.FloatBuffers;
import java.nio.BufferOverflowException;
import java.nio.FloatBuffer;
//#end

/** Slices of {@code float} data by lists of positions: what they write, copy and refuse. */
@ExtendWith(MemoryBalance.class)
class FloatListTest {
    private static final int[] SHAPE = {3, 4, 5};
    /** Picks that no strides can say, on each of the axes. */
    private static final Pick[][] VIEWS = {
        {Pick.incl(2, 0, 0)},
        {Pick.all(3), Pick.incl(0, 1, 3)},
        {Pick.all(3), Pick.all(4), Pick.incl(4, 4, 0, 1)},
        {Pick.incl(2, 2), Pick.incl(3, 0, 2), Pick.incl(1, 4, 0)},
        {Pick.at(1), Pick.incl(1, 1, 0), Pick.flip(5)},
        {Pick.incl(0, 2, 1), Pick.newAxis(), Pick.at(3), Pick.incl(0, 0, 0)},
        {Pick.at(2), Pick.at(0), Pick.incl(3, 3, 1)},
        {Pick.incl(1, 1, 2), Pick.range(2, 2, 1)},
    };

    /** Runs a check on views of data of every kind, each filled anew. */
    private static void onEachView(BiConsumer<FloatTensorData, NaiveView> check) {
        onEachView((whole, data, view) -> check.accept(data, view));
    }

    private interface Check {
        void accept(FloatTensorData whole, FloatTensorData data, NaiveView view);
    }

    private static void onEachView(Check check) {
        try (Tensor<Float> tensor = Tensors.denseFloat(Pick.longs(SHAPE), whole -> onEachView(whole, "native", check))) {
            assertEquals(60, tensor.numElements());
        }
        for (String kind : FloatSources.KINDS) {
            FloatSources source = FloatSources.of(kind, Pick.longs(SHAPE));
            onEachView(source.data, kind, check);
            source.checkMargins.run();
        }
    }

    private static void onEachView(FloatTensorData whole, String kind, Check check) {
        for (Pick[] picks : VIEWS) {
            FloatValues.fill(whole);
            try {
                check.accept(whole, whole.slice(Pick.indices(picks)), NaiveView.of(SHAPE).slice(picks));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("in the view " + Arrays.toString(picks) + " of data over: " + kind, e);
            }
        }
    }

    private static float[] expected(NaiveView view) {
        float[] expected = FloatValues.zeros(view.size());
        for (int i = 0; i < expected.length; i++) {
            expected[i] = FloatValues.of(view.positions[i]);
        }
        return expected;
    }

    /** All indices that a bulk call may be given. */
    private static Iterable<int[]> selections(NaiveView view) {
        return () -> IntStream.rangeClosed(0, view.rank()).boxed().flatMap(n -> NaiveView.of(Arrays.copyOf(view.shape, n)).indices().stream())
            .iterator();
    }

    // ---- What they do ----------------------------------------------------------------------------------------------

    @Test
    void putsOfEveryLengthToEverySelection() {
        onEachView((whole, data, view) -> {
            for (int[] indices : selections(view)) {
                NaiveView selection = view.selection(indices);
                for (int n = 0; n <= selection.size(); n += 1 + n / 4) {
                    String where = n + " at " + Arrays.toString(indices);
                    float[] model = FloatValues.array(0, 60);
                    for (int i = 0; i < n; i++) {
                        model[selection.positions[i]] = FloatValues.of(100 + i);
                    }
                    FloatValues.fill(whole);
                    data.put(FloatValues.array(100, n), indices);
                    assertArrayEquals(model, FloatValues.all(whole), where);
                    //#if buffer
                    String kind = FloatBuffers.KINDS.get((n + selection.size()) % FloatBuffers.KINDS.size());
                    FloatBuffer buffer = FloatBuffers.of(kind, n);
                    for (int i = 0; i < n; i++) {
                        buffer.put(FloatBuffers.MARGIN + i, FloatValues.of(100 + i));
                    }
                    FloatValues.fill(whole);
                    data.put(buffer, indices);
                    assertArrayEquals(model, FloatValues.all(whole), where + " from " + kind);
                    assertEquals(FloatBuffers.MARGIN + n, buffer.position(), where + " from " + kind);
                    //#end
                }
            }
        });
    }

    @Test
    void getsEverySelection() {
        onEachView((data, view) -> {
            for (int[] indices : selections(view)) {
                float[] expected = expected(view.selection(indices));
                float[] array = FloatValues.zeros(expected.length);
                data.get(array, indices);
                assertArrayEquals(expected, array, Arrays.toString(indices));
            }
            //#if buffer
            float[] all = expected(view);
            FloatBuffers.all(all.length).forEach((kind, buffer) -> {
                data.get(buffer);
                assertEquals(0, buffer.remaining(), kind);
                assertArrayEquals(FloatBuffers.withMargins(all), FloatBuffers.content(buffer), kind);
            });
            //#end
        });
    }

    @Test
    void longRowsBehindAList() {
        int[] shape = {4, 3, 20};
        Pick[][] views = {
            {Pick.incl(2, 0, 0)},
            {Pick.incl(1, 3, 2), Pick.all(3), Pick.range(1, 18, 1)},
            {Pick.all(4), Pick.incl(2, 2, 0)},
            {Pick.incl(0, 1, 3), Pick.flip(3), Pick.flip(20)},
            {Pick.incl(3, 3), Pick.incl(0, 2, 1)},
        };
        try (Tensor<Float> tensor = Tensors.denseFloat(Pick.longs(shape), data -> checkLongRows(data, shape, views))) {
            assertEquals(240, tensor.numElements());
        }
        for (String kind : FloatSources.KINDS) {
            checkLongRows(FloatSources.of(kind, Pick.longs(shape)).data, shape, views);
        }
    }

    private static void checkLongRows(FloatTensorData whole, int[] shape, Pick[]... views) {
        for (Pick[] picks : views) {
            NaiveView view = NaiveView.of(shape).slice(picks);
            FloatTensorData data = whole.slice(Pick.indices(picks));
            for (int n = 0; n <= view.size(); n += n % 20 == 0 ? 1 : n % 20 == 1 ? 18 : 1) {
                FloatValues.fill(whole);
                float[] model = FloatValues.array(0, 240);
                for (int i = 0; i < n; i++) {
                    model[view.positions[i]] = FloatValues.of(300 + i);
                }
                data.copyFrom(FloatValues.array(300, n));
                assertArrayEquals(model, FloatValues.all(whole), n + " of " + Arrays.toString(picks));
                float[] all = FloatValues.zeros(view.size());
                data.copyTo(all);
                for (int i = 0; i < all.length; i++) {
                    assertEquals(model[view.positions[i]], all[i], n + " of " + Arrays.toString(picks));
                }
            }
        }
    }

    @Test
    void theLastOfRepeatedPositionsWins() {
        try (Tensor<Float> source = FloatValues.tensor(3, 2); Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 2}, data -> {
            FloatTensorData view = data.slice(incl(1, 1, 1), incl(1, 1));
            view.put(source.floatData());
            assertEquals(FloatValues.of(5), data.get(1, 1));
            view.slice(flip(), flip()).put(source.floatData());
            assertEquals(FloatValues.of(5), data.get(1, 1));
            view.put(source.floatData().slice(flip()));
            assertEquals(FloatValues.of(1), data.get(1, 1));
            view.copyFrom(FloatValues.array(10, 4));
            assertEquals(FloatValues.of(13), data.get(1, 1));
            // Within the same tensor all is read before anything is written.
            data.put(FloatValues.array(20, 4));
            data.slice(incl(0, 1, 0, 0), all()).put(data.slice(incl(1, 0, 0, 1), flip()));
            assertArrayEquals(new float[] {FloatValues.of(23), FloatValues.of(22), FloatValues.of(21), FloatValues.of(20)}, FloatValues.all(data));
            data.slice(incl(0, 0), incl(0, 0)).put(data);
        })) {
            assertArrayEquals(new float[] {FloatValues.of(20), FloatValues.of(22), FloatValues.of(21), FloatValues.of(20)},
                FloatValues.all(tensor.floatData()));
        }
    }

    // ---- What they refuse ------------------------------------------------------------------------------------------

    @Test
    void coordinatesOutsideOfAViewAreRefusedNotReadFromTheNeighbour() {
        onEachView((whole, data, view) -> {
            for (int d = 0; d < view.rank(); d++) {
                for (int i : new int[] {-1, view.shape[d], view.shape[d] + 1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                    int[] at = new int[view.rank()];
                    at[d] = i;
                    boolean hasElements = Arrays.stream(view.shape).allMatch(size -> size > 0);
                    String[] says = hasElements ? new String[] {"index " + i + " of " + Arrays.toString(at), "axis " + d, "size " + view.shape[d],
                        Arrays.toString(view.shape)}
                        : new String[] {"is outside of axis", Arrays.toString(view.shape)};
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(at), says);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> FloatValues.get(data, at), says);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.OWN, at), says);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> FloatValues.put(data, FloatValues.OWN, at), says);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(at), says);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> FloatValues.slice(data, at), says);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(FloatValues.zeros(60), at), says);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.zeros(1), at), says);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(data, at), says);
                }
            }
            int[] more = new int[view.rank() + 1];
            if (view.size() > 0) {
                String[] says = {more.length + " indices", Arrays.toString(view.shape), "rank " + view.rank()};
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(more), says);
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.zeros(0), more), says);
            }
            assertArrayEquals(FloatValues.array(0, 60), FloatValues.all(whole));
        });
    }

    @Test
    void whatDoesNotFitWritesNothing() {
        onEachView((whole, data, view) -> {
            int size = view.size();
            String shape = Arrays.toString(view.shape);
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.copyFrom(FloatValues.zeros(size + 1)), Expect.elements(size + 1), shape,
                "which has " + size);
            if (size > 0) {
                float[] array = FloatValues.filled(size - 1, FloatValues.OWN);
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.copyTo(array), shape, Expect.elements(size), "room for " + (size - 1));
                assertArrayEquals(FloatValues.filled(size - 1, FloatValues.OWN), array);
            }
            FloatTensorData unlike = FloatTensorData.of(FloatValues.filled(14, FloatValues.OWN), 2, 7);
            Expect.thrown(IllegalArgumentException.class, () -> data.put(unlike), shape, "[2, 7]");
            Expect.thrown(IllegalArgumentException.class, () -> data.get(unlike), shape, "[2, 7]");
            assertArrayEquals(FloatValues.filled(14, FloatValues.OWN), FloatValues.all(unlike));
            FloatTensorIterator scalars = data.scalars();
            for (int i = 0; i < size; i++) {
                scalars.get();
            }
            Expect.thrown(NoSuchElementException.class, () -> scalars.put(FloatValues.OWN),
                "past the last of " + Expect.elements(size));
            assertArrayEquals(FloatValues.array(0, 60), FloatValues.all(whole));
        });
    }

    //#if buffer
    @Test
    void buffersThatDoNotFitKeepTheirPositions() {
        onEachView((whole, data, view) -> {
            int size = view.size();
            FloatBuffers.filled(100, size + 1).forEach((kind, buffer) -> {
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(buffer), Expect.elements(size + 1), Arrays.toString(view.shape),
                    "which has " + size);
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(buffer, -1), "index -1", "axis 0");
                assertEquals(FloatBuffers.MARGIN, buffer.position(), kind);
                assertEquals(size + 1, buffer.remaining(), kind);
            });
            FloatBuffers.all(size).forEach((kind, buffer) -> {
                FloatBuffer readOnly = buffer.asReadOnlyBuffer();
                Expect.thrown(ReadOnlyBufferException.class, () -> data.get(readOnly), "buffer", "read-only");
                assertEquals(FloatBuffers.MARGIN, readOnly.position(), kind);
                buffer.position(FloatBuffers.MARGIN);
                if (size > 0) {
                    buffer.limit(FloatBuffers.MARGIN + size - 1);
                    Expect.thrown(BufferOverflowException.class, () -> data.get(buffer), Expect.elements(size), "room for " + (size - 1));
                }
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(buffer, view.shape[0]), "index " + view.shape[0], "axis 0");
                assertEquals(FloatBuffers.MARGIN, buffer.position(), kind);
                assertArrayEquals(FloatValues.filled(buffer.capacity(), FloatValues.OWN), FloatBuffers.content(buffer), kind);
            });
            assertArrayEquals(FloatValues.array(0, 60), FloatValues.all(whole));
        });
    }
    //#end

    /** Each call with everything wrong that can be, but for the argument that may be null. */
    private static void everyCallThrows(FloatTensorData data, Class<? extends Throwable> reads, Class<? extends Throwable> writes) {
        int[] bad = {99, 99};
        Expect.thrown(reads, () -> data.get(bad));
        Expect.thrown(reads, () -> data.get(99));
        Expect.thrown(reads, () -> data.get(FloatValues.zeros(0), bad));
        Expect.thrown(reads, () -> data.slice(bad));
        Expect.thrown(writes, () -> data.put(FloatValues.OWN, bad));
        Expect.thrown(writes, () -> data.put(FloatValues.OWN, 99));
        Expect.thrown(writes, () -> data.put(FloatValues.zeros(999), bad));
        Expect.thrown(writes, () -> data.put(FloatTensorData.of(FloatValues.zeros(999)), bad));
        Expect.thrown(writes, () -> data.scalars().put(FloatValues.OWN));
        //#if buffer
        Expect.thrown(reads, () -> data.get(FloatBuffer.allocate(0), bad));
        Expect.thrown(writes, () -> data.put(FloatBuffer.allocate(999), bad));
        //#end
    }

    private static void everyNullIsNamed(FloatTensorData data) {
        Expect.thrown(NullPointerException.class, () -> data.get((float[]) null, 99), "array");
        Expect.thrown(NullPointerException.class, () -> data.put((float[]) null, 99), "array");
        Expect.thrown(NullPointerException.class, () -> data.get((FloatTensorData) null, 99), "tensor");
        Expect.thrown(NullPointerException.class, () -> data.put((FloatTensorData) null, 99), "tensor");
        Expect.thrown(NullPointerException.class, () -> data.get(FloatValues.zeros(0), (int[]) null), "indices");
        Expect.thrown(NullPointerException.class, () -> data.put(FloatValues.zeros(0), (int[]) null), "indices");
        Expect.thrown(NullPointerException.class, () -> data.slice((int[]) null), "indices");
        Expect.thrown(NullPointerException.class, () -> data.slice((TensorIndex[]) null), "indices");
        //#if buffer
        Expect.thrown(NullPointerException.class, () -> data.get((FloatBuffer) null, 99), "buffer");
        Expect.thrown(NullPointerException.class, () -> data.put((FloatBuffer) null, 99), "buffer");
        Expect.thrown(NullPointerException.class, () -> data.get(FloatBuffer.allocate(0), (int[]) null), "indices");
        //#end
        assertThrows(NullPointerException.class, () -> data.get((int[]) null));
        assertThrows(NullPointerException.class, () -> data.put(FloatValues.OWN, (int[]) null));
    }

    @Test
    void checksComeInOrder() {
        Tensor<Float> tensor = FloatValues.tensor(3, 4);
        TensorIndex[] strided = {flip()};
        TensorIndex[] listed = {incl(2, 0, 0), incl(0, 1, 3)};
        FloatTensorData[] published = {tensor.floatData(), tensor.floatData().slice(strided), tensor.floatData().slice(listed)};
        for (FloatTensorData data : published) {
            everyNullIsNamed(data);
            everyCallThrows(data, IndexOutOfBoundsException.class, ReadOnlyBufferException.class);
        }
        for (String kind : FloatSources.KINDS) {
            FloatSources source = FloatSources.of(kind, 3, 4);
            for (FloatTensorData data : new FloatTensorData[] {source.readOnly, source.readOnly.slice(strided), source.readOnly.slice(listed)}) {
                everyNullIsNamed(data);
                everyCallThrows(data, IndexOutOfBoundsException.class, ReadOnlyBufferException.class);
                Expect.thrown(ReadOnlyBufferException.class, () -> source.data.get(data, 99), "FLOAT", "[3, 4]");
            }
            everyNullIsNamed(source.data);
            everyNullIsNamed(source.data.slice(listed));
        }
        FloatTensorData other = FloatTensorData.of(FloatValues.zeros(12), 3, 4);
        FloatTensorData readOnly = FloatSources.of("array", 3, 4).readOnly;
        tensor.close();
        for (FloatTensorData data : published) {
            everyNullIsNamed(data);
            everyCallThrows(data, TensorClosedException.class, TensorClosedException.class);
            Expect.thrown(TensorClosedException.class, () -> other.put(data, 99), "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, () -> other.get(data, 99), "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, () -> readOnly.put(data, 99), "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, () -> readOnly.slice(listed).put(data, 99), "FLOAT", "[3, 4]");
            //#if buffer
            Expect.thrown(TensorClosedException.class, () -> data.get(FloatBuffer.allocate(0).asReadOnlyBuffer(), 99), "FLOAT", "[3, 4]");
            //#end
            Expect.thrown(TensorClosedException.class, data::hashCode, "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, () -> data.equals(other), "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, () -> other.equals(data), "FLOAT", "[3, 4]");
            Expect.thrown(TensorClosedException.class, data::elements, "FLOAT", "[3, 4]");
        }
    }

    @Test
    void aSliceIsCheckedWhenItIsMade() {
        onEachView((data, view) -> {
            int size = view.shape[0];
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(at(size)), "at(" + size + ")", "axis 0", "size " + size,
                Arrays.toString(view.shape));
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(incl(0, size)), "position ", " of incl(0, " + size + ")", "axis 0",
                "size " + size);
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(range(0, size + 1)), "range(0, " + (size + 1) + ")", "axis 0",
                "size " + size);
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(size), "index " + size, "axis 0", "size " + size);
        });
    }

    // ---- Equality --------------------------------------------------------------------------------------------------

    @Test
    void equalDataIsEqualWhereverItLies() {
        onEachView((data, view) -> {
            FloatTensorData copy = FloatTensorData.of(expected(view), view.longShape());
            assertEquals(copy, data);
            assertEquals(data, copy);
            assertEquals(copy.hashCode(), data.hashCode());
            int hash = 31 * "FLOAT".hashCode() + Arrays.hashCode(view.longShape());
            for (float value : expected(view)) {
                hash = 31 * hash + FloatValues.hash(value);
            }
            assertEquals(hash, data.hashCode());
            if (view.size() > 0) {
                data.copyFrom(FloatValues.array(901, 1));
                assertEquals(Arrays.equals(FloatValues.all(copy), FloatValues.all(data)), data.equals(copy));
                assertEquals(Arrays.equals(FloatValues.all(copy), FloatValues.all(data)), copy.equals(data));
            }
        });
    }
}
