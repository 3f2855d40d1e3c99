package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
//~byte import io.tensornio.UInt8;
import io.tensornio.internal.memory.Forked;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatFlow;
import io.tensornio.support.FloatValues;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Streams and bytes of {@code float} data that is not the library's own: longer axes than an int counts, and rows that differ. */
class FloatStreamModelTest {
    /** 2^40 elements and more, of which those are kept that are written. */
    private static final long HUGE = (1L << 40) + 3;

    private static final class Sparse implements FloatModelData.Elements {
        final TreeMap<Long, Float> written = new TreeMap<>();

        @Override
        public float read(long at) {
            Float value = written.get(at);
            return value == null ? FloatValues.of((int) at) : value;
        }

        @Override
        public void write(long at, float value) {
            written.put(at, value);
        }
    }

    private static final class Store implements FloatModelData.Elements {
        final float[] array;

        Store(float... array) {
            this.array = array;
        }

        @Override
        public float read(long at) {
            return array[(int) at];
        }

        @Override
        public void write(long at, float value) {
            array[(int) at] = value;
        }
    }

    private static final int[][] ROWS = {{}, {0}, {1}, {3, 0, 1, 5, 0, 0, 2}, {0, 0, 7, 0}, {0, 4, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 40}};

    @Test
    void splitsAnAxisLongerThanAnIntCounts() {
        for (long[] shape : new long[][] {{HUGE}, {1, HUGE, 1}, {2, HUGE}, {HUGE, 3}}) {
            FloatTensorData data = FloatModelData.of(new Sparse(), shape);
            Spliterator<?> spliterator = data.stream().spliterator();
            long left = data.totalSize();
            long at = 0;            // of what is not split off in front
            for (int i = 0; left > 1; i++) {
                assertEquals(left, spliterator.getExactSizeIfKnown());
                Spliterator<?> before = spliterator.trySplit();
                long size = before.getExactSizeIfKnown();
                assertTrue(size > 0 && size < left);
                assertEquals(left - size, spliterator.getExactSizeIfKnown());
                if (i % 3 == 0) {
                    spliterator = before;
                    left = size;
                } else {
                    at += size;
                    left -= size;
                }
            }
            assertNull(spliterator.trySplit());
            assertEquals(Arrays.asList(FloatFlow.object(FloatValues.of((int) at))), FloatFlow.rest(spliterator));
        }
    }

    @Test
    void countsWithoutReading() {
        assumeTrue(Forked.feature() >= 9, "count() asks for a size that is known");
        for (long[] shape : new long[][] {{HUGE}, {1, HUGE, 1}, {2, HUGE}, {HUGE, 3}}) {
            FloatTensorData data = FloatModelData.of(new Sparse(), shape);
            assertEquals(data.totalSize(), data.stream().count());
        }
    }

    @Test
    void readsSomeOfMoreThanAnIntCounts() {
        FloatTensorData data = FloatModelData.of(new Sparse(), HUGE);
        List<Object> some = FloatFlow.of(data).skip(5).limit(3).collect(Collectors.toList());
        assertEquals(FloatFlow.objects(FloatValues.array(5, 3)), some);
        assertEquals(FloatFlow.objects(FloatValues.array(7, 3)), FloatFlow.of(data, 7).limit(3).collect(Collectors.toList()));
        FloatTensorData tail = data.slice(range(HUGE - 2, HUGE));
        assertEquals(FloatFlow.objects(FloatValues.array((int) (HUGE - 2), 2)), FloatFlow.of(tail).parallel().collect(Collectors.toList()));
    }

    @Test
    void writesSomeOfMoreThanAnIntCounts() {
        Sparse elements = new Sparse();
        FloatTensorData data = FloatModelData.of(elements, 2, HUGE);
        FloatFlow.put(data, FloatFlow.values(10, 3), 1, 9);
        assertEquals(Arrays.asList(HUGE + 9, HUGE + 10, HUGE + 11), new ArrayList<>(elements.written.keySet()));
        assertEquals(FloatValues.of(11), elements.written.get(HUGE + 10));
        elements.written.clear();
        Expect.thrown(IndexOutOfBoundsException.class, () -> FloatFlow.put(data.slice(1).slice(range(HUGE - 2, HUGE)), FloatFlow.endless(20)),
            "more than 2", "[2]");
        assertEquals(Arrays.asList(2 * HUGE - 2, 2 * HUGE - 1), new ArrayList<>(elements.written.keySet()));
    }

    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void bytesOfMoreThanAnIntCounts() {
        Sparse elements = new Sparse();
        FloatTensorData data = FloatModelData.of(elements, 2, HUGE);
        //#if primitive
        int size = DataType.FLOAT.byteSize();
        //#end
        //~string int size = 2;         // of an empty one
        IOException full = new IOException("full");
        int[] written = {0};
        assertSame(full, Expect.thrown(UncheckedIOException.class, () -> data.read(new OutputStream() {
            @Override
            public void write(int b) {
                throw new AssertionError("a byte of its own");
            }

            @Override
            public void write(byte[] b, int off, int len) throws IOException {
                written[0] += len;
                if (written[0] > 1_000_000) {
                    throw full;
                }
            }
        })).getCause());
        Throwable e = Expect.thrown(UncheckedIOException.class, () -> data.write(new ByteArrayInputStream(new byte[3 * size])),
            "after 3 of the " + 2 * HUGE + " elements").getCause();
        assertSame(EOFException.class, e.getClass());
        assertEquals(Arrays.asList(0L, 1L, 2L), new ArrayList<>(elements.written.keySet()));
    }

    @Test
    void rowsOfDifferentLengths() {
        for (int[] rows : ROWS) {
            int n = Arrays.stream(rows).sum();
            Store elements = new Store(FloatValues.array(0, n));
            FloatTensorData data = FloatModelData.ragged(elements, rows);
            List<Object> expected = FloatFlow.objects(elements.array);
            assertEquals(expected, FloatFlow.of(data).collect(Collectors.toList()), Arrays.toString(rows));
            assertEquals(expected, FloatFlow.of(data).parallel().collect(Collectors.toList()), Arrays.toString(rows));
            for (int read = 0; read <= n; read++) {
                Spliterator<?> spliterator = data.stream().spliterator();
                for (int i = 0; i < read; i++) {
                    assertTrue(spliterator.tryAdvance(value -> { }));
                }
                List<Spliterator<?>> leaves = FloatFlow.leaves(spliterator);
                assertTrue(leaves.stream().allMatch(leaf -> leaf.estimateSize() < 2), Arrays.toString(rows));
                assertEquals(expected.subList(read, n), FloatFlow.rest(leaves), Arrays.toString(rows));
            }
            for (int row = 0, start = 0; row < rows.length; start += rows[row++]) {
                for (int i = 0; i < rows[row]; i++) {
                    List<Object> rest = FloatFlow.objects(FloatValues.array(start + i, rows[row] - i));
                    assertEquals(rest, FloatFlow.of(data, row, i).collect(Collectors.toList()));
                }
            }
        }
    }

    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void bytesOfRowsOfDifferentLengths() {
        int[] lengths = new int[3000];
        Arrays.setAll(lengths, i -> i % 500 == 77 ? 20_000 : i % 7);
        for (int[] rows : new int[][] {{3, 0, 1, 5, 0, 0, 2}, {}, {0}, lengths}) {
            int n = Arrays.stream(rows).sum();
            ByteArrayOutputStream direct = new ByteArrayOutputStream();
            try (Tensor<Float> tensor = FloatValues.tensor(n)) {
                tensor.floatData().read(direct);
            }
            Store elements = new Store(FloatValues.array(0, n));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            FloatModelData.ragged(elements, rows).read(bytes);
            assertArrayEquals(direct.toByteArray(), bytes.toByteArray());
            Store copy = new Store(FloatValues.zeros(n));
            FloatModelData.ragged(copy, rows).write(new ByteArrayInputStream(bytes.toByteArray()));
            assertArrayEquals(elements.array, copy.array);
        }
    }

    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void dataOfAnotherImplementation() {
        Store elements = new Store(FloatValues.array(0, 60));
        FloatTensorData data = FloatModelData.of(elements, 4, 3, 5).slice(flip(), flip());
        try (Tensor<Float> tensor = FloatValues.tensor(4, 3, 5)) {
            FloatTensorData dense = tensor.floatData().slice(flip(), flip());
            for (int[] indices : new int[][] {{}, {1}, {3, 2}, {3, 2, 0}, {0, 0, 4}}) {
                assertEquals(FloatFlow.of(dense, indices).collect(Collectors.toList()),
                    FloatFlow.of(data, indices).parallel().collect(Collectors.toList()));
            }
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.stream(0, 0, 5), "index 5", "axis 2");
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            data.read(bytes);
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            dense.read(expected);
            assertArrayEquals(expected.toByteArray(), bytes.toByteArray());
            data.slice(flip()).write(new ByteArrayInputStream(bytes.toByteArray()));
            assertEquals(FloatFlow.oneByOne(dense.stream()), FloatFlow.oneByOne(data.slice(flip()).stream()));
        }
    }
}
