package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random slices of slices of {@code float} data in every kind of access, held against {@link NaiveView}. */
@ExtendWith(MemoryBalance.class)
class FloatRandomSliceTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void chainsOfSlices(int rank) {
        for (int seed = 0; seed < 60 * Expect.depth(); seed++) {
            StringBuilder done = new StringBuilder("rank " + rank + ", seed " + seed);
            try {
                check(rank, new Random(1000L * seed + rank), done);
            } catch (Throwable e) {
                throw new AssertionError(done.toString(), e);
            }
        }
    }

    private static void check(int rank, Random random, StringBuilder done) {
        int[] shape = new int[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(rank > 4 ? 3 : rank > 2 ? 5 : 9);
        }
        done.append(", shape ").append(Arrays.toString(shape));
        NaiveView whole = NaiveView.of(shape);
        NaiveView[] view = {whole};
        Pick[][] chain = new Pick[1 + random.nextInt(3)][];
        for (int i = 0; i < chain.length; i++) {
            chain[i] = Pick.random(random, view[0].shape);
            done.append(", ").append(Arrays.toString(chain[i]));
            view[0] = view[0].slice(chain[i]);
        }
        float[] model = new float[whole.size()];
        try (Tensor<Float> tensor = Tensors.denseFloat(whole.longShape(), data -> {
            FloatTensorData slice = sliced(data, chain);
            System.arraycopy(FloatValues.array(0, model.length), 0, model, 0, model.length);
            FloatValues.fill(data);
            checkReads(slice, view[0], model);
            for (int kind = 0; kind < WRITERS; kind++) {
                write(slice, view[0], model, kind, random);
                assertArrayEquals(model, FloatValues.all(data), "written by " + kind);
            }
            checkReads(slice, view[0], model);
        })) {
            checkReads(sliced(tensor.floatData(), chain), view[0], model);
        }
    }

    private static FloatTensorData sliced(FloatTensorData data, Pick[]... chain) {
        FloatTensorData slice = data;
        for (Pick[] picks : chain) {
            slice = slice.slice(Pick.indices(picks));
        }
        return slice;
    }

    private static void checkReads(FloatTensorData data, NaiveView view, float[] model) {
        assertArrayEquals(view.longShape(), data.shape());
        assertEquals(view.size(), data.totalSize());
        float[] expected = new float[view.size()];
        int n = 0;
        for (int[] at : view.indices()) {
            expected[n] = model[view.at(at)];
            assertEquals(expected[n], data.get(at));
            assertEquals(expected[n++], FloatValues.get(data, at));
        }
        float[] bulk = new float[view.size()];
        data.copyTo(bulk);
        assertArrayEquals(expected, bulk, "bulk");
        float[] collected = new float[view.size()];
        int[] count = {0};
        data.scalars().forEach(value -> collected[count[0]++] = value);
        assertEquals(view.size(), count[0], "forEach");
        assertArrayEquals(expected, collected, "forEach");
        FloatTensorIterator scalars = data.scalars();
        for (float value : expected) {
            assertEquals(value, scalars.get(), "scalars");
        }
        assertFalse(scalars.hasMoreElements());
        if (view.rank() > 0) {
            int i = 0;
            for (FloatTensorData element : data.elements()) {
                assertArrayEquals(FloatValues.all(data.slice(i)), FloatValues.all(element), "elements");
                checkElement(element, view.sub(i++), model);
            }
            assertEquals(view.shape[0], i, "elements");
        }
        try (Tensor<Float> copy = Tensors.denseFloat(view.longShape(), other -> other.put(data))) {
            assertArrayEquals(expected, FloatValues.all(copy.floatData()), "to data");
        }
    }

    private static void checkElement(FloatTensorData element, NaiveView view, float[] model) {
        float[] bulk = new float[view.size()];
        element.copyTo(bulk);
        for (int i = 0; i < bulk.length; i++) {
            assertEquals(model[view.positions[i]], bulk[i], "element");
        }
    }

    private static final int WRITERS = 6;

    /** Writes new values to a view in one of several ways, and to the model. */
    private static void write(FloatTensorData data, NaiveView view, float[] model, int kind, Random random) {
        int size = view.size();
        int first = random.nextInt(1000);
        int n = kind == 0 ? random.nextInt(size + 1) : size;
        float[] values = FloatValues.array(first, n);
        switch (kind) {
            case 0:
            case 1:
                data.copyFrom(values);
                break;
            case 2: {
                FloatTensorIterator scalars = data.scalars();
                for (float value : values) {
                    scalars.put(value);
                }
                break;
            }
            case 3: {
                int[] next = {0};
                data.scalars().onEach(() -> values[next[0]++]);
                break;
            }
            case 4: {
                int i = 0;
                for (int[] at : view.indices()) {
                    data.put(values[i++], at);
                }
                break;
            }
            default:
                if (view.rank() == 0) {
                    data.put(values);
                } else {
                    FloatTensorElements elements = data.elements();
                    int each = view.shape[0] == 0 ? 0 : size / view.shape[0];
                    for (int i = 0; elements.hasMoreElements(); i++) {
                        elements.put(Arrays.copyOfRange(values, i * each, (i + 1) * each));
                    }
                }
        }
        for (int i = 0; i < n; i++) {
            model[view.positions[i]] = values[i];
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void copiesWithinATensor(int rank) {
        for (int seed = 0; seed < 60 * Expect.depth(); seed++) {
            StringBuilder done = new StringBuilder("rank " + rank + ", seed " + seed);
            Random random = new Random(77_000L * seed + rank);
            int[] shape = new int[rank];
            for (int d = 0; d < rank; d++) {
                shape[d] = 1 + random.nextInt(rank > 3 ? 4 : 8);
            }
            Pick[] from = new Pick[rank];
            Pick[] to = new Pick[rank];
            for (int d = 0; d < rank; d++) {
                from[d] = Pick.random(random, shape[d]);
                do {
                    to[d] = Pick.random(random, shape[d]);
                } while (to[d].chosen.length != from[d].chosen.length || to[d].drops != from[d].drops);
            }
            done.append(", shape ").append(Arrays.toString(shape)).append(", ").append(Arrays.toString(from)).append(" to ").append(Arrays.toString(to));
            NaiveView whole = NaiveView.of(shape);
            try (Tensor<Float> tensor = Tensors.denseFloat(whole.longShape(), data -> {
                FloatValues.fill(data);
                data.slice(Pick.indices(to)).put(data.slice(Pick.indices(from)));
            })) {
                float[] model = FloatValues.array(0, whole.size());
                float[] before = model.clone();
                int[] source = whole.slice(from).positions;
                int[] target = whole.slice(to).positions;
                for (int i = 0; i < source.length; i++) {
                    model[target[i]] = before[source[i]];
                }
                assertArrayEquals(model, FloatValues.all(tensor.floatData()), done.toString());
            }
        }
    }
}
