package io.tensornio.internal.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.BooleanTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Masks of sparse data. */
@ExtendWith(MemoryBalance.class)
class SparseMaskTest {
    private static TensorIndex index(Random random, int size) {
        switch (random.nextInt(4)) {
            case 0:
                return TensorIndex.flip();
            case 1:
                return TensorIndex.from(random.nextInt(size));
            case 2:
                return TensorIndex.step(2);
            default:
                return TensorIndex.take(LongTensorData.of(random.longs(random.nextInt(2 * size), 0, size).toArray()));
        }
    }

    private static void assertSelects(BooleanTensorData expected, BooleanTensorData mask) {
        int size = (int) mask.totalSize();
        int[] numbers = new int[size];
        Arrays.setAll(numbers, i -> i);
        IntTensorData data = IntTensorData.of(numbers);
        assertEquals(data.slice(TensorIndex.mask(expected)), data.slice(TensorIndex.mask(mask)));
    }

    @Test
    void theySelectAsDenseOnesDo() {
        Seeds.each(0, 200, (random, done) -> {
            int size = 1 + random.nextInt(60);
            int[] at = random.ints(random.nextInt(size + 1), 0, size).distinct().toArray();
            boolean[] dense = new boolean[size];
            BooleanTensorData expected = BooleanTensorData.of(dense);
            TensorIndex index = index(random, size);
            done.append(", ").append(Arrays.toString(at)).append(index);
            try (SparseTensor<Boolean> tensor = Tensors.sparseBoolean(new long[] {size}, at.length, data -> {
                for (int i : at) {
                    dense[i] = random.nextInt(4) > 0;
                    data.put(dense[i], i);
                    assertSelects(expected, data);
                    assertSelects(expected.slice(index), data.slice(index));
                }
            })) {
                assertSelects(expected, tensor.booleanData());
                assertSelects(expected.slice(index), tensor.booleanData().slice(index));
            }
        });
    }

    /** Would take an hour if each element were looked at. */
    @Test
    void noElementIsLookedAtThatIsNotStored() {
        long size = 1L << 40;
        TensorIndex[] far = {TensorIndex.at(size - 2)};
        try (SparseTensor<Integer> tensor = Tensors.sparseInt(new long[] {size}, 2, data -> {
            data.put(7, 5);
            data.slice(far).put(8);
        }); SparseTensor<Boolean> mask = Tensors.sparseBoolean(new long[] {size}, 3, data -> {
            data.put(true, 5);
            data.put(false, 9);
            data.slice(far).put(true);
        })) {
            int[] kept = new int[2];
            tensor.intData().slice(TensorIndex.mask(mask.booleanData())).copyTo(kept);
            assertArrayEquals(new int[] {7, 8}, kept);
            tensor.intData().slice(TensorIndex.flip()).slice(TensorIndex.mask(mask.booleanData().slice(TensorIndex.flip()))).copyTo(kept);
            assertArrayEquals(new int[] {8, 7}, kept);
        }
    }

    @Test
    void aClosedOneIsRefused() {
        SparseTensor<Boolean> tensor = Tensors.sparseBoolean(new long[] {3}, 1, data -> data.put(true, 1));
        TensorIndex mask = TensorIndex.mask(tensor.booleanData());
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> IntTensorData.of(new int[3]).slice(mask), "BOOL", "[3]");
    }
}
