package io.tensornio.internal.sparse;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.RaceTeam;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Sparse {@code float} tensors that are made and closed while others read them. A reader sees its tensor's values where they were put, zeros, or
 * {@link TensorClosedException}; never those of other tensors or other coordinates, and no other exception.
 */
@ExtendWith(MemoryBalance.class)
class FloatSparseRaceTest {
    private static final int SLOTS = 4;
    private static final int ROUNDS = 400;

    /** Whether an element may be what was read: nothing is stored on the first column, where coordinates that read as zeros would look. */
    private static boolean isOwn(float value, int i, int j) {
        float own = FloatValues.of(1 + (31 * i + 7 * j) % 64);
        //#if primitive
        return j > 0 && value == own || value == FloatValues.ZERO;
        //#end
        //~string return j > 0 && value.equals(own) || value.equals(FloatValues.ZERO);
    }

    private static void check(int side, float... all) {
        for (int p = 0; p < all.length; p++) {
            assertTrue(isOwn(all[p], p / side, p % side));
        }
    }

    private static SparseTensor<Float> make(int side, int n, boolean own) {
        return Tensors.sparseFloat(new long[] {side, side}, n, data -> {
            for (int p = 0; p < n; p++) {
                int i = side - 1 - p / (side - 1);
                int j = 1 + p * 7 % (side - 1);
                data.put(own ? FloatValues.of(1 + (31 * i + 7 * j) % 64) : FloatValues.FOREIGN, i, j);
            }
        });
    }

    @Test
    void readersSeeTheirOwnValuesOrThatItIsClosed() throws Exception {
        AtomicReferenceArray<SparseTensor<Float>> slots = new AtomicReferenceArray<>(SLOTS);
        AtomicInteger made = new AtomicInteger();
        RaceTeam team = new RaceTeam(() -> made.get() < ROUNDS * Expect.depth());
        team.add(1, random -> {
            // One more than what has no divisor in common with 7; small tensors share memory with others.
            int side = random.nextBoolean() ? 11 : 201;
            int n = side * side / 2;
            SparseTensor<Float> other = make(side, n, false);
            SparseTensor<Float> old = slots.getAndSet(random.nextInt(SLOTS), make(side, n, true));
            if (old != null && random.nextBoolean()) {
                RaggedTensor<Float> kept = RaggedTensor.fromRowLengths(old.values().floatData(), old.values().shape()[0]);
                old.close();            // the coordinates alone
                Thread.yield();
                kept.close();
            } else if (old != null) {
                old.close();
            }
            other.close();
            made.incrementAndGet();
        });
        team.add(3, random -> {
            SparseTensor<Float> tensor = slots.get(random.nextInt(SLOTS));
            if (tensor != null) {
                try {
                    read(tensor, random);
                } catch (TensorClosedException e) {
                    assertTrue(tensor.isClosed());
                }
            }
        });
        try {
            team.run();
        } finally {
            for (int i = 0; i < SLOTS; i++) {
                if (slots.get(i) != null) {
                    slots.get(i).close();
                }
            }
        }
    }

    private static void read(SparseTensor<Float> tensor, Random random) {
        FloatTensorData data = tensor.floatData();
        int side = (int) data.size(0);
        switch (random.nextInt(9)) {
            case 0:
                for (int n = 0; n < 100; n++) {
                    int i = random.nextInt(side);
                    int j = n % 2 * random.nextInt(side);
                    assertTrue(isOwn(data.get(i, j), i, j));
                }
                break;
            case 1: {
                int[] at = {0};
                data.scalars().forEach(value -> assertTrue(isOwn(value, at[0] / side, at[0]++ % side)));
                break;
            }
            case 2: {
                float[] all = FloatValues.zeros(side * side);
                data.copyTo(all);
                check(side, all);
                int half = (side + 1) / 2;
                float[] some = FloatValues.zeros(side * half);
                data.slice(TensorIndex.flip(), TensorIndex.step(2)).copyTo(some);
                for (int p = 0; p < some.length; p++) {
                    assertTrue(isOwn(some[p], side - 1 - p / half, p % half * 2));
                }
                break;
            }
            case 3:
                data.hashCode();
                assertTrue(data.toString().length() > 0);
                break;
            case 4:
                assertTrue(data.equals(data.slice(TensorIndex.all())) || tensor.isClosed());
                break;
            case 5: {
                try (Tensor<Float> dense = tensor.toDense()) {
                    check(side, FloatValues.all(dense.floatData()));
                }
                break;
            }
            case 6: {
                int[] columns = {5, 0, 1, 1, 9};
                FloatTensorData picked = data.slice(TensorIndex.all(), TensorIndex.incl(5, 0, 1, 1, 9));
                picked.hashCode();
                int[] at = {0};
                picked.scalars().forEach(value -> assertTrue(isOwn(value, at[0] / 5, columns[at[0]++ % 5])));
                break;
            }
            case 7:
                assertTrue(tensor.rowPointers().longData().get(side) == side * side / 2 || tensor.isClosed());
                assertTrue(tensor.columnIndices().longData().get(0) >= 0);
                tensor.denseShape().longData().get(1);
                break;
            default:
                try (SparseTensor<Float> again = SparseTensor.fromDense(data.slice(TensorIndex.range(side / 2, side)))) {
                    float[] all = FloatValues.all(again.floatData());
                    for (int p = 0; p < all.length; p++) {
                        assertTrue(isOwn(all[p], side / 2 + p / side, p % side));
                    }
                }
        }
    }
}
