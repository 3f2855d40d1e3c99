package io.tensornio.internal.memory;

import static io.tensornio.internal.memory.SparseSides.BEHIND;
import static io.tensornio.internal.memory.SparseSides.direct;
import static io.tensornio.internal.memory.SparseSides.floats;
import static io.tensornio.internal.memory.SparseSides.longs;
import static io.tensornio.internal.memory.SparseSides.output;
import static io.tensornio.internal.memory.SparseSides.upTo;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.internal.data.NativeCopies;
import io.tensornio.internal.sparse.NativeSparse;
import io.tensornio.support.Expect;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The natives of sparse tensors: what they make, against an array, while others write, too. Intermediate memory is released. */
@ExtendWith(ExactBalance.class)
class SparseNativeTest {
    private static final long[] SHAPE = {3, 4};

    // ---- by hand

    @Test
    void theLastOfEqualCoordinatesStays() {
        long[] rows = {2, 1, 0, 3, 2, 1, 1, 0};
        long[] positions = {9, 3, 9, 4};
        float[] values = {1, 2, 3, 4};
        for (Object coordinates : new Object[] {rows, longs(rows), positions, longs(positions)}) {
            boolean linear = coordinates == positions || coordinates instanceof LongBuffer && ((LongBuffer) coordinates).capacity() == 4;
            for (Object side : new Object[] {values, floats(values)}) {
                LongBuffer indices = output(8);
                FloatBuffer sorted = floats(0, 0, 0, 0);
                assertEquals(3, NativeSparse.build(coordinates, linear, side, 4, SHAPE, 4, indices, sorted));
                long[] found = upTo(indices, 8);
                assertArrayEquals(new long[] {0, 3, 1, 0, 2, 1}, Arrays.copyOf(found, 6));
                assertEquals(2, sorted.get(0));
                assertEquals(4, sorted.get(1));
                assertEquals(3, sorted.get(2));
            }
        }
    }

    /** More rows than are pinned at a time, in order up to the last but one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void arraysInOrderAreCopiedPartByPart(boolean linear) {
        int n = 150_000;
        long[] shape = {n, 3};
        long[] rows = new long[2 * n];
        long[] positions = new long[n];
        float[] values = new float[n];
        for (int row = 0; row < n; row++) {
            rows[2 * row] = row;
            rows[2 * row + 1] = row % 3;
            positions[row] = 3L * row + row % 3;
            values[row] = row;
        }
        long[] coordinates = linear ? positions : rows;
        LongBuffer indices = output(2 * n);
        FloatBuffer sorted = floats(new float[n]);
        assertEquals(n, NativeSparse.build(coordinates, linear, values, n, shape, 4, indices, sorted));
        assertArrayEquals(rows, upTo(indices, 2 * n));
        assertEquals(floats(values), sorted);

        coordinates[coordinates.length - 1] = 0;        // the last row is the first one now, or that in column 0
        coordinates[linear ? n - 1 : 2 * n - 2] = 0;
        assertEquals(n - 1, NativeSparse.build(coordinates, linear, values, n, shape, 4, indices, sorted));
        assertEquals(n - 1, sorted.get(0));
        assertEquals(n - 2, sorted.get(n - 2));
        assertEquals(n - 2, indices.get(2 * n - 4));

        coordinates[coordinates.length - 1] = linear ? 3L * n : 3;
        Expect.exactly(IndexOutOfBoundsException.class, () -> NativeSparse.build(coordinates, linear, values, n, shape, 4, indices, sorted),
            "row " + (n - 1),
            linear ? "450000" : "has 3 along axis 1");
    }

    @Test
    void denseMemoryIsWrittenWhole() {
        LongBuffer indices = longs(0, 1, 2, 0, 2, 3);
        float[] values = {5, 6, -0f};
        float[] expected = {0, 5, 0, 0, 0, 0, 0, 0, 6, 0, 0, -0f, 9};
        float[] nines = new float[13];
        Arrays.fill(nines, 9);
        FloatBuffer buffer = floats(nines);
        NativeSparse.toDense(indices, values, 3, SHAPE, 4, buffer);
        assertEquals(floats(expected), buffer);
        FloatBuffer again = floats(nines);
        NativeSparse.toDense(new long[] {0, 1, 2, 0, 2, 3}, floats(values), 3, SHAPE, 4, again);
        assertEquals(floats(expected), again);
        for (Object dense : new Object[] {expected, buffer}) {
            assertEquals(3, NativeSparse.count(dense, 12, 4, false));
            assertEquals(0, NativeSparse.count(dense, 1, 4, false));
            LongBuffer back = output(6);
            FloatBuffer found = floats(0, 0, 0);
            assertEquals(3, NativeSparse.fromDense(dense, 12, SHAPE, 4, false, back, found));
            assertArrayEquals(new long[] {0, 1, 2, 0, 2, 3}, upTo(back, 6));
            assertEquals(-0f, found.get(2));
        }
    }

    @Test
    void rowPointersCountTheEntriesInFront() {
        long[] rows = {0, 1, 2, 0, 2, 3};
        long[] expected = {0, 1, 1, 3};
        LongBuffer pointers = output(4);
        NativeSparse.rowPointers(longs(rows), 3, 3, pointers);
        assertArrayEquals(expected, upTo(pointers, 4));
        LongBuffer buffer = output(4);
        NativeSparse.rowPointers(rows, 3, 3, buffer);
        assertArrayEquals(expected, upTo(buffer, 4));
        NativeSparse.rowPointers(new long[0], 0, 0, buffer);
        assertEquals(0, buffer.get(0));
    }

    @Test
    void allKindsOfValuesAreMoved() {
        Object[] arrays = {new float[] {1, 2}, new double[] {1, 2}, new int[] {1, 2}, new long[] {1, 2}, new boolean[] {true, false},
            new byte[] {1, 2}};
        int[] widths = {4, 8, 4, 8, 1, 1};
        for (int i = 0; i < arrays.length; i++) {
            ByteBuffer bytes = direct(2 * widths[i]);
            Buffer out = widths[i] == 8 ? bytes.asLongBuffer() : widths[i] == 4 ? bytes.asIntBuffer() : bytes;
            LongBuffer indices = output(4);
            assertEquals(2, NativeSparse.build(new long[] {2, 3, 0, 1}, false, arrays[i], 2, SHAPE, widths[i], indices, out));
            assertArrayEquals(new long[] {0, 1, 2, 3}, upTo(indices, 4));
            ByteBuffer back = direct(12 * widths[i]);
            Object dense = widths[i] == 8 ? back.asLongBuffer() : widths[i] == 4 ? back.asIntBuffer() : back;
            NativeSparse.toDense(indices, out, 2, SHAPE, widths[i], dense);
            // The entry at (0, 1) was the second one, that at (2, 3) the first.
            for (int k = 0; k < widths[i]; k++) {
                assertEquals(bytes.get(k), back.get(widths[i] + k), "width " + widths[i]);
                assertEquals(bytes.get(widths[i] + k), back.get(11 * widths[i] + k));
            }
            Object first = Array.newInstance(arrays[i].getClass().getComponentType(), 1);
            NativeCopies.copy(out, 1, first, 0, new long[] {1, 1, 1}, widths[i]);
            assertEquals(Array.get(arrays[i], 0), Array.get(first, 0));
        }
    }

    @Test
    void coordinatesAtAnOddAddressAreRead() {
        ByteBuffer bytes = direct(40);
        bytes.position(3);
        ByteBuffer odd = bytes.slice().order(ByteOrder.nativeOrder());
        LongBuffer coordinates = odd.asLongBuffer();
        if (!coordinates.isDirect() || coordinates.capacity() != 4) {
            return;
        }
        coordinates.put(0, 2).put(1, 3).put(2, 0).put(3, 1);
        Object[] sides = {coordinates};
        LongBuffer indices = output(4);
        try {
            NativeSparse.build(sides[0], false, new float[] {1, 2}, 2, SHAPE, 4, indices, floats(0, 0));
        } catch (IllegalArgumentException e) {
            return;     // this platform has no such direct buffers
        }
        assertArrayEquals(new long[] {0, 1, 2, 3}, upTo(indices, 4));
    }

    // ---- against an array

    /** The last are so many that their coordinates are written past the cache. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 100, 5_000, 200_000, 2_200_000})
    void randomEntriesAgreeWithAnArray(int n) {
        Random random = new Random(n);
        long[] shape = n > 1000 ? new long[] {700, 900} : new long[] {13, 17};
        int elements = (int) (shape[0] * shape[1]);
        long[] positions = new long[n];
        long[] rows = new long[2 * n];
        double[] values = new double[n];
        double[] expected = new double[elements];       // none of the values is 0
        for (int i = 0; i < n; i++) {
            positions[i] = random.nextInt(elements);
            rows[2 * i] = positions[i] / shape[1];
            rows[2 * i + 1] = positions[i] % shape[1];
            values[i] = i + 1;
            expected[(int) positions[i]] = values[i];
        }
        long[] stored = LongStream.range(0, elements).filter(position -> expected[(int) position] != 0).toArray();
        long[] places = new long[2 * stored.length];
        Arrays.setAll(places, at -> at % 2 == 0 ? stored[at / 2] / shape[1] : stored[at / 2] % shape[1]);
        for (boolean linear : new boolean[] {false, true}) {
            long[] coordinates = linear ? positions : rows;
            for (Object side : new Object[] {coordinates, longs(coordinates)}) {
                LongBuffer indices = output(2 * n);
                DoubleBuffer sorted = direct(8 * n).asDoubleBuffer();
                int distinct = (int) NativeSparse.build(side, linear, values, n, shape, 8, indices, sorted);
                assertEquals(stored.length, distinct);
                assertArrayEquals(places, Arrays.copyOf(upTo(indices, 2 * n), 2 * distinct));
                DoubleBuffer buffer = direct(8 * elements).asDoubleBuffer();
                NativeSparse.toDense(indices, sorted, distinct, shape, 8, buffer);
                double[] copied = new double[elements];
                buffer.get(copied);
                assertArrayEquals(expected, copied);
                for (Object dense : new Object[] {expected, buffer}) {
                    assertEquals(distinct, NativeSparse.count(dense, elements, 8, false));
                    LongBuffer back = output(2 * distinct);
                    DoubleBuffer found = direct(8 * distinct).asDoubleBuffer();
                    assertEquals(distinct, NativeSparse.fromDense(dense, elements, shape, 8, false, back, found));
                    assertArrayEquals(places, upTo(back, 2 * distinct));
                    assertEquals(head(sorted, distinct), head(found, distinct));
                }
            }
        }
    }

    private static DoubleBuffer head(DoubleBuffer values, int count) {
        DoubleBuffer head = values.duplicate();
        head.position(0).limit(count);
        return head;
    }

    // ---- races

    /** Another thread changes all that is read while it is read: results may be anything, what lies around the outputs stays. */
    @ParameterizedTest
    @ValueSource(ints = {64, 100_000})
    void racingWritersSpoilValuesAndNothingElse(int n) {
        int side = 512;
        long[] shape = {side, side};
        LongBuffer coordinates = longs(new long[2 * n]);
        long[] array = new long[2 * n];
        FloatBuffer values = floats(new float[n]);
        FloatBuffer dense = floats(new float[side * side]);
        AtomicBoolean stop = new AtomicBoolean();
        int rounds = (n > 1000 ? 20 : 1000) * Expect.depth();
        Workers.run(2, number -> {
            if (number == 0) {
                Random random = new Random(5);
                while (!stop.get()) {
                    int i = random.nextInt(n);
                    int kind = random.nextInt(64);
                    coordinates.put(2 * i, kind == 0 ? random.nextLong() : random.nextInt(side));
                    coordinates.put(2 * i + 1, kind == 1 ? -1 : random.nextInt(side));
                    if (kind < 2) {     // for a moment only, or nothing would be built
                        coordinates.put(2 * i, 0);
                        coordinates.put(2 * i + 1, 0);
                    }
                    array[2 * i] = kind == 0 ? -1 : random.nextInt(side);
                    array[2 * i + 1] = random.nextInt(side);
                    if (kind == 0) {
                        array[2 * i] = 0;
                    }
                    dense.put(random.nextInt(side * side), random.nextInt(2));
                }
                return;
            }
            try {
                int failed = 0;
                for (int round = 0; round < rounds; round++) {
                    LongBuffer indices = output(2 * n);
                    ByteBuffer bytes = direct(4 * n + 4);
                    bytes.putInt(4 * n, 4711);
                    ByteBuffer inner = bytes.duplicate();
                    inner.limit(4 * n);
                    FloatBuffer sorted = inner.slice().order(ByteOrder.nativeOrder()).asFloatBuffer();
                    try {
                        Object read = round % 2 == 0 ? coordinates : array;
                        long distinct = NativeSparse.build(read, false, values, n, shape, 4, indices, sorted);
                        assertTrue(distinct >= 0 && distinct <= n);
                    } catch (IndexOutOfBoundsException e) {
                        failed++;
                    }
                    try {
                        NativeSparse.toDense(coordinates, values, n, shape, 4, floats(new float[side * side]));
                    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
                        failed++;
                    }
                    try {
                        NativeSparse.fromDense(dense, (long) side * side, shape, 4, false, indices, sorted);
                    } catch (IllegalArgumentException e) {
                        failed++;
                    }
                    try {
                        NativeSparse.rowPointers(coordinates, n, side, output(side + 1));
                    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
                        failed++;
                    }
                    assertEquals(BEHIND, indices.get(2 * n));
                    assertEquals(4711, bytes.getInt(4 * n));
                }
                assertTrue(failed > 0);
            } finally {
                stop.set(true);
            }
        });
    }
}
