package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.nio.ReadOnlyBufferException;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code scalars()} of {@code float} data. */
@ExtendWith(MemoryBalance.class)
class FloatIteratorTest {
    private static final RuntimeException STOP = new RuntimeException("stop");

    /** The views in which the tests run, all of the values of 0 to 11 in another order. */
    private static FloatTensorData[] views(FloatTensorData data) {
        return new FloatTensorData[] {data, data.slice(flip()), data.slice(all(), flip()), data.slice(flip(), flip(), flip())};
    }

    private static Tensor<Float> withViews(java.util.function.Consumer<FloatTensorData> check) {
        return Tensors.denseFloat(new long[] {2, 3, 2}, data -> {
            for (FloatTensorData view : views(data)) {
                FloatValues.fill(view);
                check.accept(view);
            }
        });
    }

    @Test
    void readsInRowMajorOrder() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3, 4)) {
            FloatTensorData data = tensor.floatData();
            assertArrayEquals(FloatValues.array(0, 24), FloatValues.all(data));
            assertArrayEquals(FloatValues.array(12, 12), FloatValues.all(data.slice(1)));
            FloatTensorIterator odd = data.slice(all(), range(2, 0, -1), step(3)).scalars();
            for (int n : new int[] {8, 11, 4, 7, 20, 23, 16, 19}) {
                assertTrue(odd.hasMoreElements());
                assertEquals(FloatValues.of(n), odd.get());
            }
            assertFalse(odd.hasMoreElements());
        }
    }

    @Test
    void rankZero() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[0], data -> {
            FloatTensorIterator scalars = data.scalars();
            assertTrue(scalars.hasMoreElements());
            assertSame(scalars, scalars.put(FloatValues.of(3)));
            assertFalse(scalars.hasMoreElements());
            Expect.thrown(NoSuchElementException.class, () -> scalars.put(FloatValues.of(4)), "past the last of 1 element");
        })) {
            assertEquals(FloatValues.of(3), tensor.floatData().scalars().get());
        }
    }

    @Test
    void callsChain() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 2}, data -> {
            data.slice(all(), flip()).scalars().put(FloatValues.of(1)).put(FloatValues.of(0)).put(FloatValues.of(3)).put(FloatValues.of(2));
        })) {
            assertArrayEquals(FloatValues.array(0, 4), FloatValues.all(tensor.floatData()));
        }
    }

    @Test
    void readsAndWritesShareThePosition() {
        try (Tensor<Float> tensor = withViews(view -> {
            FloatTensorIterator scalars = view.scalars();
            for (int i = 0; i < 12; i += 2) {
                assertEquals(FloatValues.of(i), scalars.get());
                scalars.put(FloatValues.of(100 + i));
            }
            assertFalse(scalars.hasMoreElements());
            scalars = view.scalars();
            for (int i = 0; i < 12; i += 2) {
                assertEquals(FloatValues.of(i), scalars.get());
                assertEquals(FloatValues.of(100 + i), scalars.get());
            }
        })) {
            assertEquals(12, tensor.numElements());
        }
    }

    @Test
    void pastTheEnd() {
        try (Tensor<Float> tensor = withViews(view -> {
            FloatTensorIterator scalars = view.scalars();
            scalars.forEach(value -> { });
            for (int i = 0; i < 3; i++) {
                assertFalse(scalars.hasMoreElements());
                Expect.thrown(NoSuchElementException.class, scalars::get, "past the last of 12 elements");
                Expect.thrown(NoSuchElementException.class, () -> scalars.put(FloatValues.FOREIGN), "past the last of 12 elements");
            }
            scalars.forEach(value -> {
                throw STOP;
            });
            scalars.onEach(() -> {
                throw STOP;
            });
            assertArrayEquals(FloatValues.array(0, 12), FloatValues.all(view));
        })) {
            FloatTensorIterator none = tensor.floatData().slice(range(0, 0)).scalars();
            assertFalse(none.hasMoreElements());
            Expect.thrown(NoSuchElementException.class, none::get, "past the last of 0 elements");
        }
    }

    @Test
    void forEachAndOnEachTakeWhatIsLeft() {
        try (Tensor<Float> tensor = withViews(view -> {
            for (int start = 0; start <= 12; start++) {
                FloatTensorIterator reading = view.scalars();
                FloatTensorIterator writing = view.scalars();
                for (int i = 0; i < start; i++) {
                    reading.get();
                    writing.get();
                }
                int[] next = {start};
                reading.forEach(value -> assertEquals(FloatValues.of(next[0]++), value));
                assertEquals(12, next[0]);
                assertFalse(reading.hasMoreElements());
                next[0] = start;
                writing.onEach(() -> FloatValues.of(next[0]++));
                assertEquals(12, next[0]);
                assertFalse(writing.hasMoreElements());
                assertArrayEquals(FloatValues.array(0, 12), FloatValues.all(view));
            }
        })) {
            assertEquals(12, tensor.numElements());
        }
    }

    @Test
    void aConsumerThatThrowsHasTakenItsElement() {
        try (Tensor<Float> tensor = withViews(view -> {
            for (int stop = 0; stop < 12; stop++) {
                int last = stop;
                int[] taken = {0};
                FloatTensorIterator scalars = view.scalars();
                assertSame(STOP, assertThrows(RuntimeException.class, () -> scalars.forEach(value -> {
                    assertEquals(FloatValues.of(taken[0]), value);
                    if (taken[0]++ == last) {
                        throw STOP;
                    }
                })));
                assertEquals(stop + 1, taken[0]);
                assertEquals(stop < 11, scalars.hasMoreElements());
                if (stop < 11) {
                    assertEquals(FloatValues.of(stop + 1), scalars.get());
                }
            }
        })) {
            assertEquals(12, tensor.numElements());
        }
    }

    @Test
    void aSupplierThatThrowsHasGivenNothing() {
        try (Tensor<Float> tensor = withViews(view -> {
            for (int stop = 0; stop < 12; stop++) {
                FloatValues.fill(view);
                int last = stop;
                int[] given = {0};
                FloatTensorIterator scalars = view.scalars();
                assertSame(STOP, assertThrows(RuntimeException.class, () -> scalars.onEach(() -> {
                    if (given[0] == last) {
                        throw STOP;
                    }
                    return FloatValues.of(100 + given[0]++);
                })));
                float[] expected = FloatValues.array(0, 12);
                System.arraycopy(FloatValues.array(100, stop), 0, expected, 0, stop);
                assertArrayEquals(expected, FloatValues.all(view), "what came before stays");
                assertEquals(FloatValues.of(stop), scalars.get(), "the element that got no value is the next");
            }
        })) {
            assertEquals(12, tensor.numElements());
        }
    }

    @Test
    void nullArguments() {
        try (Tensor<Float> tensor = FloatValues.tensor(3)) {
            FloatTensorIterator scalars = tensor.floatData().scalars();
            Expect.thrown(NullPointerException.class, () -> scalars.forEach(null), "consumer");
            Expect.thrown(NullPointerException.class, () -> scalars.onEach(null), "supplier");
            assertEquals(FloatValues.of(0), scalars.get());
        }
    }

    @Test
    void readOnlyDataAsksTheSupplierForNothing() {
        try (Tensor<Float> tensor = FloatValues.tensor(3)) {
            FloatTensorIterator scalars = tensor.floatData().scalars();
            Expect.thrown(ReadOnlyBufferException.class, () -> scalars.onEach(() -> {
                throw new AssertionError("asked");
            }), "FLOAT", "[3]");
            assertEquals(FloatValues.of(0), scalars.get());
            scalars.forEach(value -> { });
            // Read-only comes before the end.
            Expect.thrown(ReadOnlyBufferException.class, () -> scalars.put(FloatValues.FOREIGN), "FLOAT", "[3]");
            Expect.thrown(ReadOnlyBufferException.class, () -> scalars.onEach(() -> FloatValues.FOREIGN), "FLOAT", "[3]");
        }
    }

    @Test
    void closedComesBeforeTheEnd() {
        Tensor<Float> tensor = FloatValues.tensor(3);
        FloatTensorIterator scalars = tensor.floatData().scalars();
        scalars.forEach(value -> { });
        tensor.close();
        assertFalse(scalars.hasMoreElements());
        String[] says = {"FLOAT", "[3]", "closed"};
        Expect.thrown(TensorClosedException.class, scalars::get, says);
        Expect.thrown(TensorClosedException.class, () -> scalars.put(FloatValues.FOREIGN), says);
        Expect.thrown(TensorClosedException.class, () -> scalars.forEach(value -> { }), says);
        Expect.thrown(TensorClosedException.class, () -> scalars.onEach(() -> FloatValues.FOREIGN), says);
    }

    @Test
    void aConsumerMayCloseTheTensor() {
        for (int n : new int[] {12, 50_000}) {
            Tensor<Float> tensor = Tensors.denseFloat(new long[] {n}, data -> data.put(FloatValues.filled(n, FloatValues.OWN)));
            FloatTensorIterator scalars = tensor.floatData().scalars();
            assertEquals(FloatValues.OWN, scalars.get());
            try {
                scalars.forEach(value -> {
                    //#if primitive
                    assertTrue(value == FloatValues.OWN || value == FloatValues.ZERO);
                    //#end
                    //~string assertTrue(value.equals(FloatValues.OWN) || value.isEmpty(), value);
                    tensor.close();
                });
            } catch (TensorClosedException e) {
                Expect.says(e, "FLOAT", "closed");
            }
            Expect.thrown(TensorClosedException.class, scalars::get, "FLOAT", "closed");
        }
    }
}
