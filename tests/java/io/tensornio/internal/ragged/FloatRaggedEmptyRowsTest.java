package io.tensornio.internal.ragged;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.TensorIndex;
import io.tensornio.support.FloatValues;
import io.tensornio.support.Seeds;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Views of ragged {@code float} data most of whose rows are empty: these are passed without making anything for them. */
class FloatRaggedEmptyRowsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROWS = 50_000;

    private static void passesRows(String what, Runnable reads) {
        reads.run();                    // classes are there, and whatever is made once
        long id = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(id);
        reads.run();
        long bytes = THREADS.getThreadAllocatedBytes(id) - before;
        assertTrue(bytes < ROWS, () -> what + ": " + bytes + " bytes for " + ROWS + " rows");
    }

    @Test
    void readsMakeNothingForThem() {
        FloatRaggedRows.with(new long[] {ROWS, -1}, data -> data.put(FloatValues.array(1, 2), ROWS - 1), tensor -> {
            FloatTensorData view = tensor.floatData().slice(all(), flip());
            FloatTensorData same = tensor.floatData().slice(all(), flip());
            float[] values = new float[2];
            passesRows("get", () -> assertEquals(FloatValues.of(2), view.scalars().get()));
            passesRows("forEach", () -> view.scalars().forEach(value -> { }));
            passesRows("stream", () -> assertTrue(view.stream().findFirst().isPresent()));
            passesRows("hashCode", view::hashCode);
            passesRows("equals", () -> assertEquals(view, same));
            passesRows("copyTo", () -> view.copyTo(values));
            assertArrayEquals(new float[] {FloatValues.of(2), FloatValues.of(1)}, values);
        });
    }

    @Test
    void viewsHaveTheElementsOfTheOtherRows() {
        Seeds.each(0, 300, (random, done) -> {
            view(random, 1, 1, 40, -1);
            view(random, 1, 2, 40, -1, 2);
            view(random, 2, 1, 20, 2, -1);
        });
    }

    /** A part of the first axis, with the positions of each row in reverse, while the tensor is filled and afterwards. */
    private static void view(Random random, int rowsEach, int unit, long... shape) {
        int[] lengths = new int[(int) shape[0] * rowsEach];
        int often = 1 + random.nextInt(12);
        for (int row = 0; row < lengths.length; row++) {
            lengths[row] = random.nextInt(often) == 0 ? random.nextInt(4) : 0;
        }
        int to = random.nextInt((int) shape[0] + 1);
        int from = random.nextInt(to + 1);
        TensorIndex[] part = rowsEach == 1 ? new TensorIndex[] {range(from, to), flip()} : new TensorIndex[] {range(from, to), all(), flip()};
        float[] expected = expected(lengths, from * rowsEach, to * rowsEach, unit);
        FloatRaggedRows.with(shape, data -> {
            fill(data, lengths, rowsEach, unit);
            FloatTensorData view = data.slice(part);
            check(expected, view);
            int n = random.nextInt(expected.length + 1);
            float[] first = FloatValues.array(1000, n);
            view.copyFrom(first);
            System.arraycopy(first, 0, expected, 0, n);
            check(expected, view);
        }, tensor -> check(expected, tensor.floatData().slice(part)));
    }

    private static void fill(FloatTensorData data, int[] lengths, int rowsEach, int unit) {
        int number = 0;
        for (int row = 0; row < lengths.length; row++) {
            int n = lengths[row] * unit;
            float[] values = FloatValues.array(number, n);
            if (rowsEach == 1) {
                data.put(values, row);
            } else {
                data.put(values, row / rowsEach, row % rowsEach);
            }
            number += n;
        }
    }

    private static float[] expected(int[] lengths, int from, int to, int unit) {
        float[] values = new float[Arrays.stream(lengths, from, to).sum() * unit];
        int number = Arrays.stream(lengths, 0, from).sum() * unit;
        int at = 0;
        for (int row = from; row < to; row++) {
            for (int j = lengths[row] - 1; j >= 0; j--) {
                for (int k = 0; k < unit; k++) {
                    values[at++] = FloatValues.of(number + j * unit + k);
                }
            }
            number += lengths[row] * unit;
        }
        return values;
    }

    private static void check(float[] expected, FloatTensorData view) {
        float[] read = new float[expected.length];
        view.copyTo(read);
        assertArrayEquals(expected, read);
        FloatTensorIterator scalars = view.scalars();
        for (float value : expected) {
            assertTrue(scalars.hasMoreElements());
            assertEquals(value, scalars.get());
        }
        assertFalse(scalars.hasMoreElements());
        int[] n = {0};
        view.scalars().forEach(value -> assertEquals(expected[n[0]++], value));
        assertEquals(expected.length, n[0]);
    }
}
