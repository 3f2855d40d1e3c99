package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Sparse {@code float} tensors that are made and closed while others read them. A reader sees its tensor's values, zeros, or {@link
 * TensorClosedException}; never those of other tensors, and no other exception.
 */
@ExtendWith(MemoryBalance.class)
class FloatSparseRaceTest {
    private static final int SLOTS = 4;
    private static final int ROUNDS = 400;

    private static boolean isOwn(float value) {
        //#if primitive
        return value == FloatValues.OWN || value == FloatValues.ZERO;
        //#end
        //~string return value.equals(FloatValues.OWN) || value.equals(FloatValues.ZERO);
    }

    private static SparseTensor<Float> make(int side, int n, float value) {
        return Tensors.sparseFloat(new long[] {side, side}, n, data -> {
            for (int i = 0; i < n; i++) {
                data.put(value, side - 1 - i / side, i * 7 % side);
            }
        });
    }

    @Test
    void readersSeeTheirOwnValuesOrThatItIsClosed() throws Exception {
        AtomicReferenceArray<SparseTensor<Float>> slots = new AtomicReferenceArray<>(SLOTS);
        AtomicInteger made = new AtomicInteger();
        RaceTeam team = new RaceTeam(() -> made.get() < ROUNDS * Expect.depth());
        team.add(1, random -> {
            // Sides that have no divisor in common with 7; small tensors share memory with others.
            int side = random.nextBoolean() ? 10 : 200;
            int n = side * side / 2;
            SparseTensor<Float> other = make(side, n, FloatValues.FOREIGN);
            SparseTensor<Float> old = slots.getAndSet(random.nextInt(SLOTS), make(side, n, FloatValues.OWN));
            if (old != null) {
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
        switch (random.nextInt(8)) {
            case 0:
                for (int i = 0; i < 100; i++) {
                    assertTrue(isOwn(data.get(random.nextInt(side), random.nextInt(side))));
                }
                break;
            case 1:
                data.scalars().forEach(value -> assertTrue(isOwn(value)));
                break;
            case 2: {
                float[] all = FloatValues.zeros(side * side);
                data.slice(TensorIndex.flip(), TensorIndex.step(2)).copyTo(all);
                for (float value : all) {
                    assertTrue(isOwn(value));
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
                    dense.floatData().scalars().forEach(value -> assertTrue(isOwn(value)));
                }
                break;
            }
            case 6:
                assertTrue(tensor.rowPointers().longData().get(side) == side * side / 2 || tensor.isClosed());
                assertTrue(tensor.columnIndices().get(0) >= 0);
                tensor.denseShape().longData().get(1);
                break;
            default:
                try (SparseTensor<Float> again = SparseTensor.fromDense(data.slice(TensorIndex.range(side / 2, side)))) {
                    again.values().floatData().scalars().forEach(value -> assertTrue(isOwn(value)));
                }
        }
    }
}
