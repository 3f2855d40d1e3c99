package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tensornio.support.Expect;
import io.tensornio.support.FloatKinds;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import io.tensornio.support.FloatBuffers;
//#end

/** All calls on {@code float} data of every kind, and copies between all pairs of kinds. */
@ExtendWith(MemoryBalance.class)
class FloatUserKindsTest {
    private static final int[][] SHAPES = {{}, {7}, {3, 4}, {4, 1, 5}, {3, 2, 2, 3}, {2, 1, 3, 1, 4}, {1, 2, 1, 2, 1, 2, 3}, {0, 3}, {3, 40}};

    private static long[] longs(int... shape) {
        return Arrays.stream(shape).asLongStream().toArray();
    }

    private static void onEach(BiConsumer<FloatTensorData, NaiveView> check) {
        for (int[] shape : SHAPES) {
            FloatKinds.each(longs(shape), kinds -> kinds.forEach((kind, data) -> {
                try {
                    assertArrayEquals(longs(shape), data.shape());
                    assertFalse(data.isReadOnly());
                    FloatValues.fill(data);
                    check.accept(data, NaiveView.of(shape));
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError(kind + " " + Arrays.toString(shape), e);
                }
            }));
        }
    }

    @Test
    void elementsByCoordinates() {
        onEach((data, view) -> {
            int n = 0;
            for (int[] indices : view.indices()) {
                assertEquals(FloatValues.of(n), FloatValues.get(data, indices));
                assertEquals(FloatValues.of(n), data.get(indices));
                FloatValues.put(data, FloatValues.of(n + 100), indices);
                assertEquals(FloatValues.of(n + 100), data.get(indices));
                data.put(FloatValues.of(n + 200), indices);
                assertEquals(FloatValues.of(n + 200), FloatValues.get(data, indices));
                assertEquals(FloatValues.of(n + 200), FloatValues.slice(data, indices).get());
                n++;
            }
            assertArrayEquals(FloatValues.array(200, n), FloatValues.all(data));
        });
    }

    @Test
    void coordinatesOutside() {
        onEach((data, view) -> {
            float[] before = FloatValues.all(data);
            for (int d = 0; d < view.rank(); d++) {
                for (int wrong : new int[] {-1, view.shape[d], Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                    int[] indices = new int[view.rank()];
                    indices[d] = wrong;
                    String says = Arrays.toString(view.shape);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> FloatValues.get(data, indices), says);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(indices), says);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> FloatValues.put(data, FloatValues.FOREIGN, indices), says);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.FOREIGN, indices), says);
                    Expect.thrown(IndexOutOfBoundsException.class, () -> FloatValues.slice(data, indices), says);
                }
            }
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(new int[view.rank() + 1]));
            Expect.thrown(IndexOutOfBoundsException.class, () -> FloatValues.put(data, FloatValues.FOREIGN, new int[view.rank() + 1]));
            assertArrayEquals(before, FloatValues.all(data));
        });
    }

    @Test
    void arraysAndBuffersAtEverySelection() {
        onEach((data, view) -> {
            int[] last = view.size() == 0 ? new int[0] : view.indices().get(view.size() - 1);
            for (int n = 0; n <= last.length; n++) {
                int[] indices = Arrays.copyOf(last, n);
                if (n > 0) {
                    indices[n - 1] /= 2;
                }
                NaiveView selection = view.selection(indices);
                float[] expected = FloatValues.zeros(selection.size() + 1);
                expected[selection.size()] = FloatValues.OWN;
                float[] array = expected.clone();
                for (int i = 0; i < selection.size(); i++) {
                    expected[i] = FloatValues.of(selection.positions[i]);
                }
                data.get(array, indices);
                assertArrayEquals(expected, array);
                //#if buffer
                FloatBuffers.all(selection.size() + 1).forEach((kind, buffer) -> {
                    data.get(buffer, indices);
                    assertEquals(FloatBuffers.MARGIN + selection.size(), buffer.position(), kind);
                    assertArrayEquals(FloatBuffers.withMargins(expected), FloatBuffers.content(buffer), kind);
                });
                FloatBuffers.filled(300, selection.size()).forEach((kind, buffer) -> {
                    FloatValues.fill(data);
                    data.put(buffer, indices);
                    assertEquals(0, buffer.remaining(), kind);
                    assertArrayEquals(written(view, selection, selection.size()), FloatValues.all(data), kind);
                });
                //#end
                for (int some : new int[] {selection.size(), selection.size() / 2}) {
                    FloatValues.fill(data);
                    data.put(FloatValues.array(300, some), indices);
                    assertArrayEquals(written(view, selection, some), FloatValues.all(data));
                }
                FloatValues.fill(data);
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.array(300, selection.size() + 1), indices),
                    Expect.elements(selection.size() + 1));
                if (selection.size() > 0) {
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(FloatValues.zeros(selection.size() - 1), indices), "room");
                }
                assertArrayEquals(FloatValues.array(0, view.size()), FloatValues.all(data));
            }
        });
    }

    /** What freshly filled data has after the first {@code n} elements of a selection were written. */
    private static float[] written(NaiveView view, NaiveView selection, int n) {
        float[] model = FloatValues.array(0, view.size());
        for (int i = 0; i < n; i++) {
            model[selection.positions[i]] = FloatValues.of(300 + i);
        }
        return model;
    }

    @Test
    void scalarsAndElements() {
        onEach((data, view) -> {
            int[] next = {0};
            data.scalars().forEach(value -> assertEquals(FloatValues.of(next[0]++), value));
            assertEquals(view.size(), next[0]);
            data.scalars().onEach(() -> FloatValues.of(500 - next[0]--));
            assertEquals(0, next[0]);
            FloatTensorIterator back = data.scalars();
            for (int n = view.size(); n > 0; n--) {
                assertEquals(FloatValues.of(500 - n), back.get());
            }
            if (view.rank() > 0) {
                FloatValues.fill(data);
                int rows = view.shape[0];
                int inner = rows == 0 ? 0 : view.size() / rows;
                int row = 0;
                for (FloatTensorData element : data.elements()) {
                    assertArrayEquals(FloatValues.array(row++ * inner, inner), FloatValues.all(element));
                }
                assertEquals(rows, row);
                FloatTensorElements elements = data.elements();
                for (int n = 0; n < rows; n++) {
                    elements.put(FloatValues.array(700 + n * inner, inner));
                }
                assertArrayEquals(FloatValues.array(rows == 0 ? 0 : 700, view.size()), FloatValues.all(data));
            }
        });
    }

    @Test
    void printsTheSame() {
        onEach((data, view) -> {
            try (Tensor<Float> same = FloatValues.tensor(longs(view.shape))) {
                assertEquals(same.floatData().toString(), data.toString());
            }
        });
    }

    @Test
    void equalAndOfTheSameHash() {
        onEach((data, view) -> {
            try (Tensor<Float> same = FloatValues.tensor(longs(view.shape))) {
                assertEquals(same.floatData(), data);
                assertEquals(data, same.floatData());
                assertEquals(same.floatData().hashCode(), data.hashCode());
                int hash = 31 * DataType.FLOAT.name().hashCode() + Arrays.hashCode(data.shape());
                for (float value : FloatValues.array(0, view.size())) {
                    hash = 31 * hash + FloatValues.hash(value);
                }
                assertEquals(hash, data.hashCode());
            }
        });
    }

    @Test
    void createdFromEveryKind() {
        onEach((data, view) -> {
            try (Tensor<Float> copy = Tensors.create(data)) {
                assertEquals(data, copy.floatData());
                assertArrayEquals(longs(view.shape), copy.shape());
                data.scalars().onEach(() -> FloatValues.FOREIGN);
                assertArrayEquals(FloatValues.array(0, view.size()), FloatValues.all(copy.floatData()));
            }
        });
    }

    @Test
    void copiesBetweenAllPairs() {
        for (int[] shape : SHAPES) {
            FloatKinds.each(longs(shape), sources -> FloatKinds.each(longs(shape), targets -> sources.forEach((kind, source) -> {
                int n = (int) source.totalSize();
                FloatValues.fill(source);
                targets.forEach((name, target) -> {
                    String where = kind + " to " + name + " " + Arrays.toString(shape);
                    target.put(source);
                    assertArrayEquals(FloatValues.array(0, n), FloatValues.all(target), where);
                    target.copyFrom(FloatValues.array(100, n));
                    source.get(target);
                    assertArrayEquals(FloatValues.array(0, n), FloatValues.all(target), where);
                    if (shape.length > 0 && n > 0) {
                        int i = shape[0] - 1;
                        int inner = n / shape[0];
                        float[] model = FloatValues.array(0, n);
                        System.arraycopy(FloatValues.array(0, inner), 0, model, i * inner, inner);
                        target.put(source.slice(0), i);
                        assertArrayEquals(model, FloatValues.all(target), where);
                        source.get(target.slice(0), i);
                        System.arraycopy(FloatValues.array(i * inner, inner), 0, model, 0, inner);
                        assertArrayEquals(model, FloatValues.all(target), where);
                        target.elements().put(source.slice(i));
                        assertArrayEquals(model, FloatValues.all(target), where);
                        target.put(source.slice(new int[shape.length]), new int[shape.length]);
                        model[0] = FloatValues.of(0);
                        assertArrayEquals(model, FloatValues.all(target), where);
                    }
                });
                assertArrayEquals(FloatValues.array(0, n), FloatValues.all(source), kind);
            })));
        }
    }

    @Test
    void leavingOutTheEndsOfAnAxisLongerThanAnyList() {
        long n = 3_000_000_000L;
        FloatTensorData data = new AbstractFloatTensorData(n) {
            @Override
            protected float getAt(long[] indices) {
                return FloatValues.of((int) (indices[0] % 1000));
            }
        };
        FloatTensorData slice = data.slice(TensorIndex.excl(-1, 1, 0));
        assertEquals(n - 3, slice.totalSize());
        assertEquals(FloatValues.of(2), slice.get(0));
        assertEquals(FloatValues.of(998), slice.slice(TensorIndex.at(-1)).get());
        FloatTensorData most = data.slice(TensorIndex.excl(7));
        assertEquals(n - 1, most.totalSize());
        assertEquals(FloatValues.of(6), most.get(6));
        assertEquals(FloatValues.of(8), most.get(7));
        assertEquals(FloatValues.of(999), most.slice(TensorIndex.at(-1)).get());
    }
}
