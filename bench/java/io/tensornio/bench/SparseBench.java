package io.tensornio.bench;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.mask;
import static io.tensornio.TensorIndex.take;
import static io.tensornio.TensorIndex.to;

import io.tensornio.BooleanTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A square matrix of which one element in seven is stored: made from coordinates, in order and not, and by one put after the other; made
 * dense; looked up at random, half of the times in vain; and copied, some rows of it, with columns that a list picks.
 */
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseSerialGC", "-Dtensornio.maxMemory=6g"})
public class SparseBench extends Timed {
    /** Rows and columns. */
    static final int SIDE = 8192;
    /** Values that are stored. */
    static final int VALUES = 10_000_000;
    /** Elements looked up in a round. */
    static final int LOOKUPS = 1_000_000;

    /** The nth of distinct places, in no order: each step is a bijection of 26 bits. */
    static int key(int n) {
        long mask = (long) SIDE * SIDE - 1;
        long key = n * 40_503_821L + 12_345 & mask;
        key ^= key >> 13;
        key = key * 2_654_435 & mask;
        return (int) (key ^ key >> 13);
    }

    private static long[] coordinates(int... keys) {
        long[] coordinates = new long[2 * keys.length];
        for (int n = 0; n < keys.length; n++) {
            coordinates[2 * n] = keys[n] / SIDE;
            coordinates[2 * n + 1] = keys[n] % SIDE;
        }
        return coordinates;
    }

    private static void expect(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException(what);
        }
    }

    /** Arrays of coordinates and values. */
    @State(Scope.Thread)
    public static class Coordinates {
        final LongTensorData unsorted;
        final LongTensorData sorted;
        final FloatTensorData values;

        /** Makes the arrays. */
        public Coordinates() {
            int[] keys = new int[VALUES];
            float[] floats = new float[VALUES];
            for (int n = 0; n < VALUES; n++) {
                keys[n] = key(n);
                floats[n] = n;
            }
            unsorted = LongTensorData.of(coordinates(keys), VALUES, 2);
            Arrays.sort(keys);
            sorted = LongTensorData.of(coordinates(keys), VALUES, 2);
            values = FloatTensorData.of(floats);
        }

        /** Checks what is made. */
        @Setup
        public void check() {
            try (SparseTensor<Float> tensor = Tensors.sparseFloat(unsorted, values, SIDE, SIDE)) {
                for (int n = 0; n < VALUES; n += 999_999) {
                    expect(tensor.floatData().get(key(n) / SIDE, key(n) % SIDE) == n, "another value");
                }
                expect(tensor.indices().longData().slice(VALUES - 1).equals(sorted.slice(VALUES - 1)), "other indices");
            }
        }
    }

    /** From coordinates in no order. */
    @Benchmark
    public long build(Coordinates s) {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(s.unsorted, s.values, SIDE, SIDE)) {
            return tensor.numBytes();
        }
    }

    /** Tensors of coordinates and values. */
    @State(Scope.Thread)
    public static class Native {
        final Tensor<Long> unsorted;
        final Tensor<Float> values;
        final LongTensorData coordinates;
        final FloatTensorData floats;

        /** Makes the tensors. */
        public Native() {
            Coordinates arrays = new Coordinates();
            unsorted = Tensors.create(arrays.unsorted);
            values = Tensors.create(arrays.values);
            coordinates = unsorted.longData();
            floats = values.floatData();
        }
    }

    /** From coordinates in no order, in tensors. */
    @Benchmark
    public long buildOfTensors(Native s) {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(s.coordinates, s.floats, SIDE, SIDE)) {
            return tensor.numBytes();
        }
    }

    /** From coordinates in row-major order. */
    @Benchmark
    public long buildSorted(Coordinates s) {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(s.sorted, s.values, SIDE, SIDE)) {
            return tensor.numBytes();
        }
    }

    /** By one put after the other. */
    @Benchmark
    public long put() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {SIDE, SIDE}, VALUES, data -> {
            for (int n = 0; n < VALUES; n++) {
                int key = key(n);
                data.put(n, key / SIDE, key % SIDE);
            }
        })) {
            return tensor.numBytes();
        }
    }

    /** A sparse tensor. */
    @State(Scope.Thread)
    public static class Made {
        final SparseTensor<Float> tensor;
        final FloatTensorData data;

        /** Makes the tensor. */
        public Made() {
            Coordinates arrays = new Coordinates();
            tensor = Tensors.sparseFloat(arrays.unsorted, arrays.values, SIDE, SIDE);
            data = tensor.floatData();
            try (Tensor<Float> dense = tensor.toDense()) {
                expect(dense.floatData().get(key(7) / SIDE, key(7) % SIDE) == 7, "another element");
            }
        }
    }

    /** All elements. */
    @Benchmark
    public long toDense(Made s) {
        try (Tensor<Float> dense = s.tensor.toDense()) {
            return dense.numBytes();
        }
    }

    /** One element, somewhere. */
    @Benchmark
    @OperationsPerInvocation(LOOKUPS)
    public int get(Made s) {
        int found = 0;
        for (int n = VALUES - LOOKUPS / 2; n < VALUES + LOOKUPS / 2; n++) {
            int key = key(n);
            found += s.data.get(key / SIDE, key % SIDE) != 0 ? 1 : 0;
        }
        expect(found == LOOKUPS / 2, "found " + found);
        return found;
    }

    /** Some rows, sparse and dense, of which columns are picked. */
    @State(Scope.Thread)
    public static class Picked {
        private static final int ROWS = 1024;
        final FloatTensorData permuted;
        final FloatTensorData masked;
        final FloatTensorData densePermuted;
        final FloatTensorData denseMasked;
        final float[] to = new float[ROWS * SIDE];

        /** Makes the views. */
        public Picked() {
            long[] columns = new long[SIDE];
            boolean[] some = new boolean[SIDE];
            for (int n = 0; n < SIDE; n++) {
                int column = n * 2731 + 17 & SIDE - 1;
                columns[n] = column ^ column >> 6;
                some[n] = Integer.bitCount(n) % 2 == 0;
            }
            LongTensorData order = LongTensorData.of(columns);
            BooleanTensorData half = BooleanTensorData.of(some);
            FloatTensorData rows = new Made().data.slice(to(ROWS));
            FloatTensorData dense = Tensors.create(rows).floatData();
            permuted = rows.slice(all(), take(order));
            masked = rows.slice(all(), mask(half));
            densePermuted = dense.slice(all(), take(order));
            denseMasked = dense.slice(all(), mask(half));
            expect(permuted.equals(densePermuted) && masked.equals(denseMasked), "other elements");
        }

        float copy(FloatTensorData data) {
            data.copyTo(to);
            return to[7];
        }
    }

    /** The columns in another order. */
    @Benchmark
    public float permuted(Picked s) {
        return s.copy(s.permuted);
    }

    /** The same of dense data. */
    @Benchmark
    public float densePermuted(Picked s) {
        return s.copy(s.densePermuted);
    }

    /** Half of the columns. */
    @Benchmark
    public float masked(Picked s) {
        return s.copy(s.masked);
    }

    /** The same of dense data. */
    @Benchmark
    public float denseMasked(Picked s) {
        return s.copy(s.denseMasked);
    }
}
