package io.tensornio.internal.memory;

//#if buffer
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatBuffers;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Buffers that somebody moves while {@code float} data is copied to them or from them. */
@ExtendWith(MemoryBalance.class)
class FloatMovedBufferTest {
    private static final int ROUNDS = 20_000;
    private static final int MOST_ROUNDS = 100 * ROUNDS;
    private static final int N = 6;

    /** Data that moves a buffer whenever it is asked for anything. */
    private static final class Mover extends AbstractFloatTensorData {
        final float[] array = FloatValues.array(0, N);
        private final FloatBuffer buffer;

        Mover(FloatBuffer buffer) {
            super(2, N / 2);
            this.buffer = buffer;
        }

        private int moved(long... indices) {
            buffer.clear();
            return (int) (indices[0] * N / 2 + indices[1]);
        }

        @Override
        protected float getAt(long[] indices) {
            return array[moved(indices)];
        }

        @Override
        protected void putAt(float value, long[] indices) {
            array[moved(indices)] = value;
        }
    }

    @Test
    void dataThatMovesTheBufferItIsCopiedTo() {
        FloatBuffers.all(N).forEach((kind, buffer) -> {
            new Mover(buffer).get(buffer);
            assertEquals(FloatBuffers.MARGIN + N, buffer.position(), kind);
            assertArrayEquals(FloatBuffers.withMargins(FloatValues.array(0, N)), FloatBuffers.content(buffer), kind);
        });
    }

    @Test
    void dataThatMovesTheBufferItIsCopiedFrom() {
        FloatBuffers.filled(50, N - 2).forEach((kind, buffer) -> {
            Mover mover = new Mover(buffer);
            mover.put(buffer);
            assertEquals(FloatBuffers.MARGIN + N - 2, buffer.position(), kind);
            float[] expected = Arrays.copyOf(FloatValues.array(50, N - 2), N);
            expected[N - 2] = FloatValues.of(N - 2);
            expected[N - 1] = FloatValues.of(N - 1);
            assertArrayEquals(expected, mover.array, kind);
        });
    }

    /** Puts a buffer to a row while another thread moves the limit beyond the row's capacity, and back, until it was met at both. */
    private static void checkRow(String kind, FloatTensorData row, FloatTensorData others, FloatBuffer buffer) {
        int start = buffer.position();
        float[] untouched = FloatValues.all(others);
        AtomicBoolean stop = new AtomicBoolean();
        int[] met = new int[2];
        Workers.run(2, number -> {
            if (number == 0) {
                for (int n = 0; !stop.get(); n++) {
                    buffer.limit(start + (n % 2 == 0 ? N / 2 : 2 * N));
                }
                return;
            }
            try {
                for (int round = 0; round < ROUNDS || (met[0] == 0 || met[1] == 0) && round < MOST_ROUNDS; round++) {
                    buffer.position(start);
                    try {
                        row.put(buffer);
                        met[0]++;
                    } catch (IndexOutOfBoundsException e) {
                        Expect.says(e, 2 * N + " elements", "which has " + N);
                        met[1]++;
                    }
                    assertArrayEquals(untouched, FloatValues.all(others), kind);
                }
            } finally {
                stop.set(true);
            }
        });
        assertTrue(met[0] > 0 && met[1] > 0, () -> kind + ": the limit never moved, " + Arrays.toString(met));
    }

    private static void checkRows(String kind, FloatTensorData data) {
        for (String buffer : new String[] {"heap", "direct"}) {
            FloatValues.fill(data);
            checkRow(kind + " from " + buffer, data.slice(0), data.slice(1), FloatBuffers.of(buffer, 2 * N));
            checkRow(kind + ", backwards, from " + buffer, data.slice(1).slice(TensorIndex.flip()), data.slice(0), FloatBuffers.of(buffer, 2 * N));
        }
    }

    @Test
    void aThreadThatMovesTheLimitGetsNothingWrittenBesideTheSelection() {
        checkRows("array", FloatTensorData.of(new float[2 * N], 2, N));
        Tensors.denseFloat(new long[] {2, N}, data -> checkRows("native", data)).close();
    }
}
//#end
