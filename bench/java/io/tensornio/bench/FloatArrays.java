package io.tensornio.bench;

import java.util.Arrays;
import org.tensorflow.ndarray.FloatNdArray;
import org.tensorflow.ndarray.NdArrays;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.index.Index;
import org.tensorflow.ndarray.index.Indices;

/** Arrays with the values of {@link OpenTensor}: of Java, and of TensorFlow, in memory of its own choice. */
final class FloatArrays {
    private FloatArrays() {
    }

    static float[] flat(int n) {
        float[] values = new float[n];
        for (int p = 0; p < n; p++) {
            values[p] = OpenTensor.value(p);
        }
        return values;
    }

    static float[][] nested(int rows, int columns) {
        float[][] nested = new float[rows][];
        float[] flat = flat(rows * columns);
        for (int i = 0; i < rows; i++) {
            nested[i] = Arrays.copyOfRange(flat, i * columns, (i + 1) * columns);
        }
        return nested;
    }

    static FloatNdArray ndArray(long... shape) {
        FloatNdArray array = NdArrays.ofFloats(Shape.of(shape));
        int next = 0;
        for (FloatNdArray scalar : array.scalars()) {
            scalar.setFloat(OpenTensor.value(next++));
        }
        return array;
    }

    /** Every second position on the last axis. */
    static FloatNdArray every2nd(long... shape) {
        long[] wide = shape.clone();
        wide[wide.length - 1] *= 2;
        Index[] indices = new Index[wide.length];
        Arrays.fill(indices, Indices.all());
        indices[indices.length - 1] = Indices.step(2);
        return ndArray(wide).slice(indices);
    }
}
