package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorElements;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import java.nio.FloatBuffer;
//#end

/** {@code elements()} of {@code float} data: an iterable and a cursor. */
@ExtendWith(MemoryBalance.class)
class FloatElementsTest {
    @Test
    void iteratesOverViewsAlongTheFirstAxis() {
        try (Tensor<Float> tensor = FloatValues.tensor(3, 2, 2)) {
            int n = 0;
            for (FloatTensorData element : tensor.floatData().elements()) {
                assertArrayEquals(new long[] {2, 2}, element.shape());
                assertArrayEquals(FloatValues.array(4 * n++, 4), FloatValues.all(element));
            }
            assertEquals(3, n);
            n = 0;
            for (FloatTensorData element : tensor.floatData().slice(all(), at(1), flip()).elements()) {
                assertArrayEquals(new float[] {FloatValues.of(4 * n + 3), FloatValues.of(4 * n + 2)}, FloatValues.all(element));
                n++;
            }
            assertEquals(3, n);
            for (FloatTensorData element : tensor.floatData().slice(0, 0).elements()) {
                assertEquals(0, element.rank());
            }
        }
    }

    @Test
    void whatWasHandedOutStaysWhatItWas() {
        try (Tensor<Float> tensor = FloatValues.tensor(3, 2)) {
            List<FloatTensorData> collected = new ArrayList<>();
            tensor.floatData().elements().forEach(collected::add);
            FloatTensorElements cursor = tensor.floatData().elements();
            while (cursor.hasMoreElements()) {
                collected.add(cursor.get());
            }
            assertEquals(6, collected.size());
            for (int i = 0; i < 6; i++) {
                assertArrayEquals(FloatValues.array(2 * (i % 3), 2), FloatValues.all(collected.get(i)));
            }
        }
    }

    @Test
    void iteratingAndTheCursorAreIndependent() {
        try (Tensor<Float> tensor = FloatValues.tensor(3, 2)) {
            FloatTensorElements elements = tensor.floatData().elements();
            assertEquals(FloatValues.of(0), elements.get().get(0));
            Iterator<FloatTensorData> first = elements.iterator();
            Iterator<FloatTensorData> second = elements.iterator();
            assertEquals(FloatValues.of(0), first.next().get(0));
            assertEquals(FloatValues.of(2), first.next().get(0));
            assertEquals(FloatValues.of(0), second.next().get(0));
            assertEquals(FloatValues.of(2), elements.get().get(0));
            int[] count = {0};
            elements.forEach(element -> assertEquals(FloatValues.of(2 * count[0]++), element.get(0)));
            assertEquals(3, count[0]);
            assertEquals(FloatValues.of(4), elements.scalars().get());
            assertFalse(elements.hasMoreElements());
            assertTrue(first.hasNext());
            first.next();
            assertFalse(first.hasNext());
            Expect.thrown(NoSuchElementException.class, first::next, "past", "3 elements");
            assertThrows(UnsupportedOperationException.class, second::remove);
            assertTrue(elements.iterator().hasNext());
        }
    }

    @Test
    void aStreamOfElementsKnowsHowManyThereAre() {
        try (Tensor<Float> tensor = FloatValues.tensor(5, 2)) {
            FloatTensorElements elements = tensor.floatData().elements();
            elements.get();             // moves the cursor alone
            Spliterator<FloatTensorData> all = elements.spliterator();
            assertEquals(5, all.getExactSizeIfKnown());
            assertTrue(all.hasCharacteristics(Spliterator.ORDERED | Spliterator.SUBSIZED | Spliterator.NONNULL));
            Spliterator<FloatTensorData> first = all.trySplit();
            assertEquals(2, first.getExactSizeIfKnown());
            assertEquals(3, all.getExactSizeIfKnown());
            assertTrue(all.tryAdvance(row -> assertEquals(FloatValues.of(4), row.get(0))));
            assertEquals(2, all.getExactSizeIfKnown());
            assertTrue(first.tryAdvance(row -> assertEquals(FloatValues.of(0), row.get(0))));
            assertNull(first.trySplit());
            Expect.thrown(NullPointerException.class, () -> first.tryAdvance(null), "action");
            assertTrue(first.tryAdvance(row -> assertEquals(FloatValues.of(2), row.get(0))));
            assertFalse(first.tryAdvance(row -> assertEquals(FloatValues.of(99), row.get(0))));
            for (boolean parallel : new boolean[] {false, true}) {
                Object[] rows = StreamSupport.stream(elements.spliterator(), parallel).map(row -> row.get(1)).toArray();
                assertArrayEquals(new Object[] {FloatValues.of(1), FloatValues.of(3), FloatValues.of(5), FloatValues.of(7), FloatValues.of(9)}, rows);
            }
        }
        Tensor<Float> closed = FloatValues.tensor(5, 2);
        Stream<FloatTensorData> begun = StreamSupport.stream(closed.floatData().elements().spliterator(), false);
        closed.close();
        Expect.thrown(TensorClosedException.class, begun::count, "FLOAT", "[5, 2]");         // which asks for no element
        Spliterator<FloatTensorData> huge = new AbstractFloatTensorData(1L << 40, 2) {
            @Override
            protected float getAt(long[] indices) {
                return FloatValues.of((int) (indices[0] >> 38));
            }
        }.elements().spliterator();
        huge.trySplit();
        assertEquals(1L << 39, huge.getExactSizeIfKnown());
        assertTrue(huge.tryAdvance(row -> assertEquals(FloatValues.of(2), row.get(0))));
    }

    @Test
    void putsArraysBuffersAndData() {
        try (Tensor<Float> source = FloatValues.tensor(2); Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 2}, data -> {
            FloatTensorElements elements = data.elements();
            assertSame(elements, elements.put(FloatValues.array(10, 2)));
            assertSame(elements, elements.put(source.floatData()));
            elements.scalars().put(FloatValues.of(20)).put(FloatValues.of(21));
            //#if buffer
            FloatBuffer buffer = FloatBuffer.wrap(FloatValues.array(29, 3), 1, 2);
            assertSame(elements, elements.put(buffer));
            assertEquals(3, buffer.position());
            //#end
            //~boolean,string elements.put(FloatValues.array(30, 2));
            assertFalse(elements.hasMoreElements());
        })) {
            FloatTensorData data = tensor.floatData();
            assertArrayEquals(FloatValues.array(10, 2), FloatValues.all(data.slice(0)));
            assertArrayEquals(FloatValues.array(0, 2), FloatValues.all(data.slice(1)));
            assertArrayEquals(FloatValues.array(20, 2), FloatValues.all(data.slice(2)));
            assertArrayEquals(FloatValues.array(30, 2), FloatValues.all(data.slice(3)));
        }
    }

    @Test
    void aShorterArrayLeavesTheRest() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {3, 3}, data -> {
            FloatValues.fill(data);
            data.elements().put(FloatValues.array(100, 2)).put(FloatValues.zeros(0)).put(FloatValues.array(200, 1));
        })) {
            FloatTensorData data = tensor.floatData();
            assertArrayEquals(new float[] {FloatValues.of(100), FloatValues.of(101), FloatValues.of(2), FloatValues.of(3), FloatValues.of(4),
                FloatValues.of(5),
                FloatValues.of(200), FloatValues.of(7), FloatValues.of(8)}, FloatValues.all(data));
        }
    }

    @Test
    void theCursorStaysAfterAFailure() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 2}, data -> {
            FloatValues.fill(data);
            FloatTensorElements elements = data.elements();
            elements.get();
            Expect.thrown(IndexOutOfBoundsException.class, () -> elements.put(FloatValues.zeros(3)), "3 elements", "at [1]", "[2, 2]",
                "which has 2");
            Expect.thrown(IllegalArgumentException.class, () -> elements.put(data), "[2, 2]", "at [1]", "[2]");
            Expect.thrown(NullPointerException.class, () -> elements.put((float[]) null), "array");
            Expect.thrown(NullPointerException.class, () -> elements.put((FloatTensorData) null), "tensor");
            //#if buffer
            FloatBuffer buffer = FloatBuffer.allocate(3);
            Expect.thrown(IndexOutOfBoundsException.class, () -> elements.put(buffer), "3 elements", "at [1]", "[2, 2]", "which has 2");
            assertEquals(0, buffer.position());
            Expect.thrown(NullPointerException.class, () -> elements.put((FloatBuffer) null), "buffer");
            //#end
            assertArrayEquals(FloatValues.array(0, 4), FloatValues.all(data));
            elements.put(FloatValues.array(50, 2));
            assertFalse(elements.hasMoreElements());
        })) {
            assertArrayEquals(FloatValues.array(50, 2), FloatValues.all(tensor.floatData().slice(1)));
            FloatTensorElements elements = tensor.floatData().elements();
            Expect.thrown(ReadOnlyBufferException.class, () -> elements.put(FloatValues.zeros(2)), "FLOAT", "[2, 2]");
            Expect.thrown(ReadOnlyBufferException.class, () -> elements.put(tensor.floatData().slice(0)), "FLOAT", "[2, 2]");
            assertArrayEquals(FloatValues.array(0, 2), FloatValues.all(elements.get()));
        }
    }

    @Test
    void pastTheLast() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 0}, data -> {
            FloatTensorElements elements = data.elements();
            elements.get();
            elements.get();
            for (int i = 0; i < 2; i++) {
                assertFalse(elements.hasMoreElements());
                Expect.thrown(NoSuchElementException.class, elements::get, "past", "2 elements");
                Expect.thrown(NoSuchElementException.class, elements::scalars, "past", "2 elements");
                Expect.thrown(NoSuchElementException.class, () -> elements.put(FloatValues.zeros(0)), "past", "2 elements");
                Expect.thrown(NoSuchElementException.class, () -> elements.put(data.slice(0)), "past", "2 elements");
                //#if buffer
                Expect.thrown(NoSuchElementException.class, () -> elements.put(FloatBuffer.allocate(0)), "past", "2 elements");
                //#end
            }
        })) {
            assertFalse(tensor.floatData().slice(0).elements().hasMoreElements());
            assertFalse(tensor.floatData().slice(0).elements().iterator().hasNext());
        }
    }

    @Test
    void checksComeInOrder() {
        Tensor<Float> tensor = FloatValues.tensor(1, 2);
        FloatTensorElements elements = tensor.floatData().elements();
        elements.get();
        Tensor<Float> other = FloatValues.tensor(2);
        FloatTensorData gone = other.floatData();
        other.close();
        // Closed comes before read-only, read-only before the end, null before all of them.
        Expect.thrown(TensorClosedException.class, () -> elements.put(gone), "FLOAT", "[2]");
        Expect.thrown(ReadOnlyBufferException.class, () -> elements.put(FloatValues.zeros(2)), "FLOAT", "[1, 2]");
        Expect.thrown(NullPointerException.class, () -> elements.put((float[]) null), "array");
        Expect.thrown(NullPointerException.class, () -> elements.put((FloatTensorData) null), "tensor");
        FloatTensorElements writable = FloatTensorData.of(FloatValues.zeros(2), 1, 2).elements();
        Expect.thrown(TensorClosedException.class, () -> writable.put(gone), "FLOAT", "[2]");
        writable.get();
        Expect.thrown(TensorClosedException.class, () -> writable.put(gone), "FLOAT", "[2]");
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> elements.put(gone), "FLOAT", "[1, 2]");
        Expect.thrown(TensorClosedException.class, elements::get, "FLOAT", "[1, 2]");
        Expect.thrown(TensorClosedException.class, elements::scalars, "FLOAT", "[1, 2]");
        Expect.thrown(TensorClosedException.class, () -> elements.put(FloatValues.zeros(2)), "FLOAT", "[1, 2]");
        Expect.thrown(NullPointerException.class, () -> elements.put((float[]) null), "array");
    }

    @Test
    void rankZeroHasNone() {
        try (Tensor<Float> tensor = FloatValues.tensor()) {
            Expect.thrown(IllegalArgumentException.class, () -> tensor.floatData().elements(), "rank 0", "scalars()");
        }
    }
}
