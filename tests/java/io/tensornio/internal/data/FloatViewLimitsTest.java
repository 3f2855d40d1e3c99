package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.BooleanTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Views of {@code float} data of rank 0 and 10 and without elements, functions of indices, and copies from views of what is written. */
@ExtendWith(MemoryBalance.class)
class FloatViewLimitsTest {
    private static void check(FloatTensorData view, long[] shape, float... expected) {
        assertArrayEquals(shape, view.shape());
        assertArrayEquals(expected, FloatValues.all(view));
        float[] bulk = FloatValues.zeros(expected.length);
        view.copyTo(bulk);
        assertArrayEquals(expected, bulk);
        try (Tensor<Float> copy = view.copy()) {
            assertEquals(copy.floatData(), view);
        }
    }

    private static long[] of(long... numbers) {
        return numbers;
    }

    @Test
    void scalarsHaveEveryViewThatNeedsNoAxis() {
        float one = FloatValues.of(1);
        float[] array = {one};
        FloatTensorData scalar = FloatTensorData.of(array, new long[0]);
        for (FloatTensorData data : new FloatTensorData[] {scalar, FloatTensorData.constant(one)}) {
            check(data.transpose(), of(), one);
            check(data.permute(), of(), one);
            check(data.flip(), of(), one);
            check(data.squeeze(), of(), one);
            check(data.flatten(), of(1), one);
            check(data.reshape(1, 1), of(1, 1), one);
            check(data.expandDims(-1), of(1), one);
            check(data.broadcastTo(2, 1), of(2, 1), one, one);
            check(data.tile(), of(), one);
            check(data.pad(of(), of()), of(), one);
            check(FloatTensorData.stack(0, data, data), of(2), one, one);
            check(FloatTensorData.where(BooleanTensorData.constant(true), data, data), of(), one);
            Class<IllegalArgumentException> bad = IllegalArgumentException.class;
            Expect.thrown(bad, () -> data.flatten(0, 0), "no axis 0", "there are none");
            Expect.thrown(bad, () -> data.diagonal(0, 1), "no axis 0", "there are none");
            Expect.thrown(bad, () -> data.repeat(0, 1), "no axis 0", "there are none");
            Expect.thrown(bad, () -> data.slidingWindow(0, 1, 1), "no axis 0", "there are none");
            Expect.thrown(bad, () -> FloatTensorData.concat(0, data), "no axis 0", "there are none");
        }
        scalar.flatten().put(FloatValues.of(2), 0);
        assertEquals(FloatValues.of(2), array[0]);
    }

    @Test
    void tenAxesAreNoFewer() {
        long[] shape = {2, 1, 2, 1, 2, 1, 1, 2, 1, 3};
        float[] values = FloatValues.array(0, 48);
        try (Tensor<Float> tensor = Tensors.denseFloat(shape, data -> data.copyFrom(values))) {
            FloatTensorData data = tensor.floatData();
            FloatTensorData view = data.permute(9, 8, 7, 6, 5, 4, 3, 2, 1, 0).flip(0);
            assertEquals(data, view.flip(0).transpose());
            assertArrayEquals(of(3, 1, 2, 1, 1, 2, 1, 2, 1, 2), view.shape());
            assertEquals(data.get(1, 0, 0, 0, 1, 0, 0, 1, 0, 2), view.get(0, 0, 1, 0, 0, 1, 0, 0, 0, 1));
            check(data.squeeze().flatten(), of(48), values);
            check(data.reshape(3, 2, 1, 1, 2, 1, 2, 1, 2, 1), of(3, 2, 1, 1, 2, 1, 2, 1, 2, 1), values);
            FloatTensorData both = FloatTensorData.stack(10, data, data);
            assertEquals(data, both.slice(TensorIndex.ellipsis(), TensorIndex.at(1)));
            long[] margin = new long[10];
            margin[3] = 1;
            FloatTensorData padded = data.pad(margin, margin);
            assertEquals(144, padded.totalSize());
            assertEquals(data, padded.slice(TensorIndex.all(), TensorIndex.all(), TensorIndex.all(), TensorIndex.range(1, 2)));
        }
    }

    @Test
    void nothingHasEveryView() {
        for (long[] shape : new long[][] {{0}, {2, 0, 3}, {0, 0}}) {
            int last = shape.length - 1;
            try (Tensor<Float> tensor = Tensors.denseFloat(shape, data -> { })) {
                for (FloatTensorData data : new FloatTensorData[] {tensor.floatData(), FloatTensorData.constant(FloatValues.of(1), shape)}) {
                    check(data.transpose().flip().flatten(), of(0));
                    check(data.reshape(0, 7), of(0, 7));
                    check(data.transpose().reshape(5, 0), of(5, 0));
                    check(data.repeat(last, 2).tile(new long[shape.length]), new long[shape.length]);
                    assertEquals(0, FloatTensorData.concat(last, data, data).totalSize());
                    assertEquals(0, data.broadcastTo(with(2, shape)).totalSize());
                    assertFalse(data.sharesMemoryWith(data));
                    assertTrue(data.isContiguous());
                    assertTrue(data.description().canReshapeTo(9, 0));
                }
            }
        }
        check(FloatTensorData.constant(FloatValues.of(1), 0).pad(of(1), of(1), FloatValues.of(2)), of(2), FloatValues.of(2), FloatValues.of(2));
    }

    private static long[] with(long first, long... rest) {
        long[] all = new long[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    //#if floating long
    @Test
    void aFunctionIsAskedAtEveryRead() {
        List<long[]> asked = new ArrayList<>();
        FloatTensorData made = FloatTensorData.generate(at -> {
            asked.add(at);
            return 10 * at[0] + at[1];
        }, 3, 4);
    //#end
    //~int,byte @Test
    //~int,byte void aFunctionIsAskedAtEveryRead() {
    //~int,byte     List<long[]> asked = new ArrayList<>();
    //~int,byte     FloatTensorData made = FloatTensorData.generate(at -> {
    //~int,byte         asked.add(at);
    //~int,byte         return (int) (10 * at[0] + at[1]);
    //~int,byte     }, 3, 4);
    //~boolean @Test
    //~boolean void aFunctionIsAskedAtEveryRead() {
    //~boolean     List<long[]> asked = new ArrayList<>();
    //~boolean     BooleanTensorData made = BooleanTensorData.generate(at -> {
    //~boolean         asked.add(at);
    //~boolean         return at[0] == at[1];
    //~boolean     }, 3, 4);
    //~string @Test
    //~string void aFunctionIsAskedAtEveryRead() {
    //~string     List<long[]> asked = new ArrayList<>();
    //~string     StringTensorData made = StringTensorData.generate(at -> {
    //~string         asked.add(at);
    //~string         return at[0] + "," + at[1];
    //~string     }, 3, 4);
        assertEquals(0, asked.size());
        float first = made.get(2, 1);
        assertEquals(first, made.transpose().get(1, 2));
        assertEquals(first, made.slice(TensorIndex.at(2), TensorIndex.flip()).get(2));
        assertEquals(3, asked.size());
        asked.forEach(at -> assertArrayEquals(of(2, 1), at));
        assertNotSame(asked.get(0), asked.get(1));
        check(made, of(3, 4), FloatValues.all(made));
        Expect.exactly(NullPointerException.class, () -> FloatTensorData.generate(null, 2), "f");
    }

    @Test
    void viewsOfOneTensorAreCopiedAsIfTheyWereReadFirst() {
        Seeds.each(3260, 60, (random, done) -> {
            try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 4, 4}, data -> overlap(data, random, done))) {
                assertEquals(64, tensor.numElements());
            }
            overlap(FloatTensorData.of(FloatValues.array(0, 64), 4, 4, 4), random, done);
        });
    }

    private static void overlap(FloatTensorData data, Random random, StringBuilder done) {
        FloatValues.fill(data);
        FloatTensorData to = cut(data, random, done);
        FloatTensorData from = cut(data, random, done);
        if (random.nextInt(3) == 0) {
            FloatTensorData half = from.slice(TensorIndex.to(1));
            from = FloatTensorData.concat(0, from.slice(TensorIndex.from(1)), half);
            done.append(" turned");
        } else if (random.nextInt(3) == 0) {
            from = from.slice(TensorIndex.to(2), TensorIndex.to(1)).pad(of(0, 1, 0), of(0, 1, 0)).slice(TensorIndex.all(), TensorIndex.to(2));
            done.append(" padded");
        }
        float[] expected = FloatValues.all(from);
        float[] all = FloatValues.all(data);
        to.put(from);
        assertArrayEquals(expected, FloatValues.all(to));
        int kept = 0;
        float[] after = FloatValues.all(data);
        for (int n = 0; n < 64; n++) {
            kept += FloatValues.hash(after[n]) == FloatValues.hash(all[n]) ? 1 : 0;
        }
        assertTrue(kept >= 64 - to.totalSize());
    }

    /** A view of two positions of each axis, in any order of axes and either direction. */
    private static FloatTensorData cut(FloatTensorData data, Random random, StringBuilder done) {
        int[] order = {0, 1, 2};
        for (int d = 2; d > 0; d--) {
            int other = random.nextInt(d + 1);
            int held = order[d];
            order[d] = order[other];
            order[other] = held;
        }
        TensorIndex[] picks = new TensorIndex[3];
        for (int d = 0; d < 3; d++) {
            int first = random.nextInt(4);
            int step = first < 2 ? 1 + random.nextInt(2) : -1 - random.nextInt(2);
            picks[d] = random.nextInt(4) == 0 ? TensorIndex.incl(first, (first + 1 + random.nextInt(3)) % 4)
                : TensorIndex.incl(first, Math.max(0, Math.min(3, first + step)));
        }
        done.append(Arrays.toString(order)).append(Arrays.toString(picks));
        return data.permute(order).slice(picks);
    }
}
