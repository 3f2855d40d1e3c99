package io.tensornio;

import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.support.Expect;
import io.tensornio.support.FloatFlow;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import java.nio.FloatBuffer;
//#end

/** {@code float} data of the user's own with more elements than an {@code int} or a {@code long} can count, or have bytes. */
@ExtendWith(MemoryBalance.class)
class FloatUserHugeTest {
    /** The first position that is no {@code int}. */
    private static final long BOUND = 1L << 31;
    private static final long N = BOUND + 3;

    /** Elements by their coordinates, made when they are asked for unless they were written; what was asked for is written down. */
    private static class Huge extends AbstractFloatTensorData {
        final Map<List<Long>, Float> written = new HashMap<>();
        final List<List<Long>> asked = new ArrayList<>();

        Huge(long... shape) {
            super(shape);
        }

        private List<Long> list(long... indices) {
            List<Long> list = new ArrayList<>();
            for (int d = 0; d < indices.length; d++) {
                assertTrue(indices[d] >= 0 && indices[d] < size(d), () -> Arrays.toString(indices) + " of " + Arrays.toString(shape()));
                list.add(indices[d]);
            }
            return list;
        }

        @Override
        protected float getAt(long[] indices) {
            List<Long> index = list(indices);
            asked.add(index);
            return written.getOrDefault(index, value(indices));
        }

        @Override
        protected void putAt(float value, long[] indices) {
            written.put(list(indices), value);
        }
    }

    /** A value that tells coordinates around the bound from each other, as far as the type can. */
    private static float value(long... indices) {
        long n = 0;
        for (long index : indices) {
            n = 10 * n + (index > BOUND / 2 ? index - BOUND : index);
        }
        return FloatValues.of((int) n);
    }

    /** Sets a cursor or an iterator to a position: two billion steps would take minutes. */
    private static <T> T moved(T cursor, long to) {
        Class<?> declaring = cursor.getClass();
        while (Arrays.stream(declaring.getDeclaredFields()).noneMatch(field -> field.getName().equals("i"))) {
            declaring = declaring.getSuperclass();
        }
        try {
            Field i = declaring.getDeclaredField("i");
            assertFalse(Modifier.isFinal(i.getModifiers()));
            i.setAccessible(true);
            i.setLong(cursor, to);
            return cursor;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    // ---- Around 2^31 -----------------------------------------------------------------------------------------------

    @Test
    void elementsAroundTheBoundAreThoseOfTheirPositions() {
        Huge more = new Huge(N + 4);
        for (FloatTensorData data : new FloatTensorData[] {new Huge(N), more.slice(range(0, N)), more.slice(step(1)).slice(range(0, N))}) {
            FloatTensorElements elements = moved(data.elements(), BOUND - 3);
            for (long i = BOUND - 3; i < N; i++) {
                assertTrue(elements.hasMoreElements());
                assertEquals(value(i), elements.get().get(), "element " + i);
            }
            assertFalse(elements.hasMoreElements());
            Expect.thrown(NoSuchElementException.class, elements::get, "past the last", N + " elements");
            Expect.thrown(NoSuchElementException.class, elements::scalars, "past the last", N + " elements");
            assertEquals(value(0), elements.iterator().next().get());
        }
    }

    @Test
    void elementsAskForTheirOwnCoordinates() {
        Huge data = new Huge(N, 2);
        FloatTensorElements elements = moved(data.elements(), BOUND - 2);
        List<List<Long>> expected = new ArrayList<>();
        for (long i = BOUND - 2; i < N; i++) {
            FloatTensorIterator row = elements.scalars();
            for (long j = 0; j < 2; j++) {
                assertEquals(value(i, j), row.get());
                expected.add(Arrays.asList(i, j));
            }
        }
        assertEquals(expected, data.asked);
        assertFalse(elements.hasMoreElements());
    }

    @Test
    void iteratorsOverElementsGoPastTheBound() {
        Huge data = new Huge(N, 2);
        java.util.Iterator<FloatTensorData> rows = moved(data.elements().iterator(), BOUND - 1);
        for (long i = BOUND - 1; i < N; i++) {
            assertTrue(rows.hasNext());
            assertEquals(value(i, 1), rows.next().get(1));
        }
        assertFalse(rows.hasNext());
        Expect.thrown(NoSuchElementException.class, rows::next, N + " elements");
    }

    @Test
    void elementsAroundTheBoundAreWritten() {
        Huge data = new Huge(N, 2);
        FloatTensorElements elements = moved(data.elements(), BOUND - 2);
        elements.put(FloatValues.array(10, 2)).put(FloatTensorData.of(FloatValues.array(20, 2))).put(FloatValues.array(30, 1));
        //#if buffer
        elements.put(FloatBuffer.wrap(FloatValues.array(40, 2)));
        //#end
        //~boolean,string elements.put(FloatValues.array(40, 2));
        elements.scalars().put(FloatValues.of(50)).put(FloatValues.of(51));
        assertFalse(elements.hasMoreElements());
        Expect.thrown(NoSuchElementException.class, () -> elements.put(FloatValues.zeros(1)), N + " elements");
        Map<List<Long>, Float> expected = new HashMap<>();
        for (int n : new int[] {10, 11, 20, 21, 30, 40, 41, 50, 51}) {
            expected.put(Arrays.asList(BOUND - 3 + n / 10, (long) (n % 10)), FloatValues.of(n));
        }
        assertEquals(expected, data.written);
    }

    @Test
    void elementsOfSparseDataAroundTheBound() {
        LongTensorData places = LongTensorData.of(new long[] {0, 1, BOUND - 1, 0, BOUND, 1, BOUND + 2, 0}, 4, 2);
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(places, FloatTensorData.of(FloatValues.filled(4, SET)), N, 2)) {
            FloatTensorElements elements = moved(tensor.floatData().elements(), BOUND - 2);
            for (long i = BOUND - 2; i < N; i++) {
                FloatTensorData row = elements.get();
                for (int j = 0; j < 2; j++) {
                    boolean isSet = i == BOUND - 1 && j == 0 || i == BOUND && j == 1 || i == BOUND + 2 && j == 0;
                    assertEquals(isSet ? SET : FloatValues.ZERO, row.get(j), "element " + i + ", " + j);
                }
            }
            Expect.thrown(NoSuchElementException.class, elements::get, N + " elements");
        }
    }

    //#if numeric
    private static final float SET = 7;
    //#end
    //~boolean private static final boolean SET = true;
    //~string private static final String SET = "set";

    @Test
    void scalarsAroundTheBound() {
        Huge data = new Huge(N);
        FloatTensorIterator scalars = moved(data.scalars(), BOUND - 2);
        for (long i = BOUND - 2; i < N; i++) {
            assertTrue(scalars.hasMoreElements());
            assertEquals(value(i), scalars.get());
        }
        assertFalse(scalars.hasMoreElements());
        List<List<Long>> expected = new ArrayList<>();
        for (long i = BOUND - 2; i < N; i++) {
            expected.add(Collections.singletonList(i));
        }
        assertEquals(expected, data.asked);
        Expect.thrown(NoSuchElementException.class, scalars::get, "past the last", N + " elements");
    }

    /** What there is of views that lie across the bound, by every way to read them. */
    private static void checkView(FloatTensorData view, long... rows) {
        float[] expected = FloatValues.zeros(2 * rows.length);
        for (int n = 0; n < expected.length; n++) {
            expected[n] = value(rows[n / 2], n % 2);
        }
        assertArrayEquals(expected, FloatValues.all(view));
        float[] array = FloatValues.zeros(expected.length);
        view.copyTo(array);
        assertArrayEquals(expected, array);
        assertEquals(FloatFlow.objects(expected), FloatFlow.rest(FloatFlow.of(view).spliterator()));
        assertEquals(FloatTensorData.of(expected, rows.length, 2), view);
        int n = 0;
        for (FloatTensorData row : view.elements()) {
            assertEquals(value(rows[n++], 1), row.get(1));
        }
        assertEquals(rows.length, n);
    }

    @Test
    void viewsAcrossTheBound() {
        Huge data = new Huge(N, 2);
        checkView(data.slice(from(BOUND - 1)), BOUND - 1, BOUND, BOUND + 1, BOUND + 2);
        checkView(data.slice(range(BOUND + 1, BOUND - 3, -2)), BOUND + 1, BOUND - 1);
        checkView(data.slice(flip()).slice(range(0, 4)), BOUND + 2, BOUND + 1, BOUND, BOUND - 1);
        checkView(data.slice(incl(BOUND, 0, BOUND - 1, -1)), BOUND, 0, BOUND - 1, BOUND + 2);
        checkView(data.slice(step(BOUND)), 0, BOUND);
    }

    /** Splits of a stream down to the few elements around the bound. */
    @Test
    void streamsSplitAcrossTheBound() {
        for (long[] shape : new long[][] {{N}, {N, 1}, {1, N}}) {
            Huge data = new Huge(shape);
            Spliterator<?> part = FloatFlow.of(data).parallel().spliterator();
            assertEquals(N, part.estimateSize());
            long start = 0;
            while (part.estimateSize() > 4) {
                long size = part.estimateSize();
                Spliterator<?> before = part.trySplit();
                assertEquals(size, before.estimateSize() + part.estimateSize());
                if (start + before.estimateSize() > BOUND) {
                    part = before;
                } else {
                    start += before.estimateSize();
                }
            }
            List<Object> expected = new ArrayList<>();
            for (long i = start; i < start + part.estimateSize(); i++) {
                expected.add(FloatFlow.object(shape.length == 1 ? value(i) : shape[0] == 1 ? value(0, i) : value(i, 0)));
            }
            assertTrue(start <= BOUND && BOUND < start + expected.size());
            assertEquals(expected, FloatFlow.rest(part));
        }
    }

    // ---- As many elements as a long can count ----------------------------------------------------------------------

    @Test
    void asManyElementsAsALongCanCount() {
        // 7 * 1317624576693539401 is 2^63 - 1.
        long seventh = Long.MAX_VALUE / 7;
        for (long[] shape : new long[][] {{Long.MAX_VALUE}, {7, seventh}, {seventh, 7}, {1L << 31, 1, 1L << 31}, {1L << 60}, {1L << 62}}) {
            Huge data = new Huge(shape);
            long n = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
            assertEquals(n, data.totalSize());
            long[] last = Arrays.stream(shape).map(size -> size - 1).toArray();
            TensorIndex[] ends = Arrays.stream(last).mapToObj(TensorIndex::at).toArray(TensorIndex[]::new);
            data.slice(ends).get();
            assertEquals(Collections.singletonList(Arrays.asList(Arrays.stream(last).boxed().toArray(Long[]::new))), data.asked);
            data.asked.clear();
            TensorIndex[] flips = Arrays.stream(shape).mapToObj(size -> flip()).toArray(TensorIndex[]::new);
            data.slice(flips).scalars().get();
            assertEquals(Collections.singletonList(Arrays.asList(Arrays.stream(last).boxed().toArray(Long[]::new))), data.asked);
            data.slice(ends).put(SET);
            assertEquals(SET, data.slice(ends).get());
            assertTrue(data.toString().startsWith("FLOAT" + Arrays.toString(shape)));
            assertEquals(n, FloatFlow.of(data).spliterator().estimateSize());
        }
    }

    @Test
    void moreElementsThanALongCanCount() {
        for (long[] shape : new long[][] {{1L << 62, 2}, {Long.MAX_VALUE, 2}, {1L << 32, 1L << 31}, {7, Long.MAX_VALUE / 7 + 1}}) {
            Expect.thrown(IllegalArgumentException.class, () -> new Huge(shape), "the shape " + Arrays.toString(shape),
                "more elements than a long can count");
        }
        Expect.thrown(IllegalArgumentException.class, () -> new Huge(1L << 62, 0, 2), "more elements than a long can count, its sizes of 0 left out");
        assertEquals(0, new Huge(Long.MAX_VALUE, 0).totalSize());
        assertEquals(FloatTensorData.of(FloatValues.zeros(0), 0, 5), new Huge(0, 5));
    }

    /** What needs bytes for all of them has none, and says so; nobody asks for an element first. */
    @Test
    void whatNeedsMemoryForAllIsRefused() {
        for (long[] shape : new long[][] {{1L << 62}, {1L << 31, 1L << 31}, {Long.MAX_VALUE}}) {
            Huge data = new Huge(shape);
            Huge other = new Huge(shape);
            String named = Arrays.toString(shape);
            Expect.thrown(OutOfMemoryError.class, () -> Tensors.create(data), named);
            //#if primitive
            Expect.thrown(OutOfMemoryError.class, () -> SparseTensor.fromDense(data), named);
            //#end
            Expect.thrown(OutOfMemoryError.class, () -> other.put(data), named);
            Expect.thrown(OutOfMemoryError.class, data::toNested);
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.copyTo(FloatValues.zeros(4)), named, data.totalSize() + " elements",
                "room for 4");
            Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(FloatValues.zeros(4)).put(data), named, "[4]");
            assertTrue(data.asked.isEmpty());
            assertTrue(other.written.isEmpty());
        }
    }

    @Test
    void aPieceOfDataBeyondAllMemoryIsCopied() {
        Huge data = new Huge(1L << 61, 2);
        try (Tensor<Float> copy = Tensors.create(data.slice(at(BOUND)))) {
            assertArrayEquals(new float[] {value(BOUND, 0), value(BOUND, 1)}, FloatValues.all(copy.floatData()));
        }
        data.slice(range((1L << 61) - 2, 1L << 61)).copyFrom(FloatValues.array(5, 4));
        Map<List<Long>, Float> expected = new HashMap<>();
        for (int n = 0; n < 4; n++) {
            expected.put(Arrays.asList((1L << 61) - 2 + n / 2, (long) n % 2), FloatValues.of(5 + n));
        }
        assertEquals(expected, data.written);
    }
}
