package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensors;
import java.nio.FloatBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A million rows of 0 to 19 floats: put one after the other, and summed up in three ways, against what lies in one run. */
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class RaggedBench extends Timed {
    /** How many rows. */
    static final int ROWS = 1_000_000;
    private static final int LENGTHS = 20;

    /** How many elements a row has. */
    static int length(int row) {
        return row * 7 % LENGTHS;
    }

    private static void expect(double sum, double expected) {
        if (sum != expected) {
            throw new IllegalStateException("the sum is " + sum + ", not " + expected);
        }
    }

    /** Rows to put; a power of two, as in the baselines. */
    @State(Scope.Thread)
    public static class Rows {
        final float[][] rows = new float[64][];

        /** Makes the rows. */
        public Rows() {
            for (int row = 0; row < rows.length; row++) {
                rows[row] = new float[length(row)];
                for (int i = 0; i < rows[row].length; i++) {
                    rows[row][i] = row + i;
                }
            }
        }
    }

    /** One row after the other. */
    @Benchmark
    public long putRows(Rows s) {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {ROWS, -1}, data -> {
            for (int row = 0; row < ROWS; row++) {
                data.put(s.rows[row & 63], row);
            }
        })) {
            return tensor.numElements();
        }
    }

    /** A ragged tensor, a dense one and a buffer of the same elements. */
    @State(Scope.Thread)
    public static class Made {
        final RaggedTensor<Float> tensor;
        final FloatTensorData ragged;
        final FloatTensorData dense;
        final FloatBuffer buffer;
        final int[] splits = new int[ROWS + 1];
        double sum;

        /** Makes them all. */
        public Made() {
            float[][] rows = new Rows().rows;
            tensor = Tensors.raggedFloat(new long[] {ROWS, -1}, data -> {
                for (int row = 0; row < ROWS; row++) {
                    data.put(rows[row & 63], row);
                    splits[row + 1] = splits[row] + rows[row & 63].length;
                }
            });
            ragged = tensor.floatData();
            OpenTensor open = new OpenTensor(tensor.numElements());
            dense = open.data;
            buffer = open.buffer;
            float[] values = new float[splits[ROWS]];
            ragged.copyTo(values);
            dense.copyFrom(values);
        }

        /** Checks the sums. */
        @Setup
        public void check() {
            expect(sumOf(ragged, this), sumOf(dense, this));
            expect(new RaggedBench().elements(this), new RaggedBench().rawRows(this));
        }
    }

    private static double sumOf(FloatTensorData data, Made s) {
        s.sum = 0;
        data.scalars().forEach(v -> s.sum += v);
        return s.sum;
    }

    /** All elements, by {@code scalars().forEach}. */
    @Benchmark
    public double sum(Made s) {
        return sumOf(s.ragged, s);
    }

    /** {@link #sum} of a dense tensor. */
    @Benchmark
    public double denseSum(Made s) {
        return sumOf(s.dense, s);
    }

    /** All elements, row by row. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public double elements(Made s) {
        double sum = 0;
        for (FloatTensorData row : s.ragged.elements()) {
            int n = (int) row.size(0);
            for (int i = 0; i < n; i++) {
                sum += row.get(i);
            }
        }
        return sum;
    }

    /** All elements of a buffer, row by row. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public double rawRows(Made s) {
        double sum = 0;
        for (int row = 0; row < ROWS; row++) {
            int end = s.splits[row + 1];
            for (int at = s.splits[row]; at < end; at++) {
                sum += s.buffer.get(at);
            }
        }
        return sum;
    }
}
