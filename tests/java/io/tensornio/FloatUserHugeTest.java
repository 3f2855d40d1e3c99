package io.tensornio;

import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
//#if buffer
import java.nio.FloatBuffer;
//#end
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

/** {@code float} data of the user's own with more elements than an {@code int} can count. */
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

    /** Sets a cursor or an iterator to a position: two milliards of steps would take minutes. */
    private static <T> T moved(T cursor, long to) {
        try {
            Field i = cursor.getClass().getDeclaredField("i");
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
        for (FloatTensorData data : new FloatTensorData[] {new Huge(N), new Huge(N + 4).slice(range(0, N)), new Huge(N + 4).slice(step(1)).slice(range(0, N))}) {
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
        long[] places = {0, 1, BOUND - 1, 0, BOUND, 1, BOUND + 2, 0};
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(LongTensorData.of(places, 4, 2), FloatTensorData.of(FloatValues.filled(4, SET)), N, 2)) {
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
}
