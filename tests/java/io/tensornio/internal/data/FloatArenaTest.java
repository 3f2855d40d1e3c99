package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.MemoryBalance;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The arena of a ragged {@code float} tensor whose rows are set again and again: its capacity stays within a few times what the rows have. */
@ExtendWith(MemoryBalance.class)
class FloatArenaTest {
    private static final int ROWS = 50;
    /** The least capacity of an arena. */
    private static final int FIRST = 64;

    private static float value(int n) {
        //#if float double int long
        return n % 101;
        //#end
        //~byte return (byte) (n % 101);
        //~boolean return n % 3 != 0;
        //~string return "v" + n;
    }

    private static float[] row(int from, int n) {
        float[] row = new float[n];
        for (int i = 0; i < n; i++) {
            row[i] = value(from + i);
        }
        return row;
    }

    /** Rows that are put, what they should be, and the largest capacity that is allowed by now. */
    private static final class Model {
        final float[][] rows = new float[ROWS][0];
        private final FloatTensorData data;
        private final FloatRowArena arena;
        private long elements;
        private long most = FIRST;

        Model(FloatTensorData data) {
            this.data = data;
            arena = (FloatRowArena) ((FloatData) data).source();
        }

        /**
         * Sets a row. An arena grows to twice what is needed at most, and only if at least half of what is taken is in rows, each of which may take
         * twice its length; else the arena is compacted, unless that means to look at more rows than elements.
         */
        void put(int i, float... row) {
            most = Math.max(most, 2 * (2 * Math.max(elements, ROWS) + 1 + 2L * row.length));
            data.put(row, i);
            elements += row.length - rows[i].length;
            rows[i] = row;
            assertEquals(elements, data.totalSize());
            assertTrue(arena.capacity() <= most, () -> "capacity for " + arena.capacity() + " of " + elements + " elements, " + most + " would do");
        }
    }

    private static void check(RaggedTensor<Float> tensor, Model model) {
        FloatTensorData data = tensor.floatData();
        for (int i = 0; i < ROWS; i++) {
            float[] row = new float[model.rows[i].length];
            data.slice(i).copyTo(row);
            assertArrayEquals(model.rows[i], row);
        }
    }

    @Test
    void rowsThatAreReplacedByLongerOnes() {
        Model[] model = {null};
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {ROWS, -1}, data -> {
            model[0] = new Model(data);
            for (int n = 0; n < 200; n++) {
                for (int i = 0; i < ROWS; i++) {
                    model[0].put((i * 7 + n) % ROWS, row(n + i, n + 1));
                }
            }
        })) {
            check(tensor, model[0]);
        }
    }

    @Test
    void oneLongRowAfterTheOther() {
        Model[] model = {null};
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {ROWS, -1}, data -> {
            model[0] = new Model(data);
            for (int n = 0; n < 3 * ROWS; n++) {
                model[0].put(n % ROWS, row(n, 10_000 + n));
                if (n % 4 > 0) {
                    model[0].put(n % ROWS, row(n, 1));
                } else {
                    model[0].put((n + ROWS - 4) % ROWS, row(n, 2));
                }
            }
        })) {
            check(tensor, model[0]);
        }
    }

    @Test
    void rowsOfAnyLengthInAnyOrder() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Model[] model = {null};
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {ROWS, -1}, data -> {
            model[0] = new Model(data);
            for (int n = 0; n < 4000; n++) {
                model[0].put(random.nextInt(ROWS), row(n, random.nextInt(1 + random.nextInt(1000))));
            }
        })) {
            check(tensor, model[0]);
        } catch (Throwable e) {
            throw new AssertionError("seed " + seed, e);
        }
    }
}
