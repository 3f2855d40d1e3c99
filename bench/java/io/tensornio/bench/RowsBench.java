package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import java.nio.FloatBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.tensorflow.ndarray.FloatNdArray;

/**
 * Many short rows, each by {@code elements()} and by {@code get(i, j)}, against loops over a direct buffer, over nested arrays and over TensorFlow's
 * {@code NdArray}; the time is that of a row.
 */
@OperationsPerInvocation(RowsBench.ROWS)
public class RowsBench extends Timed {
    /** Rows. */
    static final int ROWS = 15_625;
    /** Elements of a row. */
    static final int COLUMNS = 16;

    private static float rows(Does does, FloatTensorData data, float[] array) {
        float max = Float.NEGATIVE_INFINITY;
        int at = 0;
        int columns = (int) data.size(1);
        switch (does) {
            case COPY:
                for (FloatTensorData row : data.elements()) {
                    for (int j = 0; j < columns; j++) {
                        array[at++] = row.get(j);
                    }
                }
                return at;
            case PUT:
                for (FloatTensorData row : data.elements()) {
                    for (int j = 0; j < columns; j++) {
                        row.put(at + j, j);
                    }
                    at++;
                }
                return at;
            default:
                for (FloatTensorData row : data.elements()) {
                    for (int j = 0; j < columns; j++) {
                        float value = row.get(j);
                        if (value > max) {
                            max = value;
                        }
                    }
                }
                return max;
        }
    }

    private static float rows(Does does, FloatNdArray data, float[] array) {
        float max = Float.NEGATIVE_INFINITY;
        int at = 0;
        int columns = (int) data.shape().get(1);
        switch (does) {
            case COPY:
                for (FloatNdArray row : data.elements(0)) {
                    for (int j = 0; j < columns; j++) {
                        array[at++] = row.getFloat(j);
                    }
                }
                return at;
            case PUT:
                for (FloatNdArray row : data.elements(0)) {
                    for (int j = 0; j < columns; j++) {
                        row.setFloat(at + j, j);
                    }
                    at++;
                }
                return at;
            default:
                for (FloatNdArray row : data.elements(0)) {
                    for (int j = 0; j < columns; j++) {
                        float value = row.getFloat(j);
                        if (value > max) {
                            max = value;
                        }
                    }
                }
                return max;
        }
    }

    /** A direct buffer. */
    public static class Raw extends Contender<FloatBuffer> {
        @Override
        void make() {
            use(new OpenTensor(ROWS, COLUMNS).buffer, ByHand.buffer(ROWS, COLUMNS), ROWS * COLUMNS);
        }
    }

    /** Nested arrays. */
    public static class Arrays extends Contender<float[][]> {
        @Override
        void make() {
            use(FloatArrays.nested(ROWS, COLUMNS), ElementBench.arrays(ROWS, COLUMNS), ROWS * COLUMNS);
        }
    }

    /** TensorFlow's. */
    public static class NdArray extends Contender<FloatNdArray> {
        @Override
        void make() {
            use(FloatArrays.ndArray(ROWS, COLUMNS), RowsBench::rows, ROWS * COLUMNS);
        }
    }

    /** A tensor. */
    public abstract static class Tensor extends Contender<FloatTensorData> {
        /** Whether the loop has seen contiguous data alone, or views with other strides, too. */
        @Param({"mono", "mixed"})
        String seen;

        abstract Pass<FloatTensorData> pass();

        @Override
        void make() {
            Pass<FloatTensorData> pass = pass();
            if (seen.equals("mixed")) {
                Views.show(pass, does, ROWS, COLUMNS);
            }
            use(new OpenTensor(ROWS, COLUMNS).data, pass, ROWS * COLUMNS);
        }
    }

    /** A tensor, by its rows. */
    public static class ByElements extends Tensor {
        @Override
        Pass<FloatTensorData> pass() {
            return RowsBench::rows;
        }
    }

    /** A tensor, by indices. */
    public static class ByIndices extends Tensor {
        @Override
        Pass<FloatTensorData> pass() {
            return ElementBench.tensor(ROWS, COLUMNS);
        }
    }

    /** Over the buffer. */
    @Benchmark
    public float raw(Raw s) {
        return s.run();
    }

    /** Over the nested arrays. */
    @Benchmark
    public float arrays(Arrays s) {
        return s.run();
    }

    /** Over the {@code NdArray}. */
    @Benchmark
    public float ndArray(NdArray s) {
        return s.run();
    }

    /** Over the tensor, by {@code elements()}. */
    @Benchmark
    public float elements(ByElements s) {
        return s.run();
    }

    /** Over the tensor, by {@code get(i, j)} and {@code put(v, i, j)}. */
    @Benchmark
    public float get(ByIndices s) {
        return s.run();
    }
}
