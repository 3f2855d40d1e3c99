package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import java.nio.FloatBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.tensorflow.ndarray.FloatNdArray;

/** Rows of one matrix into another, as batches are gathered, against buffers, nested arrays and TensorFlow's. */
public class RowCopyBench extends Timed {
    private static final int ROWS = 8;

    /** Two matrices of each kind, of the same elements; a copy moves a row to one that is behind it by one. */
    @State(Scope.Thread)
    public static class Matrices {
        /** The elements of a row. */
        @Param({"8", "64", "1000"})
        int n;
        int turn;
        FloatTensorData from;
        FloatTensorData to;
        FloatBuffer fromBuffer;
        FloatBuffer toBuffer;
        float[][] fromArrays;
        float[][] toArrays;
        FloatNdArray fromNdArray;
        FloatNdArray toNdArray;

        /** Makes them. */
        @Setup
        public void make() {
            OpenTensor source = new OpenTensor(ROWS, n);
            OpenTensor target = new OpenTensor(ROWS, n);
            from = source.data;
            to = target.data;
            fromBuffer = source.buffer;
            toBuffer = target.buffer;
            fromArrays = FloatArrays.nested(ROWS, n);
            toArrays = new float[ROWS][n];
            fromNdArray = FloatArrays.ndArray(ROWS, n);
            toNdArray = FloatArrays.ndArray(ROWS, n);
        }

        int next() {
            return turn++ & ROWS - 1;
        }
    }

    /** By tensors. */
    @Benchmark
    public FloatTensorData tensor(Matrices s) {
        int i = s.next();
        s.to.put(s.from.slice(i), i + 1 & ROWS - 1);
        return s.to;
    }

    /** By buffers. */
    @Benchmark
    public FloatBuffer raw(Matrices s) {
        int i = s.next();
        int n = s.n;
        s.fromBuffer.limit((i + 1) * n);
        s.fromBuffer.position(i * n);
        s.toBuffer.position((i + 1 & ROWS - 1) * n);
        s.toBuffer.put(s.fromBuffer);
        return s.toBuffer;
    }

    /** By nested arrays. */
    @Benchmark
    public float[][] arrays(Matrices s) {
        int i = s.next();
        System.arraycopy(s.fromArrays[i], 0, s.toArrays[i + 1 & ROWS - 1], 0, s.n);
        return s.toArrays;
    }

    /** By {@code NdArray}s. */
    @Benchmark
    public FloatNdArray ndArray(Matrices s) {
        int i = s.next();
        s.fromNdArray.get(i).copyTo(s.toNdArray.get(i + 1 & ROWS - 1));
        return s.toNdArray;
    }
}
