package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.flip;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.FloatArray;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Slicer;
import java.util.Arrays;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** Views of {@code float} data that keep runs where dense data of their size would keep a list: their elements are the same. */
class FloatRunsTest {
    private static float of(int n) {
        //#if float double int long
        return n;
        //#end
        //~byte return (byte) n;
        //~boolean return n % 3 == 0;
    }

    private static float[] values(int n) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = of(i + 1);
        }
        return values;
    }

    /** By the method of just so many coordinates where there is one. */
    private static float get(FloatTensorData data, int... at) {
        switch (at.length) {
            case 1: return data.get(at[0]);
            case 2: return data.get(at[0], at[1]);
            case 3: return data.get(at[0], at[1], at[2]);
            default: return data.get(at);
        }
    }

    @Test
    void runsAreReadAndWrittenAsListsAre() {
        for (long[] shape : new long[][] {{60}, {10, 6}, {6, 10}, {5, 3, 4}, {3, 2, 5, 2}, {30, 1, 2}}) {
            TensorIndex[] indices = new TensorIndex[shape.length];
            Arrays.setAll(indices, d -> shape[d] < 5 ? flip() : shape[d] < 10 ? excl(1) : excl(1, -2));
            float[] listed = new float[60];
            FloatTensorData expected = FloatTensorData.of(listed, shape).slice(indices);
            float[] run = new float[60];
            FloatArray array = ((FloatArrayStrided) FloatTensorData.of(run, shape)).block;
            FloatTensorData runs = FloatView.of(array, Slicer.slice(Layout.rowMajor(shape), 0, indices));
            assertTrue(((FloatView) runs).layout().hasRuns());
            assertFalse(((FloatView) expected).layout().hasRuns());
            int total = (int) runs.totalSize();
            float[] values = values(total);
            runs.copyFrom(values);
            expected.copyFrom(values);
            checkSame(expected, runs);
            assertArrayEquals(listed, run);         // and nothing else was written
            FloatTensorIterator writes = runs.scalars();
            for (FloatTensorIterator others = expected.scalars(); others.hasMoreElements(); ) {
                others.put(values[--total]);
                writes.put(values[total]);
            }
            assertFalse(writes.hasMoreElements());
            checkSame(expected, runs);
            assertArrayEquals(listed, run);
            int[] last = Arrays.stream(runs.shape()).mapToInt(n -> (int) n - 1).toArray();
            runs.put(of(999), last);
            assertEquals(of(999), runs.get(last));
            last[0]++;
            assertThrows(IndexOutOfBoundsException.class, () -> runs.put(of(999), last));
            assertThrows(IndexOutOfBoundsException.class, () -> runs.get(new int[shape.length + 1]));
            assertThrows(IndexOutOfBoundsException.class, () -> get(runs, last));
        }
    }

    private static void checkSame(FloatTensorData expected, FloatTensorData runs) {
        assertEquals(expected, runs);
        float[] values = new float[(int) runs.totalSize()];
        runs.copyTo(values);
        assertEquals(expected, FloatTensorData.of(values, runs.shape()));
        assertArrayEquals(expected.stream().toArray(), runs.stream().parallel().toArray());
        assertEquals(expected.slice(0), runs.slice(0));
        FloatTensorIterator scalars = runs.scalars();
        int[] at = new int[runs.rank()];
        for (float value : values) {
            assertEquals(value, scalars.get());
            assertEquals(value, runs.get(at));
            assertEquals(value, get(runs, at));
            for (int d = at.length - 1; d >= 0 && ++at[d] == runs.size(d); d--) {
                at[d] = 0;
            }
        }
        assertFalse(scalars.hasMoreElements());
        assertThrows(NoSuchElementException.class, scalars::get);
    }
}
