package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.lang.reflect.Array;
import java.nio.FloatBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Nested arrays into memory that is there, against a direct buffer's own bulk call for each row. */
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class NestedBench extends Timed {
    /** Nested arrays, and memory for their elements. */
    @State(Scope.Thread)
    public static class Nested {
        /** The sizes. */
        @Param({"1000x1000", "256x256x256", "64x64x16x16x4", "8x8x8x8x8x64"})
        String shape;
        FloatTensorData data;
        FloatBuffer buffer;
        Object arrays;
        /** The innermost arrays, in order. */
        float[][] rows;

        /** Makes the arrays. */
        @Setup
        public void make() {
            String[] sizes = shape.split("x");
            int[] ints = new int[sizes.length];
            long[] longs = new long[sizes.length];
            int count = 1;
            for (int d = 0; d < sizes.length; d++) {
                ints[d] = Integer.parseInt(sizes[d]);
                longs[d] = ints[d];
                count *= d < sizes.length - 1 ? ints[d] : 1;
            }
            OpenTensor open = new OpenTensor(longs);
            data = open.data;
            buffer = open.buffer;
            arrays = Array.newInstance(float.class, ints);
            rows = new float[count][];
            if (rowsOf(arrays, 0) != count) {
                throw new IllegalStateException("there are not " + count + " rows");
            }
        }

        private int rowsOf(Object array, int before) {
            if (array instanceof float[]) {
                float[] row = (float[]) array;
                for (int i = 0; i < row.length; i++) {
                    row[i] = before * 31 + i;
                }
                rows[before] = row;
                return before + 1;
            }
            int n = before;
            for (Object inner : (Object[]) array) {
                n = rowsOf(inner, n);
            }
            return n;
        }
    }

    /** All at once. */
    @Benchmark
    public FloatTensorData tensor(Nested s) {
        s.data.putNested(s.arrays);
        return s.data;
    }

    /** All at once, to a tensor of their own. */
    @Benchmark
    public long made(Nested s) {
        try (Tensor<?> tensor = Tensors.ofNested(s.arrays)) {
            return tensor.numBytes();
        }
    }

    /** Row by row. */
    @Benchmark
    public FloatBuffer raw(Nested s) {
        s.buffer.position(0);
        for (float[] row : s.rows) {
            s.buffer.put(row);
        }
        return s.buffer;
    }
}
