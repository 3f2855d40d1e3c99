package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static io.tensornio.TensorIndex.to;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.FloatSources;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Pick;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import io.tensornio.support.FloatBuffers;
import java.nio.FloatBuffer;
//#end

/** Copies between {@code float} data, arrays and buffers over the same memory: as if all was read before anything is written. */
@ExtendWith(MemoryBalance.class)
class FloatAliasTest {
    @Test
    void overlappingCopiesDoNotSmear() {
        for (int n : new int[] {10, 1000, 20_000}) {
            int[] order = new int[n];
            Arrays.setAll(order, i -> i % 3 == 0 && i + 1 < n ? i + 1 : i % 3 == 1 ? i - 1 : i);
            TensorIndex shuffled = incl(Pick.longs(order));
            float[] expected = FloatValues.zeros(n);
            for (int i = 0; i < n; i++) {
                expected[order[i]] = FloatValues.of(i);
            }
            float[] shifted = FloatValues.array(0, n);
            System.arraycopy(shifted, 0, shifted, 1, n - 1);
            try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {n}, data -> checkOverlaps(data, shuffled, expected, shifted))) {
                assertEquals(n, tensor.numElements());
            }
            for (String kind : FloatSources.KINDS) {
                checkOverlaps(FloatSources.of(kind, n).data, shuffled, expected, shifted);
            }
        }
    }

    private static void checkOverlaps(FloatTensorData data, TensorIndex shuffled, float[] expected, float[] shifted) {
        FloatValues.fill(data);
        data.slice(shuffled).put(data);
        assertArrayEquals(expected, FloatValues.all(data));
        FloatValues.fill(data);
        data.get(data.slice(shuffled));
        assertArrayEquals(expected, FloatValues.all(data));
        FloatValues.fill(data);
        data.slice(from(1)).put(data.slice(to(-1)));
        assertArrayEquals(shifted, FloatValues.all(data));
        FloatValues.fill(data);
        data.slice(flip()).put(data);
        for (int i = 0; i < shifted.length; i++) {
            assertEquals(FloatValues.of(shifted.length - 1 - i), data.get(i));
        }
    }

    @Test
    void twoWrapsOfOneArrayOverlap() {
        float[] array = FloatValues.array(0, 9);
        FloatTensorData data = FloatTensorData.of(array, 3, 3);
        FloatTensorData same = FloatTensorData.of(array, 3, 3);
        data.slice(range(1, 3)).put(same.slice(range(0, 2)));
        float[] expected = FloatValues.array(0, 9);
        System.arraycopy(FloatValues.array(0, 6), 0, expected, 3, 6);
        assertArrayEquals(expected, array);
        //#if buffer
        FloatTensorData part = FloatTensorData.of(FloatBuffer.wrap(array, 1, 6), 6);
        FloatTensorData line = FloatTensorData.of(array).slice(range(0, 6));
        float[] before = array.clone();
        part.slice(incl(5, 4, 0, 1, 2, 3)).put(line);
        int[] order = {5, 4, 0, 1, 2, 3};
        for (int i = 0; i < 6; i++) {
            assertEquals(before[i], array[1 + order[i]]);
        }
        //#end
    }

    @Test
    void theArrayBehindDataIsASourceAndTargetLikeAnyOther() {
        for (TensorIndex index : new TensorIndex[] {flip(), incl(0, 3, 1, 2), all(), from(0)}) {
            float[] array = FloatValues.array(0, 4);
            FloatTensorData data = FloatTensorData.of(array).slice(index);
            float[] expected = FloatValues.all(data);
            data.copyTo(array);
            assertArrayEquals(expected, array, index.toString());
            FloatTensorData model = FloatTensorData.of(FloatValues.zeros(4)).slice(index);
            model.copyFrom(expected);
            data.copyFrom(array);
            assertArrayEquals(FloatValues.all(model), FloatValues.all(data), index.toString());
        }
    }

    //#if buffer
    @Test
    void aBufferOverTheElementsIsASourceAndTargetLikeAnyOther() {
        for (int n : new int[] {4, 20_000}) {
            for (TensorIndex index : new TensorIndex[] {flip(), step(1), n == 4 ? incl(0, 3, 1, 2) : excl(3), incl(0, 0, 1)}) {
                for (String kind : FloatBuffers.KINDS) {
                    String where = n + " of " + kind + " by " + index;
                    FloatBuffer buffer = FloatBuffers.of(kind, n);
                    FloatTensorData whole = FloatTensorData.of(buffer.duplicate(), n);
                    FloatTensorData data = whole.slice(index);
                    FloatValues.fill(whole);
                    float[] expected = FloatValues.array(0, n);
                    System.arraycopy(FloatValues.all(data), 0, expected, 0, (int) data.totalSize());
                    data.get(same(buffer));
                    assertArrayEquals(expected, FloatValues.all(whole), where);
                    FloatValues.fill(whole);
                    FloatTensorData model = FloatTensorData.of(FloatValues.array(0, n));
                    model.slice(index).copyFrom(FloatValues.array(0, (int) data.totalSize()));
                    FloatBuffer source = same(buffer);
                    source.limit(source.position() + (int) data.totalSize());
                    data.put(source);
                    assertArrayEquals(FloatValues.all(model), FloatValues.all(whole), where);
                }
            }
        }
    }

    @Test
    void aReadOnlyBufferOverTheArrayBehindDataIsASourceLikeAnyOther() {
        float[] array = FloatValues.array(0, 20_000);
        FloatTensorData data = FloatTensorData.of(array);
        data.slice(flip()).put(FloatBuffer.wrap(array).asReadOnlyBuffer());
        float[] expected = FloatValues.all(FloatTensorData.of(FloatValues.array(0, 20_000)).slice(flip()));
        assertArrayEquals(expected, array);
        data.put(FloatBuffer.wrap(array, 0, 19_999).asReadOnlyBuffer(), 1);
        assertArrayEquals(Arrays.copyOf(expected, 19_999), Arrays.copyOfRange(array, 1, 20_000));
    }

    private static FloatBuffer same(FloatBuffer buffer) {
        FloatBuffer same = buffer.duplicate();
        //~byte same.order(buffer.order());
        return same;
    }
    //#end
}
