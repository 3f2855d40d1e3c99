package io.tensornio.internal.data;

//#if buffer
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

//~byte import io.tensornio.UInt8;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatBuffers;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Pick;
import java.nio.BufferOverflowException;
import java.nio.FloatBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Copies between {@code float} data and buffers of every kind. */
@ExtendWith(MemoryBalance.class)
class FloatBufferTest {
    private static final int[] SHAPE = {3, 4, 5};
    private static final Pick[][] VIEWS = {
        {},
        {Pick.at(2)},
        {Pick.all(3), Pick.at(1)},
        {Pick.flip(3), Pick.all(4), Pick.step(5, 2)},
        {Pick.at(1), Pick.range(3, 0, -1), Pick.at(4)},
        {Pick.at(1), Pick.at(2), Pick.at(3)},
        {Pick.range(1, 1, 1)},
    };

    /** Runs a check on writable views of a filled tensor. */
    private static void onEachView(BiConsumer<FloatTensorData, NaiveView> check) {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {3, 4, 5}, whole -> {
            for (Pick[] picks : VIEWS) {
                FloatValues.fill(whole);
                try {
                    check.accept(whole.slice(Pick.indices(picks)), NaiveView.of(SHAPE).slice(picks));
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("in the view " + Arrays.toString(picks), e);
                }
            }
        })) {
            assertEquals(60, tensor.numElements());
        }
    }

    private static float[] expected(NaiveView view) {
        float[] expected = new float[view.size()];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = FloatValues.of(view.positions[i]);
        }
        return expected;
    }

    @Test
    void getsIntoBuffersOfEveryKind() {
        onEachView((data, view) -> {
            for (int[] indices : new int[][] {{}, new int[Math.min(1, view.size() > 0 ? view.rank() : 0)],
                new int[view.size() > 0 ? view.rank() : 0]}) {
                float[] selected = expected(view.selection(indices));
                FloatBuffers.all(selected.length).forEach((kind, buffer) -> {
                    data.get(buffer, indices);
                    assertEquals(FloatBuffers.MARGIN + selected.length, buffer.position(), kind);
                    assertEquals(FloatBuffers.MARGIN + selected.length, buffer.limit(), kind);
                    assertArrayEquals(FloatBuffers.withMargins(selected), FloatBuffers.content(buffer), kind);
                });
            }
        });
    }

    @Test
    void spareCapacityStaysBehindThePosition() {
        onEachView((data, view) -> FloatBuffers.all(view.size() + 2).forEach((kind, buffer) -> {
            data.get(buffer);
            assertEquals(FloatBuffers.MARGIN + view.size(), buffer.position(), kind);
            assertEquals(2, buffer.remaining(), kind);
            float[] content = Arrays.copyOf(expected(view), view.size() + 2);
            content[view.size()] = FloatValues.OWN;
            content[view.size() + 1] = FloatValues.OWN;
            assertArrayEquals(FloatBuffers.withMargins(content), FloatBuffers.content(buffer), kind);
        }));
    }

    @Test
    void aBufferTooShortToGetIsLeftAlone() {
        onEachView((data, view) -> {
            if (view.size() > 0) {
                FloatBuffers.all(view.size() - 1).forEach((kind, buffer) -> {
                    Expect.thrown(BufferOverflowException.class, () -> data.get(buffer), Expect.elements(view.size()),
                        "room for " + (view.size() - 1));
                    assertEquals(FloatBuffers.MARGIN, buffer.position(), kind);
                    assertEquals(view.size() - 1, buffer.remaining(), kind);
                    assertArrayEquals(FloatValues.filled(buffer.capacity(), FloatValues.OWN), FloatBuffers.content(buffer), kind);
                });
            }
        });
    }

    @Test
    void putsBuffersOfEveryKindAndLength() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {3, 4, 5}, whole -> {
            for (Pick[] picks : VIEWS) {
                NaiveView view = NaiveView.of(SHAPE).slice(picks);
                FloatTensorData data = whole.slice(Pick.indices(picks));
                for (int length = 0; length <= view.size(); length += 1 + length / 5) {
                    int n = length;
                    FloatBuffers.filled(100, n).forEach((kind, buffer) -> {
                        FloatValues.fill(whole);
                        float[] model = FloatValues.array(0, 60);
                        for (int i = 0; i < n; i++) {
                            model[view.positions[i]] = FloatValues.of(100 + i);
                        }
                        data.put(buffer);
                        String where = n + " from " + kind + " to " + Arrays.toString(picks);
                        assertArrayEquals(model, FloatValues.all(whole), where);
                        assertEquals(buffer.limit(), buffer.position(), where);
                        assertEquals(FloatBuffers.MARGIN + n, buffer.limit(), where);
                    });
                }
            }
        })) {
            assertEquals(60, tensor.numElements());
        }
    }

    @Test
    void putsToSubTensorsAndStartPositions() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {3, 4, 5}, whole -> {
            for (int[] indices : new int[][] {{1}, {1, 2}, {1, 2, 3}, {2, 3, 4}}) {
                NaiveView selection = NaiveView.of(SHAPE).selection(indices);
                FloatBuffers.filled(100, selection.size()).forEach((kind, buffer) -> {
                    FloatValues.fill(whole);
                    float[] model = FloatValues.array(0, 60);
                    for (int i = 0; i < selection.size(); i++) {
                        model[selection.positions[i]] = FloatValues.of(100 + i);
                    }
                    whole.put(buffer, indices);
                    assertArrayEquals(model, FloatValues.all(whole), kind + Arrays.toString(indices));
                });
            }
        })) {
            assertEquals(60, tensor.numElements());
        }
    }

    @Test
    void aBufferTooLongToPutWritesNothing() {
        onEachView((data, view) -> FloatBuffers.filled(100, view.size() + 1).forEach((kind, buffer) -> {
            float[] before = FloatBuffers.content(buffer);
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(buffer), Expect.elements(view.size() + 1), "which has " + view.size());
            assertEquals(FloatBuffers.MARGIN, buffer.position(), kind);
            assertEquals(view.size() + 1, buffer.remaining(), kind);
            assertArrayEquals(before, FloatBuffers.content(buffer), kind);
            assertArrayEquals(expected(view), FloatValues.all(data), kind);
        }));
    }

    @Test
    void aReadOnlyBufferCannotBeTheTarget() {
        onEachView((data, view) -> FloatBuffers.all(view.size()).forEach((kind, buffer) -> {
            FloatBuffer target = buffer.asReadOnlyBuffer();
            Expect.thrown(ReadOnlyBufferException.class, () -> data.get(target), "buffer", "read-only");
            assertEquals(FloatBuffers.MARGIN, target.position(), kind);
            // It precedes errors in the coordinates or the capacity.
            Expect.thrown(ReadOnlyBufferException.class, () -> data.get(target, 99),
                "buffer that was to take the selection at [99] of the shape", "read-only");
            Expect.thrown(ReadOnlyBufferException.class, () -> data.get(FloatBuffer.allocate(0).asReadOnlyBuffer()), "buffer", "read-only");
        }));
    }

    @Test
    void wrongCoordinatesLeaveBuffersAlone() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {3, 4, 5}, data -> FloatBuffers.all(1).forEach((kind, buffer) -> {
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(buffer, 3), "index 3", "axis 0", "size 3");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(buffer, 0, -1), "index -1", "axis 1", "size 4");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(buffer, 0, 0, 5), "index 5", "axis 2", "size 5");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(buffer, 0, 0, 0, 0), "4 indices", "rank 3");
            assertEquals(FloatBuffers.MARGIN, buffer.position(), kind);
            assertEquals(1, buffer.remaining(), kind);
        }))) {
            assertArrayEquals(new float[60], FloatValues.all(tensor.floatData()));
        }
    }

    @Test
    void checksComeInOrder() {
        FloatBuffer none = FloatBuffer.allocate(0);
        FloatBuffer many = FloatBuffer.allocate(99);
        Tensor<Float> tensor = FloatValues.tensor(2, 3);
        FloatTensorData data = tensor.floatData();
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(none, 9), "index 9");
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(many, 9), "FLOAT", "[2, 3]");
        Expect.thrown(NullPointerException.class, () -> data.get((FloatBuffer) null, 9), "buffer");
        Expect.thrown(NullPointerException.class, () -> data.put((FloatBuffer) null, 9), "buffer");
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> data.get(none.asReadOnlyBuffer(), 9), "FLOAT", "[2, 3]");
        Expect.thrown(TensorClosedException.class, () -> data.put(many, 9), "FLOAT", "[2, 3]");
        Expect.thrown(NullPointerException.class, () -> data.get((FloatBuffer) null, 9), "buffer");
        Expect.thrown(NullPointerException.class, () -> data.put((FloatBuffer) null, 9), "buffer");
        Expect.thrown(NullPointerException.class, () -> data.get(none, (int[]) null), "indices");
        Expect.thrown(NullPointerException.class, () -> data.put(many, (int[]) null), "indices");
        assertEquals(99, many.remaining());
    }

    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void theBytesOfAnotherTensorAreASourceLikeAnyOther() {
        try (Tensor<Float> source = FloatValues.tensor(3, 4, 5); Tensor<Float> tensor = Tensors.denseFloat(new long[] {6, 5, 4}, data -> {
            data.slice(TensorIndex.range(0, 3)).put(FloatValues.view(source.asByteBuffer()));
            data.slice(TensorIndex.range(3, 6), TensorIndex.flip()).put(FloatValues.view(source.asByteBuffer()));
        })) {
            FloatTensorData data = tensor.floatData();
            assertArrayEquals(FloatValues.array(0, 60), FloatValues.all(data.slice(TensorIndex.range(0, 3))));
            assertArrayEquals(FloatValues.array(0, 60), FloatValues.all(data.slice(TensorIndex.range(3, 6), TensorIndex.flip())));
        }
    }
}
//#end
