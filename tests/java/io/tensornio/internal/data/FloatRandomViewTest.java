package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.BooleanTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.internal.layout.Layout;
import io.tensornio.support.FloatChain;
import io.tensornio.support.FloatSources;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Seeds;
import io.tensornio.support.ViewStep;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random slices and other simple views of {@code float} data of every kind in every kind of access, held against {@link NaiveView}. */
@ExtendWith(MemoryBalance.class)
class FloatRandomViewTest {
    private static final int SEEDS = 50;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void chainsOfViews(int rank) {
        Seeds.each(rank + 3200, SEEDS, (random, done) -> {
            FloatChain chain = new FloatChain(random, rank, 6, 7, done);
            try (Tensor<Float> tensor = Tensors.denseFloat(chain.whole.longShape(), data -> chain.check(data, random))) {
                chain.checkReads(chain.slice(tensor.floatData()), random);
                chain.checkRefused(chain.slice(tensor.floatData()));
                chain.checkDescription(tensor.floatData());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void chainsOfViewsOfTheUsersData(int rank) {
        Seeds.each(rank + 3210, SEEDS, (random, done) -> {
            FloatChain chain = new FloatChain(random, rank, 6, 7, done);
            String kind = FloatSources.KINDS.get(random.nextInt(FloatSources.KINDS.size()));
            done.append(", ").append(kind);
            FloatSources source = FloatSources.of(kind, chain.whole.longShape());
            chain.check(source.data, random);
            FloatTensorData readOnly = chain.slice(source.readOnly);
            chain.checkReads(readOnly, random);
            chain.checkRefused(readOnly);
            chain.checkDescription(source.data);
            assertArrayEquals(chain.model, FloatValues.all(source.data));
            source.checkMargins.run();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void chainsOfViewsOfSparseTensors(int rank) {
        Seeds.each(rank + 3240, SEEDS, (random, done) -> {
            FloatChain chain = new FloatChain(random, rank, 6, 7, done);
            long[] shape = chain.whole.longShape();
            try (SparseTensor<Float> tensor = Tensors.sparseFloat(shape, chain.whole.size(), data -> chain.check(data, random))) {
                chain.checkReads(chain.slice(tensor.floatData()), random);
                chain.checkRefused(chain.slice(tensor.floatData()));
            }
            int zeros = random.nextInt(4);
            for (int i = 0; i < chain.model.length; i++) {
                chain.model[i] = random.nextInt(4) < zeros ? FloatValues.ZERO : FloatValues.of(1 + i);
            }
            try (SparseTensor<Float> some = SparseTensor.fromDense(FloatTensorData.of(chain.model, shape))) {
                chain.checkReads(chain.slice(some.floatData()), random);
                chain.checkDescription(some.floatData());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void chainsOfViewsOfComplexViews(int rank) {
        Seeds.each(rank + 3260, SEEDS, (random, done) -> {
            FloatChain chain = new FloatChain(random, rank, 6, 7, done);
            long[] shape = chain.whole.longShape();
            boolean isPadded = random.nextBoolean();
            TensorIndex[] inner = new TensorIndex[rank];
            long[] before = new long[rank];
            long[] after = new long[rank];
            for (int d = 0; d < rank && isPadded; d++) {
                before[d] = random.nextInt((int) Math.min(shape[d], 2) + 1);
                after[d] = random.nextInt((int) Math.min(shape[d] - before[d], 2) + 1);
                inner[d] = TensorIndex.range(before[d], shape[d] - after[d]);
            }
            done.append(isPadded ? ", padded by " + Arrays.toString(before) + Arrays.toString(after) : ", joined");
            try (Tensor<Float> tensor = FloatTensorData.of(chain.model, shape).copy()) {
                FloatTensorData data = random.nextBoolean() ? tensor.floatData() : FloatTensorData.of(chain.model.clone(), shape);
                if (isPadded) {
                    FloatTensorData padded = data.slice(inner).pad(before, after, FloatValues.OWN);
                    FloatTensorData filled = FloatTensorData.of(FloatValues.filled(chain.model.length, FloatValues.OWN), shape);
                    filled.slice(inner).put(data.slice(inner));
                    filled.copyTo(chain.model);
                    chain.checkReads(chain.slice(padded), random);
                } else {
                    chain.checkReads(chain.slice(joined(data, rank == 0 ? 0 : random.nextInt(rank), random)), random);
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void complexViewsWithinChains(int rank) {
        Seeds.each(rank + 3270, 2 * SEEDS, (random, done) -> {
            int[] sizes = random.ints(rank, 1, 4).toArray();
            NaiveView view = NaiveView.of(sizes);
            float[] model = FloatValues.array(0, view.size());
            try (Tensor<Float> tensor = FloatTensorData.of(model, view.longShape()).copy()) {
                FloatTensorData data = tensor.floatData();
                Layout layout = Layout.rowMajor(view.longShape());
                for (int steps = 1 + random.nextInt(6); steps > 0; steps--) {
                    if (random.nextBoolean()) {
                        ViewStep step = ViewStep.random(random, view, layout);
                        done.append(", ").append(step);
                        data = step.on(data);
                        layout = step.on(layout);
                        view = step.on(view);
                    } else if (view.rank() > 0 && view.rank() < 6 && view.size() < 300) {
                        NaiveView before = view;
                        int axis = random.nextInt(view.rank());
                        int way = random.nextInt(5);
                        done.append(", way ").append(way).append(" along ").append(axis);
                        view = composed(way, axis, before);
                        data = composed(way, axis, data);
                        layout = Layout.rowMajor(view.longShape());
                    }
                }
                float[] expected = FloatChain.picked(model, view);
                assertArrayEquals(view.longShape(), data.shape());
                assertArrayEquals(expected, FloatValues.all(data));
                int n = 0;
                for (int[] at : view.indices()) {
                    assertEquals(expected[n++], FloatValues.get(data, at));
                }
                assertArrayEquals(view.longShape(), data.description().shape());
                try (Tensor<Float> copy = data.copy()) {
                    assertArrayEquals(expected, FloatValues.all(copy.floatData()), "copy");
                    assertEquals(copy.floatData(), data);
                }
            }
        });
    }

    /** Data twice, repeated, joined with itself, or with its mirror image where an index is odd. */
    private static FloatTensorData composed(int way, int axis, FloatTensorData data) {
        long[] twice = new long[data.rank()];
        Arrays.fill(twice, 1);
        twice[axis] = 2;
        switch (way) {
            case 0:
                return data.tile(twice);
            case 1:
                return data.repeat(axis, 2);
            case 2:
                return FloatTensorData.concat(axis, data, data.flip(axis));
            case 3:
                return FloatTensorData.stack(axis, data, data);
            default:
                return FloatTensorData.where(BooleanTensorData.generate(at -> at[axis] % 2 == 1, data.shape()), data.flip(axis), data);
        }
    }

    private static NaiveView composed(int way, int axis, NaiveView view) {
        int size = view.shape[axis];
        int[] shape = view.shape.clone();
        shape[axis] = way == 4 ? size : 2 * size;
        if (way == 3) {
            int[] stacked = new int[shape.length + 1];
            System.arraycopy(view.shape, 0, stacked, 0, axis);
            stacked[axis] = 2;
            System.arraycopy(view.shape, axis, stacked, axis + 1, shape.length - axis);
            return view.view(stacked, at -> {
                int[] rest = new int[at.length - 1];
                System.arraycopy(at, 0, rest, 0, axis);
                System.arraycopy(at, axis + 1, rest, axis, rest.length - axis);
                return rest;
            });
        }
        return view.view(shape, at -> {
            int[] to = at.clone();
            int i = at[axis];
            to[axis] = way == 0 ? i % size : way == 1 ? i / 2 : way == 2 ? i < size ? i : 2 * size - 1 - i : i % 2 == 1 ? size - 1 - i : i;
            return to;
        });
    }

    /** Data in parts along an axis, put together again. */
    private static FloatTensorData joined(FloatTensorData data, int axis, Random random) {
        if (data.rank() == 0) {
            return FloatTensorData.stack(0, data).squeeze();
        }
        long n = data.size(axis);
        TensorIndex[] some = new TensorIndex[axis + 1];
        Arrays.fill(some, TensorIndex.all());
        FloatTensorData[] parts = new FloatTensorData[n > 0 && random.nextBoolean() ? (int) n : 2];
        boolean isStack = parts.length == n;
        long cut = random.nextInt((int) n + 1);
        for (int k = 0; k < parts.length; k++) {
            some[axis] = isStack ? TensorIndex.at(k) : k == 0 ? TensorIndex.to(cut) : TensorIndex.from(cut);
            parts[k] = data.slice(some);
        }
        return isStack ? FloatTensorData.stack(axis, parts) : FloatTensorData.concat(axis, parts);
    }
}
