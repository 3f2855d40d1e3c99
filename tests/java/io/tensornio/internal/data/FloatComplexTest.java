package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.BooleanTensorData;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Seeds;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
//#if float double int long
import java.nio.ByteBuffer;
//#end

/** Complex views of {@code float} data: each element against what the definition of the view says, and all ways to read against single elements. */
@ExtendWith(MemoryBalance.class)
class FloatComplexTest {
    private static final float MARGIN = FloatValues.of(77);

    private static float[] all(long[] shape, Function<int[], Float> element) {
        NaiveView places = NaiveView.of(Arrays.stream(shape).mapToInt(n -> (int) n).toArray());
        float[] all = FloatValues.zeros(places.size());
        int n = 0;
        for (int[] at : places.indices()) {
            all[n++] = element.apply(at);
        }
        return all;
    }

    /** Checks all ways to read against the definition, of the view and of random views of it. */
    private static void check(FloatTensorData view, long[] shape, Random random, Function<int[], Float> element) {
        assertArrayEquals(shape, view.shape());
        float[] expected = all(shape, element);
        assertArrayEquals(expected, all(shape, at -> view.get(at)));
        reads(view, expected);
        FloatTensorData chain = view;
        for (int n = 0; n < 3 && chain.rank() > 0; n++) {
            int d = random.nextInt(chain.rank());
            switch (random.nextInt(4)) {
                case 0:
                    chain = chain.flip(d);
                    break;
                case 1:
                    chain = chain.transpose();
                    break;
                case 2: {
                    TensorIndex[] step = new TensorIndex[d + 1];
                    Arrays.fill(step, TensorIndex.all());
                    step[d] = random.nextBoolean() ? TensorIndex.step(2) : TensorIndex.from(Math.min(1, chain.size(d)));
                    chain = chain.slice(step);
                    break;
                }
                default:
                    chain = chain.size(d) == 0 ? chain : chain.slice(TensorIndex.ellipsis()).flip();
            }
            FloatTensorData made = chain;
            reads(made, all(made.shape(), at -> made.get(at)));
        }
        Expect.thrown(ReadOnlyBufferException.class, () -> view.put(FloatValues.OWN, new int[shape.length]), "FLOAT");
        assertTrue(view.isReadOnly());
    }

    private static void reads(FloatTensorData data, float... expected) {
        float[] bulk = FloatValues.zeros(expected.length);
        data.copyTo(bulk);
        assertArrayEquals(expected, bulk, "to an array");
        assertArrayEquals(expected, FloatValues.all(data), "one after the other");
        try (Tensor<Float> copy = data.copy()) {
            assertArrayEquals(expected, FloatValues.all(copy.floatData()), "copy");
            assertEquals(copy.floatData(), data);
        }
    }

    private static FloatTensorData random(Random random, int from, long... shape) {
        int n = (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        FloatTensorData array = FloatTensorData.of(FloatValues.array(from, n), shape);
        return random.nextBoolean() ? array : array.transpose().transpose().flip().flip();
    }

    private static long[] shape(Random random, int rank) {
        return random.longs(rank, 0, 4).toArray();
    }

    @Test
    void paddingIsAround() {
        Seeds.each(3251, 60, (random, done) -> {
            int rank = random.nextInt(4);
            long[] inner = shape(random, rank);
            long[] before = shape(random, rank);
            long[] after = shape(random, rank);
            done.append(Arrays.toString(inner)).append(Arrays.toString(before)).append(Arrays.toString(after));
            FloatTensorData data = random(random, 3, inner);
            long[] shape = inner.clone();
            for (int d = 0; d < rank; d++) {
                shape[d] += before[d] + after[d];
            }
            try (Tensor<Float> tensor = data.copy()) {
                for (FloatTensorData from : new FloatTensorData[] {data, tensor.floatData()}) {
                    check(from.pad(before, after, MARGIN), shape, random, at -> {
                        int[] to = at.clone();
                        for (int d = 0; d < rank; d++) {
                            to[d] -= (int) before[d];
                            if (to[d] < 0 || to[d] >= inner[d]) {
                                return MARGIN;
                            }
                        }
                        return data.get(to);
                    });
                }
            }
        });
    }

    @Test
    void partsAreSideBySide() {
        Seeds.each(3252, 60, (random, done) -> {
            int rank = 1 + random.nextInt(3);
            int axis = random.nextInt(rank);
            long[] shape = shape(random, rank);
            FloatTensorData[] parts = new FloatTensorData[1 + random.nextInt(4)];
            long total = 0;
            for (int n = 0; n < parts.length; n++) {
                shape[axis] = random.nextInt(4);
                total += shape[axis];
                parts[n] = random(random, n * 100, shape);
            }
            shape[axis] = total;
            done.append(Arrays.toString(shape)).append(axis);
            check(FloatTensorData.concat(axis - (random.nextBoolean() ? 0 : rank), parts), shape, random, at -> {
                int[] to = at.clone();
                int n = 0;
                while (to[axis] >= parts[n].size(axis)) {
                    to[axis] -= (int) parts[n++].size(axis);
                }
                return parts[n].get(to);
            });
        });
    }

    @Test
    void stackedTiledAndRepeated() {
        Seeds.each(3253, 60, (random, done) -> {
            int rank = 1 + random.nextInt(3);
            long[] shape = shape(random, rank);
            FloatTensorData[] parts = {random(random, 0, shape), random(random, 50, shape), random(random, 90, shape)};
            int place = random.nextInt(rank + 1);
            long[] stacked = new long[rank + 1];
            for (int k = 0; k <= rank; k++) {
                stacked[k] = k == place ? 3 : shape[k < place ? k : k - 1];
            }
            done.append(Arrays.toString(shape)).append(place);
            check(FloatTensorData.stack(place, parts), stacked, random, at -> {
                int[] to = new int[rank];
                for (int d = 0; d < rank; d++) {
                    to[d] = at[d < place ? d : d + 1];
                }
                return parts[at[place]].get(to);
            });
            long[] times = shape(random, rank);
            long[] tiled = shape.clone();
            for (int d = 0; d < rank; d++) {
                tiled[d] *= times[d];
            }
            check(parts[0].tile(times), tiled, random, at -> {
                int[] to = at.clone();
                for (int d = 0; d < rank; d++) {
                    to[d] %= (int) shape[d];
                }
                return parts[0].get(to);
            });
            int axis = random.nextInt(rank);
            long[] repeated = shape.clone();
            repeated[axis] *= 3;
            check(parts[1].repeat(axis, 3), repeated, random, at -> {
                int[] to = at.clone();
                to[axis] /= 3;
                return parts[1].get(to);
            });
        });
    }

    @Test
    void largeOnesAreReadInBulkAndByStreamsAsOneByOne() {
        FloatTensorData part = FloatTensorData.of(FloatValues.array(0, 12_000), 100, 120);
        FloatTensorData wide = FloatTensorData.concat(1, part, part.flip());
        for (FloatTensorData view : Arrays.asList(FloatTensorData.concat(0, part, part.flip()), wide.transpose(),
                FloatTensorData.stack(2, part, part.flip()), FloatTensorData.stack(0, part, part).permute(2, 0, 1), part.tile(2, 3),
                part.repeat(1, 3), part.repeat(0, 2).slice(TensorIndex.range(3, 170)), part.pad(new long[] {1, 2}, new long[] {3, 0}).flip(1),
                wide.flatten().slice(TensorIndex.range(77, 20_000)))) {
            float[] expected = FloatValues.all(view);
            float[] bulk = FloatValues.zeros(expected.length);
            view.copyTo(bulk);
            assertArrayEquals(expected, bulk);
            try (Tensor<Float> streamed = Tensors.denseFloat(view.shape(), data -> data.put(view.stream())); Tensor<Float> copy = view.copy()) {
                assertArrayEquals(expected, FloatValues.all(streamed.floatData()));
                assertArrayEquals(expected, FloatValues.all(copy.floatData()));
            }
        }
    }

    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void choicesAndConstantsAreBroadcast() {
        BooleanTensorData condition = BooleanTensorData.of(new boolean[] {true, false, true}, 3);
        FloatTensorData x = FloatTensorData.of(FloatValues.array(0, 2), 2, 1);
        FloatTensorData y = FloatTensorData.constant(MARGIN);
        check(FloatTensorData.where(condition, x, y), new long[] {2, 3}, new Random(1), at -> at[1] == 1 ? MARGIN : FloatValues.of(at[0]));
        check(FloatTensorData.constant(MARGIN, 2, 3), new long[] {2, 3}, new Random(2), at -> MARGIN);
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.where(condition, FloatTensorData.of(FloatValues.array(0, 2)), y),
            "[3]", "[2]");
    }

    @Test
    void overlappingCopiesReadFirst() {
        float[] array = FloatValues.array(0, 3);
        FloatTensorData a = FloatTensorData.of(array);
        a.put(FloatTensorData.concat(0, a.slice(TensorIndex.range(1, 3)), a.slice(TensorIndex.range(0, 1))));
        assertArrayEquals(new float[] {FloatValues.of(1), FloatValues.of(2), FloatValues.of(0)}, array);
    }

    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void sharingIsThatOfTheParts() {
        FloatTensorData a = FloatTensorData.of(FloatValues.array(0, 4));
        FloatTensorData b = FloatTensorData.of(FloatValues.array(0, 4));
        FloatTensorData both = FloatTensorData.concat(0, a, a);
        assertTrue(both.sharesMemoryWith(a));
        assertTrue(a.sharesMemoryWith(both));
        assertFalse(both.sharesMemoryWith(b));
        assertFalse(FloatTensorData.constant(MARGIN, 3).sharesMemoryWith(b));
        assertFalse(a.slice(TensorIndex.to(2)).sharesMemoryWith(a.slice(TensorIndex.from(2))));
        assertTrue(a.slice(TensorIndex.even()).sharesMemoryWith(a.slice(TensorIndex.odd())));
        assertTrue(FloatOwn.of(2).sharesMemoryWith(a));
        assertFalse(FloatOwn.of(0).sharesMemoryWith(a));
    }

    @Test
    void partsThatCloseAreToldOf() {
        Tensor<Float> tensor = FloatTensorData.of(FloatValues.array(0, 2)).copy();
        FloatTensorData open = FloatTensorData.of(FloatValues.array(5, 2));
        FloatTensorData both = FloatTensorData.concat(0, tensor.floatData(), open);
        tensor.close();
        assertEquals(FloatValues.of(5), both.get(2));
        Expect.thrown(TensorClosedException.class, () -> both.get(0), "FLOAT");
        Expect.thrown(TensorClosedException.class, () -> both.copyTo(FloatValues.zeros(4)), "FLOAT");
        Expect.thrown(TensorClosedException.class, both::transpose, "FLOAT");
        Expect.thrown(TensorClosedException.class, both::copy, "FLOAT");
    }

    @Test
    void noViewOfClosedDataIsMade() {
        Tensor<Float> tensor = FloatTensorData.of(FloatValues.array(0, 2), 1, 2).copy();
        FloatTensorData gone = tensor.floatData();
        FloatTensorData open = FloatTensorData.of(FloatValues.array(5, 2), 1, 2);
        BooleanTensorData yes = BooleanTensorData.constant(true);
        long[] ones = {1, 1};
        tensor.close();
        Executable[] views = {gone::transpose, () -> gone.permute(1, 0), () -> gone.broadcastTo(3, 2), () -> gone.reshape(2), gone::flatten,
            () -> gone.flatten(0, 1), () -> gone.unflatten(1, 2, 1), () -> gone.expandDims(0), gone::squeeze, () -> gone.diagonal(0, 1), gone::flip,
            () -> gone.slidingWindow(1, 1, 1), () -> gone.tile(2, 2), () -> gone.repeat(0, 2), () -> gone.pad(ones, ones),
            () -> gone.slice(0), () -> gone.slice(TensorIndex.flip()), () -> FloatTensorData.concat(0, open, gone),
            () -> FloatTensorData.stack(0, open, gone), () -> FloatTensorData.where(yes, open, gone), gone::copy, gone::description,
            () -> gone.sharesMemoryWith(open), () -> open.sharesMemoryWith(gone)};
        for (Executable view : views) {
            Expect.thrown(TensorClosedException.class, view, "FLOAT");
        }
    }

    //#if float double int long
    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void buffersOfTheCallersMayBeAnything() {
        FloatTensorData direct = FloatTensorData.of(FloatValues.view(ByteBuffer.allocateDirect(2 * DataType.FLOAT.byteSize())), 2);
        FloatTensorData readOnly = FloatTensorData.of(FloatValues.view(ByteBuffer.allocate(2 * DataType.FLOAT.byteSize())).asReadOnlyBuffer(), 2);
        FloatTensorData other = FloatTensorData.of(FloatValues.array(0, 2));
        for (FloatTensorData data : new FloatTensorData[] {direct, readOnly}) {
            assertTrue(data.sharesMemoryWith(other));
            assertTrue(other.sharesMemoryWith(data));
            assertTrue(FloatTensorData.concat(0, other, data).sharesMemoryWith(other));
            assertFalse(data.sharesMemoryWith(other.slice(TensorIndex.to(0))));
            assertFalse(data.sharesMemoryWith(FloatTensorData.constant(MARGIN, 2)));
        }
    }
    //#end

    @Test
    void mistakesAreNamed() {
        FloatTensorData m = FloatTensorData.of(FloatValues.array(0, 6), 2, 3);
        FloatTensorData v = FloatTensorData.of(FloatValues.array(0, 2));
        Class<IllegalArgumentException> bad = IllegalArgumentException.class;
        Expect.thrown(bad, () -> m.pad(new long[] {1}, new long[] {1, 1}), "[1]", "[2, 3]", "2 axes");
        Expect.thrown(bad, () -> m.pad(new long[] {1, -1}, new long[] {1, 1}), "-1", "axis 1");
        Expect.thrown(bad, () -> FloatTensorData.concat(0), "at least one part");
        Expect.thrown(bad, () -> FloatTensorData.concat(1, m, m.transpose()), "[3, 2] of part 1", "[2, 3]");
        Expect.thrown(bad, () -> FloatTensorData.concat(2, m), "no axis 2", "-2 to 1");
        Expect.thrown(bad, () -> FloatTensorData.stack(0, m, v), "[2] of part 1", "[2, 3]");
        Expect.thrown(bad, () -> m.tile(2), "[2]", "rank 2");
        Expect.thrown(bad, () -> m.tile(2, -1), "-1");
        Expect.thrown(bad, () -> m.repeat(0, -1), "-1");
        Expect.thrown(bad, () -> FloatTensorData.constant(MARGIN, -1), "negative");
        Expect.exactly(NullPointerException.class, () -> FloatTensorData.concat(0, m, null), "part 1");
        Expect.exactly(NullPointerException.class, () -> FloatTensorData.stack(0, null, m), "part 0");
    }
}
