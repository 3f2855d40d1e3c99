package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Pick;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single elements of {@code float} data by coordinates, and sub-tensors by leading ones. */
@ExtendWith(MemoryBalance.class)
class FloatAccessTest {
    /** Coordinates that no axis has. */
    private static final int[] NOWHERE = {-1, -2, Integer.MIN_VALUE, Integer.MAX_VALUE};

    private static int[] shape(int rank) {
        return Arrays.copyOf(new int[] {3, 2, 4, 2, 3, 2}, rank);
    }

    private static long[] longs(int... ints) {
        return Arrays.stream(ints).asLongStream().toArray();
    }

    /** A view of the same shape whose strides differ on every axis, out of data that is twice as large on each. */
    private static FloatTensorData strided(FloatTensorData data) {
        return data.slice(IntStream.range(0, data.rank()).mapToObj(d -> d % 2 == 0 ? range(-1, 0, -2) : range(1, data.size(d), 2))
            .toArray(TensorIndex[]::new));
    }

    private static NaiveView strided(NaiveView view) {
        return view.slice(IntStream.range(0, view.rank())
            .mapToObj(d -> d % 2 == 0 ? Pick.range(view.shape[d] - 1, 0, -2) : Pick.range(1, view.shape[d], 2)).toArray(Pick[]::new));
    }

    private static int[] twice(int... shape) {
        return Arrays.stream(shape).map(n -> 2 * n).toArray();
    }

    /** Writes and reads each element by both kinds of methods. */
    private static void checkEachElement(FloatTensorData data, NaiveView view, FloatTensorData whole, int size) {
        float[] model = FloatValues.all(whole);
        int n = 0;
        for (int[] at : view.indices()) {
            String where = Arrays.toString(at) + " of " + Arrays.toString(view.shape);
            FloatValues.put(data, FloatValues.of(n), at);
            model[view.at(at)] = FloatValues.of(n);
            assertEquals(FloatValues.of(n), data.get(at), where);
            assertArrayEquals(model, FloatValues.all(whole), where);
            data.put(FloatValues.of(n + 1), at);
            model[view.at(at)] = FloatValues.of(n + 1);
            assertEquals(FloatValues.of(n + 1), FloatValues.get(data, at), where);
            for (int leading = 0; leading <= at.length; leading++) {
                int[] head = Arrays.copyOf(at, leading);
                int[] tail = Arrays.copyOfRange(at, leading, at.length);
                assertEquals(FloatValues.of(n + 1), FloatValues.get(FloatValues.slice(data, head), tail), where);
                assertEquals(FloatValues.of(n + 1), data.slice(head).get(tail), where);
                assertArrayEquals(longs(Arrays.copyOfRange(view.shape, leading, at.length)), data.slice(head).shape(), where);
            }
            n++;
        }
        assertArrayEquals(model, FloatValues.all(whole));
        assertEquals(size, model.length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void everyElementOfContiguousData(int rank) {
        int[] shape = shape(rank);
        NaiveView view = NaiveView.of(shape);
        try (Tensor<Float> tensor = Tensors.denseFloat(longs(shape), data -> checkEachElement(data, view, data, view.size()))) {
            int n = 0;
            for (int[] at : view.indices()) {
                assertEquals(FloatValues.of(++n), tensor.floatData().get(at));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void everyElementOfStridedData(int rank) {
        int[] shape = twice(shape(rank));
        NaiveView whole = NaiveView.of(shape);
        NaiveView view = strided(whole);
        try (Tensor<Float> tensor = Tensors.denseFloat(longs(shape), data -> {
            assertArrayEquals(longs(shape(rank)), strided(data).shape());
            if (rank < 5) {
                checkEachElement(strided(data), view, data, whole.size());
            } else {
                FloatValues.fill(strided(data));
            }
        })) {
            int n = rank < 5 ? 1 : 0;
            for (int[] at : view.indices()) {
                assertEquals(FloatValues.of(n), strided(tensor.floatData()).get(at));
                assertEquals(FloatValues.of(n++), FloatValues.get(tensor.floatData(), indexOf(whole, view.at(at))));
            }
        }
    }

    private static int[] indexOf(NaiveView view, int position) {
        return view.indices().get(position);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void wrongNumberOfCoordinates(int rank) {
        int[] shape = shape(rank);
        String[] says = {"rank " + rank, Arrays.toString(shape)};
        withAndWithoutStrides(rank, data -> {
            for (int n = 0; n <= 7; n++) {
                int[] at = new int[n];
                String given = n + (n == 1 ? " index" : " indices");
                if (n != rank) {
                    says(given, says, () -> FloatValues.get(data, at), () -> data.get(at), () -> FloatValues.put(data, FloatValues.OWN, at),
                        () -> data.put(FloatValues.OWN, at));
                }
                if (n > rank) {
                    says(given, says, () -> FloatValues.slice(data, at), () -> data.slice(at), () -> data.get(FloatValues.zeros(99), at),
                        () -> data.put(FloatValues.zeros(1), at),
                        () -> data.get(data, at), () -> data.put(data, at));
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void coordinatesOutsideOfTheShape(int rank) {
        int[] shape = shape(rank);
        withAndWithoutStrides(rank, data -> {
            for (int d = 0; d < rank; d++) {
                int[] bad = Arrays.copyOf(NOWHERE, NOWHERE.length + 2);
                bad[NOWHERE.length] = shape[d];
                bad[NOWHERE.length + 1] = shape[d] + 1;
                for (int i : bad) {
                    int[] at = new int[rank];
                    at[d] = i;
                    String[] says = {"axis " + d, "size " + shape[d], Arrays.toString(shape)};
                    says("index " + i, says, () -> FloatValues.get(data, at), () -> data.get(at), () -> FloatValues.put(data, FloatValues.OWN, at),
                        () -> data.put(FloatValues.OWN, at), () -> FloatValues.slice(data, at), () -> data.slice(at),
                        () -> data.get(FloatValues.zeros(99), at), () -> data.put(FloatValues.zeros(1), at), () -> data.get(data, at),
                        () -> data.put(data, at));
                    int[] leading = Arrays.copyOf(at, d + 1);
                    says("index " + i, says, () -> FloatValues.slice(data, leading), () -> data.slice(leading),
                        () -> data.get(FloatValues.zeros(999), leading), () -> data.put(FloatValues.zeros(1), leading), () -> data.get(data, leading),
                        () -> data.put(data, leading));
                }
            }
        });
    }

    /** Checks calls that must fail, and that they change nothing. */
    private static void says(String asked, String[] possible, Executable... calls) {
        for (Executable call : calls) {
            IndexOutOfBoundsException e = Expect.thrown(IndexOutOfBoundsException.class, call, possible);
            Expect.says(e, asked);
            assertEquals(e.getMessage(), e.getMessage());
        }
    }

    private static void withAndWithoutStrides(int rank, Consumer<FloatTensorData> check) {
        try (Tensor<Float> tensor = Tensors.denseFloat(longs(shape(rank)), data -> {
            FloatValues.fill(data);
            float[] before = FloatValues.all(data);
            check.accept(data);
            assertArrayEquals(before, FloatValues.all(data));
        }); Tensor<Float> larger = Tensors.denseFloat(longs(twice(shape(rank))), data -> {
            FloatValues.fill(data);
            float[] before = FloatValues.all(data);
            check.accept(strided(data));
            assertArrayEquals(before, FloatValues.all(data));
        })) {
            assertEquals(tensor.numElements() << rank, larger.numElements());
        }
    }

    @Test
    void messagesDoNotFollowTheCallersArray() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3)) {
            int[] at = {1, 7};
            IndexOutOfBoundsException e = Expect.thrown(IndexOutOfBoundsException.class, () -> tensor.floatData().get(at));
            at[1] = 0;
            Expect.says(e, "index 7", "[1, 7]", "axis 1", "size 3", "[2, 3]");
        }
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3, 1, 1, 1)) {
            for (int n : new int[] {3, 4, 5}) {
                int[] at = new int[n];
                at[1] = 7;
                IndexOutOfBoundsException e = Expect.thrown(IndexOutOfBoundsException.class, () -> tensor.floatData().slice(at));
                IndexOutOfBoundsException bulk = Expect.thrown(IndexOutOfBoundsException.class,
                    () -> tensor.floatData().get(FloatValues.zeros(6), at));
                at[1] = 0;
                Expect.says(e, "index 7", "axis 1", "size 3", "[2, 3, 1, 1, 1]");
                Expect.says(bulk, "index 7", "axis 1", "size 3", "[2, 3, 1, 1, 1]");
            }
        }
    }

    @Test
    void checksComeInOrder() {
        Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 3}, data -> {
            // Coordinates before capacity.
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(FloatValues.zeros(0), 9), "index 9", "axis 0");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.zeros(99), 1, 9), "index 9", "axis 1");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(data, 9), "index 9", "axis 0");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(data, 9), "index 9", "axis 0");
        });
        FloatTensorData published = tensor.floatData();
        // Read-only before coordinates and capacity.
        String[] readOnly = {"FLOAT", "[2, 3]", "written"};
        Expect.thrown(ReadOnlyBufferException.class, () -> published.put(FloatValues.OWN, 9, 9), readOnly);
        Expect.thrown(ReadOnlyBufferException.class, () -> published.put(FloatValues.OWN, 9), readOnly);
        Expect.thrown(ReadOnlyBufferException.class, () -> published.put(FloatValues.OWN, new int[] {9, 9, 9, 9, 9}), readOnly);
        Expect.thrown(ReadOnlyBufferException.class, () -> published.put(FloatValues.zeros(99), 9), readOnly);
        Expect.thrown(ReadOnlyBufferException.class, () -> published.put(published, 9), readOnly);
        Expect.thrown(ReadOnlyBufferException.class, () -> published.get(published, 9), readOnly);
        checkNull(published);
        tensor.close();
        // Closed before read-only and the rest.
        String[] closed = {"FLOAT", "[2, 3]", "closed"};
        Expect.thrown(TensorClosedException.class, () -> published.get(9, 9), closed);
        Expect.thrown(TensorClosedException.class, () -> published.get(9), closed);
        Expect.thrown(TensorClosedException.class, () -> published.get(new int[9]), closed);
        Expect.thrown(TensorClosedException.class, () -> published.put(FloatValues.OWN, 9, 9), closed);
        Expect.thrown(TensorClosedException.class, () -> published.put(FloatValues.OWN, new int[9]), closed);
        Expect.thrown(TensorClosedException.class, () -> published.get(FloatValues.zeros(0), 9), closed);
        Expect.thrown(TensorClosedException.class, () -> published.put(FloatValues.zeros(99), 9), closed);
        Expect.thrown(TensorClosedException.class, () -> published.get(published, 9), closed);
        Expect.thrown(TensorClosedException.class, () -> published.put(published, 9), closed);
        Expect.thrown(TensorClosedException.class, () -> published.slice(9), closed);
        Expect.thrown(TensorClosedException.class, () -> published.slice(9, 9, 9), closed);
        Expect.thrown(TensorClosedException.class, () -> published.slice(all(), all(), flip()), closed);
        checkNull(published);
    }

    @Test
    void aClosedSourceComesBeforeAReadOnlyTarget() {
        Tensor<Float> closed = FloatValues.tensor(2, 3);
        FloatTensorData source = closed.floatData();
        closed.close();
        try (Tensor<Float> published = FloatValues.tensor(2, 3)) {
            Expect.thrown(TensorClosedException.class, () -> published.floatData().put(source), "FLOAT", "[2, 3]", "closed");
            Expect.thrown(TensorClosedException.class, () -> published.floatData().get(source), "FLOAT", "[2, 3]", "closed");
            Expect.thrown(TensorClosedException.class, () -> source.get(published.floatData()), "FLOAT", "[2, 3]", "closed");
            Expect.thrown(TensorClosedException.class, () -> source.put(published.floatData()), "FLOAT", "[2, 3]", "closed");
        }
    }

    /** Null comes first, on read-only data and on closed data. */
    private static void checkNull(FloatTensorData data) {
        Expect.thrown(NullPointerException.class, () -> data.get((float[]) null, 9), "array");
        Expect.thrown(NullPointerException.class, () -> data.put((float[]) null, 9), "array");
        Expect.thrown(NullPointerException.class, () -> data.get((FloatTensorData) null, 9), "tensor");
        Expect.thrown(NullPointerException.class, () -> data.put((FloatTensorData) null, 9), "tensor");
        Expect.thrown(NullPointerException.class, () -> data.copyTo(null), "array");
        Expect.thrown(NullPointerException.class, () -> data.copyFrom(null), "array");
        Expect.thrown(NullPointerException.class, () -> data.get(FloatValues.zeros(0), (int[]) null), "indices");
        Expect.thrown(NullPointerException.class, () -> data.put(FloatValues.zeros(99), (int[]) null), "indices");
        Expect.thrown(NullPointerException.class, () -> data.get(data, (int[]) null), "indices");
        Expect.thrown(NullPointerException.class, () -> data.put(data, (int[]) null), "indices");
        // Who passes no coordinates to the calls of one element gets the JVM's own exception, which may have lost its message.
        assertThrows(NullPointerException.class, () -> data.get((int[]) null));
        assertThrows(NullPointerException.class, () -> data.put(FloatValues.OWN, (int[]) null));
        assertThrows(NullPointerException.class, () -> data.slice((int[]) null));
        Expect.thrown(NullPointerException.class, () -> data.slice((TensorIndex[]) null), "indices");
        Expect.thrown(NullPointerException.class, () -> data.slice(all(), null), "null", "indices");
    }
}
